import { type CodecErrorCode, StructCodecError } from "../base/errors.js";
import { varintSize } from "../wire/writer.js";
import { ByteQueue } from "./byte-queue.js";

/** Options of a stream of records. */
export interface RecordStreamOptions {
  /**
   * Defaults to "stop": a record that cannot be converted is an error of the stream, after everything before it was
   * written. A function hears of it instead, with the number of the record (from 1), and the stream goes on behind it.
   */
  onError?: "stop" | ((error: StructCodecError, record: number) => void) | undefined;
}

/** Converts one record, in the direction of the stream. */
type ConvertRecord = (record: Uint8Array) => Uint8Array;

/** Output is handed on in pieces of at least this size. */
const pieceBytes = 64 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A stream from size-delimited Structs (a varint length before each) to JSON Lines. */
export function createDelimitedToNdjson(
  convert: ConvertRecord,
  mostBytes: number,
  options: RecordStreamOptions,
): TransformStream<Uint8Array, Uint8Array> {
  const sink = new RecordSink(convert, options, (record) => [record, newLine]);
  return createStream(sink, (queue, isLast) => takeDelimited(queue, isLast, sink, mostBytes));
}

/** A stream from JSON Lines to size-delimited Structs. Blank lines are passed over. */
export function createNdjsonToDelimited(
  convert: ConvertRecord,
  mostBytes: number,
  options: RecordStreamOptions,
): TransformStream<Uint8Array, Uint8Array> {
  const sink = new RecordSink(convert, options, (record) => [varint(record.length), record]);
  // Where the search for the end of the line goes on, so that a long line is searched once.
  let searched = 0;
  return createStream(sink, (queue, isLast) => {
    const end = queue.indexOf(lineFeed, searched);
    if (end < 0 && !isLast) {
      searched = queue.length;
      // Of a line that is too long nothing is kept but that it was.
      if (queue.length > mostBytes + 1) return sink.skipLine(queue);
      return false;
    }
    searched = 0;
    return takeLine(queue, end < 0 ? queue.length : end, sink, mostBytes);
  });
}

const newLine: Uint8Array = Uint8Array.of(lineFeed);

/** Takes one record, or part of one, off the queue; false where it needs more bytes. */
type TakeRecord = (queue: ByteQueue, isLast: boolean) => boolean;

function createStream(sink: RecordSink, take: TakeRecord): TransformStream<Uint8Array, Uint8Array> {
  const queue = new ByteQueue();
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      queue.append(chunk);
      sink.controller = controller;
      while (queue.length > 0 && take(queue, false));
    },
    flush(controller) {
      sink.controller = controller;
      while (queue.length > 0 && take(queue, true));
      sink.end();
    },
  });
}

/** Converts records, gathers what comes out, and knows the number of the record at hand. */
class RecordSink {
  controller: TransformStreamDefaultController<Uint8Array> | undefined;
  /** Bytes of a refused record that are still to be passed over. */
  skipping = 0;
  #isInSkippedLine = false;
  #record = 0;
  #pieces: Uint8Array[] = [];
  #size = 0;
  readonly #convert: ConvertRecord;
  readonly #onError: RecordStreamOptions["onError"];
  readonly #frame: (record: Uint8Array) => Uint8Array[];

  constructor(convert: ConvertRecord, options: RecordStreamOptions, frame: (record: Uint8Array) => Uint8Array[]) {
    this.#convert = convert;
    this.#onError = options.onError;
    this.#frame = frame;
  }

