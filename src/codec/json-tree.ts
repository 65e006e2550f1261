import { IntegerLiteral } from "../base/integer-literal.js";
import { RawNumeral } from "../base/numerals.js";
import type { HintNode } from "../hint/node.js";
import type { Conversion, Crumb } from "./conversion.js";
import type { ExactJson } from "./exact-json.js";

/** What a walk towards JSON builds: a JSON value, and for text also numerals that only text can spell. */
export type JsonTree = ExactJson | RawNumeral;

/** A container of a tree that a walk is in the middle of. Walks keep their own stack: depth is data, not trust. */
export interface Frame<Source, Target> extends Crumb {
  readonly parent: Frame<Source, Target> | undefined;
  /** Keys of an object; undefined for a list. */
  readonly names: readonly string[] | undefined;
  readonly source: Source;
  readonly target: Target;
  /** Next child, and the declared member expected next. */
  readonly index: number;
  readonly length: number;
  readonly guess: number;
  readonly node: HintNode;
}

/** Pass on a scalar, and remember if only text can spell it. */
export function noteRaw(conversion: Conversion, scalar: JsonTree): JsonTree {
  if (scalar instanceof RawNumeral) conversion.hasRawNumerals = true;
  return scalar;
}

/** Name what a JS value is, in messages. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (value instanceof IntegerLiteral) return "number";
  if (value instanceof RawNumeral) return "number";
  return typeof value === "bigint" ? "number" : typeof value;
}

/**
 * Whether the container about to be entered is one that the walk is inside of: then the data is a cycle and not merely deep.
 * Only asked once the depth limit is reached. Gives the frame at which the first repetition closes.
 */
export function findCycle<Source, Target>(
  frame: Frame<Source, Target> | undefined,
  source: Source,
  entered: Source,
): { at: Frame<Source, Target> | undefined } | undefined {
  const chain: Frame<Source, Target>[] = [];
  for (let link = frame; link !== undefined; link = link.parent) chain.push(link);
  chain.reverse();
  const sources = [...chain.map((link) => link.source), source, entered];
  const seen = new Set<Source>();
  for (let i = 0; i < sources.length; i++) {
    if (seen.has(sources[i] as Source)) return { at: chain[i - 1] };
    seen.add(sources[i] as Source);
  }
  return undefined;
}
