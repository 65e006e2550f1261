// Every rule about numbers and decimal strings (contract section 3) and nothing else. A walk asks what to write or to
// keep at a position; it never decides. The rules of one codec are compiled into tables that a position indexes.

import { integerDigits, isCanonicalDecimal, significantDigits, wholeDigits } from "./decimal.js";
import type { CodecErrorCode, IssueCode } from "./errors.js";
import { IntegerLiteral } from "./integer-literal.js";
import { type Position, type PositionAnswers, positionCount, type RangeAnswer, unpackPosition } from "./position.js";

/** The options that say how numbers are written and kept. */
export interface NumeralOptions {
  readonly int64: "string" | "schema" | "safe" | "bigint";
  readonly structInt64: "auto" | "string";
  readonly unsafeIntegers: "string" | "error" | "round";
  readonly wholeNumbers: "shortest" | "fraction";
  /** Where only digits as text belong, a number beyond ±(2^53−1) is an error: a model may have rounded it. */
  readonly refusesUnsafeText?: boolean;
}

/** Hears what the rules find: `report` passes on an issue, `fail` builds an error. */
export interface NumeralListener {
  report(code: IssueCode, reason: string): void;
  fail(code: CodecErrorCode, reason: string): Error;
  /** Name a piece of data: by its kind, or quoted where the user allows that. */
  quote(kind: string, data: string): string;
}

