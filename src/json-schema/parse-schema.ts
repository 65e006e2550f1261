import { integerDigits } from "../base/decimal.js";
import { StructSchemaError } from "../base/errors.js";
import { setOwn } from "../base/own.js";
import { TextReader } from "../text/reader.js";

/** Numbers that a text spells unlike JS would, by container and key, so that a schema can be written as it came. */
export type Spellings = ReadonlyMap<object, ReadonlyMap<string, string>>;

export interface ParsedSchema {
  readonly schema: unknown;
  /** Whether an object has a key twice; the last one counts. */
  readonly repeatedKeys: boolean;
  readonly spellings: Spellings;
}

interface Frame {
  readonly target: unknown[] | Record<string, unknown>;
  count: number;
  key: string;
}

/** Parse a schema from JSON text. Integers beyond ±(2^53−1) come out as bigint, so that bounds and constants stay exact. */
export function parseSchema(text: string): ParsedSchema {
  const reader = new TextReader(text, text.length, (_, reason, offset) => {
    return new StructSchemaError("invalid_schema", `schema is not JSON: ${reason} (offset ${offset})`);
  });
  const frames: Frame[] = [];
  const spellings = new Map<object, Map<string, string>>();
  let repeatedKeys = false;
  let root: unknown;
  const place = (value: unknown): void => {
    const frame = frames.at(-1);
    if (frame === undefined) root = value;
    else if (Array.isArray(frame.target)) frame.target.push(value);
    else setOwn(frame.target, frame.key, value);
  };
  const placeNumber = (token: string): void => {
    const value = exactNumber(token);
    place(value);
    const frame = frames.at(-1);
    if (frame === undefined || String(value) === token) return;
    const key = Array.isArray(frame.target) ? String(frame.target.length - 1) : frame.key;
    if (!spellings.has(frame.target)) spellings.set(frame.target, new Map());
    spellings.get(frame.target)?.set(key, token);
  };
  const readValue = (): void => {
    const unit = reader.peek();
    if (unit === 0x7b || unit === 0x5b) {
      reader.at++;
      const target = unit === 0x7b ? {} : [];
      place(target);
      frames.push({ target, count: 0, key: "" });
    } else if (unit === 0x22) place(reader.readString());
    else if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) placeNumber(reader.readNumeral());
    else place(reader.readLiteral());
  };
  readValue();
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const isList = Array.isArray(frame.target);
    if (reader.peek() === (isList ? 0x5d : 0x7d)) {
      reader.at++;
      frames.pop();
      repeatedKeys ||= !isList && Object.keys(frame.target).length !== frame.count;
      continue;
    }
    if (frame.count > 0) reader.expect(0x2c, '","');
    frame.count++;
    if (!isList) {
      if (reader.peek() !== 0x22) throw reader.unexpected("string");
      frame.key = reader.readString();
      reader.expect(0x3a, '":"');
    }
    readValue();
  }
  if (!Number.isNaN(reader.peek())) throw reader.unexpected("end of text");
  return { schema: root, repeatedKeys, spellings };
}

function exactNumber(token: string): number | bigint {
  const value = Number(token);
  if (Number.isSafeInteger(value) || !Number.isFinite(value)) return value;
  const digits = integerDigits(token);
  return digits === undefined ? value : BigInt(digits);
}
