import { getOwn } from "../base/own.js";
import { childPointer } from "../base/pointer.js";
import { isSchemaObject } from "../json-schema/json-schema.js";
import type { SchemaPlace } from "../json-schema/references.js";
import type { Expander } from "./expand.js";
import { type Facts, Kind } from "./facts.js";
import type { IssueLog } from "./issue-log.js";
import { compilePattern, listPatternNames } from "./pattern.js";
import type { StepBudget } from "./step-budget.js";
import {
  type Atom,
  atomsOf,
  type Conjunction,
  dropImpossible,
  effectiveUnions,
  joinTerms,
  keyOf,
  multiply,
  noTerms,
  type Terms,
  type Union,
  unionOf,
} from "./terms.js";

/** Makes the test for one pattern of a schema, or undefined where it can't be decided. */
export type PatternMatcher = (pattern: string) => ((key: string) => boolean) | undefined;

/** What an atom says about one child: terms, or that it does not mention it, or that it forbids it. */
type ChildAnswer = Terms | "unmentioned" | "forbidden";

/** Which child of a value is asked for. `matched` are the sources of the patterns that an undeclared member matches. */
export type Child =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "otherMember"; readonly matched: ReadonlySet<string> }
  | { readonly kind: "item"; readonly index: number };

/** A pattern of `patternProperties`; without a test where it is undecidable. */
interface Pattern {
  readonly source: string;
  readonly test: ((key: string) => boolean) | undefined;
  /** Set where the pattern is only a list of names; those are declared members. */
  readonly names: readonly string[] | undefined;
}

const noPatterns: readonly Pattern[] = [];

/** Derives what the schemas at one position say about its members and items. */
export class ChildReader {
  readonly #expander: Expander;
  readonly #log: IssueLog;
  readonly #factsOf: (branch: Conjunction) => Facts;
  readonly #budget: StepBudget;
  readonly #makeTest: PatternMatcher;
  readonly #tests = new Map<string, ((key: string) => boolean) | undefined>();
  readonly #patterns = new Map<Atom, readonly Pattern[]>();

  constructor(
    expander: Expander,
    log: IssueLog,
    factsOf: (branch: Conjunction) => Facts,
    budget: StepBudget,
    makeTest?: PatternMatcher,
  ) {
    this.#expander = expander;
    this.#log = log;
    this.#factsOf = factsOf;
    this.#budget = budget;
    this.#makeTest = makeTest ?? ((pattern) => compilePattern(pattern, (steps) => budget.take(steps)));
  }

