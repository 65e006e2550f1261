// The backend of the example under load: 50 clients on connections of their own, 20,000 calls, half of them through either
// stack. Fails where a call does, where an answer is another call's, or where memory grows after the warm-up and the first
// of ten rounds.

import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ToolService } from "../../gen/structcodec/test/v1/agent_pb.js";
import { createMcpBridge } from "../../src/mcp.js";
import { callExactly } from "./backend.js";
import { type AnyClient, connectHttp } from "./mcp-clients.js";
import { startServers } from "./run.js";
import { serveConnect } from "./serve-connect.js";
import { serveGrpcJs } from "./serve-grpc-js.js";

const clients = 50;
const callsOfStack = 10_000;
const warmUp = 2_000;
const rounds = 10;

/** Bytes that a heap may have gained in the end; one that leaks a kilobyte each call gains ten times that. */
const mostGrowth = 1_000_000;

/** Two ids that a double cannot tell apart, so that a rounded one gets the wrong answer. */
const orders = [
  { orderId: "1955516024755728386", customer: "Ada" },
  { orderId: "1955516024755728400", customer: "Mallory" },
] as const;

type CallOnce = (client: number, call: number) => Promise<void>;

async function runCalls(callOnce: CallOnce, count: number): Promise<void> {
  let next = 0;
  const work = async (client: number): Promise<void> => {
    while (next < count) await callOnce(client, next++);
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
}

interface Stack {
  readonly name: string;
  readonly mcp: AnyClient;
  readonly serve: typeof serveConnect;
}

/** Run the calls of one stack. Says whether its memory stayed as it was. */
async function load({ name, mcp, serve }: Stack): Promise<boolean> {
  const bridge = createMcpBridge(mcp);
  const server = await serve(callExactly(bridge), true);
  const transports = Array.from({ length: clients }, () => createGrpcTransport({ baseUrl: server.url }));
  const services = transports.map((transport) => createClient(ToolService, transport));
  const callOnce: CallOnce = async (client, call) => {
    const order = orders[call % 2] as (typeof orders)[number];
    const request = { name: "get_order", callId: BigInt(call), arguments: { orderId: order.orderId } };
    const { callId, structuredContent } = await (services[client] as (typeof services)[number]).callTool(request);
    if (callId !== request.callId || JSON.stringify(structuredContent) !== JSON.stringify(order)) {
      throw new Error(`call ${call} was answered with ${JSON.stringify(structuredContent)}`);
    }
  };
  await runCalls(callOnce, warmUp);
  const heaps: (readonly number[])[] = [];
  const start = performance.now();
  for (let round = 0; round < rounds; round++) {
    await runCalls(callOnce, callsOfStack / rounds);
    heaps.push(await measure(mcp));
  }
  const seconds = (performance.now() - start) / 1000;
  await server.close();
  return report(name, seconds, heaps);
}

/** Bytes in use in this process and in that of the MCP server, of what is left after a collection. */
async function measure(mcp: AnyClient): Promise<readonly number[]> {
  const { structuredContent } = await mcp.callTool({ name: "heap", arguments: {} });
  (globalThis as { gc?: () => void }).gc?.();
  return [process.memoryUsage().heapUsed, (structuredContent as { bytes: number }).bytes];
}

function report(name: string, seconds: number, heaps: readonly (readonly number[])[]): boolean {
  const rate = Math.round(callsOfStack / seconds);
  console.log(
    `${name}: ${callsOfStack} calls by ${clients} clients in ${seconds.toFixed(1)} s, ${rate} a second, no error`,
  );
  return ["backend and clients", "MCP server"]
    .map((place, i) => {
      const sizes = heaps.map((heap) => heap[i] as number);
      const growth = (sizes.at(-1) as number) - (sizes[0] as number);
      console.log(`  heap, ${place}: ${sizes.map((size) => (size / 1e6).toFixed(2)).join(", ")} MB`);
      return growth <= mostGrowth;
    })
    .every((isFlat) => isFlat);
}

const { plain, exact } = await startServers();
const http = await connectHttp(plain.url, true);
try {
  const isFlat = [
    await load({ name: "connect-node, MCP SDK v1 over stdio", mcp: exact, serve: serveConnect }),
    await load({ name: "grpc-js, MCP SDK v2 over Streamable HTTP", mcp: http, serve: serveGrpcJs }),
  ];
  if (isFlat.includes(false)) {
    console.log("memory has grown");
    process.exitCode = 1;
  }
} finally {
  await Promise.all([http.close(), plain.client.close(), exact.close()]);
}
