import { hashBytes, sameBytes } from "../base/bytes.js";
import { type NumeralListener, type NumeralRules, StringRule } from "../base/numerals.js";
import { isWellFormed } from "../base/utf8.js";
import { ANY, type HintNode, memberNode } from "../hint/node.js";
import type { CodecContext } from "./context.js";
import { createDecliner, Decline, deepestFast } from "./transcoder.js";

/** A hint node as the fast ways see it: its rules looked up, its keys in UTF-8 too, to compare bytes with bytes. */
export interface ByteNode {
  readonly hint: HintNode;
  readonly graph: ByteGraph;
  /** Rules of the position; see NumeralRules. Checks of the range are left out where nobody hears of them. */
  readonly numberOut: number;
  readonly stringOut: number;
  readonly numberIn: number;
  /** Not 0 where somebody hears whether the integer in a string is within its range, in both directions. */
  readonly stringIn: number;
  /** Declared members in schema order, but for names that have no UTF-8 form: no wire and no text can hold those. */
  readonly names: readonly string[];
  /** Where each key's bytes begin in `bytes`, and how many there are. */
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  /** The bytes by words, and the lengths of those keys that JSON text holds as they are; -1 for those that it escapes. */
  readonly view: DataView;
  readonly plainLengths: Int32Array;
  /** Whether all keys are ASCII. */
  readonly isAscii: boolean;
  readonly children: readonly ByteNode[];
  /** Open addressing by `hashBytes`; -1 is a free slot. */
  readonly slots: Int32Array;
  /** Whether undeclared members need their name to be looked at. */
  readonly hasPatterns: boolean;
  /** Whether every member has the same node. */
  readonly isOpen: boolean;
  readonly other: ByteNode;
  readonly prefixItems: readonly ByteNode[];
  readonly otherItems: ByteNode;
}

type Draft = { -readonly [K in keyof ByteNode]: ByteNode[K] };

/** The byte nodes of one codec, and what its fast ways share. */
export interface ByteGraph {
  readonly root: ByteNode;
  readonly any: ByteNode;
  readonly rules: NumeralRules;
  readonly decliner: NumeralListener;
  /** Containers nested deeper are for the careful way. */
  readonly deepest: number;
  /** Whether a matcher of the caller is asked in the middle of a walk: it may use a codec, whose walk then meets this one. */
  readonly runsForeignCode: boolean;
  /** Whether the conversion under way goes through text, and how many numerals it met that only text can spell. */
  text: boolean;
  rawNumerals: number;
  /** Most values of a document, and those converted so far, which whoever begins sets to 1. */
  readonly mostValues: number;
  values: number;
  /** Members of all objects converted so far. */
  members: number;
  /** The byte node of a hint node. */
  of(hint: HintNode): ByteNode;
}

/** Translate a hint graph for the transcoders of one codec. */
export function compileByteGraph(context: CodecContext): ByteGraph {
  const nodes = new Map<HintNode, Draft>();
  const pending: Draft[] = [];
  const { onIssues, strict, limits } = context.options;
  const isHeard = onIssues !== undefined || strict.size > 0;
  const graph = {
    root: undefined as unknown as ByteNode,
    any: undefined as unknown as ByteNode,
    rules: context.rules,
    decliner: createDecliner(isHeard),
    deepest: Math.min(limits.depth, deepestFast),
    runsForeignCode: false,
    text: false,
    rawNumerals: 0,
    mostValues: limits.values,
    values: 1,
    members: 0,
    of: (hint: HintNode): ByteNode => of(hint),
  };
  const of = (hint: HintNode): ByteNode => {
    let node = nodes.get(hint);
    if (node === undefined) {
      node = createDraft(hint, graph, isHeard);
      nodes.set(hint, node);
      pending.push(node);
    }
    return node;
  };
  graph.any = of(ANY);
  graph.root = of(context.root);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { hint } = node;
    node.children = node.names.map((name) => of(hint.members.get(name) as HintNode));
    graph.runsForeignCode ||= hint.patterns?.isForeign === true;
    node.other = of(hint.otherMembers);
    node.prefixItems = hint.prefixItems.map(of);
    node.otherItems = of(hint.otherItems);
    hint.selection?.nodes.forEach(of);
    for (const child of hint.patterns?.nodes.values() ?? []) of(child);
  }
  return graph;
}

