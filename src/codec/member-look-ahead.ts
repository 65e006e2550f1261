import { isStructural, readScalar, type ScannedScalar, unquote } from "../text/scan.js";
import { decodeRange } from "./byte-text.js";

/** How many times as many bytes as there are may be looked at ahead. Objects in objects are passed over at each level. */
const mostPasses = 4;

/**
 * Looks ahead in JSON bytes for scalar members, for the fast way. What it does not understand ends the search, since the walk
 * that comes after it declines that too. Members are not repeated: the walk declines those as well.
 */
export class MemberLookAhead {
  #bytes: Uint8Array = new Uint8Array(0);
  #end = 0;
  #left = 0;

  /** Begin a document. Behind its end there is something that is not JSON, or nothing. */
  begin(bytes: Uint8Array, length: number): void {
    this.#bytes = bytes;
    this.#end = length;
    this.#left = length * mostPasses;
  }

  /**
   * The scalars among the wanted members of the object whose brace was read. Undefined where to find them takes too long.
   */
  scalars(from: number, wanted: readonly string[]): ReadonlyMap<string, ScannedScalar> | undefined {
    const bytes = this.#bytes;
    const found = new Map<string, ScannedScalar>();
    let missing = wanted.length;
    let at = this.#space(from);
    while (missing > 0 && bytes[at] === 0x22) {
      const keyEnd = this.#stringEnd(at);
      const value = this.#space(this.#space(keyEnd) + 1);
      const end = this.#valueEnd(value);
      this.#left -= end - at;
      if (this.#left < 0) return undefined;
      if (end <= value) break;
      const key = unquote(decodeRange(bytes, at, keyEnd));
      if (key !== undefined && wanted.includes(key)) {
        missing--;
        const scalar = readScalar(decodeRange(bytes, value, end));
        if (scalar !== undefined) found.set(key, scalar);
      }
      // The comma, or what ends the search.
      at = this.#space(this.#space(end) + 1);
    }
    return found;
  }

  #space(from: number): number {
    let at = from;
    while (at < this.#end && (this.#bytes[at] as number) <= 0x20) at++;
    return at;
  }

  /** Offset behind the closing quote, or the end. */
  #stringEnd(from: number): number {
    const bytes = this.#bytes;
    let at = from + 1;
    while (at < this.#end && bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1;
    return Math.min(at + 1, this.#end);
  }

  #valueEnd(from: number): number {
    const bytes = this.#bytes;
    const first = bytes[from];
    if (first === 0x22) return this.#stringEnd(from);
    if (first === 0x7b || first === 0x5b) return this.#containerEnd(from);
    let at = from;
    while (at < this.#end && !isStructural(bytes[at] as number)) at++;
    return at;
  }

  #containerEnd(from: number): number {
    const bytes = this.#bytes;
    let depth = 0;
    for (let at = from; at < this.#end; at++) {
      const byte = bytes[at];
      if (byte === 0x22) at = this.#stringEnd(at) - 1;
      else if (byte === 0x7b || byte === 0x5b) depth++;
      else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return at + 1;
    }
    return this.#end;
  }
}
