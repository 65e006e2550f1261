import { fromBinary } from "@bufbuild/protobuf";
import { type Struct, StructSchema } from "@bufbuild/protobuf/wkt";
import { inObjectOrder } from "../support/exact-json.js";
import { bytes as concat, toHex } from "../support/wire.js";
import { createFuzzCodec, type FuzzCodec, optionSets, schemas, withoutSchema } from "./codec-set.js";
import { mutateBytes } from "./mutate-bytes.js";
import { mutateWire } from "./mutate-wire.js";
import { attempt, type Outcome, require, requireAgreement, writeJson } from "./outcome.js";
import type { Random } from "./random.js";
import { readReference, textOfHeld } from "./reference-wire.js";
import { looseText } from "./same-value.js";
import type { Seeds } from "./seeds.js";
import { cutLengths, Pool, type Target } from "./target.js";

/** Wire bytes, and which of the codecs with a schema is asked as well. */
export interface BytesInput {
  readonly bytes: Uint8Array;
  readonly which: number;
}

/** A codec with a schema, and one with the same options and none. */
type CodecPair = readonly [hinted: FuzzCodec, plain: FuzzCodec];

/** Depth from which protobuf-es may refuse what protobuf allows: its limit of 100 counts the messages in between. */
const shallow = 40;

const longest = 4000;

/** Bytes that may be a Struct. */
export class BytesTarget implements Target<BytesInput> {
  readonly name = "bytes";
  readonly gaps: Map<string, number> = new Map();
  readonly #pool: Pool<Uint8Array>;
  readonly #plain: FuzzCodec = withoutSchema({});
  readonly #pairs: readonly CodecPair[];

