import { exceedsBytes, findMalformedUtf8, isWellFormed } from "../base/utf8.js";
import { writeWireTree } from "../wire/writer.js";
import { compileByteGraph } from "./byte-node.js";
import { encodeUtf8, isUtf8 } from "./byte-text.js";
import type { CodecContext } from "./context.js";
import type { Conversion } from "./conversion.js";
import { errTooLong } from "./conversion-errors.js";
import type { ExactJson } from "./exact-json.js";
import { jsonToStruct, type StructRoot } from "./json-to-struct.js";
import { isPlainBytes, requireBytes } from "./require-bytes.js";
import { inputScratch, readInput, Transcription } from "./scratch.js";
import { textToStruct } from "./text-to-struct.js";
import { TextToWire } from "./text-to-wire.js";
import { createScratch, type Scratch } from "./transcoder.js";

/** Convert a JSON value to wire bytes. */
export function jsonToBinary(conversion: Conversion, json: ExactJson): Uint8Array {
  return writeWire(conversion, jsonToStruct(conversion, json, "field"));
}

/** Convert JSON text to wire bytes, members in the order of the text: the way that knows every rule and error. */
export function jsonStringToBinary(conversion: Conversion, text: string): Uint8Array {
  return writeWire(conversion, textToStruct(conversion, text, "ordered"));
}

/** Convert UTF-8 JSON text to wire bytes, members in the order of the text. */
export function jsonBytesToBinary(conversion: Conversion, bytes: Uint8Array): Uint8Array {
  const input = requireBytes(conversion, bytes);
  conversion.readsBytes = true;
  return writeWire(conversion, textToStruct(conversion, decodeText(input), "ordered"));
}

/** The fast way from JSON text to wire bytes. Each method gives undefined where the document is not for it. */
export class FastJsonToBinary {
  readonly #context: CodecContext;
  readonly #transcription: Transcription = new Transcription();
  #walk: TextToWire | undefined;

  constructor(context: CodecContext) {
    this.#context = context;
  }

  fromJsonString(text: string): Uint8Array | undefined {
    // Half a surrogate pair would be written as U+FFFD.
    if (typeof text !== "string" || !isWellFormed(text)) return undefined;
    if (exceedsBytes(text, this.#context.options.limits.inputBytes)) return undefined;
    // Each character takes three bytes at most.
    if (text.length * 3 + 1 > inputScratch.bytes.length) {
      const input = createScratch(text.length * 3 + 1);
      return this.#transcode(input, encodeUtf8(text, input.bytes), true);
    }
    const length = encodeUtf8(text, inputScratch.bytes);
    inputScratch.bytes[length] = 0;
    return this.#transcode(inputScratch, length, true);
  }

  fromJsonBytes(bytes: Uint8Array): Uint8Array | undefined {
    if (!isPlainBytes(bytes, inputScratch.bytes.length) || bytes.length > this.#context.options.limits.inputBytes)
      return undefined;
    return this.#transcode(readInput(bytes), bytes.length, false);
  }

  #transcode(input: Scratch, length: number, isKnownUtf8: boolean): Uint8Array | undefined {
    if (this.#context.missesSchema) return undefined;
    this.#walk ??= new TextToWire(this.#context, compileByteGraph(this.#context), inputScratch);
    const { outputBytes } = this.#context.options.limits;
    const written = this.#transcription.run(this.#walk, input, length, length * 2, outputBytes);
    if (written < 0) return undefined;
    if (!isKnownUtf8 && this.#walk.hasWideCharacters && !isUtf8(input.bytes, length)) return undefined;
    return this.#transcription.take(written);
  }
}

/**
 * Decode UTF-8. Where it is malformed, the text ends there with half a surrogate pair in the bytes' place: the reader then
 * finds the fault where it is, and whatever was wrong before it first.
 */
function decodeText(bytes: Uint8Array): string {
  const malformed = findMalformedUtf8(bytes);
  // A byte order mark is no JSON, so it must not vanish.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return malformed < 0 ? decoder.decode(bytes) : `${decoder.decode(bytes.subarray(0, malformed))}\ud800"`;
}

function writeWire(conversion: Conversion, { value }: StructRoot): Uint8Array {
  const { typeName, options } = conversion.context;
  const root = typeName === "google.protobuf.Struct" ? "struct" : "value";
  const bytes = writeWireTree(value, root, options.limits.outputBytes);
  if (bytes === undefined) throw errTooLong(conversion.atRoot(), "output");
  return bytes;
}
