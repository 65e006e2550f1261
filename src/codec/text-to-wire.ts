import { sameBytes } from "../base/bytes.js";
import { readDecimal } from "../base/double-digits.js";
import { keepsDigits, numeralToStruct } from "../base/numerals.js";
import { Tag, varintSize } from "../wire/writer.js";
import { type ByteGraph, type ByteNode, copyKey, findMember, namedNode } from "./byte-node.js";
import { decodeRange } from "./byte-text.js";
import type { CodecContext } from "./context.js";
import { MemberLookAhead } from "./member-look-ahead.js";
import { selectNode } from "./select-node.js";
import { declined, deepestFast, hasSpecial, overflowed, type Scratch } from "./transcoder.js";

/** Members of one object that are compared each with each; beyond it their names go into a set. */
const fewMembers = 32;

/** Longest key of an entry around a scalar that still has lengths of one byte; longer ones are left to the careful way. */
const longestKey = 100;

/** Bytes kept free at each value, for the frames of an entry, its key and a number. */
const slack = longestKey + 64;

/** Rules of `numberIn` up to this one keep a safe integer as a NumberValue; see NumeralRules. */
const keepsNumbers = 1;

/** Shortest limit on numbers that the fast way, which does not count their characters, is sure to respect. */
const shortestNumberLimit = 100;

/** A number as it stands in JSON text. */
const numeral = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

/**
 * Transcodes JSON text in UTF-8 to wire bytes in one pass. Entries of scalars have lengths of one byte and are written in
 * place; for a container as much room is left as the last one at its depth needed, and a wrong guess moves it once. A method
 * gives the offset where its output ends, `declined` or `overflowed`; where its input ended is in `#after`.
 */
export class TextToWire {
  readonly #context: CodecContext;
  readonly #graph: ByteGraph;
  readonly #deepest: number;
  #src: Uint8Array;
  #view: DataView;
  #out: Uint8Array;
  #outView: DataView;
  #end = 0;
  #room = 0;
  #lastWord = 0;
  #after = 0;
  #seen = 0;
  #values = 0;
  readonly #ahead: MemberLookAhead = new MemberLookAhead();
  /** Bytes that the three lengths around the last container at each depth took: of entry, Value and content. */
  readonly #guesses: Uint8Array = new Uint8Array((deepestFast + 2) * 3).fill(1);

  constructor(context: CodecContext, graph: ByteGraph, scratch: Scratch) {
    const { limits } = context.options;
    this.#context = context;
    this.#graph = graph;
    this.#deepest = limits.numberLength < shortestNumberLimit ? -1 : graph.deepest;
    this.#src = scratch.bytes;
    this.#view = scratch.view;
    this.#out = scratch.bytes;
    this.#outView = scratch.view;
  }

