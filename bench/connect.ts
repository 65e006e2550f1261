import { createServer, type Http2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { create, fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import {
  type Client,
  type ConnectRouter,
  createClient,
  createRouterTransport,
  type Transport,
} from "@connectrpc/connect";
import {
  connectNodeAdapter,
  createConnectTransport,
  createGrpcTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import {
  CallToolRequestSchema,
  type CallToolResponse,
  CallToolResponseSchema,
  ToolService,
} from "../gen/structcodec/test/v1/agent_pb.js";
import { createClientStructInterceptor, createServerStructInterceptor } from "../src/connect.js";
import { checkStructs, createMessageHints, normalizeStructs } from "../src/protobuf.js";
import { isSource, runBundled } from "./bundle.js";
import { equalJson } from "./equal-json.js";
import { makePayload } from "./fixtures.js";
import { median, type Row, speedRatio } from "./harness.js";
import { describeMachine, runtime } from "./runtime.js";

// What a unary call with a Struct of 2.6 kB costs through the interceptors of `./connect` on both sides, beside the same call
// without them and with conversions by hand. Both sides are in this process. Run: node --import tsx bench/connect.ts [ROUNDS]

const rounds = Number(process.argv[2] ?? 600);
/** Few, so that whatever disturbs the machine disturbs all candidates of a round alike. */
const callsPerBatch = 5;
const warmUpCalls = 2000;

const { schema, samples } = makePayload("medium");
const args = samples[0]?.value as JsonObject;
const schemas = new Map([["review", schema]]);
const hints = createMessageHints({
  hints: { "structcodec.test.v1.CallToolRequest.arguments": ({ name }) => schemas.get(name) as typeof schema },
});

interface Candidate {
  readonly name: string;
  readonly hasInterceptors: boolean;
  /** What the caller and the handler do with the arguments. */
  readonly convert: (args: JsonObject) => JsonObject;
}

const candidates: readonly Candidate[] = [
  { name: "without", hasInterceptors: false, convert: (json) => json },
  { name: "interceptors", hasInterceptors: true, convert: (json) => json },
  {
    // What protobuf-es checks and converts by itself: to a Struct, and to JSON.
    name: "by hand",
    hasInterceptors: false,
    convert: (json) => toJson(StructSchema, fromJson(StructSchema, json)) as JsonObject,
  },
];

function routesOf({ convert }: Candidate): (router: ConnectRouter) => void {
  return (router) =>
    void router.service(ToolService, {
      callTool({ arguments: given = {} }) {
        const { maxResults = 0, pullRequestId = "" } = convert(given);
        return { structuredContent: { maxResults, pullRequestId } };
      },
    });
}

const client = [createClientStructInterceptor({ hints })];
const server = [createServerStructInterceptor({ hints })];

interface Wire {
  readonly name: string;
  open(candidate: Candidate): Promise<Transport>;
}

const closings: (() => void)[] = [];

function overHttp2(name: string, createTransport: typeof createGrpcTransport): Wire {
  return {
    name,
    async open(candidate) {
      const { hasInterceptors } = candidate;
      const routes = routesOf(candidate);
      const http = createServer(connectNodeAdapter({ routes, interceptors: hasInterceptors ? server : [] }));
      const sessions: Http2Session[] = [];
      http.on("session", (session) => sessions.push(session));
      await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
      const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
      const sessionManager = new Http2SessionManager(baseUrl);
      closings.push(() => {
        sessionManager.abort();
        for (const session of sessions) session.destroy();
        http.close();
      });
      return createTransport({ baseUrl, sessionManager, interceptors: hasInterceptors ? client : [] });
    },
  };
}

const wires: readonly Wire[] = [
  overHttp2("Connect over HTTP/2, binary", (options) =>
    createConnectTransport({ ...options, httpVersion: "2", useBinaryFormat: true } as never),
  ),
  overHttp2("Connect over HTTP/2, JSON", (options) =>
    createConnectTransport({ ...options, httpVersion: "2", useBinaryFormat: false } as never),
  ),
  overHttp2("gRPC, binary", createGrpcTransport),
  {
    name: "in process, binary",
    open: async (candidate) => {
      const { hasInterceptors } = candidate;
      return createRouterTransport(routesOf(candidate), {
        router: { interceptors: hasInterceptors ? server : [] },
        transport: { interceptors: hasInterceptors ? client : [] },
      });
    },
  },
];

async function call(to: Client<typeof ToolService>, { convert }: Candidate): Promise<CallToolResponse> {
  return to.callTool({ name: "review", arguments: convert(args) });
}

async function timeBatch(to: Client<typeof ToolService>, candidate: Candidate, count: number): Promise<number> {
  const start = runtime.now();
  for (let i = 0; i < count; i++) await call(to, candidate);
  return (runtime.now() - start) / count;
}

async function measure({ name, open }: Wire): Promise<void> {
  const clients: Client<typeof ToolService>[] = [];
  for (const candidate of candidates) {
    const to = createClient(ToolService, await open(candidate));
    const { maxResults, pullRequestId } = args;
    const { structuredContent } = await call(to, candidate);
    if (!equalJson(structuredContent, { maxResults, pullRequestId })) throw new Error(`${candidate.name} is wrong`);
    clients.push(to);
  }
  for (const [i, to] of clients.entries()) await timeBatch(to, candidates[i] as Candidate, warmUpCalls);
  const times = candidates.map((): number[] => []);
  runtime.collectGarbage();
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < candidates.length; turn++) {
      const i = (round + turn) % candidates.length;
      times[i]?.push(await timeBatch(clients[i] as never, candidates[i] as Candidate, callsPerBatch));
    }
  }
  const rows = candidates.map(({ name: candidate }, i): Row => ({ candidate, role: "codec", rounds: times[i] ?? [] }));
  print(name, rows);
}

function print(name: string, rows: readonly Row[]): void {
  const [without] = rows as [Row, ...Row[]];
  console.log(name);
  for (const row of rows) {
    const cost = (1 / speedRatio(row, without)).toFixed(3);
    console.log(`  ${row.candidate.padEnd(14)} ${microseconds(median(row.rounds))} µs   ${cost} x without`);
  }
}

function microseconds(nanoseconds: number): string {
  return (nanoseconds / 1000).toFixed(1).padStart(8);
}

/** What the four conversions of a call take by themselves: a part of a call so small drowns in the noise of the rest. */
function measureAlone(): void {
  const request = create(CallToolRequestSchema, { name: "review", arguments: args });
  const { maxResults = 0, pullRequestId = "" } = args;
  const response = create(CallToolResponseSchema, { structuredContent: { maxResults, pullRequestId } });
  const run = () => {
    sink = normalizeStructs(CallToolRequestSchema, request, hints);
    checkStructs(CallToolRequestSchema, request, hints);
    sink = normalizeStructs(CallToolResponseSchema, response, hints);
    checkStructs(CallToolResponseSchema, response, hints);
  };
  const times: number[] = [];
  for (let round = 0; round < 50; round++) {
    const start = runtime.now();
    for (let i = 0; i < 500; i++) run();
    times.push((runtime.now() - start) / 500);
  }
  console.log(`the conversions of one call by themselves\n  ${microseconds(median(times)).padStart(23)} µs`);
}

let sink: unknown;

async function main(): Promise<void> {
  console.log(`${runtime.name}, ${runtime.clock}; ${describeMachine()}\n`);
  for (const wire of wires) await measure(wire);
  measureAlone();
  for (const close of closings) close();
  if (sink === undefined) throw new Error("nothing was measured");
}

if (isSource(import.meta.url)) process.exitCode = await runBundled("connect", process.argv.slice(2));
else await main();
