import type { JsonSchemaObject } from "../json-schema/json-schema.js";

const count = { type: "integer", minimum: 0 };
const subschema = { $ref: "#" };
const subschemas = { type: "array", items: subschema };
const namedSubschemas = { type: "object", additionalProperties: subschema };

/** The schema of every keyword in a list. */
function each(keywords: readonly string[], schema: object): Record<string, object> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, schema]));
}

/** What a schema of one type says about the values in it. */
function valuesOf(type: "integer" | "number"): JsonSchemaObject {
  // Draft 4 has booleans for exclusive bounds.
  const bound = { type: [type, "boolean"] };
  return {
    properties: {
      type: { const: type },
      ...each(["const", "default", "example"], { type }),
      ...each(["enum", "examples"], { type: "array", items: { type } }),
      ...each(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], bound),
    },
  };
}

/**
 * The hint for a Struct that is itself a JSON Schema, as in lists of tools: `"mcp.v1.Tool.input_schema": jsonSchemaHint`. Counts like
 * `minItems` are integers, bounds are numbers, and bounds, constants and defaults of a schema of type integer are integers
 * with all their digits.
 */
export const jsonSchemaHint: JsonSchemaObject = {
  type: ["object", "boolean"],
  properties: {
    ...each(
      [
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minContains",
        "maxContains",
        "minProperties",
        "maxProperties",
      ],
      count,
    ),
    ...each(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], {
      type: ["number", "boolean"],
    }),
    ...each(
      [
        "not",
        "if",
        "then",
        "else",
        "contains",
        "propertyNames",
        "additionalItems",
        "additionalProperties",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contentSchema",
      ],
      subschema,
    ),
    // Before 2020-12 a tuple is a list of schemas here.
    items: { anyOf: [subschema, subschemas] },
    ...each(["allOf", "anyOf", "oneOf", "prefixItems"], subschemas),
    ...each(
      ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"],
      namedSubschemas,
    ),
  },
  anyOf: [
    valuesOf("integer"),
    valuesOf("number"),
    { properties: { type: { enum: ["string", "boolean", "object", "array", "null"] } } },
  ],
};