function createDraft(hint: HintNode, graph: ByteGraph, isHeard: boolean): Draft {
  const { rules } = graph;
  const names = hint.memberNames.every(isWellFormed) ? hint.memberNames : hint.memberNames.filter(isWellFormed);
  const keys = names.map((name) => encoder.encode(name));
  const lengths = Int32Array.from(keys, (key) => key.length);
  const starts = new Int32Array(keys.length);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  keys.forEach((key, i) => {
    starts[i] = at;
    bytes.set(key, at);
    at += key.length;
  });
  const stringOut = rules.stringOut[hint.position] as number;
  return {
    hint,
    graph,
    numberOut: rules.numberOut[hint.position] as number,
    stringOut: stringOut === StringRule.check && !isHeard ? StringRule.keep : stringOut,
    numberIn: rules.numberIn[hint.position] as number,
    stringIn: isHeard ? (rules.stringIn[hint.position] as number) : 0,
    names,
    bytes,
    starts,
    lengths,
    view: new DataView(bytes.buffer),
    isAscii: bytes.every((byte) => byte < 0x80),
    plainLengths: lengths.map((length, i) => (isEscaped(names[i] as string) ? -1 : length)),
    children: [],
    slots: hashNames(bytes, starts, lengths),
    hasPatterns: hint.patterns !== undefined,
    isOpen: hint.memberNames.length === 0 && hint.patterns === undefined,
    other: undefined as unknown as ByteNode,
    prefixItems: [],
    otherItems: undefined as unknown as ByteNode,
  };
}

const encoder = new TextEncoder();

function isEscaped(name: string): boolean {
  return JSON.stringify(name).length !== name.length + 2;
}

function hashNames(bytes: Uint8Array, starts: Int32Array, lengths: Int32Array): Int32Array {
  let size = 4;
  while (size < starts.length * 2) size *= 2;
  const slots = new Int32Array(size).fill(-1);
  for (let i = 0; i < starts.length; i++) {
    let slot = hashBytes(bytes, starts[i] as number, lengths[i] as number) & (size - 1);
    while (slots[slot] !== -1) slot = (slot + 1) & (size - 1);
    slots[slot] = i;
  }
  return slots;
}

/** Index of the declared member whose key lies in a buffer, or -1. */
export function findMember(node: ByteNode, bytes: Uint8Array, start: number, length: number): number {
  const { slots, lengths } = node;
  const mask = slots.length - 1;
  for (let slot = hashBytes(bytes, start, length) & mask; ; slot = (slot + 1) & mask) {
    const index = slots[slot] as number;
    if (index === -1) return -1;
    if (lengths[index] === length && isKey(node, index, bytes, start, length)) return index;
  }
}

function isKey(node: ByteNode, index: number, bytes: Uint8Array, start: number, length: number): boolean {
  return sameBytes(node.bytes, node.starts[index] as number, bytes, start, length);
}

/**
 * Copy the key of a declared member, if that is what stands at an offset of the source; its length was compared before. Gives
 * whether it was, and where it was not, what was written is to be overwritten.
 */
export function copyKey(
  node: ByteNode,
  index: number,
  source: DataView,
  from: number,
  out: DataView,
  to: number,
): boolean {
  const { view } = node;
  const start = node.starts[index] as number;
  const length = node.lengths[index] as number;
  if (length < 4) {
    for (let i = 0; i < length; i++) {
      const byte = view.getUint8(start + i);
      if (source.getUint8(from + i) !== byte) return false;
      out.setUint8(to + i, byte);
    }
    return true;
  }
  // The last word begins four bytes before the end, and may be looked at twice in part.
  const last = length - 4;
  for (let i = 0; ; i = Math.min(i + 4, last)) {
    const word = view.getInt32(start + i, true);
    if (source.getInt32(from + i, true) !== word) return false;
    out.setInt32(to + i, word, true);
    if (i === last) return true;
  }
}

/**
 * Count the children of a container: objects that share others may hold far more than there is memory for.
 */
export function countValues(graph: ByteGraph, count: number): void {
  graph.values += count;
  if (graph.values > graph.mostValues) throw tooMany;
}

/** Thrown by walks over objects in memory beyond the limit of values. It is an error of its own: to count again takes long. */
export const tooMany: Decline = new Decline("more values than the limit");

/** The node of a member by its name. */
export function namedNode(node: ByteNode, name: string): ByteNode {
  if (node.isOpen) return node.other;
  return node.graph.of(memberNode(node.hint, name));
}
