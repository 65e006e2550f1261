import type { Readable, Writable } from "node:stream";
import { StreamTransport, type StreamTransportOptions } from "./stream-transport.js";

/**
 * A server transport over the streams of the process, for the server of either SDK. Integers of any size reach handlers as
 * `bigint`, and leave as digits. Closes when the client closes its end.
 */
export class ExactStdioServerTransport extends StreamTransport {
  readonly #input: Readable;
  readonly #output: Writable;
  #stopReading: (() => void) | undefined;

  constructor(input: Readable = process.stdin, output: Writable = process.stdout, options?: StreamTransportOptions) {
    super(options);
    this.#input = input;
    this.#output = output;
  }

  override async start(): Promise<void> {
    if (this.#stopReading !== undefined) throw new Error("ExactStdioServerTransport has been started");
    this.#stopReading = this.open(this.#input, this.#output);
    const onEnd = (): void => void this.close();
    this.#input.once("end", onEnd);
    this.#input.once("close", onEnd);
  }

  override async close(): Promise<void> {
    this.#stopReading?.();
    // Somebody else may read the same input.
    if (this.#input.listenerCount("data") === 0) this.#input.pause();
    this.end();
  }
}
