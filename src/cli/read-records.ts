import type { Format } from "./formats.js";

/** One record as it was found. */
export interface RawRecord {
  /** The record's bytes, or what is wrong with them. */
  readonly content: Uint8Array | RecordProblem;
  /** Line of the input that the record begins at, where the input has lines. */
  readonly line?: number;
}

/** A record that cannot be read. After a fatal one it is unknown where the next would begin. */
export interface RecordProblem {
  readonly code: "invalid_syntax" | "invalid_wire" | "too_large";
  readonly reason: string;
  readonly isFatal: boolean;
}

/** Cuts input into records. It keeps no more than one record that is not complete. */
export interface RecordReader {
  push(chunk: Uint8Array): Iterable<RawRecord>;
  /** What is left at the end of the input. */
  end(): Iterable<RawRecord>;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Create the reader of a format. Records beyond `mostBytes` are not gathered. */
export function createRecordReader({ name }: Format, mostBytes: number): RecordReader {
  switch (name) {
    case "json":
    case "binary":
      return new WholeReader(mostBytes, name === "json");
    case "ndjson":
      return new LineReader(mostBytes, (line) => (isBlank(line) ? undefined : line));
    case "base64":
      return new LineReader(Math.ceil(mostBytes / 3) * 4, decodeBase64);
    case "hex":
      return new LineReader(mostBytes * 2, decodeHex);
    case "delimited":
      return new DelimitedReader(mostBytes);
    default:
      throw new TypeError(`no reader of ${name satisfies never}`);
  }
}

function errTooLarge(mostBytes: number, isFatal: boolean): RecordProblem {
  return { code: "too_large", reason: `record has more than ${mostBytes} bytes`, isFatal };
}

/** Bytes of a record whose end has not come. */
class Gathered {
  readonly #most: number;
  #pieces: Uint8Array[] = [];
  size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isTooLarge(): boolean {
    return this.size > this.#most;
  }

  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.size += piece.length;
    if (this.isTooLarge) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  take(): Uint8Array {
    const bytes = this.#pieces.length === 1 ? (this.#pieces[0] as Uint8Array) : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.size = 0;
    return bytes;
  }
}

/** The whole input is one record, also where there is none of it: no bytes are an empty Struct. */
class WholeReader implements RecordReader {
  readonly #most: number;
  readonly #gathered: Gathered;
  readonly #hasLines: boolean;

  constructor(most: number, hasLines: boolean) {
    this.#most = most;
    this.#gathered = new Gathered(most);
    this.#hasLines = hasLines;
  }

  *push(chunk: Uint8Array): Iterable<RawRecord> {
    this.#gathered.add(chunk);
    if (this.#gathered.isTooLarge) yield { content: errTooLarge(this.#most, true) };
  }

  *end(): Iterable<RawRecord> {
    yield { content: this.#gathered.take(), ...(this.#hasLines && { line: 1 }) };
  }
}

/** A record is a line. The last one need not end. */
class LineReader implements RecordReader {
  readonly #most: number;
  readonly #decode: (line: Uint8Array) => Uint8Array | RecordProblem | undefined;
  readonly #gathered: Gathered;
  #line = 1;

  constructor(most: number, decode: (line: Uint8Array) => Uint8Array | RecordProblem | undefined) {
    this.#most = most;
    this.#decode = decode;
    this.#gathered = new Gathered(most);
  }

  *push(chunk: Uint8Array): Iterable<RawRecord> {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      this.#gathered.add(chunk.subarray(start, end));
      start = end + 1;
      yield* this.#takeLine();
    }
    this.#gathered.add(chunk.subarray(start));
  }

  *end(): Iterable<RawRecord> {
    if (this.#gathered.size > 0) yield* this.#takeLine();
  }

  *#takeLine(): Iterable<RawRecord> {
    const line = this.#line++;
    const isTooLarge = this.#gathered.isTooLarge;
    const bytes = this.#gathered.take();
    const content = isTooLarge ? errTooLarge(this.#most, false) : this.#decode(withoutReturn(bytes));
    if (content !== undefined) yield { content, line };
  }
}

function withoutReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09);
}

function decodeBase64(line: Uint8Array): Uint8Array | RecordProblem {
  const text = Buffer.from(line).toString("latin1").replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Buffer.from(text, "base64");
  // Node passes over what is no base64, so the text is compared with what it should have been.
  const isWhole = bytes.toString("base64").replace(/=+$/, "") === text.replace(/={1,2}$/, "");
  return isWhole ? bytes : { code: "invalid_syntax", reason: "record is not base64", isFatal: false };
}

function decodeHex(line: Uint8Array): Uint8Array | RecordProblem {
  const bytes = Buffer.from(Buffer.from(line).toString("latin1"), "hex");
  // Node stops at what is no digit.
  if (bytes.length * 2 === line.length) return bytes;
  return { code: "invalid_syntax", reason: "record is not hexadecimal", isFatal: false };
}

/** A record is its length as a varint and then so many bytes, as `writeDelimitedTo` of Java writes it. */
class DelimitedReader implements RecordReader {
  readonly #most: number;
  #gathered: Gathered;
  /** Bytes of the record that have not come, or undefined within a length. */
  #missing: number | undefined;
  #length = 0;
  #factor = 1;

  constructor(most: number) {
    this.#most = most;
    this.#gathered = new Gathered(most);
  }

  *push(chunk: Uint8Array): Iterable<RawRecord> {
    for (let at = 0; at < chunk.length; ) {
      if (this.#missing === undefined) {
        if (this.#factor > 2 ** 42) {
          yield { content: { code: "invalid_wire", reason: "length of record is no varint", isFatal: true } };
          return;
        }
        this.#readLength(chunk[at++] as number);
      } else {
        const piece = chunk.subarray(at, at + this.#missing);
        at += piece.length;
        this.#missing -= piece.length;
        this.#gathered.add(piece);
      }
      if (this.#missing === 0) yield this.#takeRecord();
    }
  }

  *end(): Iterable<RawRecord> {
    if (this.#missing === undefined && this.#factor === 1) return;
    yield { content: { code: "invalid_wire", reason: "input ends within a record", isFatal: true } };
  }

  #readLength(byte: number): void {
    this.#length += (byte & 0x7f) * this.#factor;
    this.#factor *= 0x80;
    if (byte < 0x80) this.#missing = this.#length;
  }

  #takeRecord(): RawRecord {
    const isTooLarge = this.#gathered.isTooLarge;
    const bytes = this.#gathered.take();
    this.#missing = undefined;
    this.#length = 0;
    this.#factor = 1;
    return { content: isTooLarge ? errTooLarge(this.#most, false) : bytes };
  }
}
