import { findUnpairedSurrogate } from "../base/utf8.js";

const quote = 0x22;
const backslash = 0x5c;

/** Builds the error for something wrong in the text. */
export type TextFault = (
  code: "invalid_syntax" | "invalid_utf8" | "too_large",
  reason: string,
  offset: number,
) => Error;

/**
 * A cursor over JSON text (RFC 8259, nothing beyond it). It knows tokens and nothing of structure; numbers stay text until
 * somebody says what is expected.
 */
export class TextReader {
  readonly text: string;
  /** Offset of the next character. */
  at = 0;
  readonly #longestNumber: number;
  readonly #fault: TextFault;

  constructor(text: string, longestNumber: number, fault: TextFault) {
    this.text = text;
    this.#longestNumber = longestNumber;
    this.#fault = fault;
  }

  // hot: bench "fromJsonString/medium"
  /** Skip white space. Gives the code of the next character, NaN at the end. */
  peek(): number {
    const text = this.text;
    let at = this.at;
    let unit = text.charCodeAt(at);
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) unit = text.charCodeAt(++at);
    this.at = at;
    return unit;
  }

  /** Take one character of structure, after white space. */
  expect(unit: number, what: string): void {
    if (this.peek() !== unit) throw this.unexpected(what);
    this.at++;
  }

  // hot: bench "fromJsonString/medium"
  /** Read a string whose opening quote is the next character. */
  readString(): string {
    const text = this.text;
    const start = this.at + 1;
    for (let at = start; ; at++) {
      const unit = text.charCodeAt(at);
      if (unit === quote) {
        this.at = at + 1;
        return text.slice(start, at);
      }
      // Control characters, the end of the text (NaN), escapes and surrogates take the long way.
      if (!(unit >= 0x20) || unit === backslash || (unit & 0xf800) === 0xd800) return this.#readStringSlowly(start, at);
    }
  }

  #readStringSlowly(start: number, from: number): string {
    const text = this.text;
    const parts: string[] = [];
    let begin = start;
    let at = from;
    for (;;) {
      const unit = text.charCodeAt(at);
      if (unit === quote) break;
      if (unit === backslash) {
        parts.push(text.slice(begin, at), this.#readEscape(at));
        begin = this.at;
        at = begin;
      } else if (unit >= 0x20) {
        at++;
      } else {
        throw this.#errInString(start, at);
      }
    }
    parts.push(text.slice(begin, at));
    this.at = at + 1;
    const value = parts.join("");
    if (findUnpairedSurrogate(value) >= 0) {
      throw this.#fault("invalid_utf8", "string has an unpaired surrogate", this.#surrogateOffset(start, at));
    }
    return value;
  }

  #errInString(start: number, at: number): Error {
    if (at >= this.text.length) return this.#fault("invalid_syntax", "string is not closed", start - 1);
    return this.#fault("invalid_syntax", "control character in string", at);
  }

  /** Offset of the surrogate without a partner, spelled or escaped: where its character begins in the text. */
  #surrogateOffset(start: number, end: number): number {
    let units = 0;
    const wanted = findUnpairedSurrogate(this.#unescape(start, end));
    for (let at = start; at < end; units++) {
      if (units === wanted) return at;
      at += this.text.charCodeAt(at) !== backslash ? 1 : this.text[at + 1] === "u" ? 6 : 2;
    }
    return start;
  }

  #unescape(start: number, end: number): string {
    return JSON.parse(`"${this.text.slice(start, end)}"`);
  }

  #readEscape(at: number): string {
    const simple = simpleEscapes[this.text.charCodeAt(at + 1)];
    if (simple !== undefined) {
      this.at = at + 2;
      return simple;
    }
    const digits = this.text.slice(at + 2, at + 6);
    if (this.text[at + 1] !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) {
      throw this.#fault("invalid_syntax", "invalid escape in string", at);
    }
    this.at = at + 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  // hot: bench "fromJsonString/numeric"
  /** Read an integer of at most 15 digits, or give NaN and stay where the next token is anything else. */
  readSmallInteger(): number {
    const text = this.text;
    let at = this.at;
    const negative = text.charCodeAt(at) === 0x2d;
    if (negative) at++;
    const start = at;
    let value = 0;
    let unit = text.charCodeAt(at);
    while (unit >= 0x30 && unit <= 0x39) {
      value = value * 10 + (unit - 0x30);
      unit = text.charCodeAt(++at);
    }
    const digits = at - start;
    if (digits === 0 || digits > 15 || unit === 0x2e || unit === 0x65 || unit === 0x45) return Number.NaN;
    if (digits > 1 && text.charCodeAt(start) === 0x30) return Number.NaN;
    this.at = at;
    return negative ? -value : value;
  }

  /** Read a number as it stands in the text. */
  readNumeral(): string {
    const { text, at: start } = this;
    let at = start;
    if (text.charCodeAt(at) === 0x2d) at++;
    const whole = at;
    at = this.#skipDigits(at, "digit");
    if (at - whole > 1 && text.charCodeAt(whole) === 0x30)
      throw this.#fault("invalid_syntax", "number begins with 0", whole);
    if (text.charCodeAt(at) === 0x2e) at = this.#skipDigits(at + 1, "digit after the point");
    if ((text.charCodeAt(at) | 0x20) === 0x65) {
      const sign = text.charCodeAt(at + 1);
      at = this.#skipDigits(sign === 0x2b || sign === 0x2d ? at + 2 : at + 1, "digit in the exponent");
    }
    if (at - start > this.#longestNumber) {
      throw this.#fault("too_large", `number has more than ${this.#longestNumber} characters`, start);
    }
    this.at = at;
    return text.slice(start, at);
  }

  #skipDigits(from: number, what: string): number {
    let at = from;
    for (let unit = this.text.charCodeAt(at); unit >= 0x30 && unit <= 0x39; unit = this.text.charCodeAt(at)) at++;
    if (at === from) {
      this.at = at;
      throw this.unexpected(what);
    }
    return at;
  }

  /** Take `true`, `false` or `null`, of which the first character was seen. */
  readLiteral(): boolean | null {
    for (const [word, value] of literals) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    throw this.unexpected("value");
  }

  /** The error for a character that has no place here. */
  unexpected(expected: string): Error {
    const found = this.at >= this.text.length ? "end of text" : describeCharacter(this.text, this.at);
    return this.#fault("invalid_syntax", `expected ${expected}, got ${found}`, this.at);
  }
}

const literals: readonly (readonly [string, boolean | null])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

/** By the code of the character after the backslash. */
const simpleEscapes: readonly (string | undefined)[] = (() => {
  const table: (string | undefined)[] = Array.from({ length: 128 });
  for (const [letter, char] of ['""', "\\\\", "//", "b\b", "f\f", "n\n", "r\r", "t\t"]) {
    table[(letter as string).charCodeAt(0)] = char as string;
  }
  return table;
})();

/** Characters of JSON's own syntax are named; anything else is data, and data stays out of messages. */
function describeCharacter(text: string, at: number): string {
  const char = text[at] as string;
  return "{}[]:,\"'".includes(char) ? `"${char === '"' ? '\\"' : char}"` : "another character";
}
