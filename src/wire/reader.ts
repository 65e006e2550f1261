import { findMalformedUtf8 } from "../base/utf8.js";

/** The wire types of protobuf that a Struct uses or that may have to be skipped. */
export const WireType = { varint: 0, fixed64: 1, delimited: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** Builds the error for something wrong in the bytes. */
export type WireFault = (
  code: "invalid_wire" | "invalid_utf8" | "depth_exceeded",
  reason: string,
  offset: number,
) => Error;

/**
 * A cursor over wire bytes that trusts nothing: every length is compared with what is left of the message around it before
 * anything is done with it. It knows fields and nothing of their meaning.
 */
export class WireReader {
  readonly bytes: Uint8Array;
  /** Offset of the next byte. */
  at = 0;
  /** Where the message being read ends. */
  end: number;
  /** Field number and wire type of the tag read last, and where it began. */
  field = 0;
  type = 0;
  tagAt = 0;
  readonly #view: DataView;
  readonly #fault: WireFault;

  constructor(bytes: Uint8Array, fault: WireFault) {
    this.bytes = bytes;
    this.end = bytes.length;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#fault = fault;
  }

  /** Read a tag into `field` and `type`; false at the end of the message. */
  next(): boolean {
    if (this.at === this.end) return false;
    this.tagAt = this.at;
    const tag = this.#varint(5);
    if (tag > 0xffffffff) throw this.#fault("invalid_wire", "tag is longer than 32 bits", this.tagAt);
    this.field = Math.floor(tag / 8);
    this.type = tag % 8;
    if (this.field === 0) throw this.#fault("invalid_wire", "field number is 0", this.tagAt);
    if (this.type > 5) throw this.#fault("invalid_wire", "wire type does not exist", this.tagAt);
    return true;
  }

  /** Read a length and make sure that so many bytes are left. */
  length(): number {
    const at = this.at;
    const length = this.#varint(10);
    if (length > this.end - this.at) throw this.#fault("invalid_wire", "length goes past the end of the message", at);
    return length;
  }

  /** Whether a varint is anything but zero. */
  bool(): boolean {
    return this.#varint(10) !== 0;
  }

  double(): number {
    this.#require(8);
    const value = this.#view.getFloat64(this.at, true);
    this.at += 8;
    return value;
  }

  string(): string {
    const length = this.length();
    const bytes = this.bytes.subarray(this.at, this.at + length);
    const malformed = findMalformedUtf8(bytes);
    if (malformed >= 0) throw this.#fault("invalid_utf8", "string is not UTF-8", this.at + malformed);
    this.at += length;
    return decoder.decode(bytes);
  }

  /** Pass over the field whose tag was read, nested groups included. */
  skip(deepest: number): void {
    const open: number[] = [];
    do {
      switch (this.type) {
        case WireType.varint:
          this.#varint(10);
          break;
        case WireType.fixed64:
          this.#skipBytes(8);
          break;
        case WireType.delimited:
          this.#skipBytes(this.length());
          break;
        case WireType.fixed32:
          this.#skipBytes(4);
          break;
        case WireType.startGroup:
          if (open.length >= deepest)
            throw this.#fault("depth_exceeded", `groups nested more than ${deepest} deep`, this.tagAt);
          open.push(this.field);
          break;
        default:
          if (open.pop() !== this.field)
            throw this.#fault("invalid_wire", "group is not the one that was opened", this.tagAt);
      }
    } while (open.length > 0 && this.#nextInGroup());
  }

  #nextInGroup(): boolean {
    if (this.next()) return true;
    throw this.#fault("invalid_wire", "group is not closed", this.at);
  }

  #skipBytes(count: number): void {
    this.#require(count);
    this.at += count;
  }

  #require(count: number): void {
    if (count > this.end - this.at) throw this.#fault("invalid_wire", "message ends in the middle of a field", this.at);
  }

  /** A varint of at most so many bytes, as a double: exact up to 2^53, and never taken modulo 2^32. */
  #varint(longest: number): number {
    const start = this.at;
    let value = 0;
    for (let i = 0, scale = 1; i < longest; i++, scale *= 128) {
      this.#require(1);
      const byte = this.bytes[this.at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        // Of the tenth byte only one bit is left of 64.
        if (i === 9 && byte > 1) break;
        return value;
      }
    }
    throw this.#fault("invalid_wire", `varint has more than ${longest} bytes`, start);
  }
}

// A leading U+FEFF is part of the string.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
