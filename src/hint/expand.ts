import { getOwn } from "../base/own.js";
import { childPointer } from "../base/pointer.js";
import { listMalformedKeywords } from "../json-schema/check-keywords.js";
import { isSchemaObject, type JsonSchemaObject } from "../json-schema/json-schema.js";
import type { ReferenceIndex, SchemaPlace } from "../json-schema/references.js";
import { readFacts, saysNothing, unmentionedFacts } from "./facts.js";
import type { IssueLog } from "./issue-log.js";
import type { StepBudget } from "./step-budget.js";
import {
  type Atom,
  type Conjunction,
  dropImpossible,
  effectiveUnions,
  joinTerms,
  keyOf,
  mostBranches,
  multiply,
  noTerms,
  type Terms,
  type Union,
  unionOf,
} from "./terms.js";

/** Steps that expanding one schema costs: all its keywords are looked at. */
const stepsOfExpansion = 10;
/** References and combinators followed without moving into the data. */
const deepestNesting = 100;

/** Turns schemas into terms over atoms, in place: nothing below the position is looked at. */
export class Expander {
  readonly #references: ReferenceIndex;
  readonly #log: IssueLog;
  readonly #atoms = new Map<JsonSchemaObject, Atom>();
  readonly #done = new Map<Atom, Terms>();
  readonly #active = new Set<Atom>();
  /** Atoms of cycles that the expansion under way ran into: what was built meanwhile is not the whole answer. */
  readonly #cut = new Set<Atom>();
  readonly #budget: StepBudget;
  readonly #deepest: number;

  /** Stands for a branch that does not mention a key. */
  readonly unmentioned: Atom = {
    id: -1,
    schema: {},
    place: { pointer: "", base: "", depth: 0 },
    own: unmentionedFacts,
    holdsChildren: false,
    names: new Set(),
  };

  constructor(references: ReferenceIndex, log: IssueLog, budget: StepBudget, deepest: number) {
    this.#references = references;
    this.#log = log;
    this.#budget = budget;
    this.#deepest = deepest;
  }

  get atoms(): Iterable<Atom> {
    return this.#atoms.values();
  }

  /** The terms of a schema, or undefined where the schema is `false` and nothing fits. */
  expand(schema: unknown, place: SchemaPlace): Terms | undefined {
    if (schema === true) return noTerms;
    if (schema === false) return undefined;
    if (!isSchemaObject(schema)) {
      this.#log.add("invalid_schema", place.pointer, "a schema is an object or a boolean");
      return noTerms;
    }
    const known = this.#references.placeOf(schema);
    if ((known ?? place).depth > this.#deepest) {
      this.#log.add("too_large", place.pointer, `schema is nested more than ${this.#deepest} deep`);
      return noTerms;
    }
    return this.#expandAtom(this.#atom(schema, known ?? place));
  }

