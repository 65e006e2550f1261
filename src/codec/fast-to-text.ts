import type { ListValue, Struct, Value } from "@bufbuild/protobuf/wkt";
import { stringToJson } from "../base/numerals.js";
import { isWellFormed } from "../base/utf8.js";
import { type ByteNode, namedNode } from "./byte-node.js";
import { encodeUtf8At } from "./byte-text.js";
import { inputScratch, outputScratch } from "./scratch.js";
import { Decline, deepestFast, hasSpecial } from "./transcoder.js";
import { writeEscape, writeNumber, writeScalar } from "./write-scalar.js";

// Messages to JSON text by way of its bytes: they are written into the shared output buffer and decoded at once, which takes
// half the time of building a value for JSON.stringify. What does not fit or is not usual is declined by a throw.

const declined = new Decline("left to the careful way");
const { bytes: out, view: outView } = outputScratch;
const room = out.length - deepestFast - 64;

/** Longest string copied by hand; above it a native call and a look at words pays (bench "toJsonString/medium"). */
const shortString = 24;

/** All bytes written by native calls, or'ed: whether there are any but ASCII. Reset by whoever begins. */
let seen = 0;

export function beginText(): void {
  seen = 0;
}

export function wroteWideCharacters(): boolean {
  return (seen & 0x80808080) !== 0;
}

// hot: bench "toJsonString/medium"
export function writeStruct(fields: Record<string, Value>, node: ByteNode, from: number, depth: number): number {
  const { names, children, graph } = node;
  if (depth > graph.deepest || node.hint.selection !== undefined) throw declined;
  const keys = Object.keys(fields);
  let guess = 0;
  let to = from;
  out[to++] = 0x7b;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    let child = node.other;
    if (guess < names.length && names[guess] === key) child = children[guess++] as ByteNode;
    else if (node !== graph.any) child = namedNode(node, key);
    if (i > 0) out[to++] = 0x2c;
    to = writeString(key, to);
    out[to++] = 0x3a;
    to = writeValue(fields[key] as Value, child, to, depth);
  }
  out[to++] = 0x7d;
  graph.values += keys.length;
  return to;
}

function writeList(values: readonly Value[], node: ByteNode, from: number, depth: number): number {
  const { graph, prefixItems, otherItems } = node;
  if (depth > graph.deepest || !Array.isArray(values)) throw declined;
  let to = from;
  out[to++] = 0x5b;
  for (let i = 0; i < values.length; i++) {
    if (i > 0) out[to++] = 0x2c;
    to = writeValue(values[i] as Value, i < prefixItems.length ? (prefixItems[i] as ByteNode) : otherItems, to, depth);
  }
  out[to++] = 0x5d;
  graph.values += values.length;
  return to;
}

export function writeValue(message: Value, node: ByteNode, from: number, depth: number): number {
  if (from > room) throw declined;
  const kind = message.kind;
  switch (kind.case) {
    case "stringValue":
      return node.stringOut === 0 ? writeString(kind.value, from) : writeHintedString(kind.value, node, from);
    case "numberValue": {
      if (typeof kind.value !== "number") throw declined;
      const to = writeNumber(kind.value, node, out, from, room);
      if (to < 0) throw declined;
      return to;
    }
    case "structValue":
      return writeStruct((kind.value as Struct).fields, node, from, depth + 1);
    case "listValue":
      return writeList((kind.value as ListValue).values, node, from, depth + 1);
    case "boolValue":
      if (typeof kind.value !== "boolean") throw declined;
      return writeWord(kind.value ? "true" : "false", from);
    case "nullValue":
      return writeWord("null", from);
    default:
      throw declined;
  }
}

function writeWord(word: string, from: number): number {
  for (let i = 0; i < word.length; i++) out[from + i] = word.charCodeAt(i);
  return from + word.length;
}

function writeHintedString(value: string, node: ByteNode, from: number): number {
  if (typeof value !== "string") throw declined;
  const { rules, decliner } = node.graph;
  const scalar = stringToJson(rules, node.hint.position, value, true, decliner);
  if (typeof scalar === "string") return writeString(scalar, from);
  const to = writeScalar(scalar, out, from, room);
  if (to < 0) throw declined;
  return to;
}

/** Write a string with its quotes. */
function writeString(text: string, from: number): number {
  const { length } = text;
  if (length > shortString) return writeLongString(text, from);
  if (from + length * 6 > room) throw declined;
  let to = from;
  out[to++] = 0x22;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return writeLongString(text, from);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c) to = writeEscape(unit, out, to);
    else out[to++] = unit;
  }
  out[to++] = 0x22;
  return to;
}

function writeLongString(text: string, from: number): number {
  if (typeof text !== "string" || from + text.length * 3 + 8 > room) throw declined;
  const start = from + 1;
  const end = start + encodeUtf8At(text, out, start);
  if (end - start !== text.length && !isWellFormed(text)) throw declined;
  out[from] = 0x22;
  let at = start;
  while (at < end) {
    const left = end - at;
    let word = outView.getInt32(at, true);
    // Blanks in place of what follows the string.
    if (left < 4) word = (word & (0xffffff >> (24 - left * 8))) | (0x20202020 << (left * 8));
    if (hasSpecial(word)) return writeEscaped(start, end, from);
    seen |= word;
    at += 4;
  }
  out[end] = 0x22;
  return end + 1;
}

/** Write a string again that turned out to need escapes, of which the bytes are in the output already. */
function writeEscaped(start: number, end: number, from: number): number {
  const raw = inputScratch.bytes;
  const length = end - start;
  if (length > raw.length || from + length * 6 + 8 > room) throw declined;
  raw.set(out.subarray(start, end));
  let to = start;
  for (let i = 0; i < length; i++) {
    const byte = raw[i] as number;
    if (byte < 0x20 || byte === 0x22 || byte === 0x5c) {
      to = writeEscape(byte, out, to);
    } else {
      seen |= byte;
      out[to++] = byte;
    }
  }
  out[to++] = 0x22;
  return to;
}
