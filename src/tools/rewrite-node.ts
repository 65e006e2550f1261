import { isCanonicalDecimal, wholeDigits } from "../base/decimal.js";
import { getOwn, setOwn } from "../base/own.js";
import { decimalPattern, type Facts, Strings, unsignedDecimalPattern } from "../hint/facts.js";
import type { JsonSchemaObject } from "../json-schema/json-schema.js";

/** A schema of decimal strings, before its data is copied. */
export interface RewrittenNode {
  readonly schema: Record<string, unknown>;
  /** The description with what the schema can no longer say; set by the caller if there is room for it. */
  readonly description: string | undefined;
  /** Whether a constant beyond ±(2^53−1) came as a JS number, whose digits may not be what the author wrote. */
  readonly isInexact: boolean;
  /** How much longer its constants are as text: by two quotes each. */
  readonly growth: number;
}

/** Meaningless beside a string, or refused there: unknown formats throw in ajv, and Gemini takes only its own. */
const droppedKeywords: ReadonlySet<string> = new Set([
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
]);

/** Meaningless beside an integer, and no longer so beside its digits. */
const textKeywords: ReadonlySet<string> = new Set([
  "pattern",
  "minLength",
  "maxLength",
  "contentEncoding",
  "contentMediaType",
]);

const constantKeywords: ReadonlySet<string> = new Set(["const", "enum", "default", "example", "examples"]);

/** Patterns of the same language as ours; engines without ECMAScript semantics match other digits with `\d`. */
const samePatterns: ReadonlySet<unknown> = new Set([
  undefined,
  decimalPattern,
  unsignedDecimalPattern,
  "^-?(?:0|[1-9]\\d*)$",
  "^(?:0|[1-9]\\d*)$",
  "^-?(0|[1-9]\\d*)$",
  "^(0|[1-9]\\d*)$",
  "^-?(0|[1-9][0-9]*)$",
  "^(0|[1-9][0-9]*)$",
]);

/** Write one integer schema as a schema of decimal strings; everything that is not about numbers stays. */
export function rewriteNode(schema: JsonSchemaObject, own: Facts): RewrittenNode {
  const rewritten: Record<string, unknown> = {};
  const pattern = choosePattern(schema, own);
  const listed = Object.hasOwn(schema, "const") || Object.hasOwn(schema, "enum");
  const writeType = (type: unknown): void => {
    if (type !== undefined) setOwn(rewritten, "type", type);
    if (pattern !== undefined) setOwn(rewritten, "pattern", pattern);
  };
  if (!Object.hasOwn(schema, "type")) writeType(listed ? undefined : "string");
  for (const keyword of Object.keys(schema)) {
    const value = getOwn(schema, keyword);
    if (keyword === "type") writeType(textType(value));
    else if (constantKeywords.has(keyword)) setOwn(rewritten, keyword, textConstant(value));
    else if (!isDropped(keyword, own) && (keyword !== "pattern" || pattern === undefined)) {
      setOwn(rewritten, keyword, value);
    }
  }
  const constants = listConstants(schema);
  return {
    schema: rewritten,
    description: describe(schema),
    isInexact: constants.some(isInexact),
    growth: 2 * constants.length,
  };
}

function isDropped(keyword: string, own: Facts): boolean {
  return droppedKeywords.has(keyword) || (own.strings === Strings.none && textKeywords.has(keyword));
}

/** Whether constants that say what is valid can't be written as text, so that the schema has to stay. */
export function hasVagueConstant(schema: JsonSchemaObject): boolean {
  return [getOwn(schema, "const"), getOwn(schema, "enum")].flat().some(isVague);
}

/** A double that JSON spells with an exponent. Nobody means its digits, and they may be sixty times as long. */
export function isVague(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) >= 1e21 && Number.isFinite(value);
}

function listConstants(schema: JsonSchemaObject): unknown[] {
  return [...constantKeywords].flatMap((keyword) => {
    const value = getOwn(schema, keyword);
    return Array.isArray(value) ? value : [value];
  });
}

/** Whether a constant is beyond ±(2^53−1) and a JS number. */
export function isInexact(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Integers as their digits, one by one or in a list; whatever else stands there stays. */
function textConstant(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (Array.isArray(item) ? item : textConstant(item)));
  if (typeof value === "bigint") return String(value);
  return typeof value === "number" && Number.isInteger(value) && !isVague(value) ? wholeDigits(value) : value;
}

