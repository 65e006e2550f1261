// biome-ignore-all lint/suspicious/noThenProperty: "then" is a keyword of JSON Schema.

import { at, type Case, INT, INT32, INT64, NUM, STR, STR64 } from "../support/case.js";
import { casesOf, type HintRow } from "../support/hint-case.js";

const members = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

/** allOf, $ref with siblings, keywords beside a union: intersection. */
const intersection: HintRow[] = [
  {
    name: "allOf integer, number with a bound (zod 3)",
    schema: at({ allOf: [INT, { type: "number", minimum: 3 }] }),
    number: "integer",
    string: "none",
  },
  { name: "allOf number, integer", schema: at({ allOf: [NUM, INT] }), number: "integer", string: "none" },
  { name: "allOf with one conjunct", schema: at({ allOf: [INT64] }), number: "integer", width: "wide", string: "none" },
  {
    name: "allOf with an empty conjunct: no information is neutral",
    schema: at({ allOf: [INT, {}] }),
    number: "integer",
    string: "none",
  },
  {
    name: "allOf with true: no information is neutral",
    schema: at({ allOf: [true, INT] }),
    number: "integer",
    string: "none",
  },
  {
    name: "allOf with a conjunct about objects is neutral",
    schema: at({ allOf: [INT, { required: ["a"] }] }),
    number: "integer",
    string: "none",
  },
  { name: "allOf beside a type", schema: at({ type: "number", allOf: [INT] }), number: "integer", string: "none" },
  {
    name: "allOf of a type and a format",
    schema: at({ allOf: [{ type: "integer" }, { format: "int64" }] }),
    number: "integer",
    width: "wide",
  },
  {
    name: "allOf [integer, string], integer",
    schema: at({ allOf: [{ type: ["integer", "string"] }, INT] }),
    number: "integer",
    string: "none",
  },
  {
    name: "nested allOf",
    schema: at({ allOf: [{ allOf: [{ allOf: [INT] }] }, NUM] }),
    number: "integer",
    string: "none",
  },
  {
    name: "a type beside anyOf",
    schema: at({ type: "integer", anyOf: [{ minimum: 1 }, { maximum: -1 }] }),
    number: "integer",
    string: "none",
  },
  {
    name: "a union of numbers beside an integer type",
    schema: at({ type: "integer", anyOf: [{ type: "number" }, { type: "string" }] }),
    number: "integer",
    string: "none",
  },
  {
    name: "$ref with a sibling description",
    schema: { properties: { v: { $ref: "#/$defs/n", description: "x", default: 5 } }, $defs: { n: INT64 } },
    number: "integer",
    width: "wide",
    string: "none",
  },
  {
    name: "$ref to a number with a sibling type integer",
    schema: { properties: { v: { $ref: "#/$defs/n", type: "integer" } }, $defs: { n: NUM } },
    number: "integer",
    string: "none",
  },
  {
    name: "$ref with siblings under draft-07 does no harm",
    schema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      $ref: "#/definitions/T",
      definitions: { T: members({ v: INT }) },
    },
    number: "integer",
    string: "none",
  },
  {
    name: "allOf merges members",
    schema: { allOf: [members({ a: STR }), members({ v: INT })] },
    number: "integer",
    string: "none",
  },
  {
    name: "allOf intersects one member",
    schema: { allOf: [members({ v: NUM }), members({ v: INT })] },
    number: "integer",
    string: "none",
  },
  {
    name: "members of the parent beside oneOf",
    schema: members({ v: NUM }, { oneOf: [members({ v: INT }), members({ v: INT, w: STR })] }),
    number: "integer",
    string: "none",
  },
  {
    name: "oneOf about required keys does not disturb the parent's members",
    schema: members({ v: INT }, { oneOf: [{ required: ["v"] }, { required: ["w"] }] }),
    number: "integer",
    width: "unknown",
    string: "none",
  },
  {
    name: "anyOf about required keys does not disturb a decimal string",
    schema: members({ v: STR64 }, { anyOf: [{ required: ["v"] }, { required: ["w"] }] }),
    number: "none",
    string: "decimal",
  },
  {
    name: "a contradiction has no information and an issue",
    schema: at({ allOf: [STR, INT] }),
    number: "any",
    string: "any",
    schemaIssues: [{ code: "contradiction" }],
  },
  {
    name: "a contradiction between type and $ref",
    schema: { properties: { v: { $ref: "#/$defs/s", type: "integer" } }, $defs: { s: STR } },
    number: "any",
    schemaIssues: [{ code: "contradiction" }],
  },
  {
    name: "a contradiction at one member leaves its sibling alone",
    schema: { allOf: [members({ w: STR, v: INT }), members({ w: INT })] },
    number: "integer",
    string: "none",
    schemaIssues: [{ code: "contradiction" }],
  },
];

