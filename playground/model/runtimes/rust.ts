import { fixedPoint, mantissa, shortestDigits } from "./double-digits.js";
import type { Runtime } from "./runtime.js";

export const rust: Runtime = {
  name: "Rust",
  writer: "pbjson or prost-wkt with serde_json",
  numeral: rustNumeral,
  notFinite: undefined,
  quote: (value) => JSON.stringify(value),
  unset: undefined,
  sortsKeys: true,
  comma: ",",
  colon: ":",
  deepest: { messages: 100 },
};

/** serde_json's f64: plain from 10^-5 to 10^16, with a point always, else with a bare exponent. */
function rustNumeral(value: number): string {
  const digits = shortestDigits(value);
  const { exponent } = digits;
  return exponent >= -5 && exponent < 16 ? fixedPoint(digits, ".0") : `${mantissa(digits, "")}e${exponent}`;
}
