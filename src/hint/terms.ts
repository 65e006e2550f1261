import type { JsonSchemaObject } from "../json-schema/json-schema.js";
import type { SchemaPlace } from "../json-schema/references.js";
import { type Facts, Kind } from "./facts.js";

/** One schema object, apart from what its in-place applicators (`$ref`, `allOf`, `anyOf` …) add. */
export interface Atom {
  readonly id: number;
  readonly schema: JsonSchemaObject;
  readonly place: SchemaPlace;
  readonly own: Facts;
  /** Whether it speaks of members or items. */
  readonly holdsChildren: boolean;
  /** Property names under which the schema is reached. */
  readonly names: Set<string>;
}

/** Schemas that hold together, sorted by id. */
export type Conjunction = readonly Atom[];

/** A union: one of these holds. Sorted by key, without repeats; an empty one holds for nothing. */
export interface Union {
  readonly key: string;
  readonly branches: readonly Conjunction[];
}

/**
 * Everything that holds at one position. All unions hold at once; `narrowing` ones (`then`, `else`, `dependentSchemas`)
 * count only where the others say nothing.
 */
export interface Terms {
  readonly unions: readonly Union[];
  readonly narrowing: readonly Union[];
}

/** Branches joined at one position; a product of unions beyond it is no hint. */
export const mostBranches = 1000;

export const noTerms: Terms = { unions: [], narrowing: [] };

/** The unions that count where a choice is left: the narrowing ones only where there are no others. */
export function effectiveUnions(terms: Terms): readonly Union[] {
  return terms.unions.length > 0 ? terms.unions : terms.narrowing;
}

/** All terms at once. Where one of them fits nothing the others still say what was meant. */
export function joinTerms(all: readonly (Terms | undefined)[]): Terms {
  const present = all.filter((terms) => terms !== undefined);
  if (present.length === 1) return present[0] as Terms;
  return {
    unions: dedupe(present.flatMap((terms) => terms.unions)),
    narrowing: dedupe(present.flatMap((terms) => terms.narrowing)),
  };
}

function dedupe(unions: readonly Union[]): readonly Union[] {
  if (unions.length < 2) return unions;
  return [...new Map(unions.map((union) => [union.key, union])).values()];
}

/** Distribute unions into conjunctions; undefined where there would be too many. An empty one says nothing. */
export function multiply(unions: readonly Union[]): Conjunction[] | undefined {
  let product: Conjunction[] = [[]];
  for (const { branches } of unions) {
    if (product.length * branches.length > mostBranches) return undefined;
    if (branches.length === 0) continue;
    product = product.flatMap((left) => branches.map((right) => joinConjunctions(left, right)));
  }
  return product;
}

/**
 * Drop the combinations that nothing satisfies, which distributing brings about. Where all are such, the schema itself
 * contradicts: one is kept, and is reported when its answers are settled.
 */
export function dropImpossible(product: readonly Conjunction[]): readonly Conjunction[] {
  const possible = product.filter(
    (branch) => branch.reduce<number>((kinds, atom) => kinds & atom.own.kinds, Kind.any) !== 0,
  );
  return possible.length > 0 ? possible : product.slice(0, 1);
}

function joinConjunctions(left: Conjunction, right: Conjunction): Conjunction {
  if (left.length === 0) return right;
  const all = new Set([...left, ...right]);
  // "Not mentioned" is neutral beside anything else.
  const said = [...all].filter((atom) => atom.id >= 0);
  return (said.length > 0 ? said : [...all]).sort((a, b) => a.id - b.id);
}

export function keyOf(conjunction: Conjunction): string {
  return conjunction.length === 1 ? String(conjunction[0]?.id) : conjunction.map((atom) => atom.id).join(",");
}

export function unionOf(branches: readonly Conjunction[]): Union {
  if (branches.length === 1) return { key: keyOf(branches[0] as Conjunction), branches };
  const byKey = new Map(branches.map((branch) => [keyOf(branch), branch]));
  const keys = [...byKey.keys()].sort();
  return { key: keys.join("|"), branches: keys.map((key) => byKey.get(key) as Conjunction) };
}

/** All schemas that hold at a position, in one branch or another. */
export function atomsOf(terms: Terms): readonly Atom[] {
  const [only] = terms.unions;
  if (terms.unions.length === 1 && terms.narrowing.length === 0 && only?.branches.length === 1) {
    return only.branches[0] as Conjunction;
  }
  const atoms = new Set<Atom>();
  for (const { branches } of [...terms.unions, ...terms.narrowing]) {
    for (const branch of branches) for (const atom of branch) if (atom.id >= 0) atoms.add(atom);
  }
  return [...atoms].sort((a, b) => a.id - b.id);
}

/** One key for one combination, whatever the order in which its parts were found. */
export function termsKey({ unions, narrowing }: Terms): string {
  const keys = (list: readonly Union[]): string =>
    list
      .map((union) => union.key)
      .sort()
      .join(";");
  return narrowing.length === 0 ? keys(unions) : `${keys(unions)}~${keys(narrowing)}`;
}
