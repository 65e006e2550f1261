import type { Held } from "./reference-wire.js";

/** Why a JSON text, well-formed as it may be, is no Struct under the default options. */
export type Objection =
  | "unexpected_type"
  | "duplicate_key"
  | "out_of_range"
  | "invalid_utf8"
  | "depth_exceeded"
  | "too_large";

/** What a JSON text says by the rules for a position without a schema, or undefined where it is no JSON. */
export interface TextReference {
  readonly value: Held;
  readonly objections: ReadonlySet<Objection>;
}

/**
 * Read JSON text in the plainest way. `JSON.parse` is asked whether it is JSON at all; what it loses, repeated keys and
 * digits, is read here. Knows nothing of the code under test.
 */
export function readTextReference(text: string): TextReference | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const reader = new TextReferenceReader(text);
  const value = reader.value(1);
  if (!(value instanceof Map)) reader.objections.add("unexpected_type");
  return { value, objections: reader.objections };
}

const scalar = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null/y;

class TextReferenceReader {
  readonly objections: Set<Objection> = new Set();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Held {
    const first = this.#peek();
    if (first === "{" || first === "[") {
      if (depth > 100) this.objections.add("depth_exceeded");
      this.#at++;
      return first === "{" ? this.#object(depth) : this.#list(depth);
    }
    scalar.lastIndex = this.#at;
    const [token] = scalar.exec(this.#text) as RegExpExecArray;
    this.#at += token.length;
    return first === '"' ? this.#string(token) : /[-0-9]/.test(first) ? this.#number(token) : JSON.parse(token);
  }

  #object(depth: number): Held {
    const members = new Map<string, Held>();
    while (this.#peek() !== "}") {
      if (this.#peek() === ",") this.#at++;
      this.#peek();
      const key = this.value(depth + 1) as string;
      this.#peek();
      // The colon.
      this.#at++;
      if (members.has(key)) this.objections.add("duplicate_key");
      members.set(key, this.value(depth + 1));
    }
    this.#at++;
    return members;
  }

  #list(depth: number): Held {
    const items: Held[] = [];
    while (this.#peek() !== "]") {
      if (this.#peek() === ",") this.#at++;
      items.push(this.value(depth + 1));
    }
    this.#at++;
    return items;
  }

  #string(token: string): string {
    const text = JSON.parse(token) as string;
    if (/\p{Surrogate}/u.test(text)) this.objections.add("invalid_utf8");
    return text;
  }

  /** An integer that a double would change, and that it does not spell itself, is kept as its digits. */
  #number(token: string): Held {
    const number = Number(token);
    if (token.length > 1100) this.objections.add("too_large");
    else if (!Number.isFinite(number)) this.objections.add("out_of_range");
    const isKept = /^-?[0-9]+$/.test(token) && !Number.isSafeInteger(number) && String(number) !== token;
    return isKept ? token : number;
  }

  #peek(): string {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? "")) this.#at++;
    return this.#text[this.#at] ?? "";
  }
}
