import { fixedPoint, mantissa, shortestDigits } from "./double-digits.js";
import { quoteEscaping } from "./escapes.js";
import type { Runtime } from "./runtime.js";

export const python: Runtime = {
  name: "Python",
  writer: "json_format.MessageToJson",
  note: "The order of members is that of a hash table, here that of the bytes. Printed here without its line breaks.",
  numeral: pythonNumeral,
  notFinite: (value) => `"${value}"`,
  quote: (value) => quoteEscaping(value, /[^ -~]/gu),
  unset: "null",
  sortsKeys: false,
  comma: ", ",
  colon: ": ",
  deepest: { messages: 100 },
};

/** repr(float): plain from 10^-4 to 10^16, else with an exponent of two digits at least. */
function pythonNumeral(value: number): string {
  const digits = shortestDigits(value);
  const { exponent } = digits;
  if (exponent >= -4 && exponent < 16) return fixedPoint(digits, ".0");
  return `${mantissa(digits, "")}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
