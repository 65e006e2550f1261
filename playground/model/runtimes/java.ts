import { type DoubleDigits, fixedPoint, mantissa, shortestDigits } from "./double-digits.js";
import { quoteEscaping } from "./escapes.js";
import type { Runtime } from "./runtime.js";

export const java: Runtime = {
  name: "Java",
  writer: "JsonFormat.printer()",
  note: "As Java 19 and later; older ones print another last digit of some doubles. Printed here without its line breaks.",
  numeral: javaNumeral,
  notFinite: (value) => `"${value}"`,
  quote: (value) => quoteEscaping(value, /[<>&='\u2028\u2029]/g),
  unset: "null",
  sortsKeys: false,
  comma: ",",
  colon: ":",
  deepest: { messages: 100 },
};

/** Double.toString: plain from 10^-3 to 10^7, else with an exponent, and a digit behind the point always. */
function javaNumeral(value: number): string {
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const digits = atLeastTwoDigits(value);
  const isPlain = digits.exponent >= -3 && digits.exponent < 7;
  return isPlain ? fixedPoint(digits, ".0") : `${mantissa(digits, ".0")}E${digits.exponent}`;
}

/** Java takes the closest of all numbers with two digits where one digit would do: 4.9E-324, not 5E-324. */
function atLeastTwoDigits(value: number): DoubleDigits {
  const shortest = shortestDigits(value);
  if (shortest.digits.length > 1) return shortest;
  const two = Number(value.toExponential(1));
  return two === value ? readTwo(value) : shortest;
}

function readTwo(value: number): DoubleDigits {
  const [digits, exponent] = Math.abs(value).toExponential(1).split("e") as [string, string];
  const sign = value < 0 ? "-" : "";
  return { sign, digits: digits.replace(".", "").replace(/0$/, ""), exponent: Number(exponent) };
}
