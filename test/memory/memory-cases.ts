import { fromBinary, fromJsonString } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { makeHuge } from "../../bench/data.js";
import { type CodecLimits, createStructCodec, type HintSource, type StructCodec } from "../../src/index.js";
import { bytes as concat, field, num, obj, varint } from "../support/wire.js";

/** A document and what is done with it. Each is measured in a process of its own. */
export interface MemoryCase {
  readonly name: string;
  /** The document as it lies in a file: wire bytes or JSON text. */
  readonly make: () => Uint8Array;
  readonly methods: readonly MemoryMethod[];
  readonly schema?: HintSource;
}

/** A method of a codec, or what protobuf-es does in its place. */
export type MemoryMethod =
  | "binaryToJson"
  | "binaryToJsonString"
  | "binaryToJsonBytes"
  | "fromJsonString"
  | "jsonStringToField"
  | "jsonStringToBinary"
  | "jsonBytesToBinary"
  | "protobuf-es";

const MiB = 1024 * 1024;

/** So many copies of a piece as fit. */
function repeat(piece: Uint8Array, size: number): Uint8Array {
  const all = new Uint8Array(Math.floor(size / piece.length) * piece.length);
  for (let at = 0; at < all.length; at += piece.length) all.set(piece, at);
  return all;
}

/** A Struct of 4 MiB whose member "a" is a list of one item over and over. */
function listOf(item: Uint8Array): Uint8Array {
  const items = repeat(field(0x0a, item), 4 * MiB - 64);
  return field(0x0a, concat(field(0x0a, Uint8Array.of(0x61)), field(0x12, field(0x32, items))));
}

/** A Struct of 4 MiB with as many members as there can be. */
function membersOf(value: Uint8Array): Uint8Array {
  const members: Uint8Array[] = [];
  for (let size = 0; size < 4 * MiB - 64; size += members.at(-1)?.length ?? 0) {
    const key = new TextEncoder().encode(members.length.toString(36));
    members.push(field(0x0a, concat(field(0x0a, key), field(0x12, value))));
  }
  const all = new Uint8Array(members.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const member of members) {
    all.set(member, at);
    at += member.length;
  }
  return all;
}

function textOf(piece: string, size: number): Uint8Array {
  const items = repeat(new TextEncoder().encode(piece), size - 16);
  items[items.length - 1] = 0x20;
  return concat(new TextEncoder().encode('{"a":['), items, new TextEncoder().encode("]}"));
}

const integers = { additionalProperties: { items: { type: "integer" } } };
const fromWire = ["binaryToJsonBytes", "binaryToJsonString", "binaryToJson", "protobuf-es"] as const;
const fromText = [
  "jsonBytesToBinary",
  "jsonStringToBinary",
  "fromJsonString",
  "jsonStringToField",
  "protobuf-es",
] as const;

const record = '{"id":1955516024755728386,"name":"the order is ready","tags":["open","new"],"amount":12.75,"on":true},';

export const memoryCases: readonly MemoryCase[] = [
  { name: "4 MiB of wire: nulls", make: () => listOf(Uint8Array.of(0x08, 0)), methods: fromWire },
  {
    name: "4 MiB of wire: Values without a kind, read as null",
    make: () => listOf(new Uint8Array()),
    methods: fromWire,
  },
  { name: "4 MiB of wire: empty objects", make: () => listOf(field(0x2a, new Uint8Array())), methods: fromWire },
  {
    name: "4 MiB of wire: empty objects, and an unknown field at the end, which no fast way takes",
    make: () => concat(listOf(field(0x2a, new Uint8Array())), Uint8Array.of(0x38, 1)),
    methods: fromWire,
  },
  { name: "4 MiB of wire: empty lists", make: () => listOf(field(0x32, new Uint8Array())), methods: fromWire },
  {
    name: "4 MiB of wire: objects of one member",
    make: () => listOf(obj(["a", Uint8Array.of(8, 0)])),
    methods: fromWire,
  },
  { name: "4 MiB of wire: members of one object", make: () => membersOf(Uint8Array.of(0x08, 0)), methods: fromWire },
  { name: "4 MiB of wire: 1e300 as integers", make: () => listOf(num(1e300)), methods: fromWire, schema: integers },
  {
    name: "4 MiB of wire: one string of control characters",
    make: () => field(0x0a, concat(field(0x0a, Uint8Array.of(0x61)), field(0x12, control(4 * MiB - 64)))),
    methods: fromWire,
  },
  {
    name: "64 MiB of text: records, more than 4 million values",
    make: () => textOf(record, 64 * MiB),
    methods: fromText,
  },
  {
    name: "62 MiB of text: nearly 4 million numbers",
    make: () => textOf("12345678901234.5,", 62 * MiB),
    methods: fromText,
  },
  { name: "64 MiB of text: one digit over and over", make: () => textOf("1,", 64 * MiB), methods: fromText },
  { name: "64 MiB of text: brackets", make: () => new Uint8Array(64 * MiB).fill(0x5b), methods: fromText },
  {
    name: "64 MiB of text: one string",
    make: () => new TextEncoder().encode(`{"a":"${"x".repeat(64 * MiB - 8)}"}`),
    methods: fromText,
  },
  {
    name: "the huge document of the bench, 18 MB",
    make: () => createStructCodec().jsonToBinary(makeHuge()),
    methods: ["binaryToJsonBytes", "binaryToJsonString", "binaryToJson", "protobuf-es"],
  },
];

function control(size: number): Uint8Array {
  return concat(Uint8Array.of(0x1a), varint(size), new Uint8Array(size).fill(1));
}

/** Run one method on a document as it lies in a file. Gives the length of text and bytes. */
export function runMethod(
  method: MemoryMethod,
  schema: HintSource,
  document: Uint8Array,
  limits: CodecLimits = {},
): number | undefined {
  const codec = createStructCodec(schema, { unsetValue: "null", limits });
  const output = convert(codec, method, document);
  return typeof output === "string" || output instanceof Uint8Array ? output.length : undefined;
}

function convert(codec: StructCodec, method: MemoryMethod, document: Uint8Array): unknown {
  const isText = document[0] === 0x7b || document[0] === 0x5b;
  switch (method) {
    case "protobuf-es":
      return isText ? fromJsonString(StructSchema, decode(document)) : fromBinary(StructSchema, document);
    case "fromJsonString":
    case "jsonStringToField":
    case "jsonStringToBinary":
      return codec[method](decode(document));
    default:
      return codec[method](document);
  }
}

function decode(document: Uint8Array): string {
  return new TextDecoder().decode(document);
}
