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
export function writeShortest(value: number, view: DataView, start: number): number {
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
    return writeDigits(view, start, exponent, upper, (lower - (lower % 100)) / 100 + (hundred > 50 ? 1 : 0), 6);
  }
  const ten = (lower % 10) + fraction;
  const off16 = ten <= 5 ? ten : 10 - ten;
  if (off16 < reach + margin) {
    if (off16 > reach - margin || off16 > 5 - margin) return -1;
    return writeDigits(view, start, exponent, upper, (lower - (lower % 10)) / 10 + (ten > 5 ? 1 : 0), 7);
  }
  if (fraction > 0.5 - margin && fraction < 0.5 + margin) return -1;
  return writeDigits(view, start, exponent, upper, lower + (fraction > 0.5 ? 1 : 0), 8);
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

/** Lay out nine upper digits and six to eight lower ones as a decimal with a point, without the zeros at its end. */
function writeDigits(
  view: DataView,
  start: number,
  exponent: number,
  upper: number,
  lower: number,
  lowerLength: number,
): number {
  if (lower >= (powersOfTen[lowerLength] as number) || upper < 1e8 || upper >= 1e9) return -1;
  let at = start;
  if (exponent < 0) {
    view.setInt16(at, 0x2e30, true);
    at += 2;
    for (let i = exponent + 1; i < 0; i++) view.setInt8(at++, 0x30);
  }
  const first = exponent < 0 ? at : at + 1;
  const millions = (lower / 1e6) | 0;
  writeNine(upper | 0, view, first);
  view.setInt32(first + 9, (digitTriples[millions] as number) >> ((9 - lowerLength) * 8), true);
  writeSix((lower - millions * 1e6) | 0, view, first + 3 + lowerLength);
  let end = first + 9 + lowerLength;
  while (view.getUint8(end - 1) === 0x30) end--;
  if (exponent >= 0) {
    for (let i = start; i <= start + exponent; i++) view.setUint8(i, view.getUint8(i + 1));
    view.setInt8(start + exponent + 1, 0x2e);
  }
  return end;
}

/** Digits "000" to "999", one word each with the first digit in its lowest byte. */
const digitTriples: Int32Array = Int32Array.from({ length: 1000 }, (_, i) => {
  const digits = [Math.floor(i / 100), Math.floor(i / 10) % 10, i % 10];
  return digits.reduce((word, digit, place) => word | ((0x30 + digit) << (place * 8)), 0);
});

// hot: bench "binaryToJsonBytes/integers"
/** Write the digits of a safe integer and give where they end. One byte behind them is overwritten too. */
export function writeInteger(value: number, view: DataView, start: number): number {
  let at = start;
  let rest = value;
  if (rest < 0) {
    view.setInt8(at++, 0x2d);
    rest = -rest;
  }
  if (rest < 1e9) return writeSmall(rest | 0, view, at);
  const upper = Math.floor(rest / 1e9);
  at = writeSmall(upper | 0, view, at);
  writeNine((rest - upper * 1e9) | 0, view, at);
  return at + 9;
}

function writeNine(value: number, view: DataView, start: number): void {
  const millions = (value / 1e6) | 0;
  view.setInt32(start, digitTriples[millions] as number, true);
  writeSix(value - millions * 1e6, view, start + 3);
}

function writeSix(value: number, view: DataView, start: number): void {
  const thousands = (value / 1000) | 0;
  view.setInt32(start, digitTriples[thousands] as number, true);
  view.setInt32(start + 3, digitTriples[value - thousands * 1000] as number, true);
}

function writeSmall(value: number, view: DataView, start: number): number {
  if (value < 1000) return writeFirst(value, view, start);
  const thousands = (value / 1000) | 0;
  let at: number;
  if (thousands < 1000) {
    at = writeFirst(thousands, view, start);
  } else {
    const millions = (thousands / 1000) | 0;
    at = writeFirst(millions, view, start);
    view.setInt32(at, digitTriples[thousands - millions * 1000] as number, true);
    at += 3;
  }
  view.setInt32(at, digitTriples[value - thousands * 1000] as number, true);
  return at + 3;
}

/** The first one to three digits. */
function writeFirst(value: number, view: DataView, start: number): number {
  const zeros = value < 10 ? 2 : value < 100 ? 1 : 0;
  view.setInt32(start, (digitTriples[value] as number) >> (zeros * 8), true);
  return start + 3 - zeros;
}

// hot: bench "binaryToJsonBytes/decimals"
/**
 * Write a positive number below 20 million that is a whole number of hundredths, and give where it ends; -1 where it is none.
 * Such a number has no shorter digits than those.
 */
export function writeHundredths(value: number, view: DataView, start: number): number {
  if (!(value < 2e7)) return -1;
  const hundredths = (value * 100 + 0.5) | 0;
  if (hundredths / 100 !== value) return -1;
  const whole = (hundredths / 100) | 0;
  const rest = hundredths - whole * 100;
  const at = writeSmall(whole, view, start);
  // The point, and the last two of three digits behind it.
  view.setInt32(at, 0x2e | ((digitTriples[rest] as number) & 0xffff00), true);
  return at + (rest % 10 === 0 ? 2 : 3);
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
