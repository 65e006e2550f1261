import { getOwn } from "../base/own.js";
import type { AnalyzedPosition, SchemaAnalysis } from "../hint/analyze-schema.js";
import { isIdLikeName } from "../hint/exact.js";
import { ANY, type HintNode, itemNode, memberNode } from "../hint/node.js";
import { listPatternNames } from "../hint/pattern.js";
import { isSchemaObject, type JsonSchemaObject } from "../json-schema/json-schema.js";

/** A schema, and a place of the data where it may apply. */
export interface PlacedSchema {
  readonly schema: JsonSchemaObject;
  /** What the hint knows of the place; the schema need not be part of that. */
  readonly node: HintNode;
  /** The property name under which the schema is reached, if it has one. Items have that of their array. */
  readonly name: string | undefined;
  /** Whether a keyword only asks if it holds: `not`, `if`, `contains`, `propertyNames`, `contentSchema`. */
  readonly isAsked: boolean;
  /** Whether the node knows of the schema there. */
  readonly isKnown: boolean;
}

/** Steps of one walk. The largest honest tool schema seen takes some hundreds. */
const mostSteps = 300_000;

/**
 * Visit every schema that validation may apply, at each place where it may, with the node that a walk over the data has there. The
 * hint itself leaves out what does not help it: unions with a branch that takes everything, conditions inside of unions,
 * contradictions, what lies beyond a limit. Gives false where there are too many to visit.
 */
export function walkPlaces(analysis: SchemaAnalysis, visit: (placed: PlacedSchema) => void): boolean {
  const walk = new PlaceWalk(analysis);
  walk.push(analysis.schema, analysis.hint.root, undefined, false);
  for (let placed = walk.next(); placed !== undefined; placed = walk.next()) {
    visit(placed);
    walk.pushInPlace(placed);
    walk.pushBelow(placed);
  }
  return walk.isComplete;
}

const listKeywords = ["allOf", "anyOf", "any_of", "oneOf"];
const conditionKeywords = ["then", "else"];
const mapKeywords = ["dependentSchemas", "dependencies"];
const referenceKeywords = ["$ref", "ref", "$dynamicRef", "$recursiveRef"];

class PlaceWalk {
  readonly #analysis: SchemaAnalysis;
  readonly #positions: ReadonlyMap<HintNode, AnalyzedPosition>;
  /** The schemas that hold at a node. */
  readonly #known = new Map<HintNode, ReadonlySet<object>>();
  readonly #pending: PlacedSchema[] = [];
  /** In which ways a schema was met at a node, as bits. */
  readonly #met = new Map<HintNode, Map<object, number>>();
  #steps = 0;

  constructor(analysis: SchemaAnalysis) {
    this.#analysis = analysis;
    this.#positions = new Map(analysis.positions.map((position) => [position.node, position]));
  }

  get isComplete(): boolean {
    return this.#steps <= mostSteps;
  }

  next(): PlacedSchema | undefined {
    return this.isComplete ? this.#pending.pop() : undefined;
  }

  push(schema: unknown, node: HintNode, name: string | undefined, isAsked: boolean): void {
    this.#steps++;
    if (!isSchemaObject(schema)) return;
    // All that a name decides is whether it is one of an id.
    const way = isAsked ? 1 : name !== undefined && isIdLikeName(name) ? 2 : 4;
    const met = this.#met.get(node) ?? new Map<object, number>();
    this.#met.set(node, met);
    const ways = met.get(schema) ?? 0;
    if ((ways & way) !== 0) return;
    met.set(schema, ways | way);
    this.#pending.push({ schema, node, name, isAsked, isKnown: this.#knows(node, schema) });
  }

