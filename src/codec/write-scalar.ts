import { writeHundredths, writeInteger, writeShortest } from "../base/double-digits.js";
import { type JsonScalar, NumberRule, numberToJson, RawNumeral } from "../base/numerals.js";
import type { ByteGraph, ByteNode } from "./byte-node.js";
import { declined, overflowed, type Scratch } from "./transcoder.js";

// hot: bench "binaryToJsonBytes/numeric"
/** Write a number as JSON text into a buffer with room for 32 bytes. Gives where it ends, `declined` or `overflowed`. */
export function writeNumber(value: number, node: ByteNode, output: Scratch, from: number, room: number): number {
  const rule = node.numberOut;
  const { bytes: out, view } = output;
  if (rule === NumberRule.integer || rule === NumberRule.shortest) {
    // -0 is an integer only where an integer is expected.
    if ((value | 0) === value && (value !== 0 || rule === NumberRule.integer || 1 / value > 0)) {
      return writeInteger(value + 0, view, from);
    }
    if (Number.isSafeInteger(value) && value !== 0) return writeInteger(value, view, from);
    if (rule === NumberRule.shortest && !Number.isInteger(value)) {
      const end = writeFraction(value, view, from);
      if (end >= 0) return end;
    }
  }
  if (rule === NumberRule.quoted && Number.isSafeInteger(value) && value >= 0) {
    out[from] = 0x22;
    const to = writeInteger(value + 0, view, from + 1);
    out[to] = 0x22;
    return to + 1;
  }
  const { graph } = node;
  return writeScalar(
    numberToJson(graph.rules, node.hint.position, value, true, graph.decliner),
    graph,
    out,
    from,
    room,
  );
}

function writeFraction(value: number, view: DataView, from: number): number {
  let to = from;
  const magnitude = Math.abs(value);
  if (value < 0) view.setInt8(to++, 0x2d);
  const end = writeHundredths(magnitude, view, to);
  return end >= 0 ? end : writeShortest(magnitude, view, to);
}

/** Write what the rules gave for a number or string. */
export function writeScalar(scalar: JsonScalar, graph: ByteGraph, out: Uint8Array, from: number, room: number): number {
  const isRaw = scalar instanceof RawNumeral;
  if (isRaw) graph.rawNumerals++;
  const text = isRaw ? scalar.text : JSON.stringify(scalar);
  if (from + text.length * 3 > room) return overflowed;
  let to = from;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return declined;
    out[to++] = unit;
  }
  return to;
}

/** Letters of the short escapes by the byte they stand for, as JSON.stringify writes them; 0 where there is none. */
const shortEscapes: Uint8Array = new Uint8Array(0x60);
for (const [byte, letter] of [
  [0x08, 0x62],
  [0x09, 0x74],
  [0x0a, 0x6e],
  [0x0c, 0x66],
  [0x0d, 0x72],
  [0x22, 0x22],
  [0x5c, 0x5c],
] as const) {
  shortEscapes[byte] = letter;
}

/** Write a control character, quote or backslash as JSON escapes it. Gives where it ends. */
export function writeEscape(byte: number, out: Uint8Array, start: number): number {
  out[start] = 0x5c;
  const letter = shortEscapes[byte] as number;
  if (letter !== 0) {
    out[start + 1] = letter;
    return start + 2;
  }
  out[start + 1] = 0x75;
  out[start + 2] = 0x30;
  out[start + 3] = 0x30;
  out[start + 4] = 0x30 + (byte >> 4);
  const low = byte & 15;
  out[start + 5] = low < 10 ? 0x30 + low : 0x57 + low;
  return start + 6;
}
