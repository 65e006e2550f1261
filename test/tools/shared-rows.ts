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
];
