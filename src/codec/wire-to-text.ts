import { sameBytes } from "../base/bytes.js";
import { isCanonicalDecimalBytes } from "../base/decimal.js";
import { RawNumeral, StringRule, stringToJson } from "../base/numerals.js";
import type { Scalar } from "../hint/facts.js";
import { KeyTable } from "../wire/key-table.js";
import { Tag } from "../wire/writer.js";
import { type ByteGraph, type ByteNode, copyKey, findMember, namedNode } from "./byte-node.js";
import type { CodecContext } from "./context.js";
import { selectNode } from "./select-node.js";
import { declined, deepestFast, hasSpecial, overflowed, type Scratch } from "./transcoder.js";
import { writeEscape, writeNumber, writeScalar } from "./write-scalar.js";

/** Members of one object that are compared each with each; beyond it they go into a table. */
const fewMembers = 32;

/** Bytes kept free at each value: for a key's frame, the longest number, and the ends of all open containers. */
const slack = deepestFast + 64;

/**
 * Transcodes wire bytes to JSON text in one pass. Offsets are arguments and results, never state: that alone is nearly half
 * the speed. Any method may give `declined` or `overflowed` for an offset.
 */
export class WireToText {
  readonly #context: CodecContext;
  readonly #graph: ByteGraph;
  readonly #deepest: number;
  #src: Uint8Array;
  #view: DataView;
  #out: Uint8Array;
  #outView: DataView;
  #output: Scratch;
  #room = 0;
  /** Last offset at which four bytes can be read. */
  #lastWord = 0;
  /** Offset after a length of more than one byte. */
  #after = 0;
  /** All bytes of strings, or'ed: their sign bits tell whether there were any but ASCII. */
  #seen = 0;
  #values = 0;

  constructor(context: CodecContext, graph: ByteGraph, scratch: Scratch) {
    this.#context = context;
    this.#graph = graph;
    this.#deepest = graph.deepest;
    this.#src = scratch.bytes;
    this.#view = scratch.view;
    this.#out = scratch.bytes;
    this.#outView = scratch.view;
    this.#output = scratch;
  }

