/** Most digits of an integer within the range of doubles: 2^1024 has 309. */
const mostDigits = 309;

/** Whether a string is `0|-?[1-9][0-9]*` within the range of doubles: an integer as this library writes it. */
export function isCanonicalDecimal(text: string): boolean {
  const start = text.charCodeAt(0) === 0x2d ? 1 : 0;
  const length = text.length - start;
  if (length < 1 || length > mostDigits) return false;
  if (text.charCodeAt(start) === 0x30) return length === 1 && start === 0;
  for (let i = start; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return length < mostDigits || Number.isFinite(Number(text));
}

/** `isCanonicalDecimal` for bytes of ASCII. Gives false for some of more than 308 digits, which need a closer look. */
export function isCanonicalDecimalBytes(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === 0x2d ? start + 1 : start;
  if (end - first < 1 || end - first >= mostDigits) return false;
  if (bytes[first] === 0x30) return end - start === 1;
  for (let i = first; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte < 0x30 || byte > 0x39) return false;
  }
  return true;
}

/** The exact digits of a whole double, without point or exponent. -0 prints as 0. */
export function wholeDigits(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : BigInt(value).toString();
}

/**
 * The exact digits of a JSON number that is a whole number once its fraction and exponent are worked in, else undefined.
 * The token must be within the range of doubles, which bounds the digits; exponents are compared, never expanded first.
 */
export function integerDigits(token: string): string | undefined {
  if (isCanonicalDecimal(token)) return token;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?$/.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits === "") return "0";
  const significant = trimZeros(digits);
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length;
  return zeros >= 0 ? sign + significant + "0".repeat(zeros) : undefined;
}

/** Decimal digits that a JSON number states, without leading and trailing zeros. */
export function significantDigits(token: string): string {
  const [mantissa = ""] = token.split(/[eE]/, 1);
  return trimZeros(mantissa.replace(/[-.]/g, "").replace(/^0+/, ""));
}

function trimZeros(digits: string): string {
  // Not /0+$/, which looks at every run of zeros in the middle again and again.
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}
