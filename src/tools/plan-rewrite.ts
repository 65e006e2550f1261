import { getOwn } from "../base/own.js";
import type { AnalyzedPosition, SchemaAnalysis } from "../hint/analyze-schema.js";
import { type ExactOption, isIdLikeName, promoteFacts } from "../hint/exact.js";
import { answersOf, type Facts, Kind, Strings } from "../hint/facts.js";
import type { HintNode } from "../hint/node.js";
import type { Atom } from "../hint/terms.js";
import { isSchemaObject, type JsonSchemaObject } from "../json-schema/json-schema.js";
import { listSubschemas } from "../json-schema/subschemas.js";
import { createFinding, type RewriteFinding, type RewriteFindingCode } from "./rewrite-finding.js";
import { longestConstant } from "./rewrite-node.js";
import { looksAtNumbers, type SchemaCensus, walkSchema } from "./walk-schema.js";

/** Which schema objects become decimal strings, and at which places of the data that changes a value. */
export interface RewritePlan {
  /** The schema objects to rewrite, with what they say. */
  readonly rewritten: ReadonlyMap<object, Facts>;
  /** The nodes whose values travel as digits on the model's side. */
  readonly nodes: ReadonlySet<HintNode>;
  readonly findings: readonly RewriteFinding[];
}

/** Decide what to rewrite: the largest set of schemas such that each serves only places where all of them may change. */
export function planRewrite(analysis: SchemaAnalysis, exact: ExactOption): RewritePlan {
  const planner = new Planner(analysis.positions, exact);
  if (isSchemaObject(analysis.schema)) {
    const census = walkSchema(analysis.schema, analysis);
    blockForeign(planner, census);
    blockUnseen(planner, census, analysis);
    blockTested(planner, census, analysis);
    blockOneOf(planner, census, analysis);
  }
  return planner.finish();
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}

const otherKinds = Kind.boolean | Kind.object | Kind.array;

/** A position where wide integers may become text, or why not. */
type Verdict = "wide" | RewriteFindingCode;

class Planner {
  readonly #exact: ExactOption;
  readonly #positions: readonly AnalyzedPosition[];
  /** Positions by the schemas that hold there. */
  readonly #holding = new Map<Atom, AnalyzedPosition[]>();
  readonly #rewritten = new Set<Atom>();
  readonly #blocked = new Map<Atom, RewriteFindingCode>();