  /** Whether the text read last holds anything but ASCII, so that it is still to be checked as UTF-8. */
  get hasWideCharacters(): boolean {
    return (this.#seen & 0x80808080) !== 0;
  }

  /** Transcode the first `length` bytes of the input; whatever follows them is not JSON. Gives the length of the wire. */
  write(input: Scratch, length: number, output: Scratch): number {
    if (this.#graph.runsForeignCode) return declined;
    this.#src = input.bytes;
    this.#view = input.view;
    this.#out = output.bytes;
    this.#outView = output.view;
    this.#end = length;
    this.#room = output.bytes.length - slack;
    this.#lastWord = length - 4;
    this.#seen = 0;
    this.#values = 1;
    this.#ahead.begin(this.#src, length);
    const { typeName, options } = this.#context;
    const { root } = this.#graph;
    const at = this.#space(0);
    const first = this.#src[at];
    if (at >= length || this.#deepest < 0) return declined;
    const isStruct = typeName === "google.protobuf.Struct";
    if (isStruct && first !== 0x7b) return declined;
    const end = isStruct ? this.#object(at + 1, 0, 1, root) : this.#rootValue(at, root);
    if (end < 0) return end;
    if (this.#space(this.#after) !== length || this.#values > options.limits.values) return declined;
    return end;
  }

  #rootValue(at: number, node: ByteNode): number {
    const first = this.#src[at];
    const content = 6;
    if (first === 0x7b) return this.#frame(content, this.#object(at + 1, content, 1, node), Tag.struct);
    if (first === 0x5b) return this.#frame(content, this.#list(at + 1, content, 1, node), Tag.list);
    if (first === 0x22) {
      return node.stringIn === 0 ? this.#frame(content, this.#string(at + 1, content), Tag.string) : declined;
    }
    return this.#scalar(at, 0, node);
  }

  /** Put tag and length in front of the content of the root, which was written behind too much room. */
  #frame(content: number, end: number, tag: number): number {
    if (end < 0) return end;
    const length = end - content;
    const start = 1 + varintSize(length);
    this.#out.copyWithin(start, content, end);
    this.#out[0] = tag;
    this.#putLength(1, length);
    return start + length;
  }

  // hot: bench "jsonBytesToBinary/medium"
  /** Read the members of an object whose brace was read, and write them as the fields of a Struct. */
  #object(from: number, start: number, depth: number, declared: ByteNode): number {
    if (depth > this.#deepest) return declined;
    const node = declared.hint.selection === undefined ? declared : this.#select(from, declared);
    if (node === undefined) return declined;
    const src = this.#src;
    const out = this.#out;
    const view = this.#view;
    const outView = this.#outView;
    const { isOpen, plainLengths } = node;
    let expected = 0;
    let count = 0;
    // As in WireToText: bits of the keys so far, by two rough hashes.
    let keys = 0;
    let moreKeys = 0;
    let names: Set<string> | undefined;
    let to = start;
    let at = this.#space(from);
    if (src[at] === 0x7d) {
      this.#after = at + 1;
      return to;
    }
    for (;;) {
      if (src[at] !== 0x22) return declined;
      if (to > this.#room) return overflowed;
      const entry = to;
      const key = entry + 4;
      let child: ByteNode;
      let isNew = false;
      let keyEnd = key + (isOpen || expected >= plainLengths.length ? -1 : (plainLengths[expected] as number));
      // The key that the schema has next: what is compared is copied too.
      if (keyEnd >= key && src[at + 1 + keyEnd - key] === 0x22 && copyKey(node, expected, view, at + 1, outView, key)) {
        at += keyEnd - key + 2;
        child = node.children[expected++] as ByteNode;
        isNew = true;
      } else {
        keyEnd = this.#string(at + 1, key);
        if (keyEnd < 0) return keyEnd;
        at = this.#after;
        if (isOpen) {
          child = node.other;
        } else {
          const index = findMember(node, out, key, keyEnd - key);
          isNew = index >= expected;
          if (isNew) expected = index + 1;
          child = index >= 0 ? (node.children[index] as ByteNode) : this.#otherMember(node, key, keyEnd);
        }
      }
      const keyLength = keyEnd - key;
      if (keyLength > longestKey) return declined;
      count++;
      if (count > fewMembers) {
        names ??= this.#namesOf(start, entry);
        if (names.size === names.add(decodeRange(out, key, keyEnd)).size) return declined;
      } else if (isNew) {
        keys = -1;
        moreKeys = -1;
      } else {
        const first = keyLength === 0 ? 0 : (out[key] as number);
        const last = keyLength === 0 ? 0 : (out[keyEnd - 1] as number);
        const bit = 1 << (keyLength * 7 + first * 3 + last);
        const otherBit =
          1 << (keyLength + first + last * 5 + (keyLength < 2 ? 0 : (out[key + (keyLength >> 1)] as number)));
        if ((keys & bit) !== 0 && (moreKeys & otherBit) !== 0 && this.#isRepeated(start, entry, key, keyLength)) {
          return declined;
        }
        keys |= bit;
        moreKeys |= otherBit;
      }
      if (src[at] !== 0x3a) {
        at = this.#space(at);
        if (src[at] !== 0x3a) return declined;
      }
      at++;
      if ((src[at] as number) <= 0x20) at = this.#space(at);
      const first = src[at] as number;
      if (first === 0x22) {
        if (child.stringIn !== 0) return declined;
        to = this.#string(at + 1, keyEnd + 4);
        if (to < 0) return to;
        const length = to - keyEnd - 4;
        if (keyLength + length < 122) {
          out[keyEnd + 2] = Tag.string;
          out[keyEnd + 3] = length;
          this.#putEntry(entry, keyLength, length + 2);
        } else {
          to = this.#putLongEntry(entry, keyLength, keyEnd + 4, length, Tag.string, 1, 1);
        }
      } else if (first === 0x7b || first === 0x5b) {
        to = this.#containerMember(at, entry, keyLength, depth, child);
        if (to < 0) return to;
      } else {
        to = this.#scalar(at, keyEnd + 2, child);
        if (to < 0) return to;
        const length = to - keyEnd - 2;
        if (keyLength + length > 123) return declined;
        this.#putEntry(entry, keyLength, length);
      }
      at = this.#after;
      let next = src[at];
      if (next !== 0x2c && next !== 0x7d) {
        at = this.#space(at);
        next = src[at];
      }
      if (next === 0x7d) break;
      if (next !== 0x2c) return declined;
      at++;
      if ((src[at] as number) <= 0x20) at = this.#space(at);
    }
    this.#values += count;
    this.#after = at + 1;
    return to;
  }

  /** Choose among the branches of a union by the scalar members of the object; undefined where to find them takes too long. */
  #select(from: number, node: ByteNode): ByteNode | undefined {
    const scalars = this.#ahead.scalars(from, node.hint.selection?.keys ?? []);
    if (scalars === undefined) return undefined;
    return this.#graph.of(selectNode(node.hint, (name) => scalars.get(name)));
  }

  /** Write what goes before the content of a scalar member: lengths of one byte each. */
  #putEntry(entry: number, keyLength: number, valueLength: number): void {
    const out = this.#out;
    out[entry] = Tag.entry;
    out[entry + 1] = keyLength + valueLength + 4;
    out[entry + 2] = Tag.key;
    out[entry + 3] = keyLength;
    out[entry + 4 + keyLength] = Tag.value;
    out[entry + 5 + keyLength] = valueLength;
  }

  #containerMember(at: number, entry: number, keyLength: number, depth: number, child: ByteNode): number {
    const out = this.#out;
    const guesses = this.#guesses;
    const guess = depth * 3;
    const forEntry = guesses[guess] as number;
    const forValue = guesses[guess + 1] as number;
    const content = entry + 5 + keyLength + forEntry + forValue + (guesses[guess + 2] as number);
    if (forEntry !== 1) out.copyWithin(entry + 3 + forEntry, entry + 4, entry + 4 + keyLength);
    const isObject = this.#src[at] === 0x7b;
    const end = isObject
      ? this.#object(at + 1, content, depth + 1, child)
      : this.#list(at + 1, content, depth + 1, child);
    if (end < 0) return end;
    const tag = isObject ? Tag.struct : Tag.list;
    return this.#putLongEntry(entry, keyLength, content, end - content, tag, forEntry, guess);
  }

