import { compileByteGraph } from "./byte-node.js";
import { decodeAscii, decodeUtf8, isUtf8 } from "./byte-text.js";
import type { CodecContext } from "./context.js";
import type { Conversion } from "./conversion.js";
import type { ExactJson } from "./exact-json.js";
import { readWireTree } from "./read-wire-tree.js";
import { isPlainBytes, requireBytes } from "./require-bytes.js";
import { inputScratch, readInput, Transcription } from "./scratch.js";
import { declined } from "./transcoder.js";
import { orderedTreeToText } from "./tree-to-text.js";
import { WireToText } from "./wire-to-text.js";
import { wireTreeToJson } from "./wire-tree-to-json.js";

/** Convert wire bytes to a JSON value. */
export function binaryToJson(conversion: Conversion, bytes: Uint8Array): ExactJson {
  const tree = readWireTree(conversion, requireBytes(conversion, bytes));
  // Without `text` there are neither Maps nor numerals that only text can spell in it.
  return wireTreeToJson(conversion, tree, false) as ExactJson;
}

/** Convert wire bytes to JSON text, members in wire order: the way that knows every rule and builds every error. */
export function binaryToJsonString(conversion: Conversion, bytes: Uint8Array): string {
  const tree = readWireTree(conversion, requireBytes(conversion, bytes));
  return orderedTreeToText(conversion, wireTreeToJson(conversion, tree, true));
}

/** Longest text with more than ASCII in it that is parsed: to decode it takes longer than to build objects of the bytes. */
const longestWide = 16 * 1024;

/** The fast way from wire bytes to JSON text. Each method gives undefined where the document is not for it. */
export class FastBinaryToJson {
  readonly #context: CodecContext;
  readonly #transcription: Transcription = new Transcription();
  #walk: WireToText | undefined;

  constructor(context: CodecContext) {
    this.#context = context;
  }

  toJsonString(bytes: Uint8Array): string | undefined {
    const length = this.#transcode(bytes);
    return length < 0 ? undefined : this.#takeText(length);
  }

  /** The engine parses text faster than objects are built of bytes, where every numeral in it is the number that it stands for. */
  toJson(bytes: Uint8Array): ExactJson | undefined {
    if (this.#context.options.int64 === "bigint") return undefined;
    const length = this.#transcode(bytes);
    if (length < 0) return undefined;
    const walk = this.#walk as WireToText;
    if (walk.hasRawNumerals || (walk.hasWideCharacters && length > longestWide)) {
      this.#transcription.release();
      return undefined;
    }
    return JSON.parse(this.#takeText(length));
  }

  toJsonBytes(bytes: Uint8Array): Uint8Array | undefined {
    const length = this.#transcode(bytes);
    return length < 0 ? undefined : this.#transcription.take(length);
  }

  #takeText(length: number): string {
    const transcription = this.#transcription;
    const isAscii = this.#walk?.hasWideCharacters === false;
    const text = isAscii ? decodeAscii(transcription.bytes, length) : decodeUtf8(transcription.bytes, length);
    transcription.release();
    return text;
  }

  #transcode(bytes: Uint8Array): number {
    const { options, missesSchema } = this.#context;
    const { inputBytes, outputBytes } = options.limits;
    if (!isPlainBytes(bytes, inputScratch.bytes.length) || bytes.length > inputBytes) return declined;
    if (options.prettySpaces > 0 || missesSchema) return declined;
    this.#walk ??= new WireToText(this.#context, compileByteGraph(this.#context), inputScratch);
    const length = this.#transcription.run(this.#walk, readInput(bytes), bytes.length, bytes.length, outputBytes);
    if (length < 0 || !this.#walk.hasWideCharacters || isUtf8(this.#transcription.bytes, length)) return length;
    return declined;
  }
}
