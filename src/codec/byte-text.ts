import { findMalformedUtf8 } from "../base/utf8.js";

// Buffer's own methods make strings in half the time of TextDecoder, and Node knows a native check of UTF-8. Where there is
// no Buffer (browsers, edge runtimes), the web's own classes do the same.
const nodeBuffer = (globalThis as { Buffer?: typeof Buffer }).Buffer;
const nodeProcess = (globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } }).process;
const bufferModule = nodeProcess?.getBuiltinModule?.("node:buffer") as
  | { isUtf8?: (input: Uint8Array) => boolean }
  | undefined;

const latin1Slice = nodeBuffer?.prototype.latin1Slice as SliceMethod | undefined;
const utf8Slice = nodeBuffer?.prototype.utf8Slice as SliceMethod | undefined;
const utf8Write = nodeBuffer?.prototype.utf8Write as WriteMethod | undefined;

type SliceMethod = (this: Uint8Array, start: number, end: number) => string;
type WriteMethod = (this: Uint8Array, text: string, offset: number, length: number) => number;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Longest piece that is made a string at once. V8 maps fresh memory for each longer string, which costs 40 times as much as to
 * join pieces (bench "binaryToJsonString/large"); JSON.stringify joins its result of pieces too.
 */
const pieceLength = 32 * 1024;

/** Make a string of bytes that are known to be ASCII. */
export function decodeAscii(bytes: Uint8Array, end: number): string {
  if (latin1Slice === undefined) return decodeUtf8(bytes, end);
  let text = "";
  for (let at = 0; at < end; at += pieceLength) text += latin1Slice.call(bytes, at, Math.min(at + pieceLength, end));
  return text;
}

/** Make a string of bytes that are known to be UTF-8. */
export function decodeUtf8(bytes: Uint8Array, end: number): string {
  let text = "";
  for (let at = 0; at < end; ) {
    let next = Math.min(at + pieceLength, end);
    while (next < end && ((bytes[next] as number) & 0xc0) === 0x80) next++;
    text += decodeRange(bytes, at, next);
    at = next;
  }
  return text;
}

/** Make a string of some bytes of a buffer. What is not UTF-8 in them becomes U+FFFD. */
export function decodeRange(bytes: Uint8Array, start: number, end: number): string {
  return utf8Slice === undefined ? decoder.decode(bytes.subarray(start, end)) : utf8Slice.call(bytes, start, end);
}

/** Whether bytes are UTF-8. */
export function isUtf8(bytes: Uint8Array, end: number): boolean {
  const part = bytes.subarray(0, end);
  return bufferModule?.isUtf8 === undefined ? findMalformedUtf8(part) < 0 : bufferModule.isUtf8(part);
}

/** Write text as UTF-8 into a buffer that has three bytes for each of its characters. Gives how many were written. */
export function encodeUtf8(text: string, bytes: Uint8Array): number {
  return utf8Write === undefined
    ? encoder.encodeInto(text, bytes).written
    : utf8Write.call(bytes, text, 0, bytes.length);
}
