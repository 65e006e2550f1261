import { type CodecErrorCode, type Direction, StructCodecError } from "../base/errors.js";
import { refuseUnknownNames } from "../base/option-names.js";
import { getOwn } from "../base/own.js";
import { varintSize } from "../wire/writer.js";
import { ByteQueue } from "./byte-queue.js";
import { createPieceStream } from "./piece-stream.js";

/** Options of a stream of records. */
export interface RecordStreamOptions {
  /**
   * Defaults to "stop": a record that cannot be converted is an error of the stream, which the reader meets after everything
   * before it. A function hears of it instead, with the number of the record (from 1), and the stream goes on behind it;
   * but where the input breaks off within a record, or a length is none, it ends with the error all the same.
   */
  onError?: "stop" | ((error: StructCodecError, record: number) => void) | undefined;
}

/** Converts one record, in the direction of the stream. */
type ConvertRecord = (record: Uint8Array) => Uint8Array;

/** Output is handed on in pieces of at least this size. */
const pieceBytes = 64 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const tab = 0x09;
const space = 0x20;

/** A stream from size-delimited messages (a varint length before each) to JSON Lines. */
export function createDelimitedToNdjson(
  convert: ConvertRecord,
  mostBytes: number,
  options: RecordStreamOptions,
): TransformStream<Uint8Array, Uint8Array> {
  const records = new Records("encode", convert, writeLine, options);
  return createRecordStream(records, new DelimitedFraming(records, mostBytes));
}

/** A stream from JSON Lines to size-delimited messages. Blank lines are passed over. */
export function createNdjsonToDelimited(
  convert: ConvertRecord,
  mostBytes: number,
  options: RecordStreamOptions,
): TransformStream<Uint8Array, Uint8Array> {
  const records = new Records("decode", convert, writeDelimited, options);
  return createRecordStream(records, new LineFraming(records, mostBytes));
}

/** Cuts input into records. */
interface Framing {
  /** Take a record, or part of one, off the input; false where that needs more of it. */
  take(input: ByteQueue, isLast: boolean): boolean;
  /** Check what is left at the end. */
  end(input: ByteQueue): void;
}

function createRecordStream(records: Records, framing: Framing): TransformStream<Uint8Array, Uint8Array> {
  const input = new ByteQueue();
  return createPieceStream({
    *push(chunk) {
      try {
        requireChunk(chunk);
        input.append(chunk);
        while (framing.take(input, false)) if (records.size >= pieceBytes) yield records.takePiece();
      } catch (error) {
        if (records.size > 0) yield records.takePiece();
        throw error;
      }
    },
    *end() {
      try {
        while (framing.take(input, true)) if (records.size >= pieceBytes) yield records.takePiece();
        framing.end(input);
      } finally {
        if (records.size > 0) yield records.takePiece();
      }
    },
  });
}

/** Anything else with a length would become as many bytes of 0. */
function requireChunk(chunk: Uint8Array): void {
  if (Object.prototype.toString.call(chunk) !== "[object Uint8Array]") throw new TypeError("chunk is no Uint8Array");
}

/** Converts records, counts them, and gathers what comes out. */
class Records {
  readonly #direction: Direction;
  readonly #convert: ConvertRecord;
  readonly #write: (output: ByteQueue, record: Uint8Array) => void;
  readonly #onError: ((error: StructCodecError, record: number) => void) | undefined;
  readonly #output = new ByteQueue();
  #count = 0;

  constructor(
    direction: Direction,
    convert: ConvertRecord,
    write: (output: ByteQueue, record: Uint8Array) => void,
    options: RecordStreamOptions,
  ) {
    refuseUnknownNames(options, ["onError"], "option");
    this.#direction = direction;
    this.#convert = convert;
    this.#write = write;
    this.#onError = readOnError(options);
  }

  /** Bytes of output that were not handed on. */
  get size(): number {
    return this.#output.length;
  }

  takePiece(): Uint8Array {
    const piece = this.#output.peek(this.#output.length).slice();
    this.#output.drop(piece.length);
    return piece;
  }

  add(record: Uint8Array): void {
    this.#count++;
    const converted = this.#tryConvert(record);
    if (converted !== undefined) this.#write(this.#output, converted);
  }

  /** Refuse a record for its size, without having read it. */
  refuseSize(mostBytes: number): void {
    this.#count++;
    this.#refuse(this.#error("too_large", `record has more than ${mostBytes} bytes`));
  }

  /** The error that ends the stream whatever `onError` is: where the next record would begin is unknown. */
  errLost(reason: string, isCounted: boolean): StructCodecError {
    if (!isCounted) this.#count++;
    const error = this.#error("invalid_wire", reason);
    this.#onError?.(error, this.#count);
    return numberError(error, this.#count);
  }

  #tryConvert(record: Uint8Array): Uint8Array | undefined {
    try {
      return this.#convert(record);
    } catch (error) {
      if (!(error instanceof StructCodecError)) throw error;
      this.#refuse(error);
      return undefined;
    }
  }

  #refuse(error: StructCodecError): void {
    if (this.#onError === undefined) throw numberError(error, this.#count);
    this.#onError(error, this.#count);
  }

