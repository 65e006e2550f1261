import type { Format } from "./formats.js";

/** Lay a converted record out as a format has it. */
export function layOut({ name }: Format, bytes: Uint8Array): Uint8Array[] {
  switch (name) {
    case "json":
    case "ndjson":
      return [bytes, endOfLine];
    case "binary":
      return [bytes];
    case "base64":
    case "hex":
      return [Buffer.from(`${toBuffer(bytes).toString(name)}\n`, "latin1")];
    case "delimited":
      return [encodeVarint(bytes.length), bytes];
    default:
      throw new TypeError(`no layout of ${name satisfies never}`);
  }
}

const endOfLine = Uint8Array.of(0x0a);

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}
