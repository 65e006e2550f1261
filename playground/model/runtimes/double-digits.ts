/** A finite double as decimal digits: the first one stands before the point, times ten to the exponent. */
export interface DoubleDigits {
  readonly sign: "" | "-";
  /** Without zeros at the end, "0" for zero. */
  readonly digits: string;
  readonly exponent: number;
}

/** The fewest digits that give the double again, as every modern runtime finds them. */
export function shortestDigits(value: number): DoubleDigits {
  return readExponential(value, Math.abs(value).toExponential());
}

/** Rounded to so many digits as C does: exact ties go to the even digit, where JavaScript goes up. */
export function roundedDigits(value: number, count: number): DoubleDigits {
  const rounded = Math.abs(value).toExponential(count - 1);
  const exact = Math.abs(value).toExponential(99);
  const tail = exact.replace(/e.*/, "").replace(".", "").slice(count);
  const isTie = /^50*$/.test(tail);
  const last = Number(exact.replace(".", "")[count - 1]);
  if (!isTie || last % 2 === 1) return readExponential(value, rounded);
  // The digit before an exact half is even already, so it is cut.
  return readExponential(value, `${exact.slice(0, count + 1)}e${exact.replace(/.*e/, "")}`);
}

function readExponential(value: number, text: string): DoubleDigits {
  const [mantissa, exponent] = text.split("e") as [string, string];
  const digits = mantissa.replace(".", "").replace(/0+$/, "");
  return { sign: isNegative(value) ? "-" : "", digits: digits === "" ? "0" : digits, exponent: Number(exponent) };
}

function isNegative(value: number): boolean {
  return value < 0 || Object.is(value, -0);
}

/** Digits with a point and without exponent; whole numbers end as said. */
export function fixedPoint({ sign, digits, exponent }: DoubleDigits, wholeEnding: string): string {
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, "0") + wholeEnding;
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** Digits with one before the point, and without the exponent that goes behind. */
export function mantissa({ sign, digits }: DoubleDigits, wholeEnding: string): string {
  return sign + digits[0] + (digits.length === 1 ? wholeEnding : `.${digits.slice(1)}`);
}
