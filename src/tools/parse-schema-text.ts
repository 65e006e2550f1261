import { parseSchema } from "../json-schema/parse-schema.js";

/**
 * Parse the JSON text of a schema, of a tool, or of anything that holds them. Integers beyond ±(2^53−1) come out as
 * `bigint`, which every function of this door takes, where `JSON.parse` rounds them. Throws `StructSchemaError` where the
 * text is no JSON.
 */
export function parseSchemaText(text: string): unknown {
  return parseSchema(text).schema;
}
