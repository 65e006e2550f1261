import type { Position } from "../base/position.js";

/**
 * What a schema says about one JSON value. Every member is always present, so that all nodes share one shape; recursion
 * in the schema is a cycle in the graph.
 */
export interface HintNode {
  /** The three answers, packed; an index into the tables of a codec's numeral rules. */
  readonly position: Position;
  /** Declared members in schema order, once as a list (to guess the next one) and once to look up. */
  readonly memberNames: readonly string[];
  readonly memberNodes: readonly HintNode[];
  readonly members: ReadonlyMap<string, HintNode>;
  /** Matchers for undeclared members, or undefined where no pattern applies. */
  readonly patterns: PatternTable | undefined;
  readonly otherMembers: HintNode;
  readonly prefixItems: readonly HintNode[];
  readonly otherItems: HintNode;
  /** Which node applies to an object by the values of its members, or undefined where one answer serves all. */
  readonly selection: Selection | undefined;
  /** Schema pointers this node came from. */
  readonly schemaPointers: readonly string[];
}

/** Undeclared members by the patterns they match: bit i of a key of `nodes` stands for `matchers[i]`. */
export interface PatternTable {
  readonly matchers: readonly ((key: string) => boolean)[];
  /** The patterns as the schema has them, in the order of the matchers. */
  readonly sources: readonly string[];
  /** Whether the matchers are the caller's own code. */
  readonly isForeign: boolean;
  readonly nodes: ReadonlyMap<number, HintNode>;
}

/**
 * An automaton over the scalar members that tell the branches of a union apart. It starts in state 0; each member in
 * `keys` that the object has moves it by the member's value; the final state names the node.
 */
export interface Selection {
  readonly keys: readonly string[];
  /** For each key, which class a scalar (see `scalarKey`) belongs to; class 0 is every value not listed. */
  readonly classes: readonly ReadonlyMap<string, number>[];
  /** `next[key][state * classCount + class]`, or the same state where the value rules nothing out. */
  readonly next: readonly Int32Array[];
  readonly nodes: readonly HintNode[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A node under construction; nothing outside the compiler sees it as writable. */
export type HintNodeDraft = Mutable<HintNode>;

function createAny(): HintNode {
  const any = createNode(0);
  return any;
}

/** Build a node whose children are all `otherwise`, or the node itself where there is none yet. */
export function createNode(position: Position, otherwise?: HintNode): HintNodeDraft {
  const node: HintNodeDraft = {
    position,
    memberNames: [],
    memberNodes: [],
    members: new Map(),
    patterns: undefined,
    otherMembers: undefined as unknown as HintNode,
    prefixItems: [],
    otherItems: undefined as unknown as HintNode,
    selection: undefined,
    schemaPointers: [],
  };
  node.otherMembers = otherwise ?? node;
  node.otherItems = otherwise ?? node;
  return node;
}

/** The hint of an absent schema: no information, here and everywhere below. */
export const ANY: HintNode = createAny();

/** The node of a member. */
export function memberNode(node: HintNode, key: string): HintNode {
  const declared = node.members.get(key);
  if (declared !== undefined) return declared;
  return node.patterns === undefined ? node.otherMembers : matchMember(node.patterns, key);
}

function matchMember(patterns: PatternTable, key: string): HintNode {
  let matched = 0;
  for (let i = 0; i < patterns.matchers.length; i++) {
    if (patterns.matchers[i]?.(key)) matched |= 1 << i;
  }
  return patterns.nodes.get(matched) ?? ANY;
}

/** The node of an item. */
export function itemNode(node: HintNode, index: number): HintNode {
  return index < node.prefixItems.length ? (node.prefixItems[index] as HintNode) : node.otherItems;
}

/**
 * How a selection knows a scalar: numbers by value, apart from strings of the same digits. The digits that a double is spelled
 * with stand for the double, as in contract row i5: `1152921504606847000` is 2^60, also where it was read from text.
 */
export function scalarKey(value: null | boolean | number | string | bigint): string {
  if (typeof value === "string") return `"${value}`;
  if (typeof value === "number") return Number.isInteger(value) ? String(BigInt(value)) : String(value);
  if (typeof value !== "bigint") return String(value);
  const double = Number(value);
  return String(double) === String(value) ? String(BigInt(double)) : String(value);
}
