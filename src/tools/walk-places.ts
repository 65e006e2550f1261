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
const mostSteps = 100_000;

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
    walk.pushParts(placed);
  }
  return walk.isComplete;
}

/** How keywords apply schemas at the place of the schema that has them; what is asked is "test" and, of keys, "key". */
const inPlaceKeywords: ReadonlyMap<string, "part" | "list" | "map" | "reference" | "test" | "key"> = new Map([
  ...(["allOf", "anyOf", "any_of", "oneOf"] as const).map((keyword) => [keyword, "list"] as const),
  ...(["then", "else"] as const).map((keyword) => [keyword, "part"] as const),
  ...(["dependentSchemas", "dependencies"] as const).map((keyword) => [keyword, "map"] as const),
  ...(["$ref", "ref", "$dynamicRef", "$recursiveRef"] as const).map((keyword) => [keyword, "reference"] as const),
  ...(["not", "if"] as const).map((keyword) => [keyword, "test"] as const),
  ...(["propertyNames", "contentSchema"] as const).map((keyword) => [keyword, "key"] as const),
]);

/** Keywords that apply schemas to members and items. */
const childKeywords: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"],
  ...["prefixItems", "items", "additionalItems", "unevaluatedItems", "contains"],
]);

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

  /** Push everything in a schema, at the places where it may apply if the schema does. */
  pushParts(placed: PlacedSchema): void {
    const { schema } = placed;
    let nodes: readonly HintNode[] | undefined;
    for (const keyword of Object.keys(schema)) {
      const value = getOwn(schema, keyword);
      if (inPlaceKeywords.has(keyword)) {
        this.#pushInPlace(placed, keyword, value);
      } else if (childKeywords.has(keyword)) {
        nodes ??= this.#nodesBelow(placed);
        for (const node of nodes) this.#pushBelow(placed, keyword, value, node);
      }
    }
  }

  #pushInPlace({ schema, node, name, isAsked }: PlacedSchema, keyword: string, value: unknown): void {
    const here = (part: unknown): void => this.push(part, node, name, isAsked);
    switch (inPlaceKeywords.get(keyword)) {
      case "part":
        here(value);
        break;
      case "list":
        if (Array.isArray(value)) value.forEach(here);
        break;
      case "map":
        valuesOf(value).forEach(here);
        break;
      case "reference":
        if (typeof value === "string") here(this.#analysis.resolve(value, schema));
        break;
      case "key":
        this.push(value, ANY, undefined, true);
        break;
      default:
        // Nothing that is refused as a number need be refused as text: `not: { const: 0 }` (schemars).
        if (keyword === "if" || isAsked || !isListOfScalars(value)) this.push(value, node, undefined, true);
    }
  }

  /** The nodes that an object or array is walked with where a schema holds: those that a selection chooses. */
  #nodesBelow({ schema, node, isKnown }: PlacedSchema): readonly HintNode[] {
    const chosen = this.#positions.get(node)?.chosen;
    if (chosen === undefined) return [node];
    // A branch that the values of members rule out does not hold there.
    return [...chosen].filter((target) => target === node || !isKnown || this.#knows(target, schema));
  }

  #knows(node: HintNode, schema: object): boolean {
    let known = this.#known.get(node);
    if (known === undefined) {
      known = new Set(this.#positions.get(node)?.atoms.map((atom) => atom.schema));
      this.#known.set(node, known);
    }
    return known.has(schema);
  }

  #pushBelow({ schema, name, isAsked }: PlacedSchema, keyword: string, value: unknown, node: HintNode): void {
    switch (keyword) {
      case "properties":
        for (const key of isSchemaObject(value) ? Object.keys(value) : []) {
          this.push(getOwn(value as object, key), memberNode(node, key), key, isAsked);
        }
        break;
      case "patternProperties":
        for (const source of isSchemaObject(value) ? Object.keys(value) : []) {
          this.#pushPattern(source, getOwn(value as object, source), node, isAsked);
        }
        break;
      case "additionalProperties":
        if (isSchemaObject(value)) this.#pushOthers(schema, value, node, isAsked);
        break;
      case "unevaluatedProperties":
        this.push(value, node.otherMembers, undefined, isAsked);
        break;
      case "unevaluatedItems":
        this.push(value, node.otherItems, name, isAsked);
        break;
      case "contains":
        this.#pushItems(value, 0, node, name, true);
        break;
      case "additionalItems":
        this.#pushItems(value, lengthOf(getOwn(schema, "items")), node, name, isAsked);
        break;
      default:
        if (Array.isArray(value)) {
          for (const [index, item] of value.entries()) this.push(item, itemNode(node, index), name, isAsked);
        } else {
          this.#pushItems(value, lengthOf(getOwn(schema, "prefixItems")), node, name, isAsked);
        }
    }
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
  #pushOthers(from: JsonSchemaObject, schema: JsonSchemaObject, node: HintNode, isAsked: boolean): void {
    const properties = getOwn(from, "properties") ?? {};
    const sources = Object.keys(getOwn(from, "patternProperties") ?? {});
    const listed = new Set(sources.flatMap((source) => listPatternNames(source) ?? []));
    const { patterns } = node;
    const indexes = sources.map((source) => patterns?.sources.indexOf(source) ?? -1).filter((index) => index >= 0);
    this.push(schema, node.otherMembers, undefined, isAsked);
    for (const [mask, child] of patterns?.nodes ?? []) {
      if (indexes.every((index) => (mask & (1 << index)) === 0)) this.push(schema, child, undefined, isAsked);
    }
    for (const name of node.memberNames) {
      if (Object.hasOwn(properties, name) || listed.has(name)) continue;
      if (indexes.some((index) => patterns?.matchers[index]?.(name) === true)) continue;
      this.push(schema, memberNode(node, name), name, isAsked);
    }
  }

  #pushItems(schema: unknown, start: number, node: HintNode, name: string | undefined, isAsked: boolean): void {
    if (!isSchemaObject(schema)) return;
    for (let i = start; i < node.prefixItems.length; i++) this.push(schema, itemNode(node, i), name, isAsked);
    this.push(schema, node.otherItems, name, isAsked);
  }
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

function valuesOf(map: unknown): unknown[] {
  return isSchemaObject(map) ? Object.keys(map).map((name) => getOwn(map, name)) : [];
}

function isListOfScalars(schema: unknown): boolean {
  return isSchemaObject(schema) && Object.keys(schema).every((keyword) => keyword === "const" || keyword === "enum");
}
