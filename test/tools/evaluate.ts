/** JSON, and a schema. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Schema = { readonly [keyword: string]: unknown };

/** A schema that was applied to a place of a document, and held. */
export interface Located {
  readonly pointer: string;
  readonly schemaPointer: string;
  readonly schema: Schema;
}

/**
 * Validate a document, and list the schemas that were applied and held, as annotations are collected: undefined where the document does
 * not fit. For the keywords that the tests generate; a reference that leads back to itself holds.
 */
export function evaluate(root: Schema, document: Json): Located[] | undefined {
  return new Evaluation(root).apply(root, "", document, "");
}

const types: { readonly [name: string]: (json: Json) => boolean } = {
  null: (json) => json === null,
  boolean: (json) => typeof json === "boolean",
  number: (json) => typeof json === "number",
  integer: (json) => Number.isInteger(json),
  string: (json) => typeof json === "string",
  array: (json) => Array.isArray(json),
  object: (json) => isObject(json),
};

function isObject(json: Json): json is { [key: string]: Json } {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

class Evaluation {
  readonly #root: Schema;
  readonly #active = new Set<string>();

  constructor(root: Schema) {
    this.#root = root;
  }

  apply(schema: unknown, at: string, json: Json, pointer: string): Located[] | undefined {
    if (schema === undefined || schema === true) return [];
    if (schema === false) return undefined;
    const key = `${at} ${pointer}`;
    if (this.#active.has(key)) return [];
    this.#active.add(key);
    const found = this.#applyKeywords(schema as Schema, at, json, pointer);
    this.#active.delete(key);
    return found;
  }

  #applyKeywords(schema: Schema, at: string, json: Json, pointer: string): Located[] | undefined {
    if (!holdsOfValue(schema, json)) return undefined;
    const all: (Located[] | undefined)[] = [
      [{ pointer, schemaPointer: at, schema }],
      this.#inPlace(schema, at, json, pointer),
      ...this.#members(schema, at, json, pointer),
      ...this.#items(schema, at, json, pointer),
    ];
    return all.includes(undefined) ? undefined : (all as Located[][]).flat();
  }

  #inPlace(schema: Schema, at: string, json: Json, pointer: string): Located[] | undefined {
    const here = (part: unknown, below: string) => this.apply(part, `${at}/${below}`, json, pointer);
    const list = (keyword: string) =>
      ((schema[keyword] as unknown[] | undefined) ?? []).map((part, i) => here(part, `${keyword}/${i}`));
    const all = list("allOf");
    if (schema.anyOf !== undefined) all.push(flattened(list("anyOf"), (count) => count > 0));
    if (schema.oneOf !== undefined) all.push(flattened(list("oneOf"), (count) => count === 1));
    if (schema.not !== undefined && here(schema.not, "not") !== undefined) return undefined;
    if (schema.if !== undefined) {
      const asked = here(schema.if, "if");
      all.push(asked === undefined ? here(schema.else, "else") : here(schema.then, "then"));
    }
    for (const [name, part] of Object.entries((schema.dependentSchemas as Schema | undefined) ?? {})) {
      if (isObject(json) && Object.hasOwn(json, name)) all.push(here(part, `dependentSchemas/${name}`));
    }
    if (typeof schema.$ref === "string") {
      const target = schema.$ref.slice(1);
      const tokens = target.split("/").slice(1);
      const referred = tokens.reduce<unknown>((value, token) => (value as Schema)[token], this.#root);
      all.push(this.apply(referred, target, json, pointer));
    }
    return all.includes(undefined) ? undefined : (all as Located[][]).flat();
  }

  #members(schema: Schema, at: string, json: Json, pointer: string): (Located[] | undefined)[] {
    if (!isObject(json)) return [];
    const { properties = {}, patternProperties = {} } = schema as { [keyword: string]: Schema };
    return Object.keys(json).flatMap((name) => {
      const below = (part: unknown, place: string) =>
        this.apply(part, `${at}/${place}`, json[name] as Json, `${pointer}/${name}`);
      const found: (Located[] | undefined)[] = [];
      if (Object.hasOwn(properties, name)) found.push(below(properties[name], `properties/${name}`));
      for (const [pattern, part] of Object.entries(patternProperties)) {
        if (new RegExp(pattern, "u").test(name)) found.push(below(part, `patternProperties/${pattern}`));
      }
      return found.length > 0 ? found : [below(schema.additionalProperties, "additionalProperties")];
    });
  }

  #items(schema: Schema, at: string, json: Json, pointer: string): (Located[] | undefined)[] {
    if (!Array.isArray(json)) return [];
    const prefix = (schema.prefixItems as unknown[] | undefined) ?? [];
    const found = json.map((item: Json, i) =>
      i < prefix.length
        ? this.apply(prefix[i], `${at}/prefixItems/${i}`, item, `${pointer}/${i}`)
        : this.apply(schema.items, `${at}/items`, item, `${pointer}/${i}`),
    );
    const isContained =
      schema.contains === undefined ||
      json.some(
        (item: Json, i) => this.apply(schema.contains, `${at}/contains`, item, `${pointer}/${i}`) !== undefined,
      );
    return isContained ? found : [undefined];
  }
}

function flattened(branches: (Located[] | undefined)[], isEnough: (count: number) => boolean): Located[] | undefined {
  const held = branches.filter((branch) => branch !== undefined);
  return isEnough(held.length) ? held.flat() : undefined;
}

function holdsOfValue(schema: Schema, json: Json): boolean {
  const { type, enum: listed, minimum, maximum, pattern, required } = schema;
  if (type !== undefined && ![type].flat().some((name) => types[name as string]?.(json))) return false;
  if (Object.hasOwn(schema, "const") && schema.const !== json) return false;
  if (Array.isArray(listed) && !listed.includes(json)) return false;
  if (typeof json === "number" && (json < Number(minimum ?? -Infinity) || json > Number(maximum ?? Infinity)))
    return false;
  if (typeof json === "string" && typeof pattern === "string" && !new RegExp(pattern, "u").test(json)) return false;
  return !isObject(json) || ((required as string[] | undefined) ?? []).every((name) => Object.hasOwn(json, name));
}
