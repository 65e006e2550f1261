import { integerDigits, isCanonicalDecimal, wholeDigits } from "../base/decimal.js";
import { IntegerLiteral } from "../base/integer-literal.js";
import { rawTextOf } from "../codec/json-scalar.js";
import type { PlaceConverter } from "./convert-places.js";

/** Towards the model: integers as their digits. Digits of a JS number beyond ±(2^53−1) were lost before. */
export const numberToDigits: PlaceConverter = (value, conversion) => {
  if (typeof value === "bigint") return String(value);
  if (value instanceof IntegerLiteral) return value.digits;
  const raw = rawDigits(value);
  if (raw !== undefined) return raw;
  if (typeof value !== "number" || !Number.isInteger(value)) return value;
  if (!Number.isSafeInteger(value)) conversion.report("inexact", "integer is beyond ±(2^53−1) and came as a double");
  return wholeDigits(value);
};

/** Towards the server: digits as an integer. A number is accepted where it is safe, since models send numbers for text. */
export const digitsToNumber: PlaceConverter = (value, conversion) => {
  if (typeof value === "string") {
    // Our patterns let "-0" pass, whose digits are 0.
    if (value === "-0") return 0;
    return isCanonicalDecimal(value) ? integerOf(value) : value;
  }
  const digits = value instanceof IntegerLiteral ? value.digits : rawDigits(value);
  if (digits === undefined && typeof value !== "bigint" && !Number.isInteger(value)) return value;
  const number = Number(digits ?? value);
  if (Number.isSafeInteger(number)) return number + 0;
  throw conversion.fail("unsafe_integer", "integer is beyond ±(2^53−1) and must come as a string of its digits");
};

function integerOf(digits: string): number | IntegerLiteral {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : new IntegerLiteral(digits);
}

/** The digits of the integer that `JSON.rawJSON` holds, however it is spelled. */
function rawDigits(value: unknown): string | undefined {
  const text = rawTextOf(value);
  return text !== undefined && Number.isFinite(Number(text)) ? integerDigits(text) : undefined;
}
