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

// Native where it is (Node 20 and every current browser), which is free for strings that hold no two-byte characters.
const native = (String.prototype as { isWellFormed?: () => boolean }).isWellFormed;

/** Whether a string has a UTF-8 form: every surrogate in it has its partner. */
export function isWellFormed(text: string): boolean {
  return native === undefined ? findUnpairedSurrogate(text) < 0 : native.call(text);
}
