import { RawNumeral } from "../base/numerals.js";
import { getOwn, isPlainObject, setOwn } from "../base/own.js";
import type { JsonSchemaObject } from "../json-schema/json-schema.js";
import { subschemaKeywords } from "../json-schema/keywords.js";
import type { Spellings } from "../json-schema/parse-schema.js";

/** What the members of a container are: keywords of a schema, schemas by name, schemas in a list, or plain data. */
type Role = "schema" | "map" | "list" | "components" | "data";

/** Gives the keywords of a schema as they shall be copied; the schema itself where nothing changes. */
export type KeywordSource = (schema: JsonSchemaObject, copy: Record<string, unknown>) => object;

/** A copy, and a lower bound of the length of its source as JSON text. */
export interface CopiedSchema {
  readonly schema: object;
  readonly length: number;
}

interface Task {
  readonly source: object;
  readonly target: unknown[] | Record<string, unknown>;
  readonly role: Role;
}

/**
 * Copy a schema with everything in it, also what no schema should hold. Objects met twice are copied once, so that cycles
 * end and what was shared stays shared; only where a keyword holds a schema is anything treated as one.
 */
export function copySchema(root: JsonSchemaObject, spellings: Spellings, keywordsOf: KeywordSource): CopiedSchema {
  const copies = new Map<Role, Map<object, object>>();
  const pending: Task[] = [];
  const copy = (value: unknown, role: Role): unknown => {
    const isList = Array.isArray(value);
    if (typeof value !== "object" || value === null || !(isList || isPlainObject(value))) return value;
    const actual = isList && role !== "list" ? "data" : role;
    const known = copies.get(actual) ?? new Map<object, object>();
    copies.set(actual, known);
    const existing = known.get(value);
    if (existing !== undefined) return existing;
    const target = isList ? [] : {};
    known.set(value, target);
    pending.push({ source: value, target, role: actual });
    return target;
  };
  const schema = copy(root, "schema") as object;
  let length = 0;
  for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
    const { source, target, role } = task;
    length += lengthOf(source);
    const spelled = spellings.get(source);
    const from = role === "schema" ? keywordsOf(source as JsonSchemaObject, target as Record<string, unknown>) : source;
    for (const key of Object.keys(from)) {
      const value = getOwn(from, key);
      const token = value === getOwn(source, key) ? spelled?.get(key) : undefined;
      const written = token === undefined ? copy(value, roleBelow(role, key, value)) : new RawNumeral(token);
      if (Array.isArray(target)) target[Number(key)] = written;
      else setOwn(target, key, written);
    }
  }
  return { schema, length };
}

/** A lower bound of the length of a container as text, without the containers in it. */
function lengthOf(container: object): number {
  let length = 2;
  const isList = Array.isArray(container);
  for (const key of Object.keys(container)) {
    const value = getOwn(container, key);
    length += isList ? 1 : key.length + 4;
    if (typeof value === "string") length += value.length + 2;
    else if (typeof value === "bigint") length += beyondSafe;
    else if (typeof value !== "object") length += 1;
  }
  return length;
}

/** Digits of an integer beyond ±(2^53−1). */
const beyondSafe = 16;

function roleBelow(role: Role, key: string, value: unknown): Role {
  if (role === "map" || role === "list") return "schema";
  if (role === "components") return key === "schemas" ? "map" : "data";
  if (role === "data") return "data";
  const shape = subschemaKeywords.get(key);
  if (shape === undefined) return key === "components" ? "components" : "data";
  if (Array.isArray(value)) return shape === "schema" || shape === "map" ? "data" : "list";
  if (shape === "map") return "map";
  return shape === "schemas" ? "data" : "schema";
}