/** anyOf, oneOf, type arrays: union. */
const union: HintRow[] = [
  { name: "a branch true absorbs", schema: at({ anyOf: [INT, true] }), number: "any", string: "any" },
  { name: "a branch {} absorbs", schema: at({ anyOf: [INT, {}] }), number: "any", string: "any" },
  {
    name: "a branch with a title alone absorbs",
    schema: at({ anyOf: [INT, { title: "anything" }] }),
    number: "any",
    string: "any",
  },
  { name: "a branch false drops out", schema: at({ anyOf: [INT, false] }), number: "integer", string: "none" },
  {
    name: "an unresolved branch absorbs",
    schema: at({ anyOf: [INT, { $ref: "#/$defs/missing" }] }),
    number: "any",
    string: "any",
    schemaIssues: [{ code: "unresolved_ref" }],
  },
  {
    name: "a branch true absorbs at its members too",
    schema: { anyOf: [members({ v: INT }), true] },
    number: "any",
    string: "any",
  },
  {
    name: "a branch of another kind says nothing about members",
    schema: { anyOf: [members({ v: INT }), { type: "null" }, { type: "string" }] },
    number: "integer",
    string: "none",
  },
  {
    name: "a branch that does not mention a key is neutral for numbers and text for strings",
    schema: { anyOf: [members({ v: INT }), members({ w: STR })] },
    number: "integer",
    width: "unknown",
    string: "text",
  },
  {
    name: "a branch that does not mention a key is neutral for the width",
    schema: { oneOf: [members({ v: INT32 }), members({ w: INT64 })] },
    number: "integer",
    width: "small",
    string: "text",
  },
  {
    name: "additionalProperties true mentions nothing",
    schema: { anyOf: [members({ v: INT }), members({ w: STR }, { additionalProperties: true })] },
    number: "integer",
    string: "text",
  },
  {
    name: "additionalProperties {} mentions nothing",
    schema: { anyOf: [members({ v: INT }), members({ w: STR }, { additionalProperties: {} })] },
    number: "integer",
    string: "text",
  },
  {
    name: "a branch that forbids a key drops out",
    schema: { anyOf: [members({ v: INT }), members({ w: STR }, { additionalProperties: false })] },
    number: "integer",
    string: "none",
  },
  {
    name: "additionalProperties with a schema mentions every key",
    schema: { anyOf: [members({ v: INT }), members({ w: STR }, { additionalProperties: NUM })] },
    number: "number",
    string: "none",
  },
  {
    name: "members of two branches are merged",
    schema: { anyOf: [members({ v: INT, a: STR }), members({ v: NUM, b: STR })] },
    number: "number",
    string: "none",
  },
  {
    name: "a member as integer here and string there",
    schema: { anyOf: [members({ v: INT }), members({ v: STR })] },
    number: "integer",
    string: "text",
  },
  {
    name: "items of two branches are merged",
    schema: at({ anyOf: [{ type: "array", items: INT }, { type: "array", items: { type: "null" } }, INT] }),
    at: ["v", 2],
    number: "integer",
    string: "none",
  },
  {
    name: "a scalar or a list of it",
    schema: at({ anyOf: [INT, { type: "array", items: INT }] }),
    at: ["v", 0],
    number: "integer",
    string: "none",
  },
  {
    name: "nested unions",
    schema: at({ anyOf: [{ oneOf: [INT, { type: "null" }] }, { anyOf: [{ type: "boolean" }, INT] }] }),
    number: "integer",
    string: "none",
  },
];

/** A combination that nothing satisfies drops out of a union; only where nothing is left it is a contradiction. */
const impossible: HintRow[] = [
  {
    name: "an integer narrowed from number or string, beside null",
    schema: at({ anyOf: [{ type: "null" }, { type: "integer", anyOf: [NUM, STR] }] }),
    number: "integer",
    width: "unknown",
    string: "none",
  },
  {
    name: "an integer narrowed from number or decimal string, beside null",
    schema: at({ oneOf: [{ type: "null" }, { allOf: [INT, { anyOf: [NUM, STR64] }] }] }),
    number: "integer",
    string: "none",
  },
  {
    name: "two unions that meet in one branch each",
    schema: at({ allOf: [{ anyOf: [INT64, { type: "null" }] }, { anyOf: [NUM, { type: "boolean" }] }] }),
    number: "integer",
    width: "wide",
    string: "none",
  },
  {
    name: "a nullable type beside a union without null",
    schema: at({ type: ["integer", "null"], anyOf: [NUM, STR] }),
    number: "integer",
    string: "none",
  },
  {
    name: "members of a branch narrowed from object or null",
    schema: { anyOf: [{ type: "null" }, { type: "object", anyOf: [{ type: "null" }, members({ v: INT })] }] },
    number: "integer",
    string: "none",
  },
  {
    name: "a union whose every branch contradicts the type beside it",
    schema: at({ type: "integer", anyOf: [STR, { type: "boolean" }] }),
    number: "any",
    string: "any",
    schemaIssues: [{ code: "contradiction" }],
  },
];

