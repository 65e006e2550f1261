import { integerDigits, isCanonicalDecimal } from "../base/decimal.js";
import { getOwn } from "../base/own.js";
import type { NumberAnswer, PositionAnswers, RangeAnswer, WidthAnswer } from "../base/position.js";
import type { JsonSchemaObject } from "../json-schema/json-schema.js";
import { scalarKey } from "./node.js";

/** The kinds of JSON value, as bits. */
export const Kind = { null: 1, boolean: 2, number: 4, string: 8, object: 16, array: 32, any: 63 } as const;

/**
 * What strings a schema takes, from the narrowest to no information. "pattern" is a string that looks like an integer:
 * decimal where the position takes integers too, else text.
 */
export const Strings = { none: 0, decimal: 1, pattern: 2, text: 3, any: 4 } as const;

/** What a schema (or a combination of them) says about one value, before it is reduced to the three answers. */
export interface Facts {
  readonly kinds: number;
  readonly number: NumberAnswer;
  readonly width: WidthAnswer;
  readonly range: RangeAnswer;
  readonly lowest: number;
  readonly highest: number;
  readonly strings: number;
  /** The only scalars allowed, where they are listed: nothing else fits. */
  readonly scalars: ReadonlySet<Scalar> | undefined;
}

export type Scalar = null | boolean | number | string | bigint;

/** Says nothing. */
export const noFacts: Facts = {
  kinds: Kind.any,
  number: "any",
  width: "unknown",
  range: "any",
  lowest: Number.NEGATIVE_INFINITY,
  highest: Number.POSITIVE_INFINITY,
  strings: Strings.any,
  scalars: undefined,
};

export function saysNothing(facts: Facts): boolean {
  return (
    facts.kinds === Kind.any &&
    facts.number === "any" &&
    facts.strings === Strings.any &&
    facts.lowest === noFacts.lowest &&
    facts.highest === noFacts.highest
  );
}

const kindsByType: ReadonlyMap<string, number> = new Map([
  ["null", Kind.null],
  ["boolean", Kind.boolean],
  ["number", Kind.number],
  ["integer", Kind.number],
  ["bigint", Kind.number],
  ["string", Kind.string],
  ["object", Kind.object],
  ["array", Kind.array],
]);

/** Integer formats, by the width they declare. Generators: schemars, gnostic, OpenAPI registry, NJsonSchema. */
const formatWidths: ReadonlyMap<string, WidthAnswer> = new Map<string, WidthAnswer>([
  ...["int8", "int16", "int32", "uint8", "uint16", "uint32", "sint32", "fixed32", "sfixed32", "double-int"].map(
    (format): [string, WidthAnswer] => [format, "small"],
  ),
  ...["int64", "uint64", "int128", "uint128", "int", "uint", "sint64", "fixed64", "sfixed64", "long"].map(
    (format): [string, WidthAnswer] => [format, "wide"],
  ),
  ["unix-time", "unknown"],
  ["utc-millisec", "unknown"],
]);

const formatRanges: ReadonlyMap<string, RangeAnswer> = new Map<string, RangeAnswer>([
  ["int64", "int64"],
  ["sint64", "int64"],
  ["sfixed64", "int64"],
  ["long", "int64"],
  ["uint64", "uint64"],
  ["fixed64", "uint64"],
]);

/** The two patterns that `rewriteSchema` writes: an integer as text and nothing else. */
export const decimalPattern = "^-?(?:0|[1-9][0-9]*)$";
export const unsignedDecimalPattern = "^(?:0|[1-9][0-9]*)$";

/** Other spellings that generators use for an integer as text (.NET, effect, zod, buf, Discord, valibot, arktype). */
const looseDecimalPatterns: ReadonlySet<string> = new Set([
  "^-?(?:0|[1-9]\\d*)$",
  "^(?:0|[1-9]\\d*)$",
  "^-?(0|[1-9]\\d*)$",
  "^(0|[1-9]\\d*)$",
  "^-?(0|[1-9][0-9]*)$",
  "^(0|[1-9][0-9]*)$",
  "^-?\\d+$",
  "^\\d+$",
  "^-?[0-9]+$",
  "^[0-9]+$",
  "^[1-9]\\d*$",
  "^[1-9][0-9]*$",
  "^-?[1-9]\\d*$",
  "^-?[1-9][0-9]*$",
  "^[-+]?\\d+$",
  "^[+-]?\\d+$",
  "^(?:(?!^-0$)-?(?:(?:0|[1-9]\\d*)))$",
]);

