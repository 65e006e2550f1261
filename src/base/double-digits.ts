// Printing and reading doubles without a string in between. Both work in double-double arithmetic: a product or quotient is
// kept as the nearest double and its exact error, which is enough to decide nearly every case. What cannot be decided is
// declined (-1, NaN), and the caller asks the engine. V8 needs 100 to 600 ns a double for the same (bench "numbers").

/** 10^0 to 10^22: exactly the powers of ten that are doubles. */
const powersOfTen: Float64Array = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/** 2^27 + 1 splits a double into two halves whose products are exact (Veltkamp). */
const splitter = 134217729;
const powerHighs: Float64Array = powersOfTen.map(highHalf);
const powerLows: Float64Array = powersOfTen.map((power) => power - highHalf(power));

function highHalf(value: number): number {
  const scaled = splitter * value;
  return scaled - (scaled - value);
}

/** Half the distance between neighbouring doubles, for the exponents -20 to 60. */
const halfSteps: Float64Array = Float64Array.from({ length: 81 }, (_, i) => 2 ** (i - 20 - 53));

/** Distances that decide between two answers must differ by this much; they carry errors of 2^-46 at most. */
const margin = 1e-9;

const exponentView = new DataView(new ArrayBuffer(8));

// hot: bench "binaryToJsonBytes/doubles"
/**
 * Write the shortest digits that read back as the same double, as `String(value)` would, and give where they end. Takes
 * positive doubles with a fraction from 1e-5 up; gives -1 for what it cannot decide.
 */
export function writeShortest(value: number, bytes: Uint8Array, start: number): number {
  if (!(value >= 1e-5) || value >= 4503599627370496) return -1;
  exponentView.setFloat64(0, value);
  const high = exponentView.getInt32(0);
  // A power of two has a nearer neighbour below than above.
  if ((high & 0xfffff) === 0 && exponentView.getInt32(4) === 0) return -1;
  const exponent = decimalExponent(value);
  const scale = 16 - exponent;
  // value * 10^scale = product + error, exactly: 17 digits before the point.
  const power = powersOfTen[scale] as number;
  const powerHigh = powerHighs[scale] as number;
  const powerLow = powerLows[scale] as number;
  const product = value * power;
  const scaled = splitter * value;
  const valueHigh = scaled - (scaled - value);
  const valueLow = value - valueHigh;
  const error = valueHigh * powerHigh - product + valueHigh * powerLow + valueLow * powerHigh + valueLow * powerLow;
  const whole = Math.floor(error);
  const fraction = error - whole;
  let upper = Math.floor(product / 1e8);
  let lower = product - upper * 1e8 + whole;
  if (lower < 0) {
    upper--;
    lower += 1e8;
  } else if (lower >= 1e8) {
    upper++;
    lower -= 1e8;
  }
  const reach = (halfSteps[((high >>> 20) & 0x7ff) - 1023 + 20] as number) * power;
  // The shortest digits are those of the nearest decimal of 15, 16 or 17 that is still nearer to this double than to another.
  const hundred = (lower % 100) + fraction;
  const off15 = hundred <= 50 ? hundred : 100 - hundred;
  if (off15 < reach + margin) {
    if (off15 > reach - margin) return -1;
    return writeDigits(bytes, start, exponent, upper, (lower - (lower % 100)) / 100 + (hundred > 50 ? 1 : 0), 6);
  }
  const ten = (lower % 10) + fraction;
  const off16 = ten <= 5 ? ten : 10 - ten;
  if (off16 < reach + margin) {
    if (off16 > reach - margin || off16 > 5 - margin) return -1;
    return writeDigits(bytes, start, exponent, upper, (lower - (lower % 10)) / 10 + (ten > 5 ? 1 : 0), 7);
  }
  if (fraction > 0.5 - margin && fraction < 0.5 + margin) return -1;
  return writeDigits(bytes, start, exponent, upper, lower + (fraction > 0.5 ? 1 : 0), 8);
}

function decimalExponent(value: number): number {
  if (value < 1) {
    if (value >= 0.1) return -1;
    if (value >= 0.01) return -2;
    if (value >= 0.001) return -3;
    return value >= 0.0001 ? -4 : -5;
  }
  let exponent = 0;
  while (value >= (powersOfTen[exponent + 1] as number)) exponent++;
  return exponent;
}

