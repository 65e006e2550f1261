import type { JsonObject } from "@bufbuild/protobuf";
import type { GenService } from "@bufbuild/protobuf/codegenv2";
import type { StructSchema } from "@bufbuild/protobuf/wkt";
import {
  type Transport as ConnectTransport,
  createClient,
  createRouterTransport,
  type Interceptor,
} from "@connectrpc/connect";
import { makeGenericClientConstructor, Server, type ServiceDefinition, type ServiceError } from "@grpc/grpc-js";
import type { PackageDefinition } from "@grpc/proto-loader";
import { Client } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { Ajv2020 } from "ajv/dist/2020.js";
import {
  createClientStructInterceptor,
  createServerStructInterceptor,
  findStructProblems,
} from "../../../src/connect.js";
import {
  createStructInterceptor,
  type GrpcClient,
  type GrpcHandlers,
  readStructProblem,
  toServiceDefinition,
} from "../../../src/grpc.js";
import { createExactTool, createMcpBridge, ExactStdioClientTransport, exactHttpHandler } from "../../../src/mcp.js";
import { withStructs } from "../../../src/proto-loader.js";
import { useAjv } from "../../../src/schema.js";

// What users of frameworks write. Compiled like consumer.ts, against the frameworks as they are installed.

declare const service: GenService<{
  echo: { methodKind: "unary"; input: typeof StructSchema; output: typeof StructSchema };
}>;
declare const loaded: PackageDefinition;
// Under "require" the declarations of SDK v1 are those of its ES modules.
declare const older: import("@modelcontextprotocol/sdk/client/index.js", { with: {
  "resolution-mode": "import",
}}).Client;

const validator = useAjv(() => new Ajv2020({ strict: false }));
const hints = { "a.B.c": { properties: { id: { type: "integer", format: "int64" } } } } as const;
const interceptors: Interceptor[] = [
  createClientStructInterceptor({ hints, validator }),
  createServerStructInterceptor({ hints }),
];
const transport: ConnectTransport = createRouterTransport((router) => router.service(service, {}), {
  transport: { interceptors },
});
const answer: Promise<{ fields: { [key: string]: unknown } }> = createClient(service, transport).echo({});
const places: readonly string[] = findStructProblems(new Error("of a call")).map(({ pointer }) => pointer);

const definition = toServiceDefinition(service, { hints });
const plain: ServiceDefinition = definition;
const handlers: GrpcHandlers<typeof service> = { echo: (call, done) => done(null, call.request) };
const server = new Server({ interceptors: [createStructInterceptor()] });
server.addService(definition, handlers);
const Caller = makeGenericClientConstructor(plain, "Echo");
const echo = (caller: GrpcClient<typeof service>) => caller.echo({}, (_, response) => response?.fields);
const problem = (error: ServiceError) => readStructProblem(error)?.pointer;
const wrapped: PackageDefinition = withStructs(loaded, { hints, int64: "bigint" });

const clients = [new Client({ name: "a", version: "1" }), older];
async function call(fields: JsonObject): Promise<JsonObject | undefined> {
  await new Client({ name: "a", version: "1" }).connect(new ExactStdioClientTransport({ command: "node" }));
  const bridges = [createMcpBridge(older), createMcpBridge(new Client({ name: "a", version: "1" }))];
  const [bridge = createMcpBridge(older)] = bridges;
  const { structured } = await bridge.call(await bridge.prepare("t", { field: fields }));
  return structured?.toField();
}
const tool = createExactTool({ name: "t", inputSchema: { type: "object" } }, { int64: "string", validator });
const mcp = new McpServer({ name: "a", version: "1" });
mcp.registerTool("t", { inputSchema: tool.inputSchema }, (args) => tool.writeResult(args));
const handler: (request: Request) => Promise<Response> = exactHttpHandler(async () => new Response());

// @ts-expect-error an interceptor has no such option
createClientStructInterceptor({ hint: hints });
// @ts-expect-error a service is needed, not its name
toServiceDefinition("a.B");
// @ts-expect-error 64-bit integers are no doubles
withStructs(loaded, { hints, int64: "number" });

export const all = [answer, places, Caller, echo, problem, wrapped, clients, call, mcp, handler];
