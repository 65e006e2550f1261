import { type JsonObject, toBinary } from "@bufbuild/protobuf";
import { type Struct, StructSchema } from "@bufbuild/protobuf/wkt";
import { createStructCodec, type StructCodec } from "../src/index.js";
import { equalBytes } from "./equal-json.js";
import { mixedPayloads, type Payload, type PayloadName, payloadNames, type Sample } from "./fixtures.js";
import { type AnyPeer, peers } from "./peers.js";

export const directions = [
  "toJson",
  "fieldToJson",
  "toJsonString",
  "fromJson",
  "fromJsonString",
  "binaryToJsonString",
  "binaryToJsonBytes",
  "jsonStringToBinary",
  "jsonBytesToBinary",
] as const;
export type Direction = (typeof directions)[number];

export interface Scenario {
  readonly name: `${Direction}/${PayloadName}`;
  readonly direction: Direction;
  readonly payload: PayloadName;
}

/** One library (or one way to use ours) on one scenario. */
export interface Candidate {
  readonly name: string;
  readonly role: "codec" | "peer" | "native";
  /** Makes what the conversion begins with; not timed. The same function means that the input may be shared. */
  readonly prepare: (sample: Sample) => unknown;
  readonly run: (input: unknown) => unknown;
  /** Brings the output to a JSON value, or to an error where it is not, byte for byte, what it has to be. */
  readonly answer: (output: unknown, sample: Sample) => unknown;
}

export const codecName = "codec";
export const hintedName = "codec + schema";

/** The other methods of the table in the contract may be missing from the revision that is measured. */
type BenchCodec = Partial<StructCodec> & {
  binaryToJsonString?(bytes: Uint8Array): string;
  binaryToJsonBytes?(bytes: Uint8Array): Uint8Array;
  jsonStringToBinary?(text: string): Uint8Array;
  jsonBytesToBinary?(bytes: Uint8Array): Uint8Array;
};

type Form = "message" | "json" | "jsonString" | "jsonBytes" | "binary";
type Run<Input> = (input: Input) => unknown;

/** How each side does one direction. What a method takes and gives is known by its direction only. */
interface Way {
  readonly from: Form;
  readonly to: Form;
  readonly peer: (peer: AnyPeer) => Run<never> | undefined;
  readonly native: Readonly<Record<string, Run<never>>>;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text);
const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);

const stringify = { "JSON.stringify": (value: JsonObject) => JSON.stringify(value) };
const stringifyToBytes = {
  ...stringify,
  "JSON.stringify + UTF-8": (value: JsonObject) => encodeUtf8(JSON.stringify(value)),
};
const parse = { "JSON.parse": (text: string) => JSON.parse(text) };
const parseBytes = { "UTF-8 + JSON.parse": (bytes: Uint8Array) => JSON.parse(decodeUtf8(bytes)) };

const ways: Readonly<Record<Direction, Way>> = {
  toJson: {
    from: "message",
    to: "json",
    peer: (peer) => (peer.keepsJson ? undefined : (message) => peer.toJson(message)),
    native: {},
  },
  // Nobody else has it: a field is converted by its message's toJson, so that is what stands beside it.
  fieldToJson: {
    from: "json",
    to: "json",
    peer: (peer) => (peer === peers[0] ? (message) => peer.toJson(message) : undefined),
    native: {},
  },
  toJsonString: {
    from: "message",
    to: "jsonString",
    peer: (peer) => (message) => peer.toJsonString(message),
    native: stringify,
  },
  fromJson: {
    from: "json",
    to: "message",
    peer: (peer) => (peer.keepsJson ? undefined : (json) => peer.fromJson(json)),
    native: {},
  },
  fromJsonString: {
    from: "jsonString",
    to: "message",
    peer: (peer) => (text) => peer.fromJsonString(text),
    native: parse,
  },
  binaryToJsonString: {
    from: "binary",
    to: "jsonString",
    peer: (peer) => (wire) => peer.toJsonString(peer.read(wire)),
    native: stringify,
  },
  binaryToJsonBytes: {
    from: "binary",
    to: "jsonBytes",
    peer: (peer) => (wire) => encodeUtf8(peer.toJsonString(peer.read(wire))),
    native: stringifyToBytes,
  },
  jsonStringToBinary: {
    from: "jsonString",
    to: "binary",
    peer: (peer) => (text) => peer.write(peer.fromJsonString(text)),
    native: parse,
  },
  jsonBytesToBinary: {
    from: "jsonBytes",
    to: "binary",
    peer: (peer) => (bytes) => peer.write(peer.fromJsonString(decodeUtf8(bytes))),
    native: { ...parse, ...parseBytes },
  },
};

