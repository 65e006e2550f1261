import type { Conversion } from "./conversion.js";
import type { ExactJson } from "./exact-json.js";
import { readWireTree } from "./read-wire-tree.js";
import { requireBytes } from "./require-bytes.js";
import { orderedTreeToText } from "./tree-to-text.js";
import { wireTreeToJson } from "./wire-tree-to-json.js";

/** Convert wire bytes to a JSON value. */
export function binaryToJson(conversion: Conversion, bytes: Uint8Array): ExactJson {
  const tree = readWireTree(conversion, requireBytes(conversion, bytes));
  // Without `text` there are neither Maps nor numerals that only text can spell in it.
  return wireTreeToJson(conversion, tree, false) as ExactJson;
}

/** Convert wire bytes to JSON text, members in wire order. */
export function binaryToJsonString(conversion: Conversion, bytes: Uint8Array): string {
  return readCarefully(conversion, requireBytes(conversion, bytes));
}

/** Convert wire bytes to UTF-8 JSON text, members in wire order. */
export function binaryToJsonBytes(conversion: Conversion, bytes: Uint8Array): Uint8Array {
  return new TextEncoder().encode(readCarefully(conversion, requireBytes(conversion, bytes)));
}

/** The way that knows every rule and builds every error, by way of a tree. */
function readCarefully(conversion: Conversion, bytes: Uint8Array): string {
  return orderedTreeToText(conversion, wireTreeToJson(conversion, readWireTree(conversion, bytes), true));
}