/** Lay out nine upper digits and some lower ones as a decimal with a point, without the zeros at its end. */
function writeDigits(
  bytes: Uint8Array,
  start: number,
  exponent: number,
  upper: number,
  lower: number,
  lowerLength: number,
): number {
  if (lower >= (powersOfTen[lowerLength] as number) || upper < 1e8 || upper >= 1e9) return -1;
  let at = start;
  if (exponent < 0) {
    bytes[at++] = 0x30;
    bytes[at++] = 0x2e;
    for (let i = exponent + 1; i < 0; i++) bytes[at++] = 0x30;
  }
  const first = exponent < 0 ? at : at + 1;
  writePadded(bytes, first, upper, 9);
  writePadded(bytes, first + 9, lower, lowerLength);
  let end = first + 9 + lowerLength;
  while (bytes[end - 1] === 0x30) end--;
  if (exponent >= 0) {
    for (let i = 0; i <= exponent; i++) bytes[start + i] = bytes[start + i + 1] as number;
    bytes[start + exponent + 1] = 0x2e;
  }
  return end;
}

/** Digits "00" to "99", two bytes each. */
const digitPairs: Uint8Array = Uint8Array.from({ length: 200 }, (_, i) => {
  const pair = i >> 1;
  return 0x30 + (i % 2 === 0 ? Math.floor(pair / 10) : pair % 10);
});

function writePadded(bytes: Uint8Array, start: number, value: number, length: number): void {
  let at = start + length;
  let rest = value | 0;
  while (at - start >= 2) {
    const quotient = (rest / 100) | 0;
    const pair = (rest - quotient * 100) << 1;
    rest = quotient;
    bytes[--at] = digitPairs[pair + 1] as number;
    bytes[--at] = digitPairs[pair] as number;
  }
  if (at > start) bytes[start] = 0x30 + rest;
}

// hot: bench "binaryToJsonBytes/numeric"
/** Write the digits of a safe integer and give where they end. */
export function writeInteger(value: number, bytes: Uint8Array, start: number): number {
  let at = start;
  let rest = value;
  if (rest < 0) {
    bytes[at++] = 0x2d;
    rest = -rest;
  }
  if (rest < 10) {
    bytes[at] = 0x30 + rest;
    return at + 1;
  }
  if (rest < 1e9) return writeSmall(rest | 0, bytes, at);
  const upper = Math.floor(rest / 1e8);
  at = writeSmall(upper | 0, bytes, at);
  writePadded(bytes, at, rest - upper * 1e8, 8);
  return at + 8;
}

function writeSmall(value: number, bytes: Uint8Array, start: number): number {
  let length = 1;
  if (value >= 10) length = value >= 100 ? (value >= 1000 ? (value >= 10000 ? countDigits(value) : 4) : 3) : 2;
  writePadded(bytes, start, value, length);
  return start + length;
}

function countDigits(value: number): number {
  if (value < 1e6) return value < 1e5 ? 5 : 6;
  if (value < 1e8) return value < 1e7 ? 7 : 8;
  return 9;
}

// hot: bench "jsonBytesToBinary/doubles"
/**
 * The double nearest to a decimal of at most 17 digits: `(leading * 10^moreDigits + more) / 10^scale`, where `leading` is the
 * first 15 of them and `scale` at most 22. NaN for what it cannot decide.
 */
export function readDecimal(leading: number, more: number, moreDigits: number, scale: number): number {
  // Both are exact, so their quotient is the nearest double.
  if (moreDigits === 0) return leading / (powersOfTen[scale] as number);
  const factor = powersOfTen[moreDigits] as number;
  const product = leading * factor;
  // 50 bits times 7 bits: the error of the product fits beside the digits that follow.
  const leadingHigh = highHalf(leading);
  const low = leadingHigh * factor - product + (leading - leadingHigh) * factor + more;
  const numerator = product + low;
  const rest = low - (numerator - product);
  const power = powersOfTen[scale] as number;
  const quotient = numerator / power;
  const scaled = splitter * quotient;
  const quotientHigh = scaled - (scaled - quotient);
  const quotientLow = quotient - quotientHigh;
  const powerHigh = powerHighs[scale] as number;
  const powerLow = powerLows[scale] as number;
  const back = quotient * power;
  const backError =
    quotientHigh * powerHigh - back + quotientHigh * powerLow + quotientLow * powerHigh + quotientLow * powerLow;
  const correction = (numerator - back - backError + rest) / power;
  const result = quotient + correction;
  // The correction is right to 2^-52; if that could move the result across the middle between two doubles, decline.
  if (quotient + correction * (1 + 1e-10) !== quotient + correction * (1 - 1e-10)) return Number.NaN;
  return result;
}