/** Read what the keywords of one schema say, apart from those that hold other schemas. */
export function readFacts(schema: JsonSchemaObject): Facts {
  const types = readTypes(schema);
  const format = readFormat(schema, types);
  const scalars = readScalars(schema, types);
  let kinds = types.kinds;
  if (scalars !== undefined) kinds &= kindsOfScalars(scalars);
  if (getOwn(schema, "nullable") === true) kinds |= Kind.null;
  return {
    kinds,
    number: readNumber(schema, types, format, scalars),
    width: readWidth(types, format, scalars),
    range: format === undefined ? "any" : (formatRanges.get(format) ?? "any"),
    ...readBounds(schema),
    strings: readStrings(schema, types, format, scalars),
    scalars: nullableScalars(schema, scalars),
  };
}

interface Types {
  readonly kinds: number;
  /** Whether `type` is there and readable. */
  readonly declared: boolean;
  readonly integer: boolean;
  readonly number: boolean;
  readonly bigint: boolean;
  readonly string: boolean;
}

const noTypes: Types = {
  kinds: Kind.any,
  declared: false,
  integer: false,
  number: false,
  bigint: false,
  string: false,
};

function readTypes(schema: JsonSchemaObject): Types {
  const type = getOwn(schema, "type");
  if (typeof type !== "string" && !Array.isArray(type)) return noTypes;
  // Gemini and Spring AI write upper case.
  const names = (Array.isArray(type) ? type : [type]).map((name) =>
    typeof name === "string" ? name.toLowerCase() : "",
  );
  if (names.length === 0 || names.some((name) => !kindsByType.has(name))) return noTypes;
  // Kubernetes writes an integer or a string as a string with this format.
  if (names.includes("string") && readFormatName(schema) === "int-or-string") names.push("integer");
  return {
    kinds: names.reduce((kinds, name) => kinds | (kindsByType.get(name) ?? 0), 0),
    declared: true,
    integer: names.includes("integer"),
    number: names.includes("number"),
    bigint: names.includes("bigint"),
    string: names.includes("string"),
  };
}

function readFormatName(schema: JsonSchemaObject): string | undefined {
  const format = getOwn(schema, "format");
  return typeof format === "string" ? format.toLowerCase() : undefined;
}

/** The format, if it is one of an integer. "byte" is one only beside type integer; elsewhere it is base64. */
function readFormat(schema: JsonSchemaObject, types: Types): string | undefined {
  const format = readFormatName(schema);
  if (format === "byte") return types.integer && !types.string ? "int8" : undefined;
  return format !== undefined && formatWidths.has(format) ? format : undefined;
}

/** Members of `enum` and `const` that the types allow. */
function readScalars(schema: JsonSchemaObject, types: Types): ReadonlySet<Scalar> | undefined {
  const constant = Object.hasOwn(schema, "const") ? [getOwn(schema, "const")] : undefined;
  const list = constant ?? getOwn(schema, "enum");
  if (!Array.isArray(list)) return undefined;
  const scalars = new Set<Scalar>();
  for (const member of list) {
    // An object or array is allowed too, so the scalars are not all there is.
    if (typeof member === "object" && member !== null) return undefined;
    if (isScalar(member)) {
      // Gemini lists the values of an integer as strings.
      const asInteger = typeof member === "string" && !types.string && types.integer && isCanonicalDecimal(member);
      scalars.add(asInteger ? readDigits(member) : member);
    }
  }
  return scalars.size > 0 ? scalars : undefined;
}

function readDigits(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits);
}

export function isScalar(value: unknown): value is Scalar {
  if (typeof value === "number") return Number.isFinite(value);
  return value === null || typeof value === "boolean" || typeof value === "string" || typeof value === "bigint";
}

function nullableScalars(
  schema: JsonSchemaObject,
  scalars: ReadonlySet<Scalar> | undefined,
): ReadonlySet<Scalar> | undefined {
  return scalars !== undefined && getOwn(schema, "nullable") === true ? new Set([...scalars, null]) : scalars;
}

function kindsOfScalars(scalars: ReadonlySet<Scalar>): number {
  let kinds = 0;
  for (const value of scalars) {
    if (value === null) kinds |= Kind.null;
    else if (typeof value === "boolean") kinds |= Kind.boolean;
    else kinds |= typeof value === "string" ? Kind.string : Kind.number;
  }
  return kinds;
}

function numbersOf(scalars: ReadonlySet<Scalar>): (number | bigint)[] {
  return [...scalars].filter((value) => typeof value === "number" || typeof value === "bigint");
}