  /** The terms of a child: each union of the parent becomes the union of what its branches say about the child. */
  childTerms(terms: Terms, child: Child): Terms {
    if (!this.#budget.take(1)) return noTerms;
    const strong = this.#deriveAll(terms.unions, child);
    const narrowing = this.#deriveAll(terms.narrowing, child);
    const unions = strong.mentioned || narrowing.mentioned ? strong.terms : this.#unevaluated(terms, child);
    return {
      unions: unions.unions,
      narrowing: [...unions.narrowing, ...narrowing.terms.unions, ...narrowing.terms.narrowing],
    };
  }

  /** What one branch of a union says about a child; undefined where it forbids it or can't hold it. */
  branchTerms(branch: Conjunction, child: Child): Terms | undefined {
    if (!this.#canHold(branch, child)) return undefined;
    const answers = branch.map((atom) => this.#answer(atom, child));
    if (answers.includes("forbidden")) return undefined;
    const said = answers.filter((answer) => typeof answer === "object");
    if (said.length > 0) return joinTerms(said);
    const unevaluated = this.#unevaluatedOf(branch, child);
    if (unevaluated.includes("forbidden")) return undefined;
    const last = unevaluated.filter((answer) => typeof answer === "object");
    if (last.length > 0) return joinTerms(last);
    return { unions: [unionOf([[this.#expander.unmentioned]])], narrowing: [] };
  }

  #deriveAll(unions: readonly Union[], child: Child): { terms: Terms; mentioned: boolean } {
    let mentioned = false;
    const all: Terms[] = [];
    for (const { branches } of unions) {
      if (branches.length === 1) {
        const branch = branches[0] as Conjunction;
        if (!this.#canHold(branch, child)) continue;
        const said = branch.map((atom) => this.#answer(atom, child)).filter((answer) => typeof answer === "object");
        mentioned ||= said.length > 0;
        all.push(...said);
      } else {
        const union = this.#deriveUnion(branches, child);
        mentioned ||= union !== "unmentioned";
        if (typeof union === "object") all.push({ unions: [union], narrowing: [] });
      }
    }
    return { terms: joinTerms(all), mentioned };
  }

  #deriveUnion(branches: readonly Conjunction[], child: Child): Union | "unmentioned" | "open" {
    const derived = new Map<string, Conjunction>();
    for (const branch of branches) {
      const terms = this.branchTerms(branch, child);
      if (terms === undefined) continue;
      const product = multiply(effectiveUnions(terms));
      if (product === undefined) {
        this.#log.add("too_large", branch[0]?.place.pointer ?? "", "too many branches");
        return "open";
      }
      if (!this.#budget.take(product.length * (product[0]?.length ?? 1))) return "open";
      for (const conjunction of dropImpossible(product)) {
        // A branch that mentions the child without saying anything absorbs the union.
        if (conjunction.length === 0) return "open";
        derived.set(keyOf(conjunction), conjunction);
      }
    }
    const unmentioned = [...derived.values()].every((conjunction) => conjunction[0] === this.#expander.unmentioned);
    return unmentioned ? "unmentioned" : unionOf([...derived.values()]);
  }

  #canHold(branch: Conjunction, child: Child): boolean {
    const kind = child.kind === "item" ? Kind.array : Kind.object;
    return (this.#factsOf(branch).kinds & kind) !== 0;
  }

  #answer(atom: Atom, child: Child): ChildAnswer {
    const patterns = this.patternsOf(atom);
    if (!this.#budget.take(patterns.length + 1)) return noTerms;
    if (child.kind === "item") return this.#answerItem(atom, child.index);
    const found: (Terms | undefined)[] = [];
    const properties = getOwn(atom.schema, "properties");
    if (child.kind === "member" && isSchemaObject(properties) && Object.hasOwn(properties, child.name)) {
      found.push(this.#read(atom, ["properties", child.name], getOwn(properties, child.name)));
    }
    for (const { source, test } of patterns) {
      if (test === undefined) {
        // It may or may not apply; falling through to additionalProperties would be a guess.
        if (found.length === 0) return noTerms;
        continue;
      }
      const matches = child.kind === "member" ? test(child.name) : child.matched.has(source);
      if (matches) {
        const schemas = getOwn(atom.schema, "patternProperties") as object;
        found.push(this.#read(atom, ["patternProperties", source], getOwn(schemas, source)));
      }
    }
    if (found.length === 0) return this.#answerRest(atom, "additionalProperties");
    return found.includes(undefined) ? "forbidden" : joinTerms(found);
  }

  #answerItem(atom: Atom, index: number): ChildAnswer {
    for (const keyword of ["prefixItems", "items"]) {
      const list = getOwn(atom.schema, keyword);
      if (Array.isArray(list) && index < list.length) {
        return this.#read(atom, [keyword, String(index)], list[index]) ?? "forbidden";
      }
    }
    const items = getOwn(atom.schema, "items");
    return this.#answerRest(atom, Array.isArray(items) ? "additionalItems" : "items");
  }

  /** `additionalProperties`, `items` and their kin: absent, `true` and `{}` mention nothing. */
  #answerRest(atom: Atom, keyword: string): ChildAnswer {
    if (!Object.hasOwn(atom.schema, keyword)) return "unmentioned";
    const terms = this.#read(atom, [keyword], getOwn(atom.schema, keyword));
    if (terms === undefined) return "forbidden";
    return terms.unions.length === 0 && terms.narrowing.length === 0 ? "unmentioned" : terms;
  }

  #unevaluated(terms: Terms, child: Child): Terms {
    const said = terms.unions
      .filter(({ branches }) => branches.length === 1 && this.#canHold(branches[0] as Conjunction, child))
      .flatMap(({ branches }) => this.#unevaluatedOf(branches[0] as Conjunction, child))
      .filter((answer) => typeof answer === "object");
    return said.length > 0 && atomsOf(terms).some((atom) => evaluatesRest(atom, child)) ? noTerms : joinTerms(said);
  }

  #unevaluatedOf(branch: Conjunction, child: Child): ChildAnswer[] {
    if (branch.some((atom) => evaluatesRest(atom, child))) return [];
    const keyword = child.kind === "item" ? "unevaluatedItems" : "unevaluatedProperties";
    return branch.map((atom) => this.#answerRest(atom, keyword)).filter((answer) => answer !== "unmentioned");
  }

  #read(atom: Atom, tokens: readonly string[], schema: unknown): Terms | undefined {
    const place: SchemaPlace = {
      pointer: tokens.reduce<string>(childPointer, atom.place.pointer),
      base: atom.place.base,
      depth: atom.place.depth + tokens.length,
    };
    return this.#expander.expand(schema, place);
  }

  /** Names that `properties` declares, in schema order, and those that patterns merely list. */
  namesOf(atom: Atom): readonly string[] {
    const properties = getOwn(atom.schema, "properties");
    const names = isSchemaObject(properties) ? Object.keys(properties) : [];
    const listed = this.patternsOf(atom).flatMap(({ names: listedNames }) => listedNames ?? []);
    return listed.length === 0 ? names : [...names, ...listed];
  }

  patternsOf(atom: Atom): readonly Pattern[] {
    let patterns = this.#patterns.get(atom);
    if (patterns === undefined) {
      patterns = this.#readPatterns(atom);
      this.#patterns.set(atom, patterns);
    }
    return patterns;
  }

  #readPatterns(atom: Atom): readonly Pattern[] {
    const patterns = getOwn(atom.schema, "patternProperties");
    if (patterns === undefined || !isSchemaObject(patterns)) return noPatterns;
    return Object.keys(patterns).map((source) => {
      const test = this.#test(source);
      if (test === undefined) {
        const at = childPointer(childPointer(atom.place.pointer, "patternProperties"), source);
        this.#log.add("unsupported_pattern", at, "pattern cannot be decided in linear time");
      }
      return { source, test, names: listPatternNames(source) };
    });
  }

  #test(source: string): ((key: string) => boolean) | undefined {
    if (!this.#tests.has(source)) this.#tests.set(source, this.#makeTest(source));
    return this.#tests.get(source);
  }

  /** How many items have a schema of their own. */
  prefixLength(atom: Atom): number {
    const lengths = ["prefixItems", "items"].map((keyword) => {
      const list = getOwn(atom.schema, keyword);
      return Array.isArray(list) ? list.length : 0;
    });
    return Math.max(...lengths);
  }
}

/**
 * Whether a schema may have evaluated any child that it does not name: `unevaluatedProperties` and `unevaluatedItems` then say nothing
 * of it. Schemas that accept everything count too, as do the items that `contains` and the members that `if` have found fitting.
 */
function evaluatesRest({ schema }: Atom, child: Child): boolean {
  if (Object.hasOwn(schema, "if")) return true;
  if (child.kind !== "item") return Object.hasOwn(schema, "additionalProperties");
  if (Object.hasOwn(schema, "contains") || Object.hasOwn(schema, "additionalItems")) return true;
  return Object.hasOwn(schema, "items") && !Array.isArray(schema.items);
}
