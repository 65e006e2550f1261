import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
} from "@grpc/grpc-js";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResponse,
  CallToolResponseSchema,
  ToolService,
} from "../../gen/structcodec/test/v1/agent_pb.js";
import { createStructInterceptor, toServiceDefinition } from "../../src/grpc.js";
import type { CallTool } from "./backend.js";
import type { GrpcServer } from "./grpc-server.js";

/** What grpc-js needs to know of a service, written by hand around protobuf-es. */
const plainDefinition: ServiceDefinition = {
  callTool: {
    path: `/${ToolService.typeName}/CallTool`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (request: CallToolRequest) => Buffer.from(toBinary(CallToolRequestSchema, request)),
    requestDeserialize: (bytes) => fromBinary(CallToolRequestSchema, bytes),
    responseSerialize: (response: CallToolResponse) => Buffer.from(toBinary(CallToolResponseSchema, response)),
    responseDeserialize: (bytes) => fromBinary(CallToolResponseSchema, bytes),
  },
};

/** Serve gRPC with grpc-js, on loopback. With the codec, Structs are checked before a handler sees them. */
export async function serveGrpcJs(callTool: CallTool, isExact: boolean): Promise<GrpcServer> {
  const server = new Server(isExact ? { interceptors: [createStructInterceptor()] } : {});
  server.addService(isExact ? toServiceDefinition(ToolService) : plainDefinition, {
    callTool: (call: ServerUnaryCall<CallToolRequest, CallToolResponse>, send: sendUnaryData<CallToolResponse>) => {
      callTool(call.request).then(
        (response) => send(null, create(CallToolResponseSchema, response)),
        (error: unknown) => {
          const { code, rawMessage } = ConnectError.from(error);
          // The codes of Connect are those of gRPC.
          send({ code: code as number, details: rawMessage });
        },
      );
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { url: `http://127.0.0.1:${port}`, close: async () => server.forceShutdown() };
}
