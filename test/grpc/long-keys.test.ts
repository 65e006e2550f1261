import { Validator } from "@cfworker/json-schema";
import {
  credentials,
  makeGenericClientConstructor,
  Server,
  ServerCredentials,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { ToolService } from "../../gen/structcodec/test/v1/agent_pb.js";
import { createStructInterceptor, readStructProblem, toServiceDefinition } from "../../src/grpc.js";
import { useCfworker } from "../../src/schema.js";

it.each(["😀", "x😀", "€"])("a request with long keys of %s is refused, and the server lives", async (unit) => {
  const hints = { "structcodec.test.v1.CallToolRequest.arguments": { additionalProperties: { type: "integer" } } };
  const server = new Server({ interceptors: [createStructInterceptor()] });
  server.addService(toServiceDefinition(ToolService, { hints, validator: useCfworker(Validator) }) as never, {
    callTool: (_: unknown, reply: (error: null, response: object) => void) => reply(null, {}),
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const Client = makeGenericClientConstructor(toServiceDefinition(ToolService) as never, "ToolService");
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const call = (args: object) =>
    new Promise<ServiceError | null>((resolve) => {
      const { callTool } = client as never as {
        callTool(request: object, done: (error: ServiceError | null) => void): void;
      };
      callTool.call(client, { arguments: args }, resolve);
    });
  try {
    for (let length = 480; length < 500; length++) {
      const error = await call({ [unit.repeat(length)]: "x" });
      expect(error?.code).toBe(status.INVALID_ARGUMENT);
      expect(readStructProblem(error as ServiceError)?.code).toBe("schema_mismatch");
    }
    expect(await call({ a: 1 })).toBeNull();
  } finally {
    client.close();
    server.forceShutdown();
  }
});
