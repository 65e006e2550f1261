/**
 * Offset of the first surrogate without its partner, or -1. Such a string has no UTF-8 form, and a Struct holds UTF-8.
 */
export function findUnpairedSurrogate(text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(i + 1);
    if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return i;
    i++;
  }
  return -1;
}

// Native in Node 20 and every current browser, and nearly free for strings without two-byte characters.
const native = (String.prototype as { isWellFormed?: () => boolean }).isWellFormed;

/** Whether a string has a UTF-8 form: every surrogate in it has its partner. */
export function isWellFormed(text: string): boolean {
  return native === undefined ? findUnpairedSurrogate(text) < 0 : native.call(text);
}

/** Whether a text has more than so many bytes as UTF-8. Unpaired surrogates count as three. */
export function exceedsBytes(text: string, most: number): boolean {
  if (text.length > most) return true;
  // No character takes more than three bytes for each of its units.
  return text.length * 3 > most && utf8Length(text) > most;
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    length += unit < 0x800 ? 1 : 2;
    // A pair has four bytes: two more than its units.
    if (unit >= 0xd800 && unit <= 0xdbff && isLow(text.charCodeAt(i + 1))) i++;
  }
  return length;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/**
 * Offset of the first byte that is not UTF-8, or -1: no overlong forms, no surrogates, nothing beyond U+10FFFF (RFC 3629).
 */
export function findMalformedUtf8(bytes: Uint8Array): number {
  const end = bytes.length;
  for (let at = 0; at < end; ) {
    const first = bytes[at] as number;
    if (first < 0x80) {
      at++;
      continue;
    }
    const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length === 0 || at + length > end) return at;
    const second = bytes[at + 1] as number;
    const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) return at;
    for (let i = 2; i < length; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return at;
    at += length;
  }
  return -1;
}