  constructor(positions: readonly AnalyzedPosition[], exact: ExactOption) {
    this.#exact = exact;
    this.#positions = positions;
    const verdicts = positions.map((position) => judge(position, exact));
    positions.forEach((position, i) => {
      for (const atom of position.atoms) append(this.#holding, atom, position);
      if (verdicts[i] === "wide") for (const atom of statingNumbers(position)) this.#rewritten.add(atom);
    });
    positions.forEach((position, i) => {
      const verdict = verdicts[i] as Verdict;
      if (verdict !== "wide") for (const atom of statingNumbers(position)) this.block(atom, verdict);
    });
  }

  get candidates(): readonly Atom[] {
    return [...this.#rewritten];
  }

  has(atom: Atom): boolean {
    return this.#rewritten.has(atom);
  }

  /** Keep a schema as it is, and with it whatever holds at one place with it. */
  block(atom: Atom, code: RewriteFindingCode): void {
    const pending = [atom];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (!this.#blocked.has(next)) this.#blocked.set(next, code);
      if (!this.#rewritten.delete(next)) continue;
      for (const position of this.#holding.get(next) ?? []) pending.push(...statingNumbers(position));
    }
  }

  /** Keep everything as it is that holds at one place with a schema. */
  blockBeside(atom: Atom, code: RewriteFindingCode): void {
    for (const position of this.#holding.get(atom) ?? []) {
      for (const other of statingNumbers(position)) if (this.has(other)) this.block(other, code);
    }
  }

  finish(): RewritePlan {
    const nodes = this.#positions
      .filter((position) => {
        const atoms = statingNumbers(position);
        return atoms.length > 0 && atoms.every((atom) => this.#rewritten.has(atom));
      })
      .map(({ node }) => node);
    const findings = [...this.#blocked]
      .filter(([atom]) => isWide(promoteFacts(atom, this.#exact)) && this.#leavesDigits(atom))
      .map(([atom, code]) => createFinding(code, atom.place.pointer));
    for (const atom of this.#rewritten) {
      if (this.#takesAnyKind(atom)) findings.push(createFinding("untyped_integer", atom.place.pointer));
    }
    return {
      rewritten: new Map([...this.#rewritten].map((atom) => [atom.schema, atom.own])),
      nodes: new Set(nodes),
      findings,
    };
  }

  /** Whether the schema has no type, and values that are neither number nor text fit at a place of it. */
  #takesAnyKind(atom: Atom): boolean {
    if (Object.hasOwn(atom.schema, "type")) return false;
    const positions = this.#holding.get(atom) ?? [];
    return positions.some(({ atoms }) => atoms.every(({ own }) => (own.kinds & otherKinds) !== 0));
  }

  /** Whether the schema serves a place whose integers are not proven small by what else holds there. */
  #leavesDigits(atom: Atom): boolean {
    const positions = this.#holding.get(atom) ?? [];
    return positions.some(({ answers }) => answers.number !== "integer" || answers.width === "wide");
  }
}

/** The schemas at a position that speak of numbers; the others, as bounds without a type, say the same of any text. */
export function statingNumbers({ atoms }: AnalyzedPosition): readonly Atom[] {
  return atoms.filter(
    ({ own }) => (own.number === "integer" || own.number === "number") && own.strings !== Strings.any,
  );
}

function judge(position: AnalyzedPosition, exact: ExactOption): Verdict {
  const { number, width, string } = position.answers;
  // What fits nothing now might fit as text.
  if (position.isContradictory) return "contradiction";
  if (number !== "integer") return "number_union";
  if (width !== "wide") return "shared_schema";
  if (string !== "none" && string !== "decimal") return "text_union";
  return isNamedExact(position, exact) ? "wide" : "shared_schema";
}

/** A schema that is wide only by its name must have such a name wherever it is reached. */
function isNamedExact({ atoms, names, isUnnamed }: AnalyzedPosition, exact: ExactOption): boolean {
  if (typeof exact === "function" || exact === "declared") return true;
  const isByName = atoms.some(
    (atom) => promoteFacts(atom, exact) !== atom.own && (exact === "ids" || atom.own.number !== "integer"),
  );
  return !isByName || (!isUnnamed && names.every(isIdLikeName));
}

function isWide(facts: Facts): boolean {
  return facts.number === "integer" && answersOf(facts).width === "wide";
}

function blockForeign(planner: Planner, { schemas }: SchemaCensus): void {
  const own = new Set<object>(schemas.map(({ schema }) => schema));
  for (const atom of planner.candidates) {
    if (!own.has(atom.schema)) planner.block(atom, "foreign_schema");
    // Digits of a double may be three hundred, and nobody meant them.
    else if (longestConstant(atom.schema) > 40) planner.block(atom, "inexact_constant");
  }
}

/** Keywords whose schemas hold at the place of the schema that has them. */
const inPlaceKeywords: ReadonlySet<string> = new Set([
  ...["allOf", "anyOf", "any_of", "oneOf", "then", "else", "dependentSchemas", "dependencies"],
]);

/**
 * A union with a branch that takes everything says nothing, and a branch that contradicts itself is left out: no place
 * knows of the schemas in them, so nobody asked whether they may change there.
 */
function blockUnseen(planner: Planner, { schemas }: SchemaCensus, analysis: SchemaAnalysis): void {
  for (const { schema, pointer } of schemas) {
    const parts = listSubschemas(schema, pointer).flatMap((below) =>
      inPlaceKeywords.has(below.keyword) ? [below.schema] : [],
    );
    const reference = getOwn(schema, "$ref");
    if (typeof reference === "string") parts.push(analysis.resolve(reference, schema));
    if (parts.length === 0) continue;
    const seen = new Set(analysis.atomsAt(schema));
    for (const atom of parts.flatMap((part) => analysis.atomsAt(part))) {
      if (!seen.has(atom) && planner.has(atom)) planner.block(atom, "contradiction");
    }
  }
}

function blockTested(planner: Planner, { schemas, tested, testedNames }: SchemaCensus, analysis: SchemaAnalysis): void {
  for (const atom of planner.candidates) {
    if (tested.has(atom.schema) || [...atom.names].some((name) => testedNames.has(name)) || testsItself(atom.schema)) {
      planner.block(atom, "tested_value");
    }
  }
  for (const { schema } of schemas) {
    const contains = getOwn(schema, "contains");
    if (!isSchemaObject(contains) || !analysis.atomsAt(contains).some(({ own }) => own.number !== "any")) continue;
    for (const keyword of ["items", "prefixItems", "additionalItems", "unevaluatedItems"]) {
      const items = getOwn(schema, keyword);
      for (const item of Array.isArray(items) ? items : [items]) {
        for (const atom of analysis.atomsAt(item)) if (planner.has(atom)) planner.block(atom, "tested_value");
      }
    }
  }
}

/** `not: { const: 0 }` (schemars) asks nothing of text, but a bound in `if` is met by every text. */
function testsItself(schema: JsonSchemaObject): boolean {
  const condition = getOwn(schema, "if");
  const negation = getOwn(schema, "not");
  const isPlainNegation =
    !isSchemaObject(negation) || Object.keys(negation).every((key) => key === "const" || key === "enum");
  return (isSchemaObject(condition) && looksAtNumbers(condition)) || !isPlainNegation;
}

/** Exactly one branch of `oneOf` may match, so no two may take digits as text. */
function blockOneOf(planner: Planner, { schemas }: SchemaCensus, analysis: SchemaAnalysis): void {
  for (const { schema } of schemas) {
    const branches = getOwn(schema, "oneOf");
    if (!Array.isArray(branches)) continue;
    const taking = branches
      .filter((branch) => branch !== false)
      .map((branch) => analysis.atomsAt(branch))
      .filter((atoms) => atoms.length === 0 || atoms.some((atom) => planner.has(atom) || takesText(atom.own)));
    if (taking.length < 2 || areDisjoint(taking)) continue;
    for (const atom of analysis.atomsAt(schema)) planner.blockBeside(atom, "ambiguous_one_of");
  }
}

function takesText(own: Facts): boolean {
  return (own.kinds & Kind.string) !== 0 && own.strings !== Strings.none;
}

function areDisjoint(branches: readonly (readonly Atom[])[]): boolean {
  const seen = new Set<string>();
  for (const atoms of branches) {
    const scalars = atoms.find(({ own }) => own.scalars !== undefined)?.own.scalars;
    if (scalars === undefined) return false;
    for (const key of new Set([...scalars].map(String))) {
      if (seen.has(key)) return false;
      seen.add(key);
    }
  }
  return true;
}
