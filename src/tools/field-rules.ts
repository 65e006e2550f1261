import { type DescField, type DescOneof, ScalarType } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import {
  lastNumber,
  type RawFields,
  type RawValue,
  readFields,
  readOption,
  submessage,
  texts,
} from "./read-options.js";

/** Extension numbers of `buf.validate.field` (and `oneof`) and `google.api.field_behavior`. */
const validateNumber = 1159;
const behaviorNumber = 1052;

/** What `buf.validate` and `google.api.field_behavior` say of a field, in the keywords of JSON Schema. */
export interface FieldRules {
  readonly isRequired: boolean;
  /** Keywords for the value, or for each item or map value. */
  readonly value: Keywords;
  /** Keywords for the list or map around the values. */
  readonly container: Keywords;
  /** Keywords for the names of a map. */
  readonly keys: Keywords;
  readonly annotations: Keywords;
}

export type Keywords = { readonly [keyword: string]: unknown };

/** Read the rules of a field. They are read by number, so neither package has to be installed. */
export function readFieldRules(field: DescField): FieldRules {
  const rules = mergeMessages(readOption(field.proto.options, validateNumber));
  const behaviors = readBehaviors(readOption(field.proto.options, behaviorNumber));
  // IGNORE_IF_ZERO_VALUE and IGNORE_ALWAYS: what JSON Schema would refuse may be meant.
  const isIgnored = (lastNumber(rules, 27) ?? 0n) !== 0n;
  const own = isIgnored ? new Map() : rules;
  const list = submessage(own, 18);
  const map = submessage(own, 19);
  const of =
    list === undefined
      ? map === undefined
        ? own
        : (submessage(map, 5) ?? new Map())
      : (submessage(list, 4) ?? new Map());
  const container = { ...readListRules(list), ...readMapRules(map) };
  const isNeverEmpty = Object.keys(container).some((keyword) => keyword === "minItems" || keyword === "minProperties");
  return {
    isRequired: lastNumber(rules, 25) === 1n || behaviors.has(2) || isNeverEmpty,
    value: readValueRules(field, of),
    container,
    keys: map === undefined ? {} : readStringRules(submessage(submessage(map, 4) ?? new Map(), 14)),
    annotations: { ...(behaviors.has(3) && { readOnly: true }), ...(behaviors.has(4) && { writeOnly: true }) },
  };
}

/** Whether one field of a oneof has to be set. */
export function isRequiredOneof(oneof: DescOneof): boolean {
  return lastNumber(mergeMessages(readOption(oneof.proto.options, validateNumber)), 1) === 1n;
}

function mergeMessages(values: readonly RawValue[]): RawFields {
  const merged = new Map<number, readonly RawValue[]>();
  for (const value of values) {
    if (typeof value === "bigint") continue;
    for (const [no, list] of readFields(value)) merged.set(no, [...(merged.get(no) ?? []), ...list]);
  }
  return merged;
}

function readBehaviors(values: readonly RawValue[]): ReadonlySet<number> {
  return new Set(
    values.flatMap((value) => (typeof value === "bigint" ? [Number(value)] : unpack(value, "uint64").map(Number))),
  );
}

function readListRules(list: RawFields | undefined): Keywords {
  if (list === undefined) return {};
  return {
    ...count("minItems", lastNumber(list, 1)),
    ...count("maxItems", lastNumber(list, 2)),
    ...(lastNumber(list, 3) === 1n && { uniqueItems: true }),
  };
}

function readMapRules(map: RawFields | undefined): Keywords {
  if (map === undefined) return {};
  return { ...count("minProperties", lastNumber(map, 1)), ...count("maxProperties", lastNumber(map, 2)) };
}

function count(keyword: string, value: bigint | undefined): Keywords {
  return value === undefined || value === 0n ? {} : { [keyword]: Number(value) };
}

function readValueRules(field: DescField, rules: RawFields): Keywords {
  if (field.enum !== undefined) return readEnumRules(submessage(rules, 16));
  const scalar = field.scalar ?? wrappedScalars.get(field.message?.typeName ?? "");
  if (scalar === undefined) return {};
  if (scalar === ScalarType.STRING) return readStringRules(submessage(rules, 14));
  if (scalar === ScalarType.BOOL) {
    const constant = lastNumber(submessage(rules, 13) ?? new Map(), 1);
    return constant === undefined ? {} : { const: constant === 1n };
  }
  const numeric = numericRules.get(scalar);
  const found = numeric === undefined ? undefined : submessage(rules, numeric[0]);
  return numeric === undefined || found === undefined ? {} : readNumberRules(found, numeric[1]);
}

/** How the bits of a number are read. */
type Numeral = "int64" | "uint64" | "sint64" | "int32" | "float" | "double";

const numericRules: ReadonlyMap<ScalarType, readonly [number: number, numeral: Numeral]> = new Map([
  [ScalarType.FLOAT, [1, "float"]],
  [ScalarType.DOUBLE, [2, "double"]],
  [ScalarType.INT32, [3, "int64"]],
  [ScalarType.INT64, [4, "int64"]],
  [ScalarType.UINT32, [5, "uint64"]],
  [ScalarType.UINT64, [6, "uint64"]],
  [ScalarType.SINT32, [7, "sint64"]],
  [ScalarType.SINT64, [8, "sint64"]],
  [ScalarType.FIXED32, [9, "uint64"]],
  [ScalarType.FIXED64, [10, "uint64"]],
  [ScalarType.SFIXED32, [11, "int32"]],
  [ScalarType.SFIXED64, [12, "int64"]],
]);