  #atom(schema: JsonSchemaObject, place: SchemaPlace): Atom {
    let atom = this.#atoms.get(schema);
    if (atom === undefined) {
      for (const [keyword, expected] of listMalformedKeywords(schema)) {
        this.#log.add("invalid_schema", childPointer(place.pointer, keyword), `${keyword} is not ${expected}`);
      }
      atom = {
        id: this.#atoms.size,
        schema,
        place,
        own: readFacts(schema),
        holdsChildren: holdsChildren(schema),
        names: new Set(),
      };
      this.#atoms.set(schema, atom);
    }
    return atom;
  }

  #expandAtom(atom: Atom): Terms {
    const done = this.#done.get(atom);
    if (done !== undefined) return done;
    if (this.#active.has(atom)) {
      // A reference that leads back without moving into the data says nothing.
      this.#cut.add(atom);
      return noTerms;
    }
    if (this.#active.size >= deepestNesting) {
      this.#log.add("too_large", atom.place.pointer, "references and combinators are nested too deep");
      return noTerms;
    }
    // Nested cycles are expanded again from each side.
    if (!this.#budget.take(stepsOfExpansion)) return noTerms;
    this.#active.add(atom);
    const terms = this.#expandKeywords(atom);
    this.#active.delete(atom);
    this.#cut.delete(atom);
    if (this.#cut.size === 0) this.#done.set(atom, terms);
    return terms;
  }

  #expandKeywords(atom: Atom): Terms {
    const { schema } = atom;
    const all: (Terms | undefined)[] = this.#followReferences(atom);
    if (!saysNothing(atom.own) || atom.holdsChildren) all.push({ unions: [unionOf([[atom]])], narrowing: [] });
    this.#eachSchema(atom, "allOf", (terms) => all.push(terms));
    for (const keyword of ["anyOf", "oneOf", "any_of"]) {
      if (Array.isArray(getOwn(schema, keyword))) all.push(this.#unite(atom, keyword));
    }
    const narrowing = this.#conditionals(atom);
    const joined = joinTerms(all);
    return joinTerms([joined, { unions: [], narrowing }]);
  }

  #followReferences(atom: Atom): (Terms | undefined)[] {
    const found: (Terms | undefined)[] = [];
    for (const keyword of ["$ref", "ref", "$dynamicRef", "$recursiveRef"]) {
      const reference = getOwn(atom.schema, keyword);
      if (typeof reference !== "string") {
        if (reference !== undefined && keyword !== "ref") {
          this.#log.add("invalid_schema", childPointer(atom.place.pointer, keyword), `${keyword} is not a string`);
        }
        continue;
      }
      const target = this.#references.resolve(reference, atom.place.base);
      if (target === undefined || typeof target.schema === "undefined") {
        const at = childPointer(atom.place.pointer, keyword);
        this.#log.add("unresolved_ref", at, `${keyword} "${reference}" not found`);
        continue;
      }
      found.push(this.expand(target.schema, target.place));
    }
    return found;
  }

  #eachSchema(atom: Atom, keyword: string, visit: (terms: Terms | undefined) => void): void {
    const list = getOwn(atom.schema, keyword);
    if (!Array.isArray(list)) return;
    const pointer = childPointer(atom.place.pointer, keyword);
    for (let i = 0; i < list.length; i++) visit(this.#below(atom, list[i], childPointer(pointer, i), 2));
  }

  #below(atom: Atom, schema: unknown, pointer: string, levels: number): Terms | undefined {
    return this.expand(schema, { pointer, base: atom.place.base, depth: atom.place.depth + levels });
  }

  /** `anyOf` and `oneOf`: one union over the branches, each a conjunction of atoms. */
  #unite(atom: Atom, keyword: string): Terms {
    const branches = new Map<string, Conjunction>();
    let open = false;
    let tooMany = false;
    this.#eachSchema(atom, keyword, (terms) => {
      if (terms === undefined || open || tooMany) return;
      const product = multiply(effectiveUnions(terms));
      if (product === undefined || !this.#budget.take(product.length)) tooMany = true;
      else if (product.some((branch) => branch.length === 0)) open = true;
      else for (const branch of dropImpossible(product)) branches.set(keyOf(branch), branch);
      tooMany ||= branches.size > mostBranches;
    });
    if (tooMany) {
      this.#log.add("too_large", childPointer(atom.place.pointer, keyword), `more than ${mostBranches} branches`);
    }
    // A branch without information absorbs the union.
    if (open || tooMany) return noTerms;
    return { unions: [unionOf([...branches.values()])], narrowing: [] };
  }

  /** `then`, `else`, `dependentSchemas`: may apply, so they narrow only what is otherwise without information. */
  #conditionals(atom: Atom): Union[] {
    const { schema, place } = atom;
    const found: Union[] = [];
    const add = (branches: (Terms | undefined)[]): void => {
      const union = this.#uniteOptional(branches);
      if (union !== undefined) found.push(union);
    };
    if (Object.hasOwn(schema, "if") && (Object.hasOwn(schema, "then") || Object.hasOwn(schema, "else"))) {
      add(
        ["then", "else"].map((keyword) =>
          Object.hasOwn(schema, keyword)
            ? this.#below(atom, getOwn(schema, keyword), childPointer(place.pointer, keyword), 1)
            : noTerms,
        ),
      );
    }
    for (const keyword of ["dependentSchemas", "dependencies"]) {
      const map = getOwn(schema, keyword);
      if (!isSchemaObject(map)) continue;
      for (const name of Object.keys(map)) {
        const dependent = getOwn(map, name);
        if (Array.isArray(dependent)) continue;
        const pointer = childPointer(childPointer(place.pointer, keyword), name);
        add([this.#below(atom, dependent, pointer, 2), noTerms]);
      }
    }
    return found;
  }

  #uniteOptional(alternatives: readonly (Terms | undefined)[]): Union | undefined {
    const branches = new Map<string, Conjunction>();
    let says = false;
    for (const terms of alternatives) {
      if (terms === undefined) continue;
      for (const branch of multiply(effectiveUnions(terms)) ?? [[]]) {
        says ||= branch.length > 0;
        const known = branch.length > 0 ? branch : [this.unmentioned];
        branches.set(keyOf(known), known);
      }
    }
    return says && branches.size <= mostBranches ? unionOf([...branches.values()]) : undefined;
  }
}

const childKeywords = [
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  // These speak of an object or array without naming what is in it: such a branch mentions no member, but is not `{}`.
  "required",
  "minProperties",
  "maxProperties",
  "propertyNames",
  "dependentRequired",
  "minItems",
  "maxItems",
  "uniqueItems",
  "contains",
];

function holdsChildren(schema: JsonSchemaObject): boolean {
  return childKeywords.some((keyword) => Object.hasOwn(schema, keyword));
}
