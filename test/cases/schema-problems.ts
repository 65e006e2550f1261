import { type Case, INT, NUM } from "../support/case.js";

/** A broken part gives no hint there and an issue; everything else holds. */
function broken(name: string, v: unknown, code: string, schemaPointer: string, more: Partial<Case> = {}): Case {
  return {
    name,
    schema: { properties: { v: v as object, w: INT } },
    direction: "encode",
    field: { v: 1.5, w: 1e21 },
    text: '{"v":1.5,"w":1000000000000000000000}',
    schemaIssues: [{ code, schemaPointer }],
    ...more,
  };
}

const invalid: Case[] = [
  broken("a subschema that is a number", 5, "invalid_schema", "/properties/v"),
  broken("a subschema that is null", null, "invalid_schema", "/properties/v"),
  broken("a subschema that is a string", "integer", "invalid_schema", "/properties/v"),
  broken("a subschema that is an array", [INT], "invalid_schema", "/properties/v"),
  ...(
    [
      ["type is a number", { type: 5 }],
      ["type is an object", { type: { type: "integer" } }],
      ["type holds a number", { type: ["string", 5] }],
      ["properties is an array", { properties: [INT] }],
      ["properties is a string", { properties: "x" }],
      ["allOf is an object", { allOf: { type: "string" } }],
      ["anyOf is a string", { anyOf: "x" }],
      ["oneOf is a number", { oneOf: 1 }],
      ["items is a string", { items: "x" }],
      ["prefixItems is an object", { prefixItems: {} }],
      ["additionalProperties is a string", { additionalProperties: "x" }],
      ["patternProperties is an array", { patternProperties: [] }],
      ["enum is a string", { enum: "x" }],
      ["$ref is null", { $ref: null }],
    ] as const
  ).map(
    ([name, v]): Case => ({
      name,
      schema: { properties: { v, w: INT } },
      direction: "encode",
      field: { v: true, w: 1e21 },
      text: '{"v":true,"w":1000000000000000000000}',
      schemaIssues: [{ code: "invalid_schema" }],
    }),
  ),
  {
    name: "strictSchema false lists an issue and goes on",
    schema: { properties: { v: { $ref: "#/nowhere" } } },
    options: { strictSchema: false },
    direction: "encode",
    field: { v: 1e21 },
    text: '{"v":1e+21}',
    schemaIssues: [{ code: "unresolved_ref" }],
  },
  {
    name: "more nodes than schemaNodes: the rest has no hint and there is one issue",
    schema: { properties: { v: INT, a: { properties: { b: { properties: { c: { properties: { d: NUM } } } } } } } },
    options: { limits: { schemaNodes: 3 } },
    direction: "encode",
    field: { v: true, a: { b: { c: { d: 1e21 } } } },
    text: '{"v":true,"a":{"b":{"c":{"d":1e+21}}}}',
    schemaIssues: [{ code: "too_large" }],
  },
  {
    name: "more members that tell branches apart than one selection asks for: none does",
    schema: {
      oneOf: ["a", "b"].map((name) => ({
        type: "object",
        properties: {
          ...Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, { const: name }])),
          v: name === "a" ? INT : NUM,
        },
      })),
    },
    direction: "encode",
    field: { k0: "a", v: 1e21 },
    text: '{"k0":"a","v":1e+21}',
    schemaIssues: [{ code: "too_large" }],
  },
];

export const schemaProblems: readonly Case[] = invalid;
