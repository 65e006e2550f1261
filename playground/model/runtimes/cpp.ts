import { type DoubleDigits, fixedPoint, mantissa, roundedDigits } from "./double-digits.js";
import { quoteEscaping } from "./escapes.js";
import type { Runtime } from "./runtime.js";

/** What the escaping of C++ takes for unsafe beside control characters: formatting, invisible and direction-changing ones. */
const unsafe =
  /[<>\u007f-\u009f\u00ad\u0600-\u0603\u06dd\u070f\u17b4\u17b5\u200b-\u200f\u2028-\u202e\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}]/gu;

export const cpp: Runtime = {
  name: "C++",
  writer: "util::MessageToJsonString",
  note: "The order of members is that of a hash table, another one in each run; here it is that of the bytes.",
  numeral: cppNumeral,
  notFinite: (value) => `"${value}"`,
  quote: (value) => quoteEscaping(value, unsafe),
  unset: "absent",
  sortsKeys: false,
  comma: ",",
  colon: ":",
  deepest: { messages: 100, levels: 32 },
};

/** printf with %.15g, and with %.17g where that is another double. */
function cppNumeral(value: number): string {
  const short = general(roundedDigits(value, 15), 15);
  return Number(short) === value ? short : general(roundedDigits(value, 17), 17);
}

/** printf's %g: plain from 10^-4 up to its digits, else with an exponent of two digits at least. */
function general(digits: DoubleDigits, precision: number): string {
  const { exponent } = digits;
  if (exponent >= -4 && exponent < precision) return fixedPoint(digits, "");
  return `${mantissa(digits, "")}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
