import { inspect } from "node:util";
import { Server as ServerV1 } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { McpServer, Server as ServerV2 } from "@modelcontextprotocol/server";
import type { ExactJsonObject } from "../../../src/index.js";
import { createExactTool, type ExactTool, type ExactToolResult } from "../../../src/mcp.js";
import type { ToolLike } from "../../../src/schema.js";
import { schema } from "./values.js";

/** A tool that gives back what it gets, and tells what that was to the handler. */
const definition = (name: string) => ({
  name,
  inputSchema: schema,
  outputSchema: { ...schema, properties: { ...(schema.properties as object), received: { type: "string" } } },
});

/** Tools that clients see rewritten and as they are, whose handlers get `bigint` and text. */
export const exactTools: ReadonlyMap<string, ExactTool<ToolLike>> = new Map(
  [
    createExactTool(definition("rewritten")),
    createExactTool(definition("original"), { advertise: "original" }),
    createExactTool(definition("original-text"), { advertise: "original", int64: "string" }),
  ].map((tool) => [tool.tool.name, tool]),
);

/** What every handler does. */
function handle(tool: ExactTool<ToolLike>, args: ExactJsonObject): ExactToolResult {
  return tool.writeResult({ ...args, received: inspect(args.above) });
}

function callByName(name: string, args: unknown): ExactToolResult {
  const tool = exactTools.get(name);
  if (tool === undefined) throw Object.assign(new Error(`no tool ${name}`), { code: -32602 });
  return handle(tool, tool.readArguments(args));
}

/** What connects any of the servers. */
export interface Connectable {
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
}

const identity = { name: "exact", version: "1.0.0" };

/** The ways to build a server with either SDK. */
export const exactServers: { readonly [name: string]: () => Connectable } = {
  "v1 Server": () => {
    const server = new ServerV1(identity, { capabilities: { tools: {} } });
    server.setRequestHandler(
      ListToolsRequestSchema,
      () => ({ tools: [...exactTools.values()].map(({ tool }) => tool) }) as never,
    );
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ ...callByName(params.name, params.arguments) }));
    return server;
  },
  "v2 Server": () => {
    const server = new ServerV2(identity, { capabilities: { tools: {} } });
    server.setRequestHandler(
      "tools/list",
      () => ({ tools: [...exactTools.values()].map(({ tool }) => tool) }) as never,
    );
    server.setRequestHandler("tools/call", ({ params }) => ({ ...callByName(params.name, params.arguments) }));
    return server;
  },
  "v2 McpServer": () => createMcpServer(),
};

/** The high-level server of SDK v2, whose tools are registered with the schemas of exact tools. */
export function createMcpServer(): McpServer {
  const server = new McpServer(identity);
  for (const tool of exactTools.values()) {
    const { inputSchema, outputSchema } = tool;
    server.registerTool(tool.tool.name, { inputSchema, ...(outputSchema && { outputSchema }) }, (args) => ({
      ...handle(tool, args),
    }));
  }
  return server;
}
