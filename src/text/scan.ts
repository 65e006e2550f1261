import { integerDigits } from "../base/decimal.js";

const quote = 0x22;
const backslash = 0x5c;

/** Shortest container worth remembering the end of; shorter ones are read again as fast as they are looked up. */
const shortestRemembered = 64;

/** A scalar found by looking ahead. */
export type ScannedScalar = null | boolean | number | string | bigint;

/**
 * Looks ahead in JSON text for the scalar members of an object, before the object is read. Nothing is checked: whatever is
 * malformed ends the search, and the reader reports it when it gets there. The ends of long containers are remembered, so
 * that objects in objects are not passed over again at each level.
 */
export class MemberScanner {
  readonly #text: string;
  readonly #deepest: number;
  /** Where long containers end; -1 for those that were found to have no end. */
  readonly #ends = new Map<number, number>();
  /** Everything before this offset was passed over once. */
  #passed = 0;

  /** What is nested deeper than `deepest` is not passed over: the reader refuses it anyway. */
  constructor(text: string, deepest: number) {
    this.#text = text;
    this.#deepest = deepest;
  }

  /** The scalars among the wanted members of the object that begins at an offset. The last of repeated keys counts. */
  scalars(start: number, wanted: readonly string[]): ReadonlyMap<string, ScannedScalar> {
    const text = this.#text;
    const found = new Map<string, ScannedScalar>();
    let at = this.#space(start + 1);
    while (text.charCodeAt(at) === quote) {
      const keyEnd = this.#stringEnd(at);
      const colon = this.#space(keyEnd);
      if (keyEnd < 0 || text[colon] !== ":") break;
      const valueAt = this.#space(colon + 1);
      const key = unquote(text.slice(at, keyEnd));
      const end = this.#valueEnd(valueAt);
      if (key === undefined || end <= valueAt) break;
      if (wanted.includes(key)) {
        const value = readScalar(text.slice(valueAt, end));
        // A repeated key takes its last value, also where that is no scalar.
        if (value === undefined) found.delete(key);
        else found.set(key, value);
      }
      const after = this.#space(end);
      if (text[after] !== ",") break;
      at = this.#space(after + 1);
    }
    return found;
  }

  #space(from: number): number {
    let at = from;
    for (let unit = this.#text.charCodeAt(at); unit <= 0x20; unit = this.#text.charCodeAt(at)) at++;
    return at;
  }

  /** Offset after the closing quote, or -1. */
  #stringEnd(from: number): number {
    const text = this.#text;
    for (let at = from + 1; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === quote) return at + 1;
      if (unit === backslash) at++;
    }
    return -1;
  }

  #valueEnd(from: number): number {
    const text = this.#text;
    const first = text.charCodeAt(from);
    if (first === quote) return this.#stringEnd(from);
    if (first === 0x7b || first === 0x5b) return this.#containerEnd(from);
    let at = from;
    while (at < text.length && !isStructural(text.charCodeAt(at))) at++;
    return at;
  }

  #containerEnd(from: number): number {
    const text = this.#text;
    const known = this.#ends.get(from);
    if (known !== undefined) return known;
    const open: number[] = [];
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === quote) {
        const end = this.#stringEnd(at);
        if (end < 0) break;
        at = end - 1;
      } else if (unit === 0x7b || unit === 0x5b) {
        const end = at < this.#passed ? this.#ends.get(at) : undefined;
        if (end === -1) break;
        if (end === undefined) open.push(at);
        else at = end - 1;
        if (open.length > this.#deepest) break;
      } else if (unit === 0x7d || unit === 0x5d) {
        const start = open.pop() as number;
        if (at + 1 - start >= shortestRemembered) this.#ends.set(start, at + 1);
        if (open.length === 0) {
          this.#passed = Math.max(this.#passed, at + 1);
          return at + 1;
        }
      }
    }
    // Whatever stands around what has no end has none either.
    for (const start of open) this.#ends.set(start, -1);
    this.#passed = Math.max(this.#passed, (open.at(-1) ?? 0) + 1);
    return -1;
  }
}

/** Whether a character ends a number or a word. */
export function isStructural(unit: number): boolean {
  return unit === 0x2c || unit === 0x7d || unit === 0x5d || unit === 0x3a || unit <= 0x20;
}

/** The string that a literal stands for; undefined where it is none. */
export function unquote(literal: string): string | undefined {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return JSON.parse(literal);
  } catch {
    // Not a string after all; the reader will say so.
    return undefined;
  }
}

/** The scalar that a literal stands for; undefined where it is none, or no finite number. */
export function readScalar(literal: string): ScannedScalar | undefined {
  if (literal[0] === '"') return unquote(literal);
  if (literal === "true" || literal === "false") return literal === "true";
  if (literal === "null") return null;
  if (literal.length > 1100 || !/^-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/.test(literal)) return undefined;
  const value = Number(literal);
  if (!Number.isFinite(value)) return undefined;
  const digits = Number.isSafeInteger(value) ? undefined : integerDigits(literal);
  return digits === undefined ? value : BigInt(digits);
}