/** `type` with "string" in the place of its numbers, in the letter case of the schema (Gemini writes upper case). */
function textType(type: unknown): unknown {
  const toText = (name: unknown): unknown => {
    if (typeof name !== "string" || !/^(?:integer|number|bigint)$/i.test(name)) return name;
    return name === name.toUpperCase() ? "STRING" : "string";
  };
  if (!Array.isArray(type)) return toText(type);
  const names = [...new Set(type.map(toText))];
  // A list of one is understood by fewer readers than the name alone.
  return names.length === 1 && type.length > 1 ? names[0] : names;
}

/** The pattern to write, or undefined where listed values or a pattern of the schema's own already say as much. */
function choosePattern(schema: JsonSchemaObject, own: Facts): string | undefined {
  if (own.strings !== Strings.none && !samePatterns.has(getOwn(schema, "pattern"))) return undefined;
  const listed = Object.hasOwn(schema, "const") ? [getOwn(schema, "const")] : getOwn(schema, "enum");
  if (Array.isArray(listed)) {
    const texts = listed.map(textConstant).filter((value) => typeof value === "string");
    if (!texts.every(isCanonicalDecimal)) return undefined;
  }
  return isUnsigned(schema, own) ? unsignedDecimalPattern : decimalPattern;
}

function isUnsigned(schema: JsonSchemaObject, own: Facts): boolean {
  const format = getOwn(schema, "format");
  return own.lowest >= 0 || (typeof format === "string" && /^(?:uint|fixed)/i.test(format));
}

/** The description in words that survive where `pattern` does not reach the model (Anthropic's strict tools drop it). */
function describe(schema: JsonSchemaObject): string | undefined {
  const said = getOwn(schema, "description") ?? "";
  if (typeof said !== "string") return undefined;
  const words = ["ecimal digits as text", ...describeBounds(schema)].join(", ");
  const before = said.trimEnd();
  if (before === "") return `D${words}`;
  return /[.!?]$/.test(before) ? `${before} D${words}.` : `${before} (d${words})`;
}

function describeBounds(schema: JsonSchemaObject): string[] {
  const lowest = readBound(schema, "minimum", "exclusiveMinimum");
  const highest = readBound(schema, "maximum", "exclusiveMaximum");
  const step = digitsOf(getOwn(schema, "multipleOf"));
  const words: string[] = [];
  if (lowest !== undefined && highest !== undefined && !lowest.isExclusive && !highest.isExclusive) {
    words.push(`from ${lowest.digits} to ${highest.digits}`);
  } else {
    const ends: string[] = [];
    if (lowest !== undefined) ends.push(`${lowest.isExclusive ? "above" : "from"} ${lowest.digits}`);
    if (highest !== undefined) ends.push(`${highest.isExclusive ? "below" : "up to"} ${highest.digits}`);
    if (ends.length > 0) words.push(ends.join(" and "));
  }
  if (step !== undefined && step !== "1") words.push(`a multiple of ${step}`);
  return words;
}

function readBound(
  schema: JsonSchemaObject,
  inclusive: string,
  exclusive: string,
): { digits: string; isExclusive: boolean } | undefined {
  const limit = getOwn(schema, exclusive);
  // Draft-04 and OpenAPI 3.0 say `true` beside the inclusive bound.
  const exclusiveDigits = digitsOf(limit === true ? getOwn(schema, inclusive) : limit);
  if (exclusiveDigits !== undefined) return { digits: exclusiveDigits, isExclusive: true };
  const digits = digitsOf(getOwn(schema, inclusive));
  return digits === undefined ? undefined : { digits, isExclusive: false };
}

/** 2^63 and 2^64 as doubles are what is left of the highest int64 and uint64 once a schema went through `JSON.parse`. */
const roundedBounds: ReadonlyMap<number, string> = new Map([
  [2 ** 63, "9223372036854775807"],
  [2 ** 64, "18446744073709551615"],
]);

function digitsOf(value: unknown): string | undefined {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string") return isCanonicalDecimal(value) ? value : undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || Math.abs(value) > 2 ** 64) return undefined;
  return roundedBounds.get(value) ?? wholeDigits(value);
}
