import { findMalformedUtf8 } from "../base/utf8.js";
import { writeWireTree } from "../wire/writer.js";
import type { Conversion } from "./conversion.js";
import { errTooLong } from "./conversion-errors.js";
import type { ExactJson } from "./exact-json.js";
import { jsonToStruct, type StructRoot } from "./json-to-struct.js";
import { requireBytes } from "./require-bytes.js";
import { textToStruct } from "./text-to-struct.js";

/** Convert a JSON value to wire bytes. */
export function jsonToBinary(conversion: Conversion, json: ExactJson): Uint8Array {
  return writeWire(conversion, jsonToStruct(conversion, json, "field"));
}

/** Convert JSON text to wire bytes, members in the order of the text. */
export function jsonStringToBinary(conversion: Conversion, text: string): Uint8Array {
  return writeWire(conversion, textToStruct(conversion, text, "ordered"));
}

/** Convert UTF-8 JSON text to wire bytes, members in the order of the text. */
export function jsonBytesToBinary(conversion: Conversion, bytes: Uint8Array): Uint8Array {
  const input = requireBytes(conversion, bytes);
  conversion.readsBytes = true;
  return writeWire(conversion, textToStruct(conversion, decodeText(input), "ordered"));
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
  const { typeName, root, options } = conversion.context;
  const isStruct = typeName === "google.protobuf.Struct";
  const bytes = writeWireTree(value, isStruct ? "struct" : "value", options.limits.outputBytes);
  if (bytes === undefined) throw errTooLong(conversion.at(undefined, undefined, root, root), "output");
  return bytes;
}
