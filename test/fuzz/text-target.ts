import { fromJsonString, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { type Struct, StructSchema } from "@bufbuild/protobuf/wkt";
import { inObjectOrder } from "../support/exact-json.js";
import { structToField } from "../support/forms.js";
import { toHex } from "../support/wire.js";
import { checkWayBack, withIssues } from "./bytes-target.js";
import { createFuzzCodec, type FuzzCodec, optionSets, schemas, withoutSchema } from "./codec-set.js";
import { mutateBytes } from "./mutate-bytes.js";
import { mutateText } from "./mutate-text.js";
import { attempt, type Outcome, require, requireAgreement, writeJson } from "./outcome.js";
import type { Random } from "./random.js";
import { readTextReference } from "./reference-text.js";
import { readReference, textOfHeld } from "./reference-wire.js";
import { looseText } from "./same-value.js";
import type { Seeds } from "./seeds.js";
import { cutLengths, Pool, type Target } from "./target.js";

/** A JSON text, which of the codecs with a schema is asked as well, and changes to its bytes. */
export interface TextInput {
  readonly text: string;
  /** Where they are no UTF-8, no string says them. */
  readonly utf8: Uint8Array;
  readonly which: number;
}

type CodecPair = readonly [hinted: FuzzCodec, plain: FuzzCodec];

/** What protobuf-es reads otherwise, and why. */
const knownGaps: { readonly [code: string]: string } = {
  out_of_range: "protobuf-es reads numbers beyond doubles as infinite",
  invalid_utf8: "protobuf-es takes unpaired surrogates",
  too_large: "protobuf-es has no limit on the length of numbers",
};

const longest = 8000;

/** Text that may be JSON. */
export class TextTarget implements Target<TextInput> {
  readonly name = "text";
  readonly gaps: Map<string, number> = new Map();
  readonly #pool: Pool<string>;
  readonly #plain: FuzzCodec = withoutSchema({});
  readonly #rounding: FuzzCodec = withoutSchema({ unsafeIntegers: "round" });
  readonly #pairs: readonly CodecPair[];

  constructor(seeds: Seeds) {
    this.#pool = new Pool(seeds.texts);
    this.#pairs = schemas.flatMap((schema) =>
      optionSets.map((options) => [createFuzzCodec(schema, options), withoutSchema(options)] as const),
    );
  }

  make(random: Random): TextInput {
    const { items } = this.#pool;
    const text = mutateText(random, random.pick(items), items).slice(0, longest);
    const utf8 = new TextEncoder().encode(text);
    const others = [utf8, Uint8Array.of(0xed, 0xa0, 0x80, 0xc0, 0xaf, 0xf4, 0x90, 0x80, 0x80)];
    return {
      text,
      utf8: random.once(4) ? mutateBytes(random, utf8, others) : utf8,
      which: random.below(this.#pairs.length),
    };
  }

  check({ text, utf8, which }: TextInput): boolean {
    const outcome = textToWireText(this.#plain, text);
    checkReference(text, outcome);
    this.#checkPeer(text, outcome);
    checkUtf8(this.#plain, utf8);
    if (outcome.ok) {
      const { value } = outcome;
      checkWayBack(this.#plain, value, (same) => same);
      checkValues(this.#plain, text, value);
    }
    const [hinted, plain] = this.#pairs[which] as CodecPair;
    checkHintedText(text, hinted, plain);
    return outcome.ok;
  }

  /** Under `unsafeIntegers: "round"` a text becomes what protobuf-es makes of it. */
  #checkPeer(text: string, ours: Outcome<string>): void {
    const theirs = readPeer(text);
    if (theirs === undefined) {
      const isDeep = ours.ok && /[[{]/.test(text) && depthOf(text) > 95;
      require(!ours.ok || isDeep, "protobuf-es refuses a text that is taken", () => text);
      if (ours.ok) this.#count("protobuf-es stops at about 98 levels");
      return;
    }
    if (!ours.ok) {
      const gap = knownGaps[ours.code];
      require(gap !== undefined, `a text is refused as ${ours.code} that protobuf-es takes`, () => text);
      this.#count(gap);
      return;
    }
    const { codec, issues } = this.#rounding;
    const rounded = attempt("fromJsonString", issues, () => codec.fromJsonString(text));
    require(rounded.ok, "a text is refused when integers are rounded", () => text);
    const [one, other] = [rounded.value, theirs].map((message) => writeJson(structToField(message)));
    require(one === other, "a message is not that of protobuf-es", () => `${text}\n${one}\n${other}`);
  }

  #count(gap: string): void {
    this.gaps.set(gap, (this.gaps.get(gap) ?? 0) + 1);
  }

  keep({ text }: TextInput): void {
    this.#pool.add(text);
  }

  *shrink({ text, utf8, which }: TextInput): Generator<TextInput> {
    const plain = new TextEncoder().encode(text);
    if (toHex(plain) !== toHex(utf8)) {
      yield { text, utf8: plain, which };
      for (const [start, end] of cutLengths(utf8.length)) {
        yield { text: "{}", utf8: Uint8Array.from([...utf8.subarray(0, start), ...utf8.subarray(end)]), which };
      }
    }
    for (const [start, end] of cutLengths(text.length)) {
      const smaller = text.slice(0, start) + text.slice(end);
      yield { text: smaller, utf8: new TextEncoder().encode(smaller), which };
    }
  }

  show({ text, utf8, which }: TextInput): string {
    const [{ options }] = this.#pairs[which] as CodecPair;
    const schema = JSON.stringify(schemas[Math.floor(which / optionSets.length)]);
    return `text ${JSON.stringify(text)}\nbytes ${toHex(utf8)}\noptions ${JSON.stringify(options)}\nschema ${schema}`;
  }
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth--;
  }
  return deepest;
}

function readPeer(text: string): Struct | undefined {
  try {
    return fromJsonString(StructSchema, text);
  } catch {
    return undefined;
  }
}

/** What a text becomes, as the text of its Struct. All ways to the Struct side must agree about it. */
export function textToWireText({ codec, issues }: FuzzCodec, text: string): Outcome<string> {
  const wire = attempt("jsonStringToBinary", issues, () => codec.jsonStringToBinary(text));
  const held = viewOutcome(wire, heldText);
  const field = attempt("jsonStringToField", issues, () => codec.jsonStringToField(text));
  const message = attempt("fromJsonString", issues, () => codec.fromJsonString(text));
  const inOrder = viewOutcome(held, inObjectOrder);
  requireAgreement(
    ["jsonStringToBinary", inOrder],
    ["jsonStringToField", field],
    (one, json) => one === writeJson(json),
  );
  requireAgreement(
    ["jsonStringToField", field],
    ["fromJsonString", message],
    (one, other) => writeJson(one) === writeJson(structToField(other)),
  );
  // A text with half a surrogate pair has no bytes.
  if (!/\p{Surrogate}/u.test(text)) {
    const utf8 = new TextEncoder().encode(text);
    const bytes = attempt("jsonBytesToBinary", issues, () => codec.jsonBytesToBinary(utf8));
    requireAgreement(
      ["jsonStringToBinary", wire],
      ["jsonBytesToBinary", bytes],
      (one, other) => toHex(one) === toHex(other),
    );
  }
  return held;
}

function viewOutcome<A, B>(outcome: Outcome<A>, view: (value: A) => B): Outcome<B> {
  return outcome.ok ? { ...outcome, value: view(outcome.value) } : outcome;
}

function heldText(wire: Uint8Array): string {
  const reference = readReference(wire, "struct");
  const text = reference.kind === "value" ? textOfHeld(reference.value) : undefined;
  require(text !== undefined, "the bytes that were written are no Struct", () => toHex(wire));
  return text;
}

function checkReference(text: string, ours: Outcome<string>): void {
  const reference = readTextReference(text);
  if (reference === undefined) {
    require(!ours.ok, "what is no JSON is taken", () => text);
    return;
  }
  const { value, objections } = reference;
  if (ours.ok) {
    require(objections.size === 0, `a text is taken in spite of ${[...objections].join()}`, () => text);
    const expected = textOfHeld(value);
    require(ours.value === expected, "a Struct is not what the text says", () =>
      `${ours.value}\nshould be\n${expected}`);
  } else {
    require(objections.has(ours.code as never), "valid JSON is refused", () => `${ours.code} for ${text}`);
  }
}

/** Bytes that are UTF-8 are the text that they say; others are refused. */
function checkUtf8({ codec, issues }: FuzzCodec, utf8: Uint8Array): void {
  const bytes = attempt("jsonBytesToBinary", issues, () => codec.jsonBytesToBinary(utf8));
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(utf8);
  } catch {
    require(!bytes.ok, "bytes that are no UTF-8 are taken", () => toHex(utf8));
    return;
  }
  const wire = attempt("jsonStringToBinary", issues, () => codec.jsonStringToBinary(text));
  requireAgreement(
    ["jsonBytesToBinary", bytes],
    ["jsonStringToBinary", wire],
    (one, other) => toHex(one) === toHex(other),
  );
}

/** What `JSON.parse` makes of a text converts like the text, where it kept every digit. */
function checkValues({ codec, issues }: FuzzCodec, text: string, expected: string): void {
  const parsed = JSON.parse(text);
  if (inObjectOrder(expected) !== writeJson(parsed)) return;
  const message = attempt("fromJson", issues, () => codec.fromJson(parsed));
  const field = attempt("jsonToField", issues, () => codec.jsonToField(parsed));
  const wire = attempt("jsonToBinary", issues, () => codec.jsonToBinary(parsed));
  require(message.ok && field.ok && wire.ok, "a value is refused whose text is taken", () => text);
  const texts = [
    writeJson(structToField(message.value)),
    writeJson(field.value),
    heldText(wire.value),
    codec.toJsonString(message.value),
    codec.fieldToJsonString(field.value as JsonObject),
    writeJson(codec.toJson(message.value)),
    writeJson(codec.fieldToJson(field.value as JsonObject)),
    codec.binaryToJsonString(toBinary(StructSchema, message.value)),
  ];
  const odd = texts.find((found) => found !== inObjectOrder(expected));
  require(odd === undefined, "a value converts otherwise than its text", () => `${text}\n${odd}`);
}

/** A schema changes which kind a number has in the Struct, never what it is, and makes nothing fail. */
export function checkHintedText(text: string, hinted: FuzzCodec, plain: FuzzCodec): void {
  const withSchema = textToWireText(hinted, text);
  const without = textToWireText(plain, text);
  requireAgreement(
    ["with a schema it", withIssues(withSchema)],
    ["without it", withIssues(without)],
    (one, other) => looseText(one) === looseText(other),
  );
}