  add(record: Uint8Array): void {
    this.#record++;
    let converted: Uint8Array;
    try {
      converted = this.#convert(record);
    } catch (error) {
      if (!(error instanceof StructCodecError)) throw error;
      this.#refuse(error);
      return;
    }
    for (const piece of this.#frame(converted)) {
      this.#pieces.push(piece);
      this.#size += piece.length;
    }
    if (this.#size >= pieceBytes) this.#hand();
  }

  /** Refuse a record that was not even read. */
  fail(code: CodecErrorCode, direction: "encode" | "decode", reason: string): void {
    this.#record++;
    this.#refuse(new StructCodecError(code, direction, reason, { pointer: "" }));
  }

  /** End the stream with an error: what comes next cannot be told from what came. */
  abort(code: CodecErrorCode, direction: "encode" | "decode", reason: string): never {
    this.#record++;
    throw this.#numbered(new StructCodecError(code, direction, reason, { pointer: "" }));
  }

  /** Pass over the rest of a line that was refused before it ended; true. */
  skipLine(queue: ByteQueue): boolean {
    if (!this.#isInSkippedLine) this.fail("too_large", "decode", "line has more bytes than inputBytes allows");
    this.#isInSkippedLine = true;
    queue.drop(queue.length);
    return true;
  }

  /** Whether the line that ends now was refused already. */
  endSkippedLine(): boolean {
    const was = this.#isInSkippedLine;
    this.#isInSkippedLine = false;
    return was;
  }

  end(): void {
    if (this.#size > 0) this.#hand();
  }

  #refuse(error: StructCodecError): void {
    const { code, direction, message } = error;
    if (typeof this.#onError !== "function") {
      this.end();
      throw this.#numbered(new StructCodecError(code, direction, message, error));
    }
    this.#onError(error, this.#record);
  }

  #numbered({ code, direction, message, ...place }: StructCodecError): StructCodecError {
    const pointer = place.pointer ?? "";
    return new StructCodecError(code, direction, `record ${this.#record}: ${message}`, { ...place, pointer });
  }

  #hand(): void {
    const piece = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#pieces) {
      piece.set(part, at);
      at += part.length;
    }
    this.#pieces = [];
    this.#size = 0;
    this.controller?.enqueue(piece);
  }
}

function takeDelimited(queue: ByteQueue, isLast: boolean, sink: RecordSink, mostBytes: number): boolean {
  if (sink.skipping > 0) {
    const passed = Math.min(sink.skipping, queue.length);
    queue.drop(passed);
    sink.skipping -= passed;
    return true;
  }
  const header = readLength(queue);
  if (header === "malformed") sink.abort("invalid_wire", "encode", "length of a record is malformed");
  if (header === undefined || (header.length <= mostBytes && queue.length < header.size + header.length)) {
    if (isLast) sink.abort("invalid_wire", "encode", "input ends in the middle of a record");
    return false;
  }
  queue.drop(header.size);
  if (header.length > mostBytes) {
    sink.fail("too_large", "encode", "record has more bytes than inputBytes allows");
    sink.skipping = header.length;
    return true;
  }
  sink.add(queue.peek(header.length));
  queue.drop(header.length);
  return true;
}

/** The varint at the front of the queue, undefined where it is not complete. */
function readLength(queue: ByteQueue): { length: number; size: number } | "malformed" | undefined {
  let length = 0;
  for (let i = 0, scale = 1; i < 10; i++, scale *= 128) {
    if (i >= queue.length) return undefined;
    const byte = queue.at(i);
    length += (byte & 0x7f) * scale;
    if (byte < 0x80) return length > 0xffffffff ? "malformed" : { length, size: i + 1 };
  }
  return "malformed";
}

function takeLine(queue: ByteQueue, end: number, sink: RecordSink, mostBytes: number): boolean {
  const length = end > 0 && queue.at(end - 1) === carriageReturn ? end - 1 : end;
  if (sink.endSkippedLine()) {
    // Its beginning was refused.
  } else if (length > mostBytes) {
    sink.fail("too_large", "decode", "line has more bytes than inputBytes allows");
  } else if (queue.peek(length).some((byte) => byte > 0x20)) {
    sink.add(queue.peek(length));
  }
  queue.drop(end + 1);
  return true;
}

function varint(value: number): Uint8Array {
  const bytes = new Uint8Array(varintSize(value));
  let rest = value;
  for (let i = 0; i < bytes.length; i++, rest = Math.floor(rest / 128)) {
    bytes[i] = (rest % 128) | (i < bytes.length - 1 ? 0x80 : 0);
  }
  return bytes;
}
