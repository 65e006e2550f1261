// An MCP server of the official SDK, in a process of its own: v1 over the standard streams and, with --http, v2 over
// Streamable HTTP beside it. It reads and writes exact integers, as a server in a typed language does.

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, Server as ServerV2 } from "@modelcontextprotocol/server";
import { ExactStdioServerTransport, type ExactToolResult, exactHttpHandler } from "../../src/mcp.js";
import { Frames } from "./frames.js";
import { createOrders } from "./orders.js";
import { createOrderTools } from "./tools.js";

const tools = createOrderTools(await createOrders());
const frames = new Frames();
const identity = { name: "orders", version: "1.0.0" };

/** What tools/list answers. */
function list() {
  return { tools: [...tools.values()].map(({ exact }) => exact.tool) } as never;
}

/** Call a tool, and say what it was called with. */
async function call({ name, arguments: args }: { name: string; arguments?: unknown }) {
  const { received } = frames;
  if (name === "heap") return { content: [], structuredContent: { bytes: measureHeap() } };
  const tool = tools.get(name);
  if (tool === undefined) throw Object.assign(new Error(`no tool ${name}`), { code: -32602 });
  try {
    // Not readArguments, which would be lenient: this is about what comes over the wire.
    const result: ExactToolResult = tool.exact.writeResult(await tool.run((args ?? {}) as never));
    return { ...result, content: [...result.content, { type: "text" as const, text: received }] };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { isError: true, content: [text, received].map((part) => ({ type: "text" as const, text: part })) };
  }
}

/** What is in use, for the load test, which has the collector at hand. */
function measureHeap(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
}

/** Serve the process that has started this one, and end with it. */
async function serveStdio(): Promise<void> {
  const server = new Server(identity, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, list);
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => call(params));
  server.onclose = () => process.exit();
  await server.connect(new ExactStdioServerTransport(frames.watch(process.stdin)));
}

/** Listen on loopback, and say where. */
async function serveHttp(): Promise<void> {
  const handler = createMcpHandler(() => {
    const server = new ServerV2(identity, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", list);
    server.setRequestHandler("tools/call", ({ params }) => call(params));
    return server;
  });
  const handle = exactHttpHandler(handler.fetch);
  const fetch: typeof handle = async (request, options) => {
    frames.take(await request.clone().text());
    return handle(request, options);
  };
  const http = createServer(toNodeHandler({ fetch }) as RequestListener);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  console.error(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
}

if (process.argv.includes("--http")) await serveHttp();
await serveStdio();