  /** Push what holds, or is asked, where this schema does. */
  pushInPlace({ schema, node, name, isAsked }: PlacedSchema): void {
    const here = (part: unknown): void => this.push(part, node, name, isAsked);
    for (const keyword of listKeywords) {
      const list = getOwn(schema, keyword);
      if (Array.isArray(list)) list.forEach(here);
    }
    for (const keyword of conditionKeywords) here(getOwn(schema, keyword));
    for (const keyword of mapKeywords) valuesOf(getOwn(schema, keyword)).forEach(here);
    for (const keyword of referenceKeywords) {
      const reference = getOwn(schema, keyword);
      if (typeof reference === "string") here(this.#analysis.resolve(reference, schema));
    }
    this.push(getOwn(schema, "if"), node, undefined, true);
    const negation = getOwn(schema, "not");
    // Nothing that is refused as a number need be refused as text: `not: { const: 0 }` (schemars).
    if (isAsked || !isListOfScalars(negation)) this.push(negation, node, undefined, true);
    for (const keyword of ["propertyNames", "contentSchema"]) this.push(getOwn(schema, keyword), ANY, undefined, true);
  }

  /** Push what holds for members and items: below the node, or below those that a selection chooses. */
  pushBelow(placed: PlacedSchema): void {
    const position = this.#positions.get(placed.node);
    if (position === undefined) {
      this.#pushMembers(placed, placed.node);
      this.#pushItems(placed, placed.node);
      return;
    }
    for (const node of position.chosen) {
      // A branch that the values of members rule out does not hold there.
      if (placed.isKnown && node !== position.node && !this.#knows(node, placed.schema)) continue;
      this.#pushMembers(placed, node);
      this.#pushItems(placed, node);
    }
  }

  #knows(node: HintNode, schema: object): boolean {
    let known = this.#known.get(node);
    if (known === undefined) {
      known = new Set(this.#positions.get(node)?.atoms.map((atom) => atom.schema));
      this.#known.set(node, known);
    }
    return known.has(schema);
  }

  #pushMembers({ schema, isAsked }: PlacedSchema, node: HintNode): void {
    const properties = getOwn(schema, "properties");
    if (isSchemaObject(properties)) {
      for (const name of Object.keys(properties)) {
        this.push(getOwn(properties, name), memberNode(node, name), name, isAsked);
      }
    }
    const patterns = getOwn(schema, "patternProperties");
    const sources = isSchemaObject(patterns) ? Object.keys(patterns) : [];
    for (const source of sources) this.#pushPattern(source, getOwn(patterns as object, source), node, isAsked);
    const others = getOwn(schema, "additionalProperties");
    if (isSchemaObject(others)) this.#pushOthers(others, properties, sources, node, isAsked);
    this.push(getOwn(schema, "unevaluatedProperties"), node.otherMembers, undefined, isAsked);
  }

  #pushPattern(source: string, schema: unknown, node: HintNode, isAsked: boolean): void {
    for (const name of listPatternNames(source) ?? []) this.push(schema, memberNode(node, name), name, isAsked);
    if (listPatternNames(source) !== undefined) return;
    const index = node.patterns?.sources.indexOf(source) ?? -1;
    if (node.patterns === undefined || index < 0) {
      // Nobody can tell where it holds.
      this.push(schema, ANY, undefined, isAsked);
      return;
    }
    for (const [mask, child] of node.patterns.nodes) {
      if ((mask & (1 << index)) !== 0) this.push(schema, child, undefined, isAsked);
    }
    for (const name of node.memberNames) {
      if (node.patterns.matchers[index]?.(name)) this.push(schema, memberNode(node, name), name, isAsked);
    }
  }

  /** `additionalProperties`: for what is neither declared beside it nor matched by a pattern there. */
  #pushOthers(
    schema: JsonSchemaObject,
    properties: unknown,
    sources: readonly string[],
    node: HintNode,
    isAsked: boolean,
  ): void {
    const { patterns } = node;
    const indexes = sources.map((source) => patterns?.sources.indexOf(source) ?? -1).filter((index) => index >= 0);
    this.push(schema, node.otherMembers, undefined, isAsked);
    for (const [mask, child] of patterns?.nodes ?? []) {
      if (indexes.every((index) => (mask & (1 << index)) === 0)) this.push(schema, child, undefined, isAsked);
    }
    for (const name of node.memberNames) {
      if (isSchemaObject(properties) && Object.hasOwn(properties, name)) continue;
      if (sources.some((source) => listPatternNames(source)?.includes(name) === true)) continue;
      if (indexes.some((index) => patterns?.matchers[index]?.(name) === true)) continue;
      this.push(schema, memberNode(node, name), name, isAsked);
    }
  }

  #pushItems({ schema, name, isAsked }: PlacedSchema, node: HintNode): void {
    const pushFrom = (start: number, items: unknown, isItemAsked: boolean): void => {
      if (!isSchemaObject(items)) return;
      for (let i = start; i < node.prefixItems.length; i++) this.push(items, itemNode(node, i), name, isItemAsked);
      this.push(items, node.otherItems, name, isItemAsked);
    };
    const [prefix, items] = [getOwn(schema, "prefixItems"), getOwn(schema, "items")];
    for (const list of [prefix, items]) {
      if (Array.isArray(list)) list.forEach((item, i) => this.push(item, itemNode(node, i), name, isAsked));
    }
    if (Array.isArray(items)) pushFrom(items.length, getOwn(schema, "additionalItems"), isAsked);
    else pushFrom(Array.isArray(prefix) ? prefix.length : 0, items, isAsked);
    this.push(getOwn(schema, "unevaluatedItems"), node.otherItems, name, isAsked);
    pushFrom(0, getOwn(schema, "contains"), true);
  }
}

function valuesOf(map: unknown): unknown[] {
  return isSchemaObject(map) ? Object.keys(map).map((name) => getOwn(map, name)) : [];
}

function isListOfScalars(schema: unknown): boolean {
  return isSchemaObject(schema) && Object.keys(schema).every((keyword) => keyword === "const" || keyword === "enum");
}
