const quote = 0x22;
const backslash = 0x5c;

/** Most digits of an integer that is always its double, and most of a fraction of which a double holds all. */
const mostIntegerDigits = 15;
const mostFractionDigits = 17;

/**
 * Look over JSON text in UTF-8 for what `JSON.parse` would lose, or would build before anybody could stop it: repeated keys,
 * digits, too deep or too many containers. Gives the number of members of all objects, which the parsed value has too unless
 * keys were repeated, or -1 where a closer look is needed: at a number with an exponent or with more digits than a double is
 * sure to hold, at containers nested deeper than `deepest`, or where there may be more than `mostValues` values. Checks
 * nothing else. Behind the text there is a byte that is neither digit nor quote.
 */
// hot: bench "fromJsonString/medium"
export function countMembers(text: Uint8Array, length: number, deepest: number, mostValues: number): number {
  let members = 0;
  let depth = 0;
  // Each container may hold one value more than there are commas.
  let values = 1;
  for (let at = 0; at < length; at++) {
    const unit = text[at] as number;
    if (unit === quote) {
      at = skipString(text, at, length);
    } else if (unit === 0x3a) {
      members++;
    } else if (unit >= 0x30 && unit <= 0x39) {
      const whole = at;
      at = skipDigits(text, at);
      const digits = at - whole;
      if (digits > mostIntegerDigits) return -1;
      if (text[at] === 0x2e) {
        const fraction = at + 1;
        at = skipDigits(text, fraction);
        // The 0 before the point is no significant digit.
        const significant = at - fraction + (unit === 0x30 ? 0 : digits);
        if (significant > mostFractionDigits) return -1;
      }
      if (((text[at] as number) | 0x20) === 0x65) return -1;
      at--;
    } else if (unit === 0x2c) {
      values++;
    } else if (unit === 0x7b || unit === 0x5b) {
      values++;
      if (++depth > deepest) return -1;
    } else if (unit === 0x7d || unit === 0x5d) {
      depth--;
    }
  }
  return values > mostValues ? -1 : members;
}

function skipDigits(text: Uint8Array, from: number): number {
  let at = from;
  while ((text[at] as number) >= 0x30 && (text[at] as number) <= 0x39) at++;
  return at;
}

/** Offset of the closing quote of a string, or of the end of the text. */
function skipString(text: Uint8Array, from: number, length: number): number {
  let at = from + 1;
  while (at < length && text[at] !== quote) at += text[at] === backslash ? 2 : 1;
  return at;
}
