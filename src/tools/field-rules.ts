import { type DescField, type DescOneof, ScalarType } from "@bufbuild/protobuf";
import { readNumbers } from "./read-numbers.js";
import {
  lastNumber,
  type RawFields,
  type RawValue,
  readFields,
  readOption,
  submessage,
  texts,
} from "./read-options.js";
import { translatePattern } from "./translate-pattern.js";

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
  const own = unlessIgnored(rules);
  const list = submessage(own, 18);
  const map = submessage(own, 19);
  const keys = unlessIgnored(submessage(map ?? new Map(), 4));
  const container = { ...readListRules(list), ...readMapRules(map) };
  const isNeverEmpty = Object.keys(container).some((keyword) => keyword === "minItems" || keyword === "minProperties");
  return {
    isRequired:
      (lastNumber(rules, 25) === 1n && lastNumber(rules, 27) !== ignoreAlways) || behaviors.has(2) || isNeverEmpty,
    value: readValueRules(field, valueRules(own, list, map)),
    container,
    keys: field.fieldKind === "map" ? readKeyRules(field.mapKey, keys) : {},
    annotations: { ...(behaviors.has(3) && { readOnly: true }), ...(behaviors.has(4) && { writeOnly: true }) },
  };
}

/** Of IGNORE_ALWAYS, after which not even `required` counts. */
const ignoreAlways = 3n;

/** Rules without those that are ignored for some values or all: what JSON Schema would refuse may be meant. */
function unlessIgnored(rules: RawFields | undefined): RawFields {
  return rules === undefined || (lastNumber(rules, 27) ?? 0n) !== 0n ? new Map() : rules;
}

/** The rules for the value of a field, or for each item or map value. */
function valueRules(own: RawFields, list: RawFields | undefined, map: RawFields | undefined): RawFields {
  if (list !== undefined) return unlessIgnored(submessage(list, 4));
  return map === undefined ? own : unlessIgnored(submessage(map, 5));
}

/** Names of a map are text, so only the rules of strings can be said. */
function readKeyRules(key: ScalarType, rules: RawFields): Keywords {
  return key === ScalarType.STRING ? readStringRules(submessage(rules, 14)) : {};
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
  return new Set(values.flatMap((value) => readNumbers(value, ScalarType.INT32).map(Number)));
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
  const saysNothing = value === undefined || (keyword.startsWith("min") && value === 0n);
  return saysNothing ? {} : { [keyword]: Number(value) };
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
  const number = ruleNumbers.get(scalar);
  const found = number === undefined ? undefined : submessage(rules, number);
  return found === undefined ? {} : readNumberRules(found, scalar);
}

/** Field numbers of the rules for each kind of number. */
const ruleNumbers: ReadonlyMap<ScalarType, number> = new Map([
  [ScalarType.FLOAT, 1],
  [ScalarType.DOUBLE, 2],
  [ScalarType.INT32, 3],
  [ScalarType.INT64, 4],
  [ScalarType.UINT32, 5],
  [ScalarType.UINT64, 6],
  [ScalarType.SINT32, 7],
  [ScalarType.SINT64, 8],
  [ScalarType.FIXED32, 9],
  [ScalarType.FIXED64, 10],
  [ScalarType.SFIXED32, 11],
  [ScalarType.SFIXED64, 12],
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

function readNumberRules(rules: RawFields, scalar: ScalarType): Keywords {
  const values = (no: number): (number | bigint)[] => listNumbers(rules, no, scalar);
  const keywords: Record<string, unknown> = {};
  const set = (keyword: string, value: unknown): void => {
    if (value !== undefined) keywords[keyword] = value;
  };
  const last = (no: number): number | bigint | undefined =>
    (rules.get(no) ?? []).slice(-1).flatMap((value) => readNumbers(value, scalar))[0];
  set("const", last(1));
  const [below, most, above, least] = [2, 3, 4, 5].map(last);
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
  // No keyword of JSON Schema: it is for who makes the schema of a float. Rules of integers have examples there.
  if (isFloat(scalar) && lastNumber(rules, 8) === 1n) set("finite", true);
  return keywords;
}

function isFloat(scalar: ScalarType): boolean {
  return scalar === ScalarType.FLOAT || scalar === ScalarType.DOUBLE;
}

/** The numbers of a repeated field, each once: JSON Schema wants no value listed twice. */
function listNumbers(rules: RawFields, no: number, scalar: ScalarType): (number | bigint)[] {
  return [...new Set((rules.get(no) ?? []).flatMap((value) => readNumbers(value, scalar)))];
}

function readEnumRules(rules: RawFields | undefined): Keywords {
  if (rules === undefined) return {};
  const numbers = (no: number): number[] => listNumbers(rules, no, ScalarType.INT32).map(Number);
  const constant = (rules.get(1) ?? []).slice(-1).flatMap((value) => readNumbers(value, ScalarType.INT32))[0];
  return {
    ...(constant !== undefined && { in: [constant] }),
    ...(lastNumber(rules, 2) === 1n && { definedOnly: true }),
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
  const [said] = texts(rules, 6).slice(-1);
  const pattern = said === undefined ? readAffix(rules) : translatePattern(said);
  return {
    ...(constant !== undefined && { const: constant }),
    ...count("minLength", length ?? lastNumber(rules, 2)),
    ...count("maxLength", length ?? lastNumber(rules, 3)),
    ...(pattern !== undefined && { pattern }),
    // Better none than one that means something else.
    ...(pattern === undefined && said !== undefined && { $comment: `RE2 pattern: ${said}` }),
    ...(format !== undefined && { format }),
    ...(rules.has(10) && { enum: [...new Set(texts(rules, 10))] }),
    ...(rules.has(11) && { not: { enum: [...new Set(texts(rules, 11))] } }),
  };
}

/** The one of prefix, suffix and contained text that is there, as a pattern. */
function readAffix(rules: RawFields): string | undefined {
  const [prefix] = texts(rules, 7).slice(-1);
  const [suffix] = texts(rules, 8).slice(-1);
  const [part] = texts(rules, 9).slice(-1);
  if (prefix !== undefined) return `^${escapePattern(prefix)}`;
  if (suffix !== undefined) return `${escapePattern(suffix)}$`;
  return part === undefined ? undefined : escapePattern(part);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