/** then, else, dependentSchemas, dependencies: may narrow what nothing else speaks about. */
const conditional: HintRow[] = [
  {
    name: "then narrows a position without information",
    schema: { type: "object", if: { properties: { k: { const: "a" } } }, then: { properties: { v: INT } } },
    number: "integer",
  },
  {
    name: "else narrows a position without information",
    schema: { type: "object", if: { properties: { k: { const: "a" } } }, else: { properties: { v: INT } } },
    number: "integer",
  },
  {
    name: "then and else without if say nothing",
    schema: members({}, { then: { properties: { v: INT } }, else: { properties: { v: INT } } }),
    number: "any",
    string: "any",
  },
  {
    name: "then does not narrow number to integer",
    schema: members({ v: NUM }, { if: { required: ["k"] }, then: { properties: { v: INT } } }),
    number: "number",
    string: "none",
  },
  {
    name: "then does not widen integer to number",
    schema: members({ v: INT }, { if: { required: ["k"] }, then: { properties: { v: NUM } } }),
    number: "integer",
    string: "none",
  },
  {
    name: "then integer and else number are number",
    schema: {
      type: "object",
      if: { required: ["k"] },
      then: { properties: { v: INT } },
      else: { properties: { v: NUM } },
    },
    number: "number",
  },
  {
    name: "if gives no hint",
    schema: { type: "object", if: { properties: { v: INT } } },
    number: "any",
    string: "any",
  },
  {
    name: "dependentSchemas narrow a position without information",
    schema: { type: "object", dependentSchemas: { k: { properties: { v: INT } } } },
    number: "integer",
  },
  {
    name: "dependentSchemas do not narrow number",
    schema: members({ v: NUM }, { dependentSchemas: { k: { properties: { v: INT } } } }),
    number: "number",
    string: "none",
  },
  {
    name: "dependencies with a schema",
    schema: { type: "object", dependencies: { k: { properties: { v: INT } } } },
    number: "integer",
  },
  {
    name: "dependencies with a list of keys are no schema",
    schema: members({ v: INT }, { dependencies: { k: ["v"] } }),
    number: "integer",
    string: "none",
  },
  {
    name: "dependentRequired is no schema",
    schema: members({ v: INT }, { dependentRequired: { k: ["v"] } }),
    number: "integer",
    string: "none",
  },
];

/** Keywords below which no hint is found. */
const silent: HintRow[] = [
  {
    name: "not gives no hint",
    schema: { type: "object", not: { properties: { v: INT } } },
    number: "any",
    string: "any",
  },
  { name: "not at the position itself gives no hint", schema: at({ not: INT }), number: "any", string: "any" },
  {
    name: "contains gives no hint",
    schema: at({ type: "array", contains: INT }),
    at: ["v", 0],
    number: "any",
    string: "any",
  },
  { name: "propertyNames gives no hint", schema: { type: "object", propertyNames: INT }, number: "any", string: "any" },
  {
    name: "propertyNames does not disturb additionalProperties (buf)",
    schema: { type: "object", propertyNames: { type: "boolean" }, additionalProperties: INT },
    number: "integer",
    string: "none",
  },
  {
    name: "contentSchema gives no hint",
    schema: at({ type: "string", contentSchema: INT }),
    number: "none",
    string: "text",
  },
  {
    name: "schemas in enum are data",
    schema: { type: "object", enum: [{ properties: { v: INT } }] },
    number: "any",
    string: "any",
  },
  { name: "schemas in const are data", schema: { const: { properties: { v: INT } } }, number: "any", string: "any" },
  {
    name: "schemas in default are data",
    schema: { default: { properties: { v: INT } } },
    number: "any",
    string: "any",
  },
  {
    name: "schemas in examples are data",
    schema: { examples: [{ properties: { v: INT } }] },
    number: "any",
    string: "any",
  },
  {
    name: "$defs alone give no hint",
    schema: { $defs: { v: INT }, definitions: { v: INT } },
    number: "any",
    string: "any",
  },
];

export const combining: readonly Case[] = [...intersection, ...union, ...impossible, ...conditional, ...silent].flatMap(
  casesOf,
);
