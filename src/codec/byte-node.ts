import { hashBytes, sameBytes } from "../base/bytes.js";
import { type NumeralRules, StringRule } from "../base/numerals.js";
import { ANY, type HintNode, memberNode } from "../hint/node.js";
import type { CodecContext } from "./context.js";

/** A hint node as the transcoders see it: its rules looked up, its keys in UTF-8 to compare bytes with bytes. */
export interface ByteNode {
  readonly hint: HintNode;
  /** Rules of the position; see NumeralRules. Checks of the range are left out where nobody hears of them. */
  readonly numberOut: number;
  readonly stringOut: number;
  readonly numberIn: number;
  /** Not 0 where somebody hears whether the integer in a string is within its range, in both directions. */
  readonly stringIn: number;
  /** Declared members in schema order: where each key's bytes begin in `bytes`, and how many there are. */
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  readonly children: readonly ByteNode[];
  /** Open addressing by `hashBytes`; -1 is a free slot. */
  readonly slots: Int32Array;
  /** Whether undeclared members need their name to be looked at. */
  readonly hasPatterns: boolean;
  readonly other: ByteNode;
  readonly prefixItems: readonly ByteNode[];
  readonly otherItems: ByteNode;
}

type Draft = { -readonly [K in keyof ByteNode]: ByteNode[K] };

/** The byte nodes of one codec. */
export interface ByteGraph {
  readonly root: ByteNode;
  /** The byte node of a hint node. */
  of(hint: HintNode): ByteNode;
}

/** Translate a hint graph for the transcoders of one codec. */
export function compileByteGraph(context: CodecContext): ByteGraph {
  const nodes = new Map<HintNode, Draft>();
  const pending: Draft[] = [];
  const isHeard = context.options.onIssues !== undefined || context.options.strict.size > 0;
  const of = (hint: HintNode): ByteNode => {
    let node = nodes.get(hint);
    if (node === undefined) {
      node = createDraft(hint, context.rules, isHeard);
      nodes.set(hint, node);
      pending.push(node);
    }
    return node;
  };
  of(ANY);
  of(context.root);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { hint } = node;
    node.children = hint.memberNodes.map(of);
    node.other = of(hint.otherMembers);
    node.prefixItems = hint.prefixItems.map(of);
    node.otherItems = of(hint.otherItems);
    hint.selection?.nodes.forEach(of);
    for (const child of hint.patterns?.nodes.values() ?? []) of(child);
  }
  return { root: of(context.root), of };
}

function createDraft(hint: HintNode, rules: NumeralRules, isHeard: boolean): Draft {
  const keys = hint.memberNames.map((name) => encoder.encode(name));
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
    numberOut: rules.numberOut[hint.position] as number,
    stringOut: stringOut === StringRule.check && !isHeard ? StringRule.keep : stringOut,
    numberIn: rules.numberIn[hint.position] as number,
    stringIn: isHeard ? (rules.stringIn[hint.position] as number) : 0,
    bytes,
    starts,
    lengths,
    children: [],
    slots: hashNames(bytes, starts, lengths),
    hasPatterns: hint.patterns !== undefined,
    other: undefined as unknown as ByteNode,
    prefixItems: [],
    otherItems: undefined as unknown as ByteNode,
  };
}

const encoder = new TextEncoder();

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

/** Whether the key of a declared member lies in a buffer; its length was compared before. */
export function isKey(node: ByteNode, index: number, bytes: Uint8Array, start: number, length: number): boolean {
  return sameBytes(node.bytes, node.starts[index] as number, bytes, start, length);
}

/** The node of an undeclared member that patterns may speak about. */
export function patternNode(graph: ByteGraph, node: ByteNode, key: string): ByteNode {
  return graph.of(memberNode(node.hint, key));
}
