import { getOwn } from "../base/own.js";
import type { AnalyzedPosition, SchemaAnalysis } from "../hint/analyze-schema.js";
import { type ExactOption, isIdLikeName, promoteFacts } from "../hint/exact.js";
import { answersOf, type Facts, Kind, Strings } from "../hint/facts.js";
import type { HintNode } from "../hint/node.js";
import type { Atom } from "../hint/terms.js";
import { isSchemaObject, type JsonSchemaObject } from "../json-schema/json-schema.js";
import { createFinding, type RewriteFinding, type RewriteFindingCode } from "./rewrite-finding.js";
import { hasVagueConstant } from "./rewrite-node.js";
import { limitsText, tellsTextApart } from "./text-tests.js";
import { walkPlaces } from "./walk-places.js";
import { type VisitedSchema, walkSchema } from "./walk-schema.js";

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
    const schemas = walkSchema(analysis.schema);
    blockForeign(planner, schemas);
    blockByPlace(planner, analysis);
    blockOneOf(planner, schemas, analysis);
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
  readonly #byNode = new Map<HintNode, AnalyzedPosition>();
  readonly #bySchema = new Map<object, Atom>();
  readonly #rewritten = new Set<Atom>();
  /** Names of schemas at places where the hint does not know of them. */
  readonly #unknown = new Map<Atom, Set<string>>();
  readonly #blocked = new Map<Atom, RewriteFindingCode>();
  /** Positions where everything was blocked. */
  readonly #kept = new Set<AnalyzedPosition>();

  constructor(positions: readonly AnalyzedPosition[], exact: ExactOption) {
    this.#exact = exact;
    this.#positions = positions;
    const verdicts = positions.map((position) => judge(position, exact));
    positions.forEach((position, i) => {
      this.#byNode.set(position.node, position);
      for (const atom of position.atoms) append(this.#holding, atom, position);
      if (verdicts[i] === "wide") for (const atom of statingNumbers(position)) this.#rewritten.add(atom);
    });
    for (const atom of this.#rewritten) this.#bySchema.set(atom.schema, atom);
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
      for (const position of this.#holding.get(next) ?? []) {
        // What holds at a position is kept all at once.
        if (this.#kept.has(position)) continue;
        this.#kept.add(position);
        for (const other of statingNumbers(position)) pending.push(other);
      }
    }
  }

  /** Keep a schema as it is, if it was to be rewritten. */
  blockSchema(schema: object, code: RewriteFindingCode): void {
    const atom = this.#bySchema.get(schema);
    if (atom !== undefined) this.block(atom, code);
  }

  /** Keep whatever was to be rewritten at a place, but for a schema that speaks of itself. */
  blockPlace(node: HintNode, code: RewriteFindingCode, itself?: object): void {
    const position = this.#byNode.get(node);
    if (position === undefined) return;
    for (const atom of statingNumbers(position)) if (atom.schema !== itself && this.has(atom)) this.block(atom, code);
  }

  /** Keep a schema that holds at a place without the hint knowing of it there: nothing would be converted. */
  blockUnknown(schema: JsonSchemaObject, name: string | undefined, analysis: SchemaAnalysis): void {
    const atom =
      this.#bySchema.get(schema) ?? analysis.atomsAt(schema).find((candidate) => candidate.schema === schema);
    if (atom === undefined || !statesNumbers(atom)) return;
    const names = this.#unknown.get(atom) ?? new Set(atom.names);
    if (name !== undefined) names.add(name);
    this.#unknown.set(atom, names);
    this.block(atom, "contradiction");
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
      .filter(([atom]) => this.#leavesDigits(atom))
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

  /** Whether the schema is one of wide integers, at a place that does not prove them small by what else holds there. */
  #leavesDigits(atom: Atom): boolean {
    const names = this.#unknown.get(atom);
    if (names !== undefined && isWide(promoteFacts({ ...atom, names }, this.#exact))) return true;
    if (!isWide(promoteFacts(atom, this.#exact))) return false;
    const positions = this.#holding.get(atom) ?? [];
    return positions.some(({ answers }) => answers.number !== "integer" || answers.width !== "small");
  }
}

/** The schemas at a position that speak of numbers; the others, as bounds without a type, say the same of any text. */
export function statingNumbers({ atoms }: AnalyzedPosition): readonly Atom[] {
  return atoms.filter(statesNumbers);
}

function statesNumbers({ own }: Atom): boolean {
  return (own.number === "integer" || own.number === "number") && own.strings !== Strings.any;
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

function blockForeign(planner: Planner, schemas: readonly VisitedSchema[]): void {
  const own = new Set<object>(schemas.map(({ schema }) => schema));
  for (const atom of planner.candidates) {
    if (!own.has(atom.schema)) planner.block(atom, "foreign_schema");
    else if (hasVagueConstant(atom.schema)) planner.block(atom, "inexact_constant");
  }
}

/** Keep what the hint does not know of at each of its places, and what a keyword tests there. */
function blockByPlace(planner: Planner, analysis: SchemaAnalysis): void {
  const isComplete = walkPlaces(analysis, ({ schema, node, name, isAsked, isKnown }) => {
    if (isAsked) {
      planner.blockSchema(schema, "tested_value");
      if (tellsTextApart(schema)) planner.blockPlace(node, "tested_value");
    } else {
      if (!isKnown) planner.blockUnknown(schema, name, analysis);
      if (limitsText(schema)) planner.blockPlace(node, "tested_value", schema);
    }
  });
  if (!isComplete) for (const atom of planner.candidates) planner.block(atom, "contradiction");
}

/** Exactly one branch of `oneOf` may match, so no two may take digits as text. */
function blockOneOf(planner: Planner, schemas: readonly VisitedSchema[], analysis: SchemaAnalysis): void {
  for (const { schema } of schemas) {
    const branches = getOwn(schema, "oneOf");
    if (!Array.isArray(branches)) continue;
    const taking = branches.filter((branch) => {
      const atoms = analysis.atomsAt(branch);
      return branch !== false && (atoms.length === 0 || atoms.some((atom) => planner.has(atom) || takesText(atom.own)));
    });
    if (taking.length < 2 || areDisjoint(taking.map((branch) => analysis.certainAtomsAt(branch)))) continue;
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
