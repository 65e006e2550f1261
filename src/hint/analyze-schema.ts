import { type PositionAnswers, unpackPosition } from "../base/position.js";
import { isSchemaObject } from "../json-schema/json-schema.js";
import type { SchemaPlace } from "../json-schema/references.js";
import {
  type CompiledSchema,
  type CompilerParts,
  compileSchema,
  type HintOptions,
  type HintSource,
} from "./compile-hint.js";
import { intersectFacts } from "./facts.js";
import type { HintNode } from "./node.js";
import { chosenNodes, reachPositions } from "./reach.js";
import { type Atom, atomsOf, type Conjunction } from "./terms.js";

/** A place in the data, with what the hint says there and the schemas that say it. */
export interface AnalyzedPosition {
  readonly node: HintNode;
  readonly answers: PositionAnswers;
  readonly atoms: readonly Atom[];
  /** The nodes that an object there is walked with: its own, or those that a selection chooses. */
  readonly chosen: ReadonlySet<HintNode>;
  /** Property names under which the place is reached. */
  readonly names: readonly string[];
  /** Whether it is reached without a property name too: as the root, or as a member that no schema names. */
  readonly isUnnamed: boolean;
  /** Whether schemas that hold together there fit no value at all. */
  readonly isContradictory: boolean;
}

/** What the compiler knows about a schema, for tools that change or judge it. */
export interface SchemaAnalysis extends CompiledSchema {
  /** Every place that a document which fits the schema can have. */
  readonly positions: readonly AnalyzedPosition[];
  /** The schemas that may hold where this one holds: itself, and what its references and combinators add. */
  atomsAt(schema: unknown): readonly Atom[];
  /** Those of them that hold there in any case, which a branch of a union does not. */
  certainAtomsAt(schema: unknown): readonly Atom[];
  /** The node of the places where this schema and nothing else holds. */
  nodeAt(schema: unknown): HintNode | undefined;
  /** The schema that a reference in this one names. */
  resolve(reference: string, from: object): unknown;
}

/** Compile a schema and list its positions. The answers are the codec's own, so tools and conversions cannot disagree. */
export function analyzeSchema(source: HintSource, options: HintOptions): SchemaAnalysis {
  const compiled = compileSchema(source, options);
  const { parts } = compiled;
  if (parts === undefined) {
    return {
      ...compiled,
      positions: [],
      atomsAt: () => [],
      certainAtomsAt: () => [],
      nodeAt: () => undefined,
      resolve: () => undefined,
    };
  }
  const expand = (schema: unknown) => parts.expander.expand(schema, placeOf(parts, schema));
  return {
    ...compiled,
    positions: listPositions(compiled.hint.root, parts),
    atomsAt(schema) {
      const terms = expand(schema);
      return terms === undefined ? [] : atomsOf(terms);
    },
    certainAtomsAt(schema) {
      const unions = expand(schema)?.unions ?? [];
      return unions.flatMap(({ branches }) => (branches.length === 1 ? (branches[0] as Conjunction) : []));
    },
    nodeAt(schema) {
      const terms = expand(schema);
      return terms === undefined ? undefined : parts.graph.find(terms);
    },
    resolve: (reference, from) => parts.references.resolve(reference, placeOf(parts, from).base)?.schema,
  };
}

function listPositions(root: HintNode, { graph }: CompilerParts): AnalyzedPosition[] {
  const termsOf = new Map(graph.entries.map(({ node, terms }) => [node, terms]));
  return [...reachPositions(root, termsOf)].map(([node, names]) => {
    const terms = termsOf.get(node);
    return {
      node,
      answers: unpackPosition(node.position),
      atoms: terms === undefined ? [] : atomsOf(terms),
      chosen: chosenNodes(node, terms),
      names: [...names].filter((name) => name !== undefined),
      isUnnamed: names.has(undefined),
      isContradictory: terms?.unions.some(({ branches }) => branches.some(fitsNothing)) === true,
    };
  });
}

function fitsNothing(branch: Conjunction): boolean {
  return branch.length > 1 && intersectFacts(branch.map(({ own }) => own)).kinds === 0;
}

const nowhere: SchemaPlace = { pointer: "", base: "", depth: 1 };

function placeOf({ references }: CompilerParts, schema: unknown): SchemaPlace {
  return (isSchemaObject(schema) ? references.placeOf(schema) : undefined) ?? nowhere;
}
