import { createScratch, Decline, declined, overflowed, type Scratch, viewScratch } from "./transcoder.js";

// Input and output of documents up to these sizes go through two buffers that are made once: to allocate them anew costs more
// than to transcode a small message. Systems give memory only to the pages that were written to. A fast walk over bytes runs to
// its end without a callback, so no two of them meet here.
export const inputScratch: Scratch = createScratch(2 * 1024 * 1024);
const outputScratch: Scratch = createScratch(4 * 1024 * 1024);

/** What the fast ways keep free at the end of their output, at most. */
const outputSlack = 1024;

/** A fast walk from bytes to bytes; see WireToText and TextToWire. */
export interface Transcoder {
  write(input: Scratch, length: number, output: Scratch): number;
}

/** Runs a transcoder and holds what it wrote until it is taken out. */
export class Transcription {
  #output: Scratch = outputScratch;

  /** The bytes written last. */
  get bytes(): Uint8Array {
    return this.#output.bytes;
  }

  /**
   * Transcode, with as much room as it takes. Gives how many bytes were written, or `declined`, also where there might be more
   * than `mostBytes`: the walks estimate the room they need, and the careful way counts.
   */
  run(transcoder: Transcoder, input: Scratch, length: number, expected: number, mostBytes: number): number {
    let output = expected < outputScratch.bytes.length ? outputScratch : createScratch(expected + outputSlack);
    for (;;) {
      const written = attempt(transcoder, input, length, output);
      if (written !== overflowed) {
        this.#output = output;
        return written > mostBytes ? declined : written;
      }
      if (output.bytes.length > mostBytes + outputSlack) return declined;
      output = createScratch(output.bytes.length * 2);
    }
  }

  /** Take out the first bytes as an array of their own. */
  take(length: number): Uint8Array {
    const { bytes } = this.#output;
    if (this.#output === outputScratch) return bytes.slice(0, length);
    this.#output = outputScratch;
    // A large buffer is given away rather than copied, unless half of it would be waste.
    return length * 2 > bytes.length ? bytes.subarray(0, length) : bytes.slice(0, length);
  }

  /** Let go of a large buffer of which the bytes were made a string. */
  release(): void {
    this.#output = outputScratch;
  }
}

function attempt(transcoder: Transcoder, input: Scratch, length: number, output: Scratch): number {
  try {
    return transcoder.write(input, length, output);
  } catch (error) {
    // The rules of numerals have something to tell, or the caller has left no stack; the careful way can do both.
    if (error instanceof Decline || error instanceof RangeError) return declined;
    throw error;
  }
}

/** Bring bytes to where a transcoder reads them: into the shared buffer where they fit, with a 0 behind them. */
export function readInput(bytes: Uint8Array): Scratch {
  if (bytes.length >= inputScratch.bytes.length) return viewScratch(bytes);
  inputScratch.bytes.set(bytes);
  inputScratch.bytes[bytes.length] = 0;
  return inputScratch;
}