  #error(code: CodecErrorCode, reason: string): StructCodecError {
    return new StructCodecError(code, this.#direction, reason, { pointer: "" });
  }
}

function readOnError(options: RecordStreamOptions): ((error: StructCodecError, record: number) => void) | undefined {
  const value = getOwn(options, "onError");
  if (value === undefined || value === "stop") return undefined;
  if (typeof value !== "function") throw new TypeError('onError must be "stop" or a function');
  return value as (error: StructCodecError, record: number) => void;
}

function numberError(error: StructCodecError, record: number): StructCodecError {
  return new StructCodecError(error.code, error.direction, `record ${record}: ${error.message}`, error);
}

class DelimitedFraming implements Framing {
  readonly #records: Records;
  readonly #mostBytes: number;
  /** Bytes of a refused record that are still to be passed over. */
  #skipping = 0;

  constructor(records: Records, mostBytes: number) {
    this.#records = records;
    this.#mostBytes = mostBytes;
  }

  take(input: ByteQueue): boolean {
    if (this.#skipping > 0) this.#skip(input);
    const header = readLength(input);
    if (header === undefined) return false;
    if (header === "malformed") throw this.#records.errLost("length of record is no varint", false);
    const { size, length } = header;
    if (length > this.#mostBytes) {
      input.drop(size);
      this.#skipping = length;
      this.#records.refuseSize(this.#mostBytes);
      return true;
    }
    if (input.length < size + length) return false;
    input.drop(size);
    this.#records.add(input.peek(length));
    input.drop(length);
    return true;
  }

  end(input: ByteQueue): void {
    const isWithin = this.#skipping > 0;
    if (isWithin || input.length > 0) throw this.#records.errLost("input ends within a record", isWithin);
  }

  #skip(input: ByteQueue): void {
    const passed = Math.min(this.#skipping, input.length);
    input.drop(passed);
    this.#skipping -= passed;
  }
}

/** The varint at the front of the input, undefined where it is not complete. No writer makes records beyond 32 bits. */
function readLength(input: ByteQueue): { length: number; size: number } | "malformed" | undefined {
  let length = 0;
  for (let i = 0, scale = 1; i < 10; i++, scale *= 0x80) {
    if (i >= input.length) return undefined;
    const byte = input.at(i);
    length += (byte & 0x7f) * scale;
    if (byte < 0x80) return length > 0xffffffff ? "malformed" : { length, size: i + 1 };
  }
  return "malformed";
}

class LineFraming implements Framing {
  readonly #records: Records;
  readonly #mostBytes: number;
  /** Where the search for the end of the line goes on, so that a long line is searched once. */
  #searched = 0;
  /** Whether the line was refused before its end came. */
  #isSkipping = false;

  constructor(records: Records, mostBytes: number) {
    this.#records = records;
    this.#mostBytes = mostBytes;
  }

  take(input: ByteQueue, isLast: boolean): boolean {
    const end = input.indexOf(lineFeed, this.#searched);
    if (end < 0 && !isLast) {
      this.#wait(input);
      return false;
    }
    if (input.length === 0) return false;
    const size = end < 0 ? input.length : end;
    this.#searched = 0;
    if (!this.#isSkipping) this.#takeLine(input, size);
    this.#isSkipping = false;
    input.drop(size + 1);
    return true;
  }

  end(): void {
    // The last line need not end.
  }

  /** Of a line that is too long nothing is kept but that it was. */
  #wait(input: ByteQueue): void {
    if (!this.#isSkipping && input.length > this.#mostBytes + 1) {
      this.#isSkipping = true;
      this.#records.refuseSize(this.#mostBytes);
    }
    if (this.#isSkipping) input.drop(input.length);
    this.#searched = input.length;
  }

  #takeLine(input: ByteQueue, size: number): void {
    const length = size > 0 && input.at(size - 1) === carriageReturn ? size - 1 : size;
    if (length > this.#mostBytes) this.#records.refuseSize(this.#mostBytes);
    else if (!isBlank(input.peek(length))) this.#records.add(input.peek(length));
  }
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === space || byte === tab || byte === carriageReturn);
}

function writeLine(output: ByteQueue, record: Uint8Array): void {
  // Line feeds of JSON text are layout, never data: the codec may have been told to indent.
  let start = 0;
  for (let end = record.indexOf(lineFeed); end >= 0; end = record.indexOf(lineFeed, start)) {
    output.append(record.subarray(start, end));
    start = end + 1;
    while (record[start] === space) start++;
  }
  output.append(record.subarray(start));
  output.append(endOfLine);
}

const endOfLine: Uint8Array = Uint8Array.of(lineFeed);

function writeDelimited(output: ByteQueue, record: Uint8Array): void {
  output.append(encodeVarint(record.length));
  output.append(record);
}

function encodeVarint(value: number): Uint8Array {
  const bytes = new Uint8Array(varintSize(value));
  let rest = value;
  for (let i = 0; i < bytes.length; i++, rest = Math.floor(rest / 0x80)) {
    bytes[i] = (rest % 0x80) | (i < bytes.length - 1 ? 0x80 : 0);
  }
  return bytes;
}
