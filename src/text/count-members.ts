const quote = 0x22;
const backslash = 0x5c;

/** Most digits of an integer that is always its double, and most of a fraction of which a double holds all. */
const mostIntegerDigits = 15;
const mostFractionDigits = 17;

/**
 * Look over JSON text for what `JSON.parse` would lose: repeated keys and digits. Gives the number of members of all objects,
 * which the parsed value has too unless keys were repeated, or -1 where a number needs its text: one with an exponent or with
 * more digits than a double is sure to hold. Checks nothing else.
 */
export function countMembers(text: string): number {
  const { length } = text;
  let members = 0;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      at = skipString(text, at);
    } else if (unit === 0x3a) {
      members++;
    } else if (unit >= 0x30 && unit <= 0x39) {
      const whole = at;
      at = skipDigits(text, at);
      const digits = at - whole;
      if (digits > mostIntegerDigits) return -1;
      if (text.charCodeAt(at) === 0x2e) {
        const fraction = at + 1;
        at = skipDigits(text, fraction);
        // The 0 before the point is no significant digit.
        const significant = at - fraction + (unit === 0x30 ? 0 : digits);
        if (significant > mostFractionDigits) return -1;
      }
      if ((text.charCodeAt(at) | 0x20) === 0x65) return -1;
      at--;
    }
  }
  return members;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  let unit = text.charCodeAt(at);
  while (unit >= 0x30 && unit <= 0x39) unit = text.charCodeAt(++at);
  return at;
}

/** Offset of the closing quote of a string, or of the end of the text. */
function skipString(text: string, from: number): number {
  let at = from + 1;
  for (let unit = text.charCodeAt(at); unit !== quote; unit = text.charCodeAt(at)) {
    if (Number.isNaN(unit)) return at;
    at += unit === backslash ? 2 : 1;
  }
  return at;
}
