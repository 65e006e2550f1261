import {
  create,
  fromBinary,
  fromJsonString as fromJsonStringOfPeer,
  toBinary,
  toJsonString as toJsonStringOfPeer,
} from "@bufbuild/protobuf";
import { type CallToolRequest, CallToolRequestSchema } from "../gen/structcodec/test/v1/agent_pb.js";
import { createStructCodec, type JsonSchema } from "../src/index.js";
import {
  binaryToJsonString,
  createMessageHints,
  fromJsonString,
  jsonStringToBinary,
  type MessageHints,
  toJsonString,
} from "../src/protobuf.js";
import { isSource, runBundled } from "./bundle.js";
import { makePayload, type Sample } from "./fixtures.js";
import { median, speedRatio } from "./harness.js";
import { describeMachine, runtime } from "./runtime.js";

// What a message around a Struct costs: `./protobuf` beside the bare codec on the same Struct, and beside protobuf-es on the
// same message. Run: node --import tsx bench/protobuf.ts [ROUNDS]

const names = ["medium", "large"] as const;
const rounds = Number(process.argv[2] ?? 15);
const batchMilliseconds = 30;

interface Candidate {
  readonly name: string;
  readonly run: () => unknown;
}

interface Scenario {
  readonly name: string;
  /** The bare codec first, to which the others are compared. */
  readonly candidates: readonly Candidate[];
}

/** A message as agents send it, in every form. */
interface MessageSample {
  readonly message: CallToolRequest;
  readonly text: string;
  readonly bytes: Uint8Array;
}

function makeMessage({ value }: Sample): MessageSample {
  const message = create(CallToolRequestSchema, {
    name: "get_order",
    arguments: value,
    callId: 1955516024755728386n,
    context: { conversationId: "c-1", metadata: { attempt: 1 } },
  });
  const text = toJsonStringOfPeer(CallToolRequestSchema, message);
  return { message, text, bytes: toBinary(CallToolRequestSchema, message) };
}

/** A schema that depends on the name of the tool, as it does in a service. */
function makeHints(schema: JsonSchema): MessageHints {
  const byName = new Map([["get_order", schema]]);
  return createMessageHints({
    hints: { "structcodec.test.v1.CallToolRequest.arguments": (message) => byName.get(message.name) },
    int64: "schema",
  });
}

function makeScenarios(payloadName: (typeof names)[number]): Scenario[] {
  const { schema, samples } = makePayload(payloadName);
  const sample = samples[0] as Sample;
  const { message, text, bytes } = makeMessage(sample);
  const codec = createStructCodec(schema, { int64: "schema" });
  const hints = makeHints(schema);
  const desc = CallToolRequestSchema;
  const scenario = (name: string, bare: () => unknown, whole: () => unknown, peer: () => unknown): Scenario => ({
    name: `${name}/${payloadName}`,
    candidates: [
      { name: "bare codec", run: bare },
      { name: "message", run: whole },
      { name: "protobuf-es", run: peer },
    ],
  });
  return [
    scenario(
      "binaryToJsonString",
      () => codec.binaryToJsonString(sample.wire),
      () => binaryToJsonString(desc, bytes, { hints }),
      () => toJsonStringOfPeer(desc, fromBinary(desc, bytes)),
    ),
    scenario(
      "jsonStringToBinary",
      () => codec.jsonStringToBinary(sample.text),
      () => jsonStringToBinary(desc, text, { hints }),
      () => toBinary(desc, fromJsonStringOfPeer(desc, text)),
    ),
    scenario(
      "toJsonString",
      () => codec.fieldToJsonString(sample.value),
      () => toJsonString(desc, message, { hints }),
      () => toJsonStringOfPeer(desc, message),
    ),
    scenario(
      "fromJsonString",
      () => codec.jsonStringToField(sample.text),
      () => fromJsonString(desc, text, { hints }),
      () => fromJsonStringOfPeer(desc, text),
    ),
  ];
}

/** The message and protobuf-es have to make the same, but for the spelling of ids. */
function checkAnswer({ name, candidates }: Scenario): void {
  const [bare, whole, peer] = candidates.map(({ run }) => JSON.stringify(run(), plain)) as [string, string, string];
  const isText = name.includes("ToJsonString") || name.startsWith("toJson");
  if (whole.replaceAll(/"(\d{19})/g, "$1") !== peer.replaceAll(/"(\d{19})/g, "$1") && !isText) {
    throw new Error(`${name}: the message is not that of protobuf-es`);
  }
  if (isText && !whole.includes(bare.slice(1, -1))) throw new Error(`${name}: the Struct is not in the text`);
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

let sink: unknown;

function timeBatch({ run }: Candidate, count: number): number {
  const start = runtime.now();
  for (let i = 0; i < count; i++) {
    const output = run();
    // Reading one character makes a flat string of a rope.
    sink = typeof output === "string" ? output.charCodeAt(output.length >> 1) : output;
  }
  return (runtime.now() - start) / count;
}

function measure(scenario: Scenario): void {
  checkAnswer(scenario);
  const { candidates } = scenario;
  for (const candidate of candidates) timeBatch(candidate, 300);
  const counts = candidates.map((candidate) =>
    Math.max(1, Math.round((batchMilliseconds * 1e6) / timeBatch(candidate, 50))),
  );
  const times = candidates.map((): number[] => []);
  runtime.collectGarbage();
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < candidates.length; turn++) {
      const index = (round + turn) % candidates.length;
      times[index]?.push(timeBatch(candidates[index] as Candidate, counts[index] as number));
    }
  }
  const rows = candidates.map(({ name }, index) => ({
    candidate: name,
    role: "codec" as const,
    rounds: times[index] as number[],
  }));
  console.log(scenario.name);
  for (const row of rows) {
    const time = (median(row.rounds) / 1000).toFixed(1).padStart(9);
    const cost = (1 / speedRatio(row, rows[0] as (typeof rows)[0])).toFixed(2);
    console.log(`  ${row.candidate.padEnd(12)} ${time} µs   ${cost} x the bare codec`);
  }
}

function main(): void {
  console.log(`${runtime.name}, ${runtime.clock}; ${describeMachine()}\n`);
  const all = names.flatMap(makeScenarios);
  // Code that saw one shape of data only is faster than any in production.
  for (const { candidates } of all) for (const candidate of candidates) timeBatch(candidate, 30);
  for (const scenario of all) measure(scenario);
  if (sink === undefined) throw new Error("nothing was measured");
}

if (isSource(import.meta.url)) process.exitCode = await runBundled("protobuf", process.argv.slice(2));
else main();
