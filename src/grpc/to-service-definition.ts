import type { DescService } from "@bufbuild/protobuf";
import { type GrpcStructOptions, prepareTools } from "./grpc-options.js";
import type { GrpcServiceDefinition } from "./service-types.js";
import { StructMethod } from "./struct-method.js";

/**
 * Make a service definition for grpc-js of a service of protobuf-es: for `server.addService`, whose handlers may go by the names of
 * the proto file or in lower camel case, and for `makeGenericClientConstructor`. What the Structs of outgoing messages hold is
 * brought to what a Struct can hold; incoming ones are checked. Throws as `createMessageHints` does.
 */
export function toServiceDefinition<Service extends DescService>(
  service: Service,
  options: GrpcStructOptions = {},
): GrpcServiceDefinition<Service> {
  const tools = prepareTools(options);
  for (const { input, output } of service.methods) for (const desc of [input, output]) tools.hints.prepare(desc);
  const methods = service.methods.map((method) => [method.localName, new StructMethod(method, tools).definition]);
  return Object.fromEntries(methods) as GrpcServiceDefinition<Service>;
}
