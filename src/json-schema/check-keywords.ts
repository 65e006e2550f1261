import { getOwn } from "../base/own.js";
import { isSchemaObject, type JsonSchemaObject } from "./json-schema.js";
import { subschemaKeywords } from "./keywords.js";

/** List the keywords of one schema whose value has the wrong type, with what was expected of them. */
export function listMalformedKeywords(schema: JsonSchemaObject): [keyword: string, expected: string][] {
  const found: [string, string][] = [];
  for (const keyword of Object.keys(schema)) {
    const expected = expectationFor(keyword, getOwn(schema, keyword));
    if (expected !== undefined) found.push([keyword, expected]);
  }
  return found;
}

/** What a keyword's value should have been, or undefined where it is. */
function expectationFor(keyword: string, value: unknown): string | undefined {
  if (keyword === "type") {
    const names = Array.isArray(value) ? value : [value];
    return names.length > 0 && names.every((name) => typeof name === "string") ? undefined : "a string or strings";
  }
  if (keyword === "enum") return Array.isArray(value) ? undefined : "an array";
  const isSchema = typeof value === "boolean" || isSchemaObject(value);
  switch (subschemaKeywords.get(keyword)) {
    case "map":
      return isSchemaObject(value) ? undefined : "an object of schemas";
    case "schemas":
      return Array.isArray(value) ? undefined : "an array of schemas";
    case "schemaOrSchemas":
      return isSchema || Array.isArray(value) ? undefined : "a schema or schemas";
    case "schema":
      return isSchema ? undefined : "a schema";
    default:
      return undefined;
  }
}
