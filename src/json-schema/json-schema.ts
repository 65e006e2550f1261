/** A JSON Schema of any dialect: a boolean, or an object of keywords. What cannot be read gives no hint and an issue. */
export type JsonSchema = boolean | JsonSchemaObject;

/** The keywords of a schema; read through `getOwn`, since property names and keywords come from strangers. */
export type JsonSchemaObject = { readonly [keyword: string]: unknown };

export function isSchemaObject(value: unknown): value is JsonSchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
