import { compileByteGraph } from "./byte-node.js";
import { decodeAscii, decodeUtf8, isUtf8 } from "./byte-text.js";
import type { CodecContext } from "./context.js";
import type { Conversion } from "./conversion.js";
import { errTooLong } from "./conversion-errors.js";
import type { ExactJson } from "./exact-json.js";
import { readWireTree } from "./read-wire-tree.js";
import { requireBytes } from "./require-bytes.js";
import { inputScratch, outputScratch, outputSlack, takeResult } from "./scratch.js";
import { attempt, createScratch, declined, type Scratch, viewScratch } from "./transcoder.js";
import { orderedTreeToText } from "./tree-to-text.js";
import { WireToText } from "./wire-to-text.js";
import { wireTreeToJson } from "./wire-tree-to-json.js";

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
    return text.isAscii ? decodeAscii(text.output.bytes, text.length) : decodeUtf8(text.output.bytes, text.length);
  }

  /** Convert wire bytes to UTF-8 JSON text, members in wire order. */
  toJsonBytes(conversion: Conversion, bytes: Uint8Array): Uint8Array {
    const input = requireBytes(conversion, bytes);
    const text = this.#transcode(conversion, input);
    if (text === undefined) return new TextEncoder().encode(readCarefully(conversion, input));
    return takeResult(text.output, text.length);
  }

  /** Transcode by the fast way, or undefined where the document is not for it. */
  #transcode(conversion: Conversion, bytes: Uint8Array): Transcoded | undefined {
    const { prettySpaces, limits } = this.#context.options;
    if (prettySpaces > 0) return undefined;
    this.#fast ??= new WireToText(this.#context, compileByteGraph(this.#context), inputScratch);
    const fast = this.#fast;
    const isSmall = bytes.length <= inputScratch.bytes.length;
    if (isSmall) inputScratch.bytes.set(bytes);
    const input = isSmall ? inputScratch : viewScratch(bytes);
    let output = isSmall ? outputScratch : createScratch(bytes.length + outputSlack);
    for (;;) {
      const length = attempt(() => fast.write(input, bytes.length, output));
      if (length === declined) return undefined;
      if (length >= 0) {
        if (length > limits.outputBytes) return undefined;
        const isAscii = !fast.hasWideCharacters;
        return isAscii || isUtf8(output.bytes, length) ? { output, length, isAscii } : undefined;
      }
      if (output.bytes.length > limits.outputBytes + outputSlack) {
        const { root } = this.#context;
        throw errTooLong(conversion.at(undefined, undefined, root, root), "output");
      }
      output = createScratch(output.bytes.length * 2);
    }
  }
}

/** A text in an output buffer. */
interface Transcoded {
  readonly output: Scratch;
  readonly length: number;
  readonly isAscii: boolean;
}

/** The way that knows every rule and builds every error, by way of a tree. */
function readCarefully(conversion: Conversion, bytes: Uint8Array): string {
  return orderedTreeToText(conversion, wireTreeToJson(conversion, readWireTree(conversion, bytes), true));
}
