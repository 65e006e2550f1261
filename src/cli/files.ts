import { createReadStream, fstatSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { parseSchemaText, StructSchemaError } from "../schema.js";
import { type Io, UsageError } from "./command.js";
import { explainSystemError, isClosedPipe, writeTo } from "./terminal.js";

/** Bytes read at a time. */
const chunkBytes = 256 * 1024;

/** Whether a FILE stands for a standard stream. */
export function isStandard(file: string): boolean {
  return file === "-";
}

/** Read a FILE, or standard input where it is "-". */
export async function* readChunks(file: string, io: Io): AsyncGenerator<Uint8Array> {
  if (isStandard(file)) refuseFolder(io.stdin);
  const stream = isStandard(file) ? io.stdin : createReadStream(file, { highWaterMark: chunkBytes });
  try {
    for await (const chunk of stream) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  } catch (error) {
    throw new UsageError(`cannot read ${nameFile(file, "input")}: ${explainSystemError(error)}`);
  }
}

/** Node gives a folder as standard input for a stream without content, and no content is a valid input of some formats. */
function refuseFolder(stdin: Readable & { readonly fd?: number }): void {
  if (stdin.fd === undefined || !fstatSync(stdin.fd).isDirectory()) return;
  throw new UsageError("cannot read standard input: illegal operation on a directory");
}

/** Read all of a small text file. Larger ones are refused before they are read. */
export async function readText(file: string, io: Io, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readChunks(file, io)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes) throw new UsageError(`${nameFile(file, "input")} has more than ${mostBytes} bytes`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError(`${nameFile(file, "input")} is not UTF-8`);
  }
}

/** Parse the JSON of a file that holds schemas, with the digits of its constants. */
export function parseFile(text: string, file: string): unknown {
  try {
    return parseLoosely(text);
  } catch (error) {
    if (!(error instanceof StructSchemaError)) throw error;
    throw new UsageError(`${nameFile(file, "input")} is not JSON: ${error.message.replace(/^.*?is not JSON: /, "")}`);
  }
}

/** Parse JSON with the digits of its constants; if it holds half of a surrogate pair, as `JSON.parse` does all the same. */
export function parseLoosely(text: string): unknown {
  try {
    return parseSchemaText(text);
  } catch (error) {
    try {
      return JSON.parse(text);
    } catch {
      // The first error says more.
      throw error;
    }
  }
}

/** Gathers output and writes it in large pieces. A file is opened, and emptied, at the first of them. */
export class Sink {
  readonly #file: string;
  readonly #standard: Writable;
  #handle: FileHandle | undefined;
  #pieces: Uint8Array[] = [];
  #size = 0;

  /** `standard` is where "-" goes. */
  constructor(file: string, standard: Writable) {
    this.#file = file;
    this.#standard = standard;
  }

  /** Bytes that are not written yet. */
  get pending(): number {
    return this.#size;
  }

  /** Whether a file was opened and is to be closed. */
  get isOpen(): boolean {
    return this.#handle !== undefined;
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
  }

  /** Open the file now, so that it is known to be writable. */
  async open(): Promise<void> {
    if (!isStandard(this.#file)) await this.#guard(async () => void (await this.#open()));
  }

  async flush(): Promise<void> {
    if (this.#size === 0) return;
    const bytes = this.#pieces.length === 1 ? (this.#pieces[0] as Uint8Array) : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    await this.#guard(async () => {
      if (isStandard(this.#file)) await writeTo(this.#standard, bytes);
      else await (await this.#open()).writeFile(bytes);
    });
  }

  /** Write what is left and close the file, which is there afterwards even where nothing was written. */
  async close(): Promise<void> {
    await this.flush();
    if (!isStandard(this.#file)) await this.#guard(async () => (await this.#open()).close());
  }

  async #open(): Promise<FileHandle> {
    this.#handle ??= await open(this.#file, "w");
    return this.#handle;
  }

  async #guard(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (isClosedPipe(error)) throw error;
      throw new UsageError(`cannot write ${nameFile(this.#file, "output")}: ${explainSystemError(error)}`);
    }
  }
}

/** Print text on standard output. */
export async function printText(io: Io, text: string): Promise<void> {
  const sink = new Sink("-", io.stdout);
  sink.add(Buffer.from(text));
  await sink.flush();
}

function nameFile(file: string, direction: "input" | "output"): string {
  return isStandard(file) ? `standard ${direction}` : `"${file}"`;
}