  /** Whether the text written last holds anything but ASCII. */
  get hasWideCharacters(): boolean {
    return (this.#seen & 0x80808080) !== 0;
  }

  /** Whether the text written last holds a numeral that `JSON.parse` might not give back as it was. */
  get hasRawNumerals(): boolean {
    return this.#graph.rawNumerals > 0;
  }

  /** Transcode the first `length` bytes of the input. Gives the length of the text. */
  write(input: Scratch, length: number, output: Scratch): number {
    if (this.#graph.runsForeignCode) return declined;
    this.#src = input.bytes;
    this.#view = input.view;
    this.#out = output.bytes;
    this.#outView = output.view;
    this.#output = output;
    this.#room = output.bytes.length - slack;
    this.#lastWord = input.bytes.length - 4;
    this.#seen = 0;
    this.#values = 1;
    this.#graph.rawNumerals = 0;
    const { typeName, options } = this.#context;
    const { root } = this.#graph;
    const isStruct = typeName === "google.protobuf.Struct";
    const end = isStruct ? this.#object(0, length, 0, 1, root) : this.#value(0, length, 0, 0, root);
    return this.#values > options.limits.values ? declined : end;
  }

  // hot: bench "binaryToJsonBytes/medium"
  #object(start: number, end: number, from: number, depth: number, declared: ByteNode): number {
    if (depth > this.#deepest) return declined;
    const src = this.#src;
    const view = this.#view;
    const out = this.#out;
    const outView = this.#outView;
    const room = this.#room;
    const node = declared.hint.selection === undefined ? declared : this.#select(start, end, declared);
    const { isOpen } = node;
    let expected = 0;
    let count = 0;
    // Bits of the keys so far, by two rough hashes; all set once keys were not entered because they came in schema order.
    let keys = 0;
    let moreKeys = 0;
    let table: KeyTable | undefined;
    let at = start;
    let to = from;
    out[to++] = 0x7b;
    while (at < end) {
      const entry = at;
      if (src[at] !== Tag.entry) return declined;
      let length = src[at + 1] as number;
      at += 2;
      if (length > 0x7f) {
        length = this.#longLength(at - 1);
        at = this.#after;
      }
      const entryEnd = at + length;
      if (entryEnd > end || length < 4 || src[at] !== Tag.key) return declined;
      let keyLength = src[at + 1] as number;
      at += 2;
      if (keyLength > 0x7f) {
        keyLength = this.#longLength(at - 1);
        at = this.#after;
      }
      const key = at;
      at += keyLength;
      if (at + 2 > entryEnd || src[at] !== Tag.value) return declined;
      length = src[at + 1] as number;
      at += 2;
      if (length > 0x7f) {
        length = this.#longLength(at - 1);
        at = this.#after;
      }
      if (at + length !== entryEnd) return declined;
      if (to + keyLength * 6 > room) return overflowed;
      if (count++ > 0) out[to++] = 0x2c;
      out[to++] = 0x22;
      let child: ByteNode;
      let isNew = false;
      let isCopied = false;
      if (isOpen) {
        child = node.other;
      } else if (node.plainLengths[expected] === keyLength && copyKey(node, expected, view, key, outView, to)) {
        child = node.children[expected++] as ByteNode;
        isNew = true;
        isCopied = true;
      } else {
        const index = findMember(node, src, key, keyLength);
        // Declared members that come in schema order cannot be repeated.
        isNew = index >= expected;
        if (isNew) expected = index + 1;
        child = index >= 0 ? (node.children[index] as ByteNode) : this.#otherMember(node, key, keyLength);
      }
      if (isNew) {
        keys = -1;
        moreKeys = -1;
        table?.add(key, keyLength);
      } else {
        const first = src[key] as number;
        const last = src[key + keyLength - 1] as number;
        const bit = 1 << (keyLength * 7 + first * 3 + last);
        const otherBit = 1 << (keyLength + first + last * 5 + (src[key + (keyLength >> 1)] as number));
        if (count <= fewMembers) {
          if ((keys & bit) !== 0 && (moreKeys & otherBit) !== 0 && this.#isRepeated(start, entry, key, keyLength))
            return declined;
        } else {
          table ??= this.#tabulate(start, entry);
          if (table === undefined || !table.add(key, keyLength)) return declined;
        }
        keys |= bit;
        moreKeys |= otherBit;
      }
      if (isCopied) {
        // Nobody looked for anything but ASCII in it.
        if (!node.isAscii) this.#seen = -1;
        to += keyLength;
      } else {
        to = this.#copy(key, keyLength, to);
        if (to < 0) return to;
      }
      out[to++] = 0x22;
      out[to++] = 0x3a;
      to = this.#value(at, entryEnd, to, depth, child);
      if (to < 0) return to;
      at = entryEnd;
    }
    this.#values += count;
    out[to++] = 0x7d;
    return to;
  }

  // hot: bench "binaryToJsonBytes/numeric"
  #list(start: number, end: number, from: number, depth: number, node: ByteNode): number {
    if (depth > this.#deepest) return declined;
    const src = this.#src;
    const view = this.#view;
    const out = this.#out;
    const output = this.#output;
    const room = this.#room;
    const prefix = node.prefixItems;
    const { otherItems } = node;
    let count = 0;
    let at = start;
    let to = from;
    out[to++] = 0x5b;
    while (at < end) {
      if (src[at] !== Tag.item) return declined;
      let length = src[at + 1] as number;
      at += 2;
      if (length > 0x7f) {
        length = this.#longLength(at - 1);
        at = this.#after;
      }
      const itemEnd = at + length;
      if (itemEnd > end) return declined;
      const child = count < prefix.length ? (prefix[count] as ByteNode) : otherItems;
      if (count++ > 0) out[to++] = 0x2c;
      if (length === 9 && src[at] === Tag.number && to <= room) {
        to = writeNumber(view.getFloat64(at + 1, true), child, output, to, room);
      } else {
        to = this.#value(at, itemEnd, to, depth, child);
      }
      if (to < 0) return to;
      at = itemEnd;
    }
    this.#values += count;
    out[to++] = 0x5d;
    return to;
  }

  /** Write a Value that holds exactly one field. `depth` is that of the container it is in. */
  #value(start: number, end: number, from: number, depth: number, node: ByteNode): number {
    const src = this.#src;
    const out = this.#out;
    if (from > this.#room) return overflowed;
    let to = from;
    const tag = src[start];
    if (tag === Tag.number) {
      if (end - start !== 9) return declined;
      return writeNumber(this.#view.getFloat64(start + 1, true), node, this.#output, to, this.#room);
    }
    if (tag === Tag.null || tag === Tag.bool) {
      const value = src[start + 1] as number;
      if (end - start !== 2 || value > (tag === Tag.bool ? 1 : 0)) return declined;
      const word = tag === Tag.null ? nullWord : value === 1 ? trueWord : falseWord;
      for (let i = 0; i < word.length; i++) out[to++] = word[i] as number;
      return to;
    }
    // Also where the value is empty or ends after its tag: what is read then is not used.
    let length = src[start + 1] as number;
    let at = start + 2;
    if (at > end) return declined;
    if (length > 0x7f) {
      length = this.#longLength(start + 1);
      at = this.#after;
    }
    if (at + length !== end) return declined;
    if (tag === Tag.string) {
      if (node.stringOut !== StringRule.keep) return this.#hintedString(at, length, to, node);
      out[to++] = 0x22;
      to = this.#copy(at, length, to);
      if (to < 0) return to;
      out[to++] = 0x22;
      return to;
    }
    if (tag === Tag.struct) return this.#object(at, end, to, depth + 1, node);
    return tag === Tag.list ? this.#list(at, end, to, depth + 1, node) : declined;
  }

  #hintedString(start: number, length: number, from: number, node: ByteNode): number {
    const out = this.#out;
    const end = start + length;
    let to = from;
    const isDecimal = isCanonicalDecimalBytes(this.#src, start, end);
    if (isDecimal || length > 300) {
      const text = this.#decode(start, end);
      if (text === undefined) return declined;
      const scalar =
        node.stringOut === StringRule.bare && isDecimal && node.stringIn === 0
          ? new RawNumeral(text)
          : stringToJson(this.#context.rules, node.hint.position, text, true, this.#graph.decliner);
      if (typeof scalar !== "string") return writeScalar(scalar, this.#graph, out, from, this.#room);
    }
    out[to++] = 0x22;
    to = this.#copy(start, length, to);
    if (to < 0) return to;
    out[to++] = 0x22;
    return to;
  }

  // hot: bench "binaryToJsonBytes/strings"
  /** Copy the bytes of a string, escaped where JSON wants it. */
  #copy(start: number, length: number, from: number): number {
    if (from + length > this.#room) return overflowed;
    const src = this.#src;
    const view = this.#view;
    const out = this.#out;
    const outView = this.#outView;
    const end = start + length;
    let at = start;
    let to = from;
    let seen = 0;
    const last = this.#lastWord;
    while (at < end) {
      if (at <= last) {
        // The last few bytes are looked at as a word too, with blanks in place of what follows them.
        const left = end - at;
        let word = view.getInt32(at, true);
        if (left < 4) word = (word & (0xffffff >> (24 - left * 8))) | (0x20202020 << (left * 8));
        if (!hasSpecial(word)) {
          seen |= word;
          outView.setInt32(to, word, true);
          at += 4;
          to += 4;
          continue;
        }
      }
      const stop = Math.min(at + 4, end);
      while (at < stop) {
        const byte = src[at++] as number;
        if (byte >= 0x20 && byte !== 0x22 && byte !== 0x5c) {
          seen |= byte;
          out[to++] = byte;
        } else {
          if (to + 6 + (end - at) > this.#room) return overflowed;
          to = writeEscape(byte, out, to);
        }
      }
    }
    // A last word may have gone past the end of the string.
    to -= at - end;
    this.#seen |= seen;
    return to;
  }

  /** A length whose first byte has its high bit set. Gives a length that fits nowhere where it is malformed. */
  #longLength(start: number): number {
    const src = this.#src;
    let length = 0;
    let at = start;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = src[at++] as number;
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        this.#after = at;
        return length;
      }
    }
    this.#after = at;
    return Number.MAX_SAFE_INTEGER;
  }

  #otherMember(node: ByteNode, key: number, length: number): ByteNode {
    if (!node.hasPatterns) return node.other;
    const name = this.#decode(key, key + length);
    // A key that is no UTF-8 is found out when the text is complete.
    return name === undefined ? node.other : namedNode(node, name);
  }

  /** Whether a key stands in one of the entries before its own. All of them were read, so all are well formed. */
  #isRepeated(start: number, entry: number, key: number, length: number): boolean {
    for (let at = start; at < entry; at = this.#after) {
      const other = this.#keyOf(at);
      if (this.#keyLength === length && sameBytes(this.#src, other, this.#src, key, length)) return true;
      this.#after = this.#entryEnd;
    }
    return false;
  }

  #keyLength = 0;
  #entryEnd = 0;

  /** Find the key of a well-formed entry: its start, and by the way its length and where the entry ends. */
  #keyOf(entry: number): number {
    const entryLength = this.#lengthAt(entry + 1);
    this.#entryEnd = this.#after + entryLength;
    this.#keyLength = this.#lengthAt(this.#after + 1);
    return this.#after;
  }

  #lengthAt(at: number): number {
    const length = this.#src[at] as number;
    if (length > 0x7f) return this.#longLength(at);
    this.#after = at + 1;
    return length;
  }

  #tabulate(start: number, entry: number): KeyTable | undefined {
    const table = new KeyTable(this.#src);
    for (let at = start; at < entry; at = this.#entryEnd) {
      const key = this.#keyOf(at);
      if (!table.add(key, this.#keyLength)) return undefined;
    }
    return table;
  }

  /** Choose among the branches of a union by the scalar members of the object, which are looked at ahead. */
  #select(start: number, end: number, node: ByteNode): ByteNode {
    const wanted = node.hint.selection?.keys ?? [];
    const scalars = new Map<string, Scalar>();
    // Nothing is sought behind the last of them: members that are repeated are declined.
    let missing = wanted.length;
    for (let at = start; missing > 0 && at < end && this.#src[at] === Tag.entry; at = this.#entryEnd) {
      const key = this.#keyOf(at);
      const value = key + this.#keyLength;
      if (value > end || this.#entryEnd > end) break;
      const name = this.#decode(key, value);
      if (name === undefined || !wanted.includes(name)) continue;
      missing--;
      const entryEnd = this.#entryEnd;
      const scalar = this.#scalarAt(value, entryEnd);
      this.#entryEnd = entryEnd;
      if (scalar !== undefined) scalars.set(name, scalar);
    }
    return this.#graph.of(selectNode(node.hint, (name) => scalars.get(name)));
  }

  /** The scalar in the value field of an entry, if there is one. */
  #scalarAt(field: number, end: number): Scalar | undefined {
    if (this.#src[field] !== Tag.value) return undefined;
    this.#lengthAt(field + 1);
    const at = this.#after;
    switch (this.#src[at]) {
      case Tag.null:
        return null;
      case Tag.bool:
        return this.#src[at + 1] !== 0;
      case Tag.number:
        return at + 9 <= end ? this.#view.getFloat64(at + 1, true) : undefined;
      case Tag.string: {
        const length = this.#lengthAt(at + 1);
        return this.#after + length <= end ? this.#decode(this.#after, this.#after + length) : undefined;
      }
      default:
        return undefined;
    }
  }

  /** Decode a string, or undefined where it is no UTF-8. */
  #decode(start: number, end: number): string | undefined {
    try {
      return decoder.decode(this.#src.subarray(start, end));
    } catch {
      return undefined;
    }
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const nullWord: Uint8Array = Uint8Array.of(0x6e, 0x75, 0x6c, 0x6c);
const trueWord: Uint8Array = Uint8Array.of(0x74, 0x72, 0x75, 0x65);
const falseWord: Uint8Array = Uint8Array.of(0x66, 0x61, 0x6c, 0x73, 0x65);
