import type { RewriteRow } from "./rewrite-rows.js";

const signed = "^-?(?:0|[1-9][0-9]*)$";
const description = "Decimal digits as text";
const text = { type: "string", pattern: signed, description };

/** Schemas that serve several places, and branches of unions. */
export const sharedRows: readonly RewriteRow[] = [
  {
    name: "rewrites a shared schema that serves ids only",
    before: {
      properties: { aId: { $ref: "#/$defs/I" }, bIds: { type: "array", items: { $ref: "#/$defs/I" } } },
      $defs: { I: { type: "integer" } },
    },
    after: {
      properties: { aId: { $ref: "#/$defs/I" }, bIds: { type: "array", items: { $ref: "#/$defs/I" } } },
      $defs: { I: text },
    },
  },
  {
    name: "leaves a shared schema that serves a count too",
    before: { properties: { id: { $ref: "#/$defs/I" }, n: { $ref: "#/$defs/I" } }, $defs: { I: { type: "integer" } } },
    findings: [["shared_schema", "/$defs/I"]],
  },
  {
    name: "leaves a shared schema that serves a member without a name too",
    before: {
      properties: { id: { $ref: "#/$defs/I" } },
      additionalProperties: { $ref: "#/$defs/I" },
      $defs: { I: { type: "integer" } },
    },
    findings: [["shared_schema", "/$defs/I"]],
  },
  {
    name: "rewrites what #/properties points at, with everyone who points there",
    before: { properties: { aId: { type: "integer" }, bId: { $ref: "#/properties/aId" } } },
    after: { properties: { aId: text, bId: { $ref: "#/properties/aId" } } },
  },
  {
    name: "leaves what #/properties points at from a count",
    before: { properties: { id: { type: "integer" }, n: { $ref: "#/properties/id" } } },
    findings: [["shared_schema", "/properties/id"]],
  },
  {
    name: "leaves branches of oneOf that only a branch within them tells apart",
    before: {
      properties: {
        id: { type: "integer", oneOf: [{ const: 5 }, { minimum: 3, anyOf: [{ const: "b" }, { minimum: 3 }] }] },
      },
    },
    findings: [["ambiguous_one_of", "/properties/id"]],
  },
  {
    name: "leaves what a condition alone declares wide, where others say integer",
    before: {
      properties: { n: { type: "integer" } },
      if: { required: ["x"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { n: { type: "integer", format: "int64" } } },
    },
    findings: [["shared_schema", "/then/properties/n"]],
  },
  {
    name: "leaves what stands under a keyword nobody knows",
    before: { properties: { id: { $ref: "#/x-shared/I" } }, "x-shared": { I: { type: "integer" } } },
    findings: [["foreign_schema", "/x-shared/I"]],
  },
  {
    name: "rewrites recursion",
    before: {
      type: "object",
      properties: { root: { $ref: "#/$defs/Node" } },
      $defs: { Node: { type: "object", properties: { id: { type: "integer" }, next: { $ref: "#/$defs/Node" } } } },
    },
    after: {
      type: "object",
      properties: { root: { $ref: "#/$defs/Node" } },
      $defs: { Node: { type: "object", properties: { id: text, next: { $ref: "#/$defs/Node" } } } },
    },
  },
  {
    name: "rewrites one branch where a required member tells them apart",
    before: {
      oneOf: [
        { properties: { kind: { const: "issue" }, id: { type: "integer" } }, required: ["kind"] },
        { properties: { kind: { const: "user" }, id: { type: "string" } }, required: ["kind"] },
      ],
    },
    after: {
      oneOf: [
        { properties: { kind: { const: "issue" }, id: text }, required: ["kind"] },
        { properties: { kind: { const: "user" }, id: { type: "string" } }, required: ["kind"] },
      ],
    },
  },
  {
    name: "leaves a branch where the member that tells them apart may be absent",
    before: {
      oneOf: [
        { properties: { kind: { const: "issue" }, id: { type: "integer" } } },
        { properties: { kind: { const: "user" }, id: { type: "string" } } },
      ],
    },
    findings: [["text_union", "/oneOf/0/properties/id"]],
  },
  {
    name: "leaves a shared schema that stands beside a branch that takes everything",
    before: {
      properties: { id: { $ref: "#/$defs/I" }, n: { anyOf: [{ $ref: "#/$defs/I" }, {}] } },
      $defs: { I: { type: "integer" } },
    },
    findings: [["contradiction", "/$defs/I"]],
  },
  // Places of which the hint knows nothing.
  {
    name: "leaves an id beside a branch that takes everything, where nothing tells them apart for certain",
    before: {
      anyOf: [
        { properties: { kind: { const: "a" }, id: { type: "integer" } } },
        { properties: { kind: { const: "b" }, id: {} } },
      ],
    },
    findings: [["contradiction", "/anyOf/0/properties/id"]],
  },
  {
    name: "rewrites an id beside a branch that takes everything, where a required member tells them apart",
    before: {
      anyOf: [
        { properties: { kind: { const: "a" }, id: { type: "integer" } }, required: ["kind"] },
        { properties: { kind: { const: "b" }, id: {} }, required: ["kind"] },
      ],
    },
    after: {
      anyOf: [
        { properties: { kind: { const: "a" }, id: text }, required: ["kind"] },
        { properties: { kind: { const: "b" }, id: {} }, required: ["kind"] },
      ],
    },
  },
  ...[
    '"if":{"required":["a"]},"then":{"properties":{"bId":{"$ref":"#/$defs/I"}}}',
    '"if":{"required":["a"]},"else":{"properties":{"bId":{"$ref":"#/$defs/I"}}}',
    '"dependentSchemas":{"a":{"properties":{"bId":{"$ref":"#/$defs/I"}}}}',
    '"dependencies":{"a":{"allOf":[{"properties":{"bId":{"$ref":"#/$defs/I"}}}]}}',
  ].map(
    (condition): RewriteRow => ({
      name: `leaves a shared schema that a condition in a nullable union has too: ${condition}`,
      before: `{"properties":{"id":{"$ref":"#/$defs/I"},"x":{"anyOf":[{"type":"null"},{"type":"object",${condition}}]}},"$defs":{"I":{"type":"integer"}}}`,
      findings: [["contradiction", "/$defs/I"]],
    }),
  ),
  {
    name: "says that an id in a condition in a nullable union is left",
    before: {
      properties: {
        x: {
          anyOf: [
            { type: "null" },
            { type: "object", dependentSchemas: { a: { properties: { id: { type: "integer" } } } } },
          ],
        },
      },
    },
    findings: [["contradiction", "/properties/x/anyOf/1/dependentSchemas/a/properties/id"]],
  },
  {
    name: "leaves a shared schema that also stands where no pattern can be decided",
    before: {
      properties: { id: { $ref: "#/$defs/I" } },
      patternProperties: { "^(?=x)": { type: "string" } },
      additionalProperties: { $ref: "#/$defs/I" },
      $defs: { I: { type: "integer", format: "int64" } },
    },
    findings: [["contradiction", "/$defs/I"]],
  },
  {
    name: "rewrites what patterns and additionalProperties share",
    before: {
      properties: { id: { $ref: "#/$defs/I" } },
      patternProperties: { "^x": { $ref: "#/$defs/I" }, "^(?:a|b)$": { $ref: "#/$defs/I" } },
      additionalProperties: { $ref: "#/$defs/I" },
      $defs: { I: { type: "integer", format: "int64" } },
    },
    after: {
      properties: { id: { $ref: "#/$defs/I" } },
      patternProperties: { "^x": { $ref: "#/$defs/I" }, "^(?:a|b)$": { $ref: "#/$defs/I" } },
      additionalProperties: { $ref: "#/$defs/I" },
      $defs: { I: text },
    },
  },

  // Places that a keyword tests, however it comes there.
  ...[
    '"not":{"type":"string"}',
    '"allOf":[{"not":{"type":"string"}}]',
    '"not":{"anyOf":[{"minimum":5}]}',
    '"if":{"$ref":"#/$defs/Test"},"then":{}',
    '"if":{"not":{"maxLength":3}},"else":{}',
    '"maxLength":3',
    '"pattern":"^1"',
  ].map(
    (beside): RewriteRow => ({
      name: `leaves a reference beside ${beside}`,
      before: `{"properties":{"id":{"$ref":"#/$defs/I",${beside}}},"$defs":{"I":{"type":"integer"},"Test":{"minimum":3}}}`,
      findings: [["tested_value", "/$defs/I"]],
    }),
  ),
  ...[
    '"not":{"additionalProperties":{"type":"string"}}',
    '"not":{"patternProperties":{"^id$":{"type":"string"}}}',
    '"if":{"properties":{"id":{"$ref":"#/$defs/Test"}}},"then":{}',
    '"if":{"properties":{"id":{"anyOf":[{"const":1}]}}},"then":{}',
    '"anyOf":[{"not":{"properties":{"id":{"exclusiveMinimum":3}}}}]',
  ].map(
    (test): RewriteRow => ({
      name: `leaves a member that ${test} looks at`,
      before: `{"properties":{"id":{"type":"integer"}},"$defs":{"Test":{"minimum":3}},${test}}`,
      findings: [["tested_value", "/properties/id"]],
    }),
  ),
  {
    name: "rewrites beside tests that digits as text pass alike, and a member of that name elsewhere",
    before:
      '{"properties":{"id":{"$ref":"#/$defs/I","not":{"type":"null"}},"x":{"properties":{"id":{"type":"integer"}}}},"if":{"properties":{"kind":{"const":"a"}}},"then":{"required":["id"]},"not":{"properties":{"id":{"enum":["none"]}}},"$defs":{"I":{"type":"integer"}}}',
    after: `{"properties":{"id":{"$ref":"#/$defs/I","not":{"type":"null"}},"x":{"properties":{"id":${JSON.stringify(text)}}}},"if":{"properties":{"kind":{"const":"a"}}},"then":{"required":["id"]},"not":{"properties":{"id":{"enum":["none"]}}},"$defs":{"I":${JSON.stringify(text)}}}`,
  },
];
