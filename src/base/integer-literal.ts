import { isCanonicalDecimal } from "./decimal.js";
import { defineHidden } from "./own.js";

const brand = Symbol.for("protobuf-struct-codec.IntegerLiteral");

// Not in every runtime (Node 20 has none) and not in TypeScript's library yet.
const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;

/**
 * An integer beyond ±(2^53−1) inside a JSON value, kept as its exact digits.
 *
 * `JSON.stringify` writes it as a bare integer literal where the runtime has `JSON.rawJSON` (Node 22 and later, Deno,
 * Bun, browsers) and as a decimal string elsewhere, never as a rounded number. It compares with `bigint` (`literal ==
 * 5n`, `literal < 5n`). It is a boxed string, so that a structured clone keeps the digits.
 */
export class IntegerLiteral extends String {
  constructor(digits: string | bigint) {
    // A JS number beyond ±(2^53−1) has lost its digits already.
    const text = typeof digits === "bigint" ? String(digits) : digits;
    if (typeof text !== "string" || !isCanonicalDecimal(text))
      throw new TypeError("IntegerLiteral takes the digits of an integer");
    super(text);
    defineHidden(this, brand, true);
  }

  /** The exact decimal digits, with a leading "-" where negative. */
  get digits(): string {
    return this.toString();
  }

  toBigInt(): bigint {
    return BigInt(this.digits);
  }

  toJSON(): unknown {
    return rawJson === undefined ? this.digits : rawJson(this.digits);
  }

  [Symbol.toPrimitive](hint: "default" | "number" | "string"): string | bigint {
    return hint === "string" ? this.digits : this.toBigInt();
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[brand] === true;
  }
}

// Not a member in the class, since its name is not one that a declaration file can spell.
Object.defineProperty(IntegerLiteral.prototype, Symbol.for("nodejs.util.inspect.custom"), {
  value(this: IntegerLiteral): string {
    return this.digits;
  },
});
