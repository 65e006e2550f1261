// What both fast transcoders share. They handle documents as every well-behaved writer makes them, in one pass over bytes,
// with neither tree nor error in sight, and decline to the careful way whatever is unusual or wrong.

import type { NumeralListener } from "../base/numerals.js";

/** Instead of an offset: the document is not for the fast way. */
export const declined = -1;
/** Instead of an offset: the output does not fit its buffer. */
export const overflowed = -2;

/** Containers nested deeper are left to the careful way, since the fast one recurses. */
export const deepestFast = 200;

/** Thrown where the rules of numerals have an error or an issue to tell; the careful way then tells it with its place. */
export class Decline extends Error {}

/** Listens to the rules of numerals on the fast way. Issues count only where somebody hears of them. */
export function createDecliner(isHeard: boolean): NumeralListener {
  const decline = new Decline("left to the careful way");
  return {
    report() {
      if (isHeard) throw decline;
    },
    fail: () => decline,
    quote: (kind) => kind,
  };
}

/** A buffer and its view. */
export interface Scratch {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

export function createScratch(size: number): Scratch {
  const bytes = new Uint8Array(size);
  return { bytes, view: new DataView(bytes.buffer) };
}

/** Look at the bytes of the input through a view of one kind, whatever subclass of Uint8Array they came in. */
export function viewScratch(bytes: Uint8Array): Scratch {
  const { buffer, byteOffset, byteLength } = bytes;
  return { bytes: new Uint8Array(buffer, byteOffset, byteLength), view: new DataView(buffer, byteOffset, byteLength) };
}

/**
 * Masks for four bytes at once: a bit is set in the sign of each byte that is a quote, a backslash or a control character.
 * A borrow may set one too many above a byte that is one, never one too few.
 */
export function hasSpecial(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  return (
    ((((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes) | ((word - 0x20202020) & ~word)) &
      0x80808080) !==
    0
  );
}