/** Q1 for one schema: integer only where every way to take a number is integral. */
function readNumber(
  schema: JsonSchemaObject,
  types: Types,
  format: string | undefined,
  scalars: ReadonlySet<Scalar> | undefined,
): NumberAnswer {
  if ((types.kinds & Kind.number) === 0) return "none";
  if (scalars !== undefined) {
    const numbers = numbersOf(scalars);
    if (numbers.length === 0) return "none";
    if (numbers.every((value) => typeof value === "bigint" || Number.isInteger(value))) return "integer";
  }
  // ["integer", "number"] is number, but a format or a step may still make every number integral.
  if ((types.integer || types.bigint) && !types.number) return "integer";
  if (format !== undefined || isWholeStep(getOwn(schema, "multipleOf"))) return "integer";
  return types.declared || scalars !== undefined ? "number" : "any";
}

function isWholeStep(step: unknown): boolean {
  const value = readNumeric(step);
  return value !== undefined && value > 0 && Number.isInteger(value);
}

/** Q2 as declared by format, type or listed values; bounds are weighed in `settleWidth`. */
function readWidth(types: Types, format: string | undefined, scalars: ReadonlySet<Scalar> | undefined): WidthAnswer {
  if (scalars !== undefined) {
    const numbers = numbersOf(scalars);
    const isWide = numbers.some((value) => Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER);
    if (numbers.length > 0) return isWide ? "wide" : "small";
  }
  if (types.bigint) return "wide";
  return (format === undefined ? undefined : formatWidths.get(format)) ?? "unknown";
}

/** Q3 for one schema. */
function readStrings(
  schema: JsonSchemaObject,
  types: Types,
  format: string | undefined,
  scalars: ReadonlySet<Scalar> | undefined,
): number {
  if ((types.kinds & Kind.string) === 0) return Strings.none;
  if (format !== undefined) return Strings.decimal;
  const pattern = getOwn(schema, "pattern");
  if (pattern === decimalPattern || pattern === unsignedDecimalPattern) return Strings.decimal;
  if (scalars !== undefined) {
    return [...scalars].some((value) => typeof value === "string" && isCanonicalDecimal(value))
      ? Strings.text
      : Strings.none;
  }
  if (typeof pattern === "string" && looseDecimalPatterns.has(pattern)) return Strings.pattern;
  return types.string ? Strings.text : Strings.any;
}

function readBounds(schema: JsonSchemaObject): { lowest: number; highest: number } {
  return {
    lowest: Math.max(
      readBound(schema, "minimum", Number.NEGATIVE_INFINITY),
      readExclusive(schema, "exclusiveMinimum", "minimum", 1, Number.NEGATIVE_INFINITY),
    ),
    highest: Math.min(
      readBound(schema, "maximum", Number.POSITIVE_INFINITY),
      readExclusive(schema, "exclusiveMaximum", "maximum", -1, Number.POSITIVE_INFINITY),
    ),
  };
}

function readBound(schema: JsonSchemaObject, keyword: string, absent: number): number {
  return readNumeric(getOwn(schema, keyword)) ?? absent;
}

/** An exclusive bound is a number (2019-09) or `true` beside an inclusive one (draft-04, OpenAPI 3.0): by its JS type. */
function readExclusive(
  schema: JsonSchemaObject,
  keyword: string,
  inclusive: string,
  step: 1 | -1,
  absent: number,
): number {
  const value = getOwn(schema, keyword);
  const bound = value === true ? getOwn(schema, inclusive) : value;
  const exact = typeof bound === "bigint" ? bound + BigInt(step) : readNumeric(bound);
  if (exact === undefined) return absent;
  return typeof exact === "bigint" ? Number(exact) : exact + (Number.isInteger(exact) ? step : 0);
}

/** Numeric keywords come as numbers, as bigint (zod 3, TypeBox in process), or as decimal strings (Google discovery). */
function readNumeric(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isNaN(value) ? undefined : value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "string" || value.length > 1100) return undefined;
  return /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/.test(value) ? Number(integerDigits(value) ?? value) : undefined;
}

/** Weigh the bounds: both ends within ±(2^53−1) prove small, whatever the format; an end beyond it declares wide. */
function settleWidth(facts: Pick<Facts, "width" | "lowest" | "highest">): WidthAnswer {
  const { lowest, highest } = facts;
  const safe = Number.MAX_SAFE_INTEGER;
  if (lowest >= -safe && highest <= safe) return "small";
  if (facts.width === "small") return "small";
  const isBeyond = (bound: number): boolean => Number.isFinite(bound) && Math.abs(bound) > safe;
  return isBeyond(lowest) || isBeyond(highest) ? "wide" : facts.width;
}