  /** Bring content, key and lengths of a member to their places, of which the content's length decides. */
  #putLongEntry(
    entry: number,
    keyLength: number,
    content: number,
    length: number,
    tag: number,
    forEntry: number,
    guess: number,
  ): number {
    const out = this.#out;
    const forContent = varintSize(length);
    const valueLength = 1 + forContent + length;
    const forValue = varintSize(valueLength);
    const entryLength = 3 + keyLength + forValue + valueLength;
    const neededForEntry = varintSize(entryLength);
    const place = entry + 5 + keyLength + neededForEntry + forValue + forContent;
    if (place + length > out.length) return overflowed;
    if (place !== content || neededForEntry !== forEntry) {
      const from = entry + 3 + forEntry;
      const to = entry + 3 + neededForEntry;
      // Whichever moves away from the other goes first.
      if (place > content) out.copyWithin(place, content, content + length);
      if (to !== from) out.copyWithin(to, from, from + keyLength);
      if (place < content) out.copyWithin(place, content, content + length);
    }
    if (guess >= 0) this.#remember(guess, neededForEntry, forValue, forContent);
    out[entry] = Tag.entry;
    let at = this.#putLength(entry + 1, entryLength);
    out[at] = Tag.key;
    out[at + 1] = keyLength;
    at += 2 + keyLength;
    out[at] = Tag.value;
    at = this.#putLength(at + 1, valueLength);
    out[at] = tag;
    this.#putLength(at + 1, length);
    return place + length;
  }

  #remember(guess: number, forEntry: number, forValue: number, forContent: number): void {
    const guesses = this.#guesses;
    guesses[guess] = forEntry;
    guesses[guess + 1] = forValue;
    guesses[guess + 2] = forContent;
  }

  // hot: bench "jsonBytesToBinary/numeric"
  /** Read the items of a list whose bracket was read, and write them as the values of a ListValue. */
  #list(from: number, start: number, depth: number, node: ByteNode): number {
    if (depth > this.#deepest) return declined;
    const src = this.#src;
    const out = this.#out;
    const prefix = node.prefixItems;
    const { otherItems } = node;
    let count = 0;
    let to = start;
    let at = this.#space(from);
    if (src[at] === 0x5d) {
      this.#after = at + 1;
      return to;
    }
    for (;;) {
      if (to > this.#room) return overflowed;
      const child = count < prefix.length ? (prefix[count] as ByteNode) : otherItems;
      count++;
      const item = to;
      const first = src[at] as number;
      if (first === 0x22) {
        if (child.stringIn !== 0) return declined;
        to = this.#string(at + 1, item + 4);
        if (to < 0) return to;
        const length = to - item - 4;
        if (length < 126) {
          out[item] = Tag.item;
          out[item + 1] = length + 2;
          out[item + 2] = Tag.string;
          out[item + 3] = length;
        } else {
          to = this.#putLongItem(item, item + 4, length, Tag.string, -1);
        }
      } else if (first === 0x7b || first === 0x5b) {
        to = this.#containerItem(at, item, depth, child);
      } else {
        to = this.#scalar(at, item + 2, child);
        const length = to - item - 2;
        if (length > 127) return declined;
        out[item] = Tag.item;
        out[item + 1] = length;
      }
      if (to < 0) return to;
      at = this.#after;
      let next = src[at];
      if (next !== 0x2c && next !== 0x5d) {
        at = this.#space(at);
        next = src[at];
      }
      if (next === 0x5d) break;
      if (next !== 0x2c) return declined;
      at++;
      if ((src[at] as number) <= 0x20) at = this.#space(at);
    }
    this.#values += count;
    this.#after = at + 1;
    return to;
  }

  #containerItem(at: number, item: number, depth: number, child: ByteNode): number {
    const guesses = this.#guesses;
    const guess = depth * 3;
    const content = item + 2 + (guesses[guess + 1] as number) + (guesses[guess + 2] as number);
    const isObject = this.#src[at] === 0x7b;
    const end = isObject
      ? this.#object(at + 1, content, depth + 1, child)
      : this.#list(at + 1, content, depth + 1, child);
    if (end < 0) return end;
    return this.#putLongItem(item, content, end - content, isObject ? Tag.struct : Tag.list, guess);
  }

  #putLongItem(item: number, content: number, length: number, tag: number, guess: number): number {
    const out = this.#out;
    const forContent = varintSize(length);
    const valueLength = 1 + forContent + length;
    const forValue = varintSize(valueLength);
    const place = item + 2 + forValue + forContent;
    if (place + length > out.length) return overflowed;
    if (place !== content) out.copyWithin(place, content, content + length);
    if (guess >= 0) this.#remember(guess, this.#guesses[guess] as number, forValue, forContent);
    out[item] = Tag.item;
    const at = this.#putLength(item + 1, valueLength);
    out[at] = tag;
    this.#putLength(at + 1, length);
    return place + length;
  }

  /** Write a number, boolean or null as the content of a Value, or a number's digits where they are kept as a string. */
  #scalar(start: number, to: number, node: ByteNode): number {
    const src = this.#src;
    const out = this.#out;
    const first = src[start] as number;
    if (first === 0x2d || (first >= 0x30 && first <= 0x39)) return this.#number(start, to, node);
    const word = first === 0x74 ? trueWord : first === 0x66 ? falseWord : nullWord;
    for (let i = 0; i < word.length; i++) if (src[start + i] !== word[i]) return declined;
    this.#after = start + word.length;
    out[to] = first === 0x6e ? Tag.null : Tag.bool;
    out[to + 1] = first === 0x74 ? 1 : 0;
    return to + 2;
  }

  // hot: bench "jsonBytesToBinary/numeric"
  #number(start: number, to: number, node: ByteNode): number {
    const src = this.#src;
    const isNegative = src[start] === 0x2d;
    const whole = isNegative ? start + 1 : start;
    let at = whole;
    // The first 15 significant digits, the next two, and how many there are of each and behind the point.
    let leading = 0;
    let digit = (src[at] as number) - 0x30;
    while (digit >= 0 && digit <= 9 && at - whole < 15) {
      leading = leading * 10 + digit;
      digit = (src[++at] as number) - 0x30;
    }
    const wholeDigits = at - whole;
    if (wholeDigits === 0 || (src[whole] === 0x30 && wholeDigits > 1)) return declined;
    const next = src[at] as number;
    const isWhole = next !== 0x2e && (next | 0x20) !== 0x65;
    if (isWhole && !(digit >= 0 && digit <= 9)) {
      if (node.numberIn > keepsNumbers) return this.#token(start, to, node);
      this.#after = at;
      return this.#putNumber(isNegative ? -leading : leading, to);
    }
    if (isWhole) return this.#longInteger(start, whole, to, node);
    if (next !== 0x2e || node.numberIn !== 0) return this.#token(start, to, node);
    const point = at;
    let significant = leading === 0 ? 0 : wholeDigits;
    let more = 0;
    let moreDigits = 0;
    digit = (src[++at] as number) - 0x30;
    while (digit >= 0 && digit <= 9) {
      if (significant < 15) {
        leading = leading * 10 + digit;
        if (leading > 0) significant++;
      } else {
        more = more * 10 + digit;
        moreDigits++;
      }
      digit = (src[++at] as number) - 0x30;
    }
    const scale = at - point - 1;
    if (scale === 0) return declined;
    if (moreDigits > 2 || scale > 22 || ((src[at] as number) | 0x20) === 0x65) return this.#token(start, to, node);
    const value = readDecimal(leading, more, moreDigits, scale);
    // Whole numbers beyond 2^53 may have been rounded, which is the rules' to tell.
    if (!(value < Number.MAX_SAFE_INTEGER)) return this.#token(start, to, node);
    this.#after = at;
    return this.#putNumber(isNegative ? -value : value, to);
  }

  #putNumber(value: number, to: number): number {
    this.#out[to] = Tag.number;
    this.#outView.setFloat64(to + 1, value, true);
    return to + 9;
  }

  /** An integer of 16 digits or more, which is mostly an id. */
  #longInteger(start: number, whole: number, to: number, node: ByteNode): number {
    const src = this.#src;
    let at = whole;
    while ((src[at] as number) >= 0x30 && (src[at] as number) <= 0x39) at++;
    const next = src[at] as number;
    const isPlain = next !== 0x2e && (next | 0x20) !== 0x65;
    const lastDigit = (src[at - 1] as number) - 0x30;
    if (!isPlain || at - start > 100 || !keepsDigits(this.#context.rules, node.hint.position, at - whole, lastDigit)) {
      return this.#token(start, to, node);
    }
    const out = this.#out;
    const length = at - start;
    if (to + 2 + length > this.#room) return overflowed;
    out[to] = Tag.string;
    out[to + 1] = length;
    for (let i = 0; i < length; i++) out[to + 2 + i] = src[start + i] as number;
    this.#after = at;
    return to + 2 + length;
  }

  /** Any other number: its text goes through the rules. */
  #token(start: number, to: number, node: ByteNode): number {
    const src = this.#src;
    let at = start;
    while (isNumeralByte(src[at] as number)) at++;
    if (at - start > this.#context.options.limits.numberLength) return declined;
    const token = decodeRange(src, start, at);
    if (!numeral.test(token)) return declined;
    const value = numeralToStruct(this.#context.rules, node.hint.position, token, this.#graph.decliner);
    this.#after = at;
    if (typeof value === "number") return this.#putNumber(value, to);
    if (value.length > 120) return declined;
    if (to + 2 + value.length > this.#room) return overflowed;
    this.#out[to] = Tag.string;
    this.#out[to + 1] = value.length;
    for (let i = 0; i < value.length; i++) this.#out[to + 2 + i] = value.charCodeAt(i);
    return to + 2 + value.length;
  }

  // hot: bench "jsonBytesToBinary/strings"
  /** Copy a string whose opening quote was read, with its escapes undone. */
  #string(start: number, from: number): number {
    const src = this.#src;
    const view = this.#view;
    const out = this.#out;
    const outView = this.#outView;
    const last = this.#lastWord;
    let at = start;
    let to = from;
    let seen = 0;
    // Nothing that is read becomes longer.
    if (from + (this.#end - start) > this.#room) return overflowed;
    for (;;) {
      while (at <= last) {
        const word = view.getInt32(at, true);
        if (hasSpecial(word)) break;
        seen |= word;
        outView.setInt32(to, word, true);
        at += 4;
        to += 4;
      }
      let byte = src[at] as number;
      while (byte >= 0x20 && byte !== 0x22 && byte !== 0x5c) {
        seen |= byte;
        out[to++] = byte;
        byte = src[++at] as number;
      }
      if (byte === 0x22) break;
      if (byte !== 0x5c || at >= this.#end) return declined;
      to = this.#escape(at + 1, to);
      if (to < 0) return to;
      at = this.#after;
    }
    if (at >= this.#end) return declined;
    this.#seen |= seen;
    this.#after = at + 1;
    return to;
  }

  /** Undo the escape behind a backslash. What is not worth a fast way, such as half a surrogate pair, is declined. */
  #escape(at: number, to: number): number {
    const out = this.#out;
    const letter = this.#src[at] as number;
    const simple = letter < 0x80 ? (simpleEscapes[letter] as number) : 0;
    if (simple !== 0) {
      out[to] = simple;
      this.#after = at + 1;
      return to + 1;
    }
    if (letter !== 0x75) return declined;
    let point = this.#hex(at + 1);
    let end = at + 5;
    if (point >= 0xd800 && point <= 0xdbff && this.#src[end] === 0x5c && this.#src[end + 1] === 0x75) {
      const low = this.#hex(end + 2);
      if (low < 0xdc00 || low > 0xdfff) return declined;
      point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
      end += 6;
    }
    if (point < 0 || (point >= 0xd800 && point <= 0xdfff)) return declined;
    this.#after = end;
    return writeCodePoint(point, out, to);
  }

  /** Four hexadecimal digits, or -1. */
  #hex(start: number): number {
    let value = 0;
    for (let at = start; at < start + 4; at++) {
      const byte = this.#src[at] as number;
      const letter = byte | 0x20;
      let digit = byte - 0x30;
      if (letter >= 0x61 && letter <= 0x66) digit = letter - 0x57;
      else if (!(digit >= 0 && digit <= 9)) return -1;
      value = value * 16 + digit;
    }
    return value;
  }

  #space(from: number): number {
    const src = this.#src;
    let at = from;
    let byte = src[at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = src[++at];
    return at;
  }

  /** Write a varint. Gives where it ends. */
  #putLength(start: number, length: number): number {
    const out = this.#out;
    let at = start;
    let rest = length;
    for (; rest > 0x7f; rest >>>= 7) out[at++] = (rest & 0x7f) | 0x80;
    out[at] = rest;
    return at + 1;
  }

  #otherMember(node: ByteNode, key: number, keyEnd: number): ByteNode {
    return node.hasPatterns ? namedNode(node, decodeRange(this.#out, key, keyEnd)) : node.other;
  }

  /** Whether a key stands in one of the entries that were written before its own. */
  #isRepeated(start: number, entry: number, key: number, length: number): boolean {
    const out = this.#out;
    for (let at = start; at < entry; at = this.#after) {
      const other = this.#keyOf(at);
      if (out[other - 1] === length && sameBytes(out, other, out, key, length)) return true;
    }
    return false;
  }

  #namesOf(start: number, entry: number): Set<string> {
    const names = new Set<string>();
    for (let at = start; at < entry; at = this.#after) {
      const key = this.#keyOf(at);
      names.add(decodeRange(this.#out, key, key + (this.#out[key - 1] as number)));
    }
    return names;
  }

  /** Where the key of a written entry begins; `#after` is then where the entry ends. Keys have lengths of one byte here. */
  #keyOf(entry: number): number {
    const out = this.#out;
    let length = 0;
    let at = entry + 1;
    for (let shift = 0; ; shift += 7) {
      const byte = out[at++] as number;
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    this.#after = at + length;
    return at + 2;
  }
}

const nullWord: Uint8Array = Uint8Array.of(0x6e, 0x75, 0x6c, 0x6c);
const trueWord: Uint8Array = Uint8Array.of(0x74, 0x72, 0x75, 0x65);
const falseWord: Uint8Array = Uint8Array.of(0x66, 0x61, 0x6c, 0x73, 0x65);

/** Bytes by the letter after a backslash; 0 where there is none. */
const simpleEscapes: Uint8Array = new Uint8Array(0x80);
for (const [letter, byte] of [
  [0x22, 0x22],
  [0x2f, 0x2f],
  [0x5c, 0x5c],
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
] as const) {
  simpleEscapes[letter] = byte;
}

function isNumeralByte(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e || (byte | 0x20) === 0x65;
}

/** Write a code point as UTF-8. Gives where it ends. */
function writeCodePoint(point: number, out: Uint8Array, start: number): number {
  let at = start;
  if (point < 0x80) {
    out[at++] = point;
    return at;
  }
  if (point < 0x800) {
    out[at++] = 0xc0 | (point >> 6);
  } else if (point < 0x10000) {
    out[at++] = 0xe0 | (point >> 12);
    out[at++] = 0x80 | ((point >> 6) & 0x3f);
  } else {
    out[at++] = 0xf0 | (point >> 18);
    out[at++] = 0x80 | ((point >> 12) & 0x3f);
    out[at++] = 0x80 | ((point >> 6) & 0x3f);
  }
  out[at++] = 0x80 | (point & 0x3f);
  return at;
}
