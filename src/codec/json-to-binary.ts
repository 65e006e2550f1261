import { findMalformedUtf8, isWellFormed } from "../base/utf8.js";
import { writeWireTree } from "../wire/writer.js";
import { compileByteGraph } from "./byte-node.js";
import { encodeUtf8, isUtf8 } from "./byte-text.js";
import type { CodecContext } from "./context.js";
import type { Conversion } from "./conversion.js";
import { errTooLong } from "./conversion-errors.js";
import type { ExactJson } from "./exact-json.js";
import { jsonToStruct, type StructRoot } from "./json-to-struct.js";
import { requireBytes } from "./require-bytes.js";
import { inputScratch, outputScratch, outputSlack, takeResult } from "./scratch.js";
import { textToStruct } from "./text-to-struct.js";
import { TextToWire } from "./text-to-wire.js";
import { attempt, createScratch, declined, type Scratch, viewScratch } from "./transcoder.js";

/** The conversions to wire bytes of one codec. */
export class JsonToBinary {
  readonly #context: CodecContext;
  #fast: TextToWire | undefined;

  constructor(context: CodecContext) {
    this.#context = context;
  }

  /** Convert a JSON value to wire bytes. */
  fromJson(conversion: Conversion, json: ExactJson): Uint8Array {
    return writeWire(conversion, jsonToStruct(conversion, json, "field"));
  }

  /** Convert JSON text to wire bytes, members in the order of the text. */
  fromJsonString(conversion: Conversion, text: string): Uint8Array {
    return this.#transcodeText(conversion, text) ?? writeWire(conversion, textToStruct(conversion, text, "ordered"));
  }

  /** Convert UTF-8 JSON text to wire bytes, members in the order of the text. */
  fromJsonBytes(conversion: Conversion, bytes: Uint8Array): Uint8Array {
    const input = requireBytes(conversion, bytes);
    const wire = this.#transcode(conversion, readBytes(input), input.length, false);
    if (wire !== undefined) return wire;
    conversion.readsBytes = true;
    return writeWire(conversion, textToStruct(conversion, decodeText(input), "ordered"));
  }

  #transcodeText(conversion: Conversion, text: string): Uint8Array | undefined {
    if (typeof text !== "string" || text.length > this.#context.options.limits.inputBytes) return undefined;
    // Half a surrogate pair would be written as U+FFFD.
    if (!isWellFormed(text)) return undefined;
    // Each character takes three bytes at most.
    if (text.length * 3 + 1 <= inputScratch.bytes.length) {
      const length = encodeUtf8(text, inputScratch.bytes);
      inputScratch.bytes[length] = 0;
      return this.#transcode(conversion, inputScratch, length, true);
    }
    const bytes = new TextEncoder().encode(text);
    return this.#transcode(conversion, viewScratch(bytes), bytes.length, true);
  }

  /** Transcode by the fast way, or undefined where the document is not for it. */
  #transcode(conversion: Conversion, input: Scratch, length: number, isKnownUtf8: boolean): Uint8Array | undefined {
    const { limits } = this.#context.options;
    this.#fast ??= new TextToWire(this.#context, compileByteGraph(this.#context), inputScratch);
    const fast = this.#fast;
    let output = length * 2 < outputScratch.bytes.length ? outputScratch : createScratch(length * 2 + outputSlack);
    for (;;) {
      const written = attempt(() => fast.write(input, length, output));
      if (written === declined) return undefined;
      if (written >= 0) {
        if (written > limits.outputBytes) return undefined;
        if (!isKnownUtf8 && fast.hasWideCharacters && !isUtf8(input.bytes, length)) return undefined;
        return takeResult(output, written);
      }
      if (output.bytes.length > limits.outputBytes + outputSlack) throw errOutputTooLong(conversion);
      output = createScratch(output.bytes.length * 2);
    }
  }
}

function readBytes(bytes: Uint8Array): Scratch {
  if (bytes.length >= inputScratch.bytes.length) return viewScratch(bytes);
  inputScratch.bytes.set(bytes);
  inputScratch.bytes[bytes.length] = 0;
  return inputScratch;
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
  if (bytes === undefined) throw errOutputTooLong(conversion);
  return bytes;
}

function errOutputTooLong(conversion: Conversion): Error {
  const { root } = conversion.context;
  return errTooLong(conversion.at(undefined, undefined, root, root), "output");
}
