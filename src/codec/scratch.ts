import { createScratch, type Scratch } from "./transcoder.js";

// Input and output of documents up to these sizes go through two buffers that are made once: to allocate them anew costs more
// than to transcode a small message. A fast walk over bytes runs to its end without a callback, so no two of them meet
// here.
export const inputScratch: Scratch = createScratch(512 * 1024);
export const outputScratch: Scratch = createScratch(1024 * 1024);

/** What the fast ways keep free at the end of their output, at most. */
export const outputSlack = 1024;

/** Take the result out of an output buffer. */
export function takeResult(output: Scratch, length: number): Uint8Array {
  const { bytes } = output;
  // A large buffer is given away rather than copied, unless half of it would be waste.
  return bytes !== outputScratch.bytes && length * 2 > bytes.length
    ? bytes.subarray(0, length)
    : bytes.slice(0, length);
}