/** What the wrapper types wrap; the rules of a wrapper are those of that. */
export const wrappedScalars: ReadonlyMap<string, ScalarType> = new Map([
  ["google.protobuf.DoubleValue", ScalarType.DOUBLE],
  ["google.protobuf.FloatValue", ScalarType.FLOAT],
  ["google.protobuf.Int64Value", ScalarType.INT64],
  ["google.protobuf.UInt64Value", ScalarType.UINT64],
  ["google.protobuf.Int32Value", ScalarType.INT32],
  ["google.protobuf.UInt32Value", ScalarType.UINT32],
  ["google.protobuf.BoolValue", ScalarType.BOOL],
  ["google.protobuf.StringValue", ScalarType.STRING],
  ["google.protobuf.BytesValue", ScalarType.BYTES],
]);

function readNumberRules(rules: RawFields, numeral: Numeral): Keywords {
  const values = (no: number): (number | bigint)[] =>
    (rules.get(no) ?? []).flatMap((value) =>
      typeof value === "bigint" ? [decode(value, numeral)] : unpack(value, numeral),
    );
  const keywords: Record<string, unknown> = {};
  const set = (keyword: string, value: unknown): void => {
    if (value !== undefined) keywords[keyword] = value;
  };
  set("const", values(1).at(-1));
  const [below, most, above, least] = [2, 3, 4, 5].map((no) => values(no).at(-1));
  const lower = above ?? least;
  const upper = below ?? most;
  // A lower end above the upper one means outside of both, which no pair of keywords says.
  if (lower === undefined || upper === undefined || lower <= upper) {
    set("exclusiveMaximum", below);
    set("maximum", most);
    set("exclusiveMinimum", above);
    set("minimum", least);
  }
  if (values(6).length > 0) set("enum", values(6));
  if (values(7).length > 0) set("not", { enum: values(7) });
  if (lastNumber(rules, 8) === 1n) set("finite", true);
  return keywords;
}

function decode(bits: bigint, numeral: Numeral): number | bigint {
  switch (numeral) {
    case "int64":
      return shorten(BigInt.asIntN(64, bits));
    case "uint64":
      return shorten(bits);
    case "sint64":
      return shorten((bits >> 1n) ^ -(bits & 1n));
    case "int32":
      return Number(BigInt.asIntN(32, bits));
    case "float":
      return new Float32Array(Uint32Array.of(Number(bits)).buffer)[0] as number;
    case "double":
      return new Float64Array(BigUint64Array.of(bits).buffer)[0] as number;
    default:
      throw new TypeError(numeral satisfies never);
  }
}

function shorten(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** A packed list of numbers. */
function unpack(bytes: Uint8Array, numeral: Numeral): (number | bigint)[] {
  const reader = new BinaryReader(bytes);
  const values: (number | bigint)[] = [];
  while (reader.pos < reader.len) {
    if (numeral === "float" || numeral === "int32") values.push(decode(BigInt(reader.fixed32()), numeral));
    else if (numeral === "double") values.push(decode(BigInt(reader.fixed64()), numeral));
    else values.push(decode(BigInt(reader.uint64()), numeral));
  }
  return values;
}

function readEnumRules(rules: RawFields | undefined): Keywords {
  if (rules === undefined) return {};
  const numbers = (no: number): number[] =>
    (rules.get(no) ?? [])
      .flatMap((value) => (typeof value === "bigint" ? [decode(value, "int64")] : unpack(value, "int64")))
      .map(Number);
  return {
    ...(numbers(1).length > 0 && { in: numbers(1).slice(-1) }),
    ...(numbers(3).length > 0 && { in: numbers(3) }),
    ...(numbers(4).length > 0 && { notIn: numbers(4) }),
  };
}

/** Well-known formats of strings that JSON Schema has too. */
const stringFormats: ReadonlyMap<number, string> = new Map([
  [12, "email"],
  [13, "hostname"],
  [15, "ipv4"],
  [16, "ipv6"],
  [17, "uri"],
  [18, "uri-reference"],
  [22, "uuid"],
]);

function readStringRules(rules: RawFields | undefined): Keywords {
  if (rules === undefined) return {};
  const length = lastNumber(rules, 19);
  const [constant] = texts(rules, 1).slice(-1);
  const format = [...stringFormats].find(([no]) => lastNumber(rules, no) === 1n)?.[1];
  const pattern = readPattern(rules);
  return {
    ...(constant !== undefined && { const: constant }),
    ...count("minLength", length ?? lastNumber(rules, 2)),
    ...count("maxLength", length ?? lastNumber(rules, 3)),
    ...(pattern !== undefined && { pattern }),
    ...(format !== undefined && { format }),
    ...(rules.has(10) && { enum: texts(rules, 10) }),
    ...(rules.has(11) && { not: { enum: texts(rules, 11) } }),
  };
}

/** A pattern, or else the one of prefix, suffix and contained text that is there. */
function readPattern(rules: RawFields): string | undefined {
  const [pattern] = texts(rules, 6).slice(-1);
  const [prefix] = texts(rules, 7).slice(-1);
  const [suffix] = texts(rules, 8).slice(-1);
  const [part] = texts(rules, 9).slice(-1);
  if (pattern !== undefined) return pattern;
  if (prefix !== undefined) return `^${escapePattern(prefix)}`;
  if (suffix !== undefined) return `${escapePattern(suffix)}$`;
  return part === undefined ? undefined : escapePattern(part);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
