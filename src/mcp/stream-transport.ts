import type { Readable, Writable } from "node:stream";
import { LineBuffer } from "./line-buffer.js";
import { markExact } from "./mcp-transport.js";
import { readMessages } from "./read-message.js";
import { writeMessage } from "./write-message.js";

/** Options of the transports over streams. */
export interface StreamTransportOptions {
  /** Defaults to 10 MiB, as in the SDKs. A longer message closes the transport. */
  maxBufferSize?: number | undefined;
}

/** JSON-RPC messages as lines of exact text over two streams: the half that client and server of stdio share. */
export abstract class StreamTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  readonly #lines: LineBuffer;
  #output: Writable | undefined;
  #isClosed = false;

  constructor({ maxBufferSize = 10 * 1024 * 1024 }: StreamTransportOptions = {}) {
    if (!(maxBufferSize > 0)) throw new RangeError("maxBufferSize must be a positive number of bytes");
    this.#lines = new LineBuffer(maxBufferSize);
    markExact(this, () => true);
  }

  abstract start(): Promise<void>;
  abstract close(): Promise<void>;

  /** Begin to read and write. Gives a function that ends the reading. */
  protected open(input: Readable, output: Writable): () => void {
    const onData = (chunk: Uint8Array): void => this.#read(chunk);
    const onError = (error: Error): void => this.fail(error);
    this.#output = output;
    input.on("data", onData);
    input.on("error", onError);
    output.on("error", onError);
    return () => {
      input.off("data", onData);
      input.off("error", onError);
    };
  }

  /** Send a message. What cannot be written closes the transport, and so ends every request that waits for an answer. */
  send(message: unknown): Promise<void> {
    const output = this.#output;
    if (output === undefined || this.#isClosed) return Promise.reject(new Error("Not connected"));
    const line = `${writeMessage(message)}\n`;
    // Errors of the stream come as an event too.
    return new Promise((resolve) => output.write(line, () => resolve()));
  }

  /** Tell the SDK that the connection is gone, once. */
  protected end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  /** Report what ends the connection, and end it. */
  protected fail(error: Error): void {
    if (this.#isClosed) return;
    this.onerror?.(error);
    this.close().catch((reason: unknown) => this.onerror?.(toError(reason)));
  }

  #read(chunk: Uint8Array): void {
    try {
      for (const line of this.#lines.take(chunk)) this.#receive(line);
    } catch (error) {
      this.fail(toError(error));
    }
  }

  /** A line that is no message is not the end of the others. */
  #receive(line: string): void {
    try {
      this.onmessage?.(readMessages(line));
    } catch (error) {
      this.onerror?.(toError(error));
    }
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