export function isBinary(direction: Direction): boolean {
  return ways[direction].from === "binary" || ways[direction].to === "binary";
}

/** Every direction with every payload, those of one payload after each other. */
export const scenarios: readonly Scenario[] = payloadNames.flatMap((payload) =>
  directions
    // Messages are for documents of ordinary size; kinds of numbers differ where digits are printed and read.
    .filter((direction) => isBinary(direction) || mixedPayloads.includes(payload))
    .map((direction): Scenario => ({ name: `${direction}/${payload}`, direction, payload })),
);

export function hasDirection(direction: Direction): boolean {
  const codec: BenchCodec = createStructCodec();
  return typeof codec[direction] === "function";
}

/** The samples a scenario goes round. Messages take much memory, and few are enough to outrun the caches. */
export function chooseSamples(direction: Direction, payload: Payload): readonly Sample[] {
  return isBinary(direction) ? payload.samples : payload.samples.slice(0, 6);
}

/** Ours without and with a schema, then everybody else. */
export function makeCandidates(direction: Direction, payload: Payload): Candidate[] {
  const way = ways[direction];
  return [
    makeCodecCandidate(codecName, direction, createStructCodec()),
    makeCodecCandidate(hintedName, direction, createStructCodec(payload.schema)),
    ...peers.flatMap((peer) => makePeerCandidate(direction, peer) ?? []),
    ...Object.entries(way.native).map(([name, run]) => makeNativeCandidate(name, run)),
  ];
}

function makeCodecCandidate(name: string, direction: Direction, codec: BenchCodec): Candidate {
  const { from, to } = ways[direction];
  const method = codec[direction] as Run<unknown>;
  return {
    name,
    role: "codec",
    prepare: prepares[from],
    run: (input) => method.call(codec, input),
    answer: (output, sample) => answerExactly(to, output, sample),
  };
}

function makePeerCandidate(direction: Direction, peer: AnyPeer): Candidate | undefined {
  const { from, to, peer: choose } = ways[direction];
  const run = choose(peer);
  if (run === undefined) return undefined;
  const takesMessage = from === "message" || direction === "fieldToJson";
  return {
    name: peer.name,
    role: "peer",
    prepare: takesMessage ? ({ wire }) => peer.read(wire) : prepares[from],
    run: run as Run<unknown>,
    answer: (output) => answerOfPeer(to, output, peer),
  };
}

function makeNativeCandidate(name: string, run: Run<never>): Candidate {
  const isWriter = name.startsWith("JSON.stringify");
  const from = isWriter ? "json" : name === "JSON.parse" ? "jsonString" : "jsonBytes";
  return {
    name,
    role: "native",
    prepare: prepares[from],
    run: run as Run<unknown>,
    answer: (output) => readJson(output),
  };
}

const prepares: Readonly<Record<Form, (sample: Sample) => unknown>> = {
  message: (sample) => sample.message(),
  json: (sample) => sample.value,
  jsonString: (sample) => sample.text,
  jsonBytes: (sample) => sample.jsonBytes,
  binary: (sample) => sample.wire,
};

/** Ours has to be, text for text and byte for byte, what JSON.stringify and protobuf-es write. */
function answerExactly(to: Form, output: unknown, sample: Sample): unknown {
  if (to === "jsonString" && output !== sample.text) return new Error("the text is not that of JSON.stringify");
  if (to === "jsonBytes" && !equalBytes(output as Uint8Array, sample.jsonBytes)) return new Error("the bytes differ");
  const wire = to === "message" ? toBinary(StructSchema, output as Struct) : output;
  if (to !== "message" && to !== "binary") return readJson(output);
  if (!equalBytes(wire as Uint8Array, sample.wire)) return new Error("the wire is not that of protobuf-es");
  return sample.value;
}

function answerOfPeer(to: Form, output: unknown, peer: AnyPeer): unknown {
  const [reference] = peers;
  if (to === "message") return reference!.toJson(reference!.read(peer.write(output)));
  if (to === "binary") return reference!.toJson(reference!.read(output as Uint8Array));
  return readJson(output);
}

function readJson(output: unknown): unknown {
  if (typeof output === "string") return JSON.parse(output);
  return output instanceof Uint8Array ? JSON.parse(decodeUtf8(output)) : output;
}