/** What holds where all of these hold: `allOf`, `$ref` and its siblings, a union and the keywords beside it. */
export function intersectFacts(all: readonly Facts[]): Facts {
  return all.length === 1 ? (all[0] as Facts) : all.reduce(intersectTwo, noFacts);
}

const narrowness: readonly NumberAnswer[] = ["none", "integer", "number", "any"];

function intersectTwo(a: Facts, b: Facts): Facts {
  const number = narrowness[Math.min(narrowness.indexOf(a.number), narrowness.indexOf(b.number))] ?? "any";
  const widths = [settleWidth(a), settleWidth(b)];
  return {
    kinds: a.kinds & b.kinds,
    number,
    width: (["small", "wide"] as const).find((width) => widths.includes(width)) ?? "unknown",
    range: a.range === "any" ? b.range : a.range,
    lowest: Math.max(a.lowest, b.lowest),
    highest: Math.min(a.highest, b.highest),
    strings: Math.min(a.strings, b.strings),
    scalars: intersectScalars(a.scalars, b.scalars),
  };
}

function intersectScalars(
  a: ReadonlySet<Scalar> | undefined,
  b: ReadonlySet<Scalar> | undefined,
): ReadonlySet<Scalar> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const keys = new Set([...b].map(scalarKey));
  return new Set([...a].filter((value) => keys.has(scalarKey(value))));
}

/** A branch of a union of objects that does not mention a key: neutral for numbers, and any string may stand there. */
export const unmentionedFacts: Facts = { ...noFacts };

/** What holds where one of these holds: each answer over the branches that can hold that kind of value. */
export function uniteFacts(branches: readonly Facts[]): Facts {
  if (branches.length === 1) return branches[0] as Facts;
  const mentioned = branches.filter((facts) => facts !== unmentionedFacts);
  if (mentioned.length === 0) return noFacts;
  const numeric = mentioned.filter((facts) => facts.number !== "none");
  const widths = numeric.map(settleWidth);
  const strings = Math.max(...mentioned.map((facts) => facts.strings));
  return {
    kinds: branches.reduce((kinds, facts) => kinds | facts.kinds, 0),
    number: uniteNumbers(numeric),
    width: (["wide", "unknown", "small"] as const).find((width) => widths.includes(width)) ?? uniteTextWidth(mentioned),
    range: uniteRanges(numeric.length > 0 ? numeric : mentioned.filter((facts) => facts.strings === Strings.decimal)),
    // Without a branch that takes numbers there are no bounds, not the empty interval.
    lowest: numeric.length === 0 ? noFacts.lowest : Math.min(...numeric.map((facts) => facts.lowest)),
    highest: numeric.length === 0 ? noFacts.highest : Math.max(...numeric.map((facts) => facts.highest)),
    strings: mentioned.length < branches.length ? Math.max(strings, Strings.text) : strings,
    scalars: uniteScalars(branches),
  };
}

function uniteNumbers(numeric: readonly Facts[]): NumberAnswer {
  if (numeric.length === 0) return "none";
  if (numeric.some((facts) => facts.number === "any")) return "any";
  return numeric.some((facts) => facts.number === "number") ? "number" : "integer";
}

/** Where no branch takes numbers, an integer written as text still has a width. */
function uniteTextWidth(branches: readonly Facts[]): WidthAnswer {
  return branches.some((facts) => facts.strings === Strings.decimal && facts.width === "wide") ? "wide" : "unknown";
}

function uniteRanges(branches: readonly Facts[]): RangeAnswer {
  const [first, ...rest] = branches;
  return first !== undefined && rest.every((facts) => facts.range === first.range) ? first.range : "any";
}

function uniteScalars(branches: readonly Facts[]): ReadonlySet<Scalar> | undefined {
  const all = new Set<Scalar>();
  for (const { scalars } of branches) {
    if (scalars === undefined) return undefined;
    for (const value of scalars) all.add(value);
  }
  return all;
}

/** Reduce facts to the three answers. */
export function answersOf(facts: Facts): PositionAnswers {
  const takesIntegers = facts.number === "integer";
  const strings = facts.strings === Strings.pattern ? (takesIntegers ? Strings.decimal : Strings.text) : facts.strings;
  const string = (["none", "decimal", "text", "text", "any"] as const)[strings] ?? "any";
  const hasWidth = takesIntegers || (facts.number === "none" && string === "decimal");
  const width = hasWidth ? settleWidth(facts) : "unknown";
  return { number: facts.number, width, string, range: width === "wide" ? facts.range : "any" };
}