  constructor(seeds: Seeds) {
    this.#pool = new Pool(seeds.structs);
    this.#pairs = schemas.flatMap((schema) =>
      optionSets.map((options) => [createFuzzCodec(schema, options), withoutSchema(options)] as const),
    );
  }

  make(random: Random): BytesInput {
    const { items } = this.#pool;
    const seed = random.pick(items);
    const isWild = random.once(3);
    const bytes = isWild ? mutateBytes(random, seed, items) : mutateWire(random, seed, items, "struct");
    return { bytes: bytes.subarray(0, longest), which: random.below(this.#pairs.length) };
  }

  check({ bytes, which }: BytesInput): boolean {
    const before = Uint8Array.from(bytes);
    const outcome = binaryToText(this.#plain, bytes);
    checkReference(bytes, outcome);
    this.#checkPeer(bytes, outcome);
    if (outcome.ok) checkWayBack(this.#plain, outcome.value, (text) => text);
    const [hinted, plain] = this.#pairs[which] as CodecPair;
    checkHinted(bytes, hinted, plain);
    require(toHex(bytes) === toHex(before), "an input was changed", () => toHex(before));
    return outcome.ok;
  }

  /** protobuf-es accepts some malformed bytes and stops at half the depth; everything else must be the same. */
  #checkPeer(bytes: Uint8Array, ours: Outcome<string>): void {
    const message = readPeer(bytes);
    const reference = readReference(bytes, "struct");
    if (reference.kind === "malformed") {
      if (message !== undefined) this.#count(`protobuf-es takes what is malformed: ${reference.reason}`);
      return;
    }
    if (reference.hasForeignTypes) {
      // It reads a known field whatever its wire type.
      this.#count("protobuf-es misreads known fields of other wire types");
      return;
    }
    if (message === undefined) {
      const isDeep = reference.depth > shallow || reference.groups > shallow;
      require(isDeep, "protobuf-es refuses what protobuf allows", () => toHex(bytes));
      this.#count("protobuf-es stops at about 50 levels");
      return;
    }
    const theirs = attempt("toJsonString", this.#plain.issues, () => this.#plain.codec.toJsonString(message));
    if (!ours.ok && theirs.ok) {
      const isOnTheWay = ours.code === "depth_exceeded" && reference.groups > 100;
      require(isOnTheWay, "a message is taken whose bytes are refused", () => `${ours.code} for ${toHex(bytes)}`);
    } else if (ours.ok) {
      require(theirs.ok, "bytes are taken whose message is refused", () => toHex(bytes));
      require(theirs.value === inObjectOrder(ours.value), "a message has another text than its bytes", () =>
        theirs.value);
    }
  }

  #count(gap: string): void {
    this.gaps.set(gap, (this.gaps.get(gap) ?? 0) + 1);
  }

  keep({ bytes }: BytesInput): void {
    this.#pool.add(bytes);
  }

  *shrink({ bytes, which }: BytesInput): Generator<BytesInput> {
    for (const [start, end] of cutLengths(bytes.length)) {
      yield { bytes: concat(bytes.subarray(0, start), bytes.subarray(end)), which };
    }
  }

  show({ bytes, which }: BytesInput): string {
    const [{ options }] = this.#pairs[which] as CodecPair;
    const schema = JSON.stringify(schemas[Math.floor(which / optionSets.length)]);
    return `bytes ${toHex(bytes)}\noptions ${JSON.stringify(options)}\nschema ${schema}`;
  }
}

function readPeer(bytes: Uint8Array): Struct | undefined {
  try {
    return fromBinary(StructSchema, bytes);
  } catch {
    return undefined;
  }
}

/** The text of bytes, which all ways to JSON must agree about. */
export function binaryToText({ codec, issues, options }: FuzzCodec, bytes: Uint8Array): Outcome<string> {
  const text = attempt("binaryToJsonString", issues, () => codec.binaryToJsonString(bytes));
  const utf8 = attempt("binaryToJsonBytes", issues, () => codec.binaryToJsonBytes(bytes));
  requireAgreement(["binaryToJsonString", text], ["binaryToJsonBytes", utf8], (one, other) => one === decode(other));
  const json = attempt("binaryToJson", issues, () => codec.binaryToJson(bytes));
  requireAgreement(["binaryToJsonString", text], ["binaryToJson", json], (one, other) => {
    // As values these have numbers where the text has a spelling that no value has.
    if (options.int64 === "bigint" || options.wholeNumbers === "fraction") return true;
    return inObjectOrder(one) === writeJson(other);
  });
  if (text.ok) {
    const { value } = text;
    require(isJson(value), "a text is no JSON", () => value);
  }
  return text;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What the bytes are by the specification, and what may be said against them. */
function checkReference(bytes: Uint8Array, ours: Outcome<string>): void {
  const reference = readReference(bytes, "struct");
  if (reference.kind === "malformed") {
    require(!ours.ok, `malformed bytes are taken, though ${reference.reason}`, () => toHex(bytes));
    const codes = ["invalid_wire", "invalid_utf8", "depth_exceeded"];
    require(codes.includes(ours.code), "malformed bytes have another code", () => `${ours.code} for ${toHex(bytes)}`);
    return;
  }
  const text = textOfHeld(reference.value);
  const isTooDeep = reference.depth > 100 || reference.groups > 100;
  if (ours.ok) {
    require(!isTooDeep, "a document beyond the limit on depth is taken", () => toHex(bytes));
    require(ours.value === text, "a text is not what the bytes say", () => `${ours.value}\nshould be\n${text}`);
    return;
  }
  const codes = isTooDeep ? ["depth_exceeded"] : text === undefined ? ["unset_value", "not_finite"] : [];
  require(codes.includes(ours.code), "valid bytes are refused", () => `${ours.code} for ${toHex(bytes)}`);
}

/** The text of bytes, made bytes again, is the same text, as far as `view` looks. */
export function checkWayBack({ codec, issues }: FuzzCodec, text: string, view: (text: string) => string): void {
  const wire = attempt("jsonStringToBinary", issues, () => codec.jsonStringToBinary(text));
  require(wire.ok, "a text that was written is refused", () => `${wire.ok || wire.code} for ${text}`);
  const again = attempt("binaryToJsonString", issues, () => codec.binaryToJsonString(wire.value));
  require(again.ok, "bytes that were written are refused", () => text);
  require(view(again.value) === view(text), "a text changes on its way there and back", () =>
    `${text}\n${again.value}`);
}

/** A schema changes how numbers are spelled, never what they are, and makes nothing fail. */
export function checkHinted(bytes: Uint8Array, hinted: FuzzCodec, plain: FuzzCodec): void {
  const withSchema = binaryToText(hinted, bytes);
  const without = attempt("binaryToJsonString", plain.issues, () => plain.codec.binaryToJsonString(bytes));
  requireAgreement(["with a schema it", withIssues(withSchema)], ["without it", withIssues(without)], sameValue);
  if (withSchema.ok) checkWayBack(hinted, withSchema.value, looseText);
}

/** Issues are what a schema adds. */
export function withIssues<T>(outcome: Outcome<T>): Outcome<T> {
  return outcome.ok ? { ...outcome, issues: "" } : outcome;
}

function sameValue(one: string, other: string): boolean {
  return looseText(one) === looseText(other);
}
