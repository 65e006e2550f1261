import { compileByteGraph } from "./byte-node.js";
import { decodeAscii, decodeUtf8, isUtf8 } from "./byte-text.js";
import type { CodecContext } from "./context.js";
import type { Conversion } from "./conversion.js";
import { errTooLong } from "./conversion-errors.js";
import type { ExactJson } from "./exact-json.js";
import { readWireTree } from "./read-wire-tree.js";
import { requireBytes } from "./require-bytes.js";
import { createScratch, Decline, declined, type Scratch, viewScratch } from "./transcoder.js";
import { orderedTreeToText } from "./tree-to-text.js";
import { WireToText } from "./wire-to-text.js";
import { wireTreeToJson } from "./wire-tree-to-json.js";

// Input and output of documents up to these sizes go through two buffers that are made once: allocating them anew costs more
// than transcoding a small message. Walks run to their end without a callback, so no two of them meet here.
const inputScratch: Scratch = createScratch(64 * 1024);
const outputScratch: Scratch = createScratch(256 * 1024);

/** The conversions from wire bytes of one codec. */
export class BinaryToJson {
  readonly #context: CodecContext;
  #fast: WireToText | undefined;

  constructor(context: CodecContext) {
    this.#context = context;
  }

  /** Convert wire bytes to a JSON value. */
  toJson(conversion: Conversion, bytes: Uint8Array): ExactJson {
    const tree = readWireTree(conversion, requireBytes(conversion, bytes));
    // Without `text` there are neither Maps nor numerals that only text can spell in it.
    return wireTreeToJson(conversion, tree, false) as ExactJson;
  }

  /** Convert wire bytes to JSON text, members in wire order. */
  toJsonString(conversion: Conversion, bytes: Uint8Array): string {
    const input = requireBytes(conversion, bytes);
    const text = this.#transcode(conversion, input);
    if (text === undefined) return readCarefully(conversion, input);
    return text.isAscii ? decodeAscii(text.bytes, text.length) : decodeUtf8(text.bytes, text.length);
  }

  /** Convert wire bytes to UTF-8 JSON text, members in wire order. */
  toJsonBytes(conversion: Conversion, bytes: Uint8Array): Uint8Array {
    const input = requireBytes(conversion, bytes);
    const text = this.#transcode(conversion, input);
    if (text === undefined) return new TextEncoder().encode(readCarefully(conversion, input));
    const isOwn = text.bytes !== outputScratch.bytes;
    // A large buffer is given away rather than copied, unless most of it would be waste.
    return isOwn && text.length * 2 > text.bytes.length
      ? text.bytes.subarray(0, text.length)
      : text.bytes.slice(0, text.length);
  }

  /** Transcode by the fast way, or undefined where the document is not for it. */
  #transcode(
    conversion: Conversion,
    bytes: Uint8Array,
  ): { bytes: Uint8Array; length: number; isAscii: boolean } | undefined {
    const { prettySpaces, limits } = this.#context.options;
    if (prettySpaces > 0) return undefined;
    this.#fast ??= new WireToText(this.#context, compileByteGraph(this.#context), inputScratch);
    const fast = this.#fast;
    const input = bytes.length <= inputScratch.bytes.length ? fill(inputScratch, bytes) : viewScratch(bytes);
    const isSmall = bytes.length <= inputScratch.bytes.length;
    let output = isSmall ? outputScratch : createScratch(bytes.length + slack);
    for (;;) {
      const length = attempt(fast, input, bytes.length, output);
      if (length === declined) return undefined;
      if (length >= 0) {
        if (length > limits.outputBytes) return undefined;
        const isAscii = !fast.hasWideCharacters;
        return isAscii || isUtf8(output.bytes, length) ? { bytes: output.bytes, length, isAscii } : undefined;
      }
      if (output.bytes.length > limits.outputBytes + slack) {
        const { root } = this.#context;
        throw errTooLong(conversion.at(undefined, undefined, root, root), "output");
      }
      output = createScratch(output.bytes.length * 2);
    }
  }
}

/** What the fast way keeps free at the end of its output. */
const slack = 1024;

function attempt(fast: WireToText, input: Scratch, length: number, output: Scratch): number {
  try {
    return fast.write(input, length, output);
  } catch (error) {
    // The rules of numerals have something to tell, or the caller has left no stack; the careful way can do both.
    if (error instanceof Decline || error instanceof RangeError) return declined;
    throw error;
  }
}

function fill(scratch: Scratch, bytes: Uint8Array): Scratch {
  scratch.bytes.set(bytes);
  return scratch;
}

/** The way that knows every rule and builds every error, by way of a tree. */
function readCarefully(conversion: Conversion, bytes: Uint8Array): string {
  return orderedTreeToText(conversion, wireTreeToJson(conversion, readWireTree(conversion, bytes), true));
}
