/**
 * Parse JSON text as `JSON.parse` does, but give numbers of which it would lose something to `revive`, as they are spelled:
 * those that would be written otherwise, and integers beyond ±(2^53−1), of which a JS number cannot say that they are exact.
 * Depth is no matter. Throws what `JSON.parse` throws.
 */
export function parseExact(text: string, revive: (numeral: string) => unknown): unknown {
  const plain: unknown = JSON.parse(text);
  return mayLoseDigits(text) ? new ExactReader(text, revive).read() : plain;
}

/** Whether a number may be in text that `JSON.parse` loses something of: many digits, an exponent, or a zero with a sign. */
export function mayLoseDigits(text: string): boolean {
  return /[\d.]{16}|\d[eE]|-0/.test(text);
}

/** A reviver: integers beyond ±(2^53−1) as `bigint`, everything else as `JSON.parse` has it. */
export function bigintOf(numeral: string): number | bigint {
  const value = Number(numeral);
  return /^-?\d+$/.test(numeral) && !Number.isSafeInteger(value) ? BigInt(numeral) : value;
}

function losesDigits(numeral: string, value: number): boolean {
  if (numeral.length < 16 && !numeral.startsWith("-0") && !/[eE]/.test(numeral)) return false;
  return (Number.isInteger(value) && !Number.isSafeInteger(value)) || JSON.stringify(value) !== numeral;
}

/** A container that is being read; the key is that of the next member, and undefined in an array. */
interface Frame {
  readonly target: unknown[] | Record<string, unknown>;
  key: string | undefined;
}

/** Reads text that is known to be JSON. It keeps its own stack: text of a stranger must not end on that of the engine. */
class ExactReader {
  readonly #text: string;
  readonly #revive: (numeral: string) => unknown;
  #at = 0;

  constructor(text: string, revive: (numeral: string) => unknown) {
    this.#text = text;
    this.#revive = revive;
  }

  read(): unknown {
    const frames: Frame[] = [];
    for (;;) {
      const opened = this.#open();
      if (opened !== undefined) {
        frames.push(opened);
        continue;
      }
      let value = this.#value();
      // What is read completes the containers that it is the end of.
      for (let frame = frames.at(-1); ; frame = frames.at(-1)) {
        if (frame === undefined) return value;
        put(frame, value);
        if (this.#next() === ",") {
          if (frame.key !== undefined) frame.key = this.#key();
          break;
        }
        value = frame.target;
        frames.pop();
      }
    }
  }

  /** Enter a container that is not empty. */
  #open(): Frame | undefined {
    const [open, close] = this.#peek() === "{" ? "{}" : "[]";
    if (this.#peek() !== open) return undefined;
    const start = this.#at++;
    if (this.#peek() === close) {
      this.#at = start;
      return undefined;
    }
    return open === "{" ? { target: {}, key: this.#key() } : { target: [], key: undefined };
  }

  /** Read a scalar or an empty container. */
  #value(): unknown {
    const first = this.#peek();
    if (first === '"') return this.#string();
    if (first === "{" || first === "[") {
      this.#at++;
      this.#next();
      return first === "{" ? {} : [];
    }
    const token = /[^\s,\]}]+/y;
    token.lastIndex = this.#at;
    const [text] = token.exec(this.#text) as RegExpExecArray;
    this.#at += text.length;
    const value: unknown = JSON.parse(text);
    return typeof value === "number" && losesDigits(text, value) ? this.#revive(text) : value;
  }

  #key(): string {
    this.#peek();
    const key = this.#string();
    this.#next();
    return key;
  }

  #string(): string {
    const start = this.#at;
    const text = this.#text;
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    this.#at = end + 1;
    const literal = text.slice(start, end + 1);
    return literal.includes("\\") ? JSON.parse(literal) : literal.slice(1, -1);
  }

  /** The next character that is no white space. */
  #peek(): string | undefined {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
    return this.#text[this.#at];
  }

  #next(): string | undefined {
    const next = this.#peek();
    this.#at++;
    return next;
  }
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function isEscaped(text: string, quote: number): boolean {
  let before = quote;
  while (text[before - 1] === "\\") before--;
  return (quote - before) % 2 === 1;
}

function put({ target, key }: Frame, value: unknown): void {
  if (Array.isArray(target)) target.push(value);
  else if (key !== "__proto__") target[key as string] = value;
  // An assignment would set the prototype; and a descriptor must not inherit anything.
  else Object.defineProperty(target, key, Object.assign(Object.create(null), { value, ...ownMember }));
}

const ownMember = { writable: true, enumerable: true, configurable: true };
