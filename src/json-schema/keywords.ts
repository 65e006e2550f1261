/** How a keyword holds sub-schemas. */
export type KeywordShape = "schema" | "schemas" | "schemaOrSchemas" | "map";

/**
 * Every keyword that holds sub-schemas, in all dialects (draft-04 to 2020-12, OpenAPI 3.0 and 3.1, Gemini). The only such
 * list: whatever is not in it (`enum`, `const`, `default`, `examples`, `x-*`) is data and is never walked.
 */
export const subschemaKeywords: ReadonlyMap<string, KeywordShape> = new Map<string, KeywordShape>([
  ["properties", "map"],
  ["patternProperties", "map"],
  ["additionalProperties", "schema"],
  ["unevaluatedProperties", "schema"],
  ["propertyNames", "schema"],
  ["items", "schemaOrSchemas"],
  ["prefixItems", "schemas"],
  ["additionalItems", "schema"],
  ["unevaluatedItems", "schema"],
  ["contains", "schema"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["any_of", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["dependentSchemas", "map"],
  ["dependencies", "map"],
  ["contentSchema", "schema"],
  ["definitions", "map"],
  ["$defs", "map"],
  ["defs", "map"],
]);
