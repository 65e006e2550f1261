import { createMcpBridge } from "../../src/mcp.js";
import { check, printTable, type Row } from "../table.js";
import { type Agent, createExactAgent, createPlainAgent } from "./agent.js";
import { type CallTool, callExactly, callPlainly } from "./backend.js";
import { calls } from "./calls.js";
import type { GrpcServer } from "./grpc-server.js";
import { type AnyClient, connectHttp, type StartedServer, startExactServer, startPlainServer } from "./mcp-clients.js";
import { serveConnect } from "./serve-connect.js";
import { serveGrpcJs } from "./serve-grpc-js.js";

type Serve = (callTool: CallTool, isExact: boolean) => Promise<GrpcServer>;

/** What the example needs, started. */
export interface Started {
  readonly plain: StartedServer;
  readonly exact: AnyClient;
}

/** Start two servers, each with a database of its own: one to be called without the codec, one with it. */
export async function startServers(flags: readonly string[] = []): Promise<Started> {
  const [plain, exact] = await Promise.allSettled([startPlainServer(flags), startExactServer(flags)]);
  if (plain.status === "fulfilled" && exact.status === "fulfilled") return { plain: plain.value, exact: exact.value };
  if (plain.status === "fulfilled") await plain.value.client.close();
  if (exact.status === "fulfilled") await exact.value.close();
  throw (plain as PromiseRejectedResult).reason ?? (exact as PromiseRejectedResult).reason;
}

/** Run the calls through both stacks, print what came of them side by side, and end what was started. */
export async function runAgentBackend({ plain, exact }: Started): Promise<void> {
  try {
    await runStack("gRPC by connect-node, MCP SDK v1 over stdio", serveConnect, plain.client, exact);
    const overHttp = [await connectHttp(plain.url, false), await connectHttp(plain.url, true)] as const;
    await runStack("gRPC by grpc-js, MCP SDK v2 over Streamable HTTP", serveGrpcJs, ...overHttp);
    await Promise.all(overHttp.map((client) => client.close()));
  } finally {
    await Promise.all([plain.client.close(), exact.close()]);
  }
}

async function runStack(title: string, serve: Serve, plain: AnyClient, exact: AnyClient): Promise<void> {
  const bridge = createMcpBridge(exact);
  const [plainServer, exactServer] = [await serve(callPlainly(plain), false), await serve(callExactly(bridge), true)];
  try {
    const agents = [createPlainAgent(plainServer.url), createExactAgent(exactServer.url, bridge.tools)] as const;
    const rows: Row[] = [];
    for (const call of calls) rows.push(...(await runCall(call, ...agents)));
    printTable(title, ["without the codec", "with the codec"], rows);
  } finally {
    await Promise.all([plainServer.close(), exactServer.close()]);
  }
}

async function runCall(call: (typeof calls)[number], plain: Agent, exact: Agent): Promise<Row[]> {
  const [before, after] = [await plain(call.tool, call.without), await exact(call.tool, call.with)];
  const row = (subject: string, name: "received" | "answer"): Row => [
    subject,
    before[name],
    after[name],
    check([before[name], call.without[name]], [after[name], call.with[name]]),
  ];
  return [row(`${call.subject}: the server got`, "received"), row("  the agent was told", "answer")];
}