/** A number that a JSON text holds and a JS number would misspell: `-0`, `1.0`, or integers beyond ±(2^53−1). */
export class RawNumeral {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a number or string of a Struct becomes. RawNumeral only where the target is text. */
export type JsonScalar = number | string | bigint | IntegerLiteral | RawNumeral;

/** How to write a NumberValue. The first two are taken by walks without a call; see `writesItself`. */
export const NumberRule = {
  /** o6: shortest digits. */
  shortest: 0,
  /** o4, o5: exact digits without point or exponent. */
  integer: 1,
  /** o5 where the range must be looked at. */
  checkedInteger: 2,
  /** o6 with `wholeNumbers: "fraction"`. */
  pointed: 3,
  /** o3, o4: exact digits, quoted. */
  quoted: 4,
  /** o4: bare when safe, else quoted. */
  safe: 5,
  /** o4, o5 at wide positions: a bigint in JSON values, bare digits in text. */
  bigint: 6,
} as const;

/** How to write a StringValue. */
export const StringRule = {
  /** o9. */
  keep: 0,
  /** o9 where the range must be looked at. */
  check: 1,
  /** o7, o8: the bare digits of a canonical decimal. */
  bare: 2,
  /** o7: bare when safe. */
  safe: 3,
  /** o7: a bigint in JSON values, bare digits in text. */
  bigint: 4,
} as const;
const IntegerRule = { other: 0, integer: 1, checkedInteger: 2, digits: 3 } as const;

/** The rules of one codec. Each table is indexed by position. */
export interface NumeralRules {
  readonly options: NumeralOptions;
  /** Struct to JSON, NumberValue: a NumberRule. */
  readonly numberOut: Uint8Array;
  /** Struct to JSON, StringValue: 0 where every string stays as it is. */
  readonly stringOut: Uint8Array;
  /** JSON to Struct, numbers: 0 where no integer is expected, 1 where a safe one is simply kept. */
  readonly numberIn: Uint8Array;
  /** JSON to Struct, strings: 0 where a string needs no look; it is always kept. */
  readonly stringIn: Uint8Array;
}

/** Compile the rules of section 3 for one set of options. */
export function compileNumeralRules(options: NumeralOptions): NumeralRules {
  const table = (rule: (answers: PositionAnswers) => number): Uint8Array =>
    Uint8Array.from({ length: positionCount }, (_, position) => rule(unpackPosition(position)));
  return {
    options,
    numberOut: table((answers) => numberOutRule(answers, options)),
    stringOut: table((answers) => stringOutRule(answers, options)),
    numberIn: table((answers) => numberInRule(answers, options)),
    stringIn: table((answers) =>
      answers.width === "wide" && answers.range !== "any" && isIntegerText(answers) ? 1 : 0,
    ),
  };
}

function numberOutRule(answers: PositionAnswers, options: NumeralOptions): number {
  if (answers.number === "none" && answers.string === "decimal") return NumberRule.quoted;
  if (answers.number !== "integer") {
    return answers.number === "number" && options.wholeNumbers === "fraction"
      ? NumberRule.pointed
      : NumberRule.shortest;
  }
  if (answers.width === "wide" && options.int64 === "bigint") return NumberRule.bigint;
  if (answers.width === "wide" && answers.string !== "text") {
    if (options.int64 === "string") return NumberRule.quoted;
    if (options.int64 === "safe") return NumberRule.safe;
  }
  return answers.width === "wide" && answers.range !== "any" ? NumberRule.checkedInteger : NumberRule.integer;
}

function stringOutRule(answers: PositionAnswers, options: NumeralOptions): number {
  const check = answers.width === "wide" && answers.range !== "any" && isIntegerText(answers);
  const keep = check ? StringRule.check : StringRule.keep;
  if (answers.number === "integer" && answers.width === "wide" && isIntegerText(answers)) {
    if (options.int64 === "string") return keep;
    if (options.int64 === "safe") return StringRule.safe;
    // "schema" and "bigint": quoted where a string fits too, as the Struct has it.
    if (answers.string === "decimal") return keep;
    return options.int64 === "bigint" ? StringRule.bigint : StringRule.bare;
  }
  if (answers.string === "none" && (answers.number === "integer" || answers.number === "number"))
    return StringRule.bare;
  return keep;
}

function numberInRule(answers: PositionAnswers, options: NumeralOptions): number {
  if (answers.number === "none" && answers.string === "decimal") return IntegerRule.digits;
  if (answers.number !== "integer") return IntegerRule.other;
  if (answers.width !== "wide") return IntegerRule.integer;
  if (options.structInt64 === "string") return IntegerRule.digits;
  return answers.range === "any" ? IntegerRule.integer : IntegerRule.checkedInteger;
}

function isIntegerText(answers: PositionAnswers): boolean {
  return answers.string === "decimal" || answers.string === "none";
}

/** Whether a finite number is its own JSON value under a rule; `numberToJson` answers where it is not. */
export function writesItself(rule: number, value: number): boolean {
  // Adding 0 to -0 gives 0, so an integer of a walk that asks here is written as `value + 0`.
  return rule === NumberRule.shortest
    ? Number.isFinite(value)
    : rule === NumberRule.integer && Number.isSafeInteger(value);
}

/** Rows o1 to o6: what a NumberValue becomes. `text` says that the target is text and not a JSON value. */
export function numberToJson(
  rules: NumeralRules,
  position: Position,
  value: number,
  text: boolean,
  listener: NumeralListener,
): JsonScalar {
  if (!Number.isFinite(value)) throw listener.fail("not_finite", `number is ${value}`);
  const rule = rules.numberOut[position];
  if (!Number.isInteger(value)) {
    if (isIntegerPosition(position)) listener.report("fractional", "number has a fraction");
    return value;
  }
  if (rule === NumberRule.pointed) return text ? pointed(value) : value;
  if (rule === NumberRule.shortest) return text && Object.is(value, -0) ? new RawNumeral("-0") : value;
  // Once, since the 309 digits that a double may have take longer than all the rest.
  const digits = wholeDigits(value);
  reportOutOfRange(position, digits, listener);
  switch (rule) {
    case NumberRule.quoted:
      return digits;
    case NumberRule.safe:
      return Number.isSafeInteger(value) ? value + 0 : digits;
    case NumberRule.bigint:
      return text ? bareDigits(digits, rules, text) : BigInt(value);
    default:
      return bareDigits(digits, rules, text);
  }
}

function pointed(value: number): JsonScalar {
  const digits = Object.is(value, -0) ? "-0" : String(value);
  return digits.includes("e") ? value : new RawNumeral(`${digits}.0`);
}

/** Rows o7 to o9: what a StringValue becomes. */
export function stringToJson(
  rules: NumeralRules,
  position: Position,
  value: string,
  text: boolean,
  listener: NumeralListener,
): JsonScalar {
  const rule = rules.stringOut[position];
  if (rule === StringRule.keep || !isCanonicalDecimal(value)) return value;
  reportOutOfRange(position, value, listener);
  switch (rule) {
    case StringRule.bare:
      return bareDigits(value, rules, text);
    case StringRule.safe:
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case StringRule.bigint:
      return text ? bareDigits(value, rules, text) : BigInt(value);
    default:
      return value;
  }
}

/** Most characters of an integer that a JS number keeps for certain: "-9007199254740991". */
const mostSafeDigits = 17;

/** Digits written as a number: a JS number where it is exact, else what keeps the digits. */
function bareDigits(digits: string, rules: NumeralRules, text: boolean): JsonScalar {
  const value = digits.length > mostSafeDigits ? Number.NaN : Number(digits);
  if (Number.isSafeInteger(value)) return value;
  if (text) return new RawNumeral(digits);
  return rules.options.int64 === "bigint" ? BigInt(digits) : new IntegerLiteral(digits);
}

/** Rows i1 to i6 for a number as it stands in a JSON text. A string that comes back is to be a StringValue. */
export function numeralToStruct(
  rules: NumeralRules,
  position: Position,
  token: string,
  listener: NumeralListener,
): number | string {
  const value = Number(token);
  if (!Number.isFinite(value))
    throw listener.fail("out_of_range", `${listener.quote("number", token)} is beyond the range of doubles`);
  const digits = integerDigits(token);
  if (digits === undefined) {
    if (isIntegerPosition(position)) listener.report("fractional", "number has a fraction");
    if (!keepsFraction(token, value)) listener.report("rounded", "fraction has more digits than a double holds");
    return value;
  }
  const rule = rules.numberIn[position];
  if (rule === IntegerRule.other) {
    // i5 takes a token that looks like an integer; what has a point or an exponent was meant as a double (i6).
    if (isSafe(value) || /[.eE]/.test(token) || String(value) === token) {
      reportRounded(digits, value, listener);
      return value;
    }
    return keepUnsafe(rules, digits, value, listener);
  }
  reportOutOfRange(position, digits, listener);
  if (isSafe(value)) return rule === IntegerRule.digits ? digits : value;
  if (isIntegerPosition(position)) return keepUnsafe(rules, digits, value, listener);
  if (rules.options.refusesUnsafeText) throw errUnsafeText(listener);
  return digits;
}

/** Rows i1 to i6 for a JS number, whose digits beyond ±(2^53−1) were lost before us. */
export function numberToStruct(
  rules: NumeralRules,
  position: Position,
  value: number,
  listener: NumeralListener,
): number | string {
  if (!Number.isFinite(value)) throw listener.fail("not_finite", `number is ${value}`);
  if (!Number.isInteger(value)) {
    if (isIntegerPosition(position)) listener.report("fractional", "number has a fraction");
    return value;
  }
  if (!isSafe(value)) {
    const answers = unpackPosition(position);
    if (rules.options.refusesUnsafeText && answers.number === "none" && answers.string === "decimal") {
      throw errUnsafeText(listener);
    }
    if (answers.number === "integer" || answers.string === "decimal") {
      listener.report("inexact", "integer is beyond ±(2^53−1) and came as a double");
    }
    return value;
  }
  const rule = rules.numberIn[position];
  if (rule === IntegerRule.digits || rule === IntegerRule.checkedInteger) {
    reportOutOfRange(position, wholeDigits(value), listener);
  }
  return rule === IntegerRule.digits ? wholeDigits(value) : value;
}

/**
 * Rows i4 and i5 for an integer without point or exponent, by its length and last digit alone: whether it is certain to be
 * kept as a StringValue of its digits. Where it is not, `numeralToStruct` decides.
 */
export function keepsDigits(rules: NumeralRules, position: Position, digitCount: number, lastDigit: number): boolean {
  if (rules.options.unsafeIntegers !== "string" || digitCount < 17 || digitCount > 300) return false;
  const rule = rules.numberIn[position];
  // A double spells itself with 17 digits and zeros at most.
  return rule === IntegerRule.integer || (rule === IntegerRule.other && digitCount > 17 && lastDigit !== 0);
}

/** Row i7 looks only: a string is always kept. */
export function checkStringToStruct(position: Position, value: string, listener: NumeralListener): void {
  if (isCanonicalDecimal(value)) reportOutOfRange(position, value, listener);
}

function errUnsafeText(listener: NumeralListener): Error {
  return listener.fail("unsafe_integer", "integer is beyond ±(2^53−1) and must come as a string of its digits");
}

/** An integer token beyond ±(2^53−1): its digits as text, an error, or the nearest double. */
function keepUnsafe(rules: NumeralRules, digits: string, value: number, listener: NumeralListener): number | string {
  if (rules.options.unsafeIntegers === "string") return digits;
  if (rules.options.unsafeIntegers === "error") throw errUnsafe(digits, listener);
  reportRounded(digits, value, listener);
  return value;
}

function errUnsafe(digits: string, listener: NumeralListener): Error {
  return listener.fail("unsafe_integer", `${listener.quote("integer", digits)} is beyond ±(2^53−1)`);
}

function reportRounded(digits: string, value: number, listener: NumeralListener): void {
  if (isSafe(value) || digits === wholeDigits(value) || digits === integerDigits(String(value))) return;
  listener.report("rounded", "integer is not exactly a double");
}

/** Whether the nearest double says what the token says: it does up to 17 digits, except where doubles get scarce. */
function keepsFraction(token: string, value: number): boolean {
  const digits = significantDigits(token);
  if (Math.abs(value) >= 2.2250738585072014e-308) return digits.length <= 17;
  return digits === significantDigits(String(value));
}

function reportOutOfRange(position: Position, digits: string, listener: NumeralListener): void {
  const { width, range } = unpackPosition(position);
  if (width !== "wide" || range === "any" || isWithin(digits, range)) return;
  listener.report("out_of_range", `integer is beyond ${range}`);
}

const largestMagnitude: Record<Exclude<RangeAnswer, "any">, { positive: string; negative: string }> = {
  int64: { positive: "9223372036854775807", negative: "9223372036854775808" },
  uint64: { positive: "18446744073709551615", negative: "0" },
};

function isWithin(digits: string, range: Exclude<RangeAnswer, "any">): boolean {
  const negative = digits.charCodeAt(0) === 0x2d;
  const magnitude = negative ? digits.slice(1) : digits;
  const limit = largestMagnitude[range][negative ? "negative" : "positive"];
  return magnitude.length === limit.length ? magnitude <= limit : magnitude.length < limit.length;
}

function isIntegerPosition(position: Position): boolean {
  return unpackPosition(position).number === "integer";
}

function isSafe(value: number): boolean {
  return Number.isSafeInteger(value);
}
