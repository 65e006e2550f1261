import { createReadStream, createWriteStream, statSync } from "node:fs";
import type { Writable } from "node:stream";
import { type Io, UsageError } from "./command.js";
import { explainSystemError, writeTo } from "./terminal.js";

/** Bytes read at a time. */
const chunkBytes = 256 * 1024;

/** Whether a FILE stands for a standard stream. */
export function isStandard(file: string): boolean {
  return file === "-";
}

/** Read a FILE, or standard input where it is "-". */
export async function* readChunks(file: string, io: Io): AsyncGenerator<Uint8Array> {
  const stream = isStandard(file) ? io.stdin : createReadStream(file, { highWaterMark: chunkBytes });
  try {
    for await (const chunk of stream) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  } catch (error) {
    throw new UsageError(`cannot read ${nameFile(file, "input")}: ${explainSystemError(error)}`);
  }
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

/** Refuse to write a file that is being read: opening it for writing empties it. */
export function refuseSameFile(input: string, output: string): void {
  if (isStandard(input) || isStandard(output)) return;
  const [a, b] = [input, output].map((file) => statSync(file, { throwIfNoEntry: false }));
  if (a?.isFile() && a.dev === b?.dev && a.ino === b.ino) throw new UsageError("input and output are the same file");
}

/** Gathers output and writes it in large pieces. A file is opened, and emptied, at the first of them. */
export class Sink {
  readonly #file: string;
  readonly #standard: Writable;
  #stream: Writable | undefined;
  #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(file: string, standard: Writable) {
    this.#file = file;
    this.#standard = standard;
  }

  /** Bytes that are not written yet. */
  get pending(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
  }

  async flush(): Promise<void> {
    if (this.#size === 0) return;
    const bytes = this.#pieces.length === 1 ? (this.#pieces[0] as Uint8Array) : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    await this.#guard(() => writeTo(this.#open(), bytes));
  }

  /** Write what is left and close the file, which is there afterwards even where nothing was written. */
  async close(): Promise<void> {
    await this.flush();
    if (isStandard(this.#file)) return;
    await this.#guard(
      () =>
        new Promise((resolve, reject) => {
          const stream = this.#open();
          stream.once("error", reject);
          stream.end(resolve);
        }),
    );
  }

  #open(): Writable {
    this.#stream ??= isStandard(this.#file) ? this.#standard : createWriteStream(this.#file);
    return this.#stream;
  }

  async #guard(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (isStandard(this.#file)) throw error;
      throw new UsageError(`cannot write ${nameFile(this.#file, "output")}: ${explainSystemError(error)}`);
    }
  }
}

function nameFile(file: string, direction: "input" | "output"): string {
  return isStandard(file) ? `standard ${direction}` : `"${file}"`;
}
