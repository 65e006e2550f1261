import { at, type Case, INT, INT32, NUM, STR, STR64 } from "../support/case.js";
import { casesOf, type HintRow } from "../support/hint-case.js";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

/** Members of objects. */
const members: HintRow[] = [
  { name: "properties", schema: object({ v: INT }), number: "integer", string: "none" },
  { name: "properties without a type", schema: { properties: { v: INT } }, number: "integer", string: "none" },
  {
    name: "properties of properties",
    schema: object({ a: object({ b: INT }) }),
    at: ["a", "b"],
    number: "integer",
    string: "none",
  },
  {
    name: "additionalProperties",
    schema: { type: "object", additionalProperties: INT },
    number: "integer",
    string: "none",
  },
  {
    name: "additionalProperties does not reach a declared key",
    schema: object({ v: NUM }, { additionalProperties: INT }),
    number: "number",
    string: "none",
  },
  {
    name: "additionalProperties does not reach a declared key without information",
    schema: object({ v: {} }, { additionalProperties: INT }),
    number: "any",
    string: "any",
  },
  {
    name: "additionalProperties false leaves declared keys",
    schema: object({ v: INT }, { additionalProperties: false }),
    number: "integer",
    string: "none",
  },
  {
    name: "additionalProperties below additionalProperties",
    schema: { additionalProperties: { additionalProperties: INT } },
    at: ["x", "y"],
    number: "integer",
    string: "none",
  },
  {
    name: "a map of objects",
    schema: { additionalProperties: object({ v: STR64 }) },
    at: ["k", "v"],
    number: "none",
    string: "decimal",
  },

  {
    name: "patternProperties ^.*$ (TypeBox)",
    schema: { patternProperties: { "^.*$": INT } },
    number: "integer",
    string: "none",
  },
  {
    name: "patternProperties ^(.*)$ (TypeBox)",
    schema: { patternProperties: { "^(.*)$": INT } },
    number: "integer",
    string: "none",
  },
  {
    name: "patternProperties ^-?\\d+$ (schemars)",
    schema: { patternProperties: { "^-?\\d+$": INT }, additionalProperties: false },
    at: ["-17"],
    number: "integer",
    string: "none",
  },
  {
    name: "patternProperties ^[0-9]+$ (invopop)",
    schema: { patternProperties: { "^[0-9]+$": INT }, additionalProperties: false },
    at: ["17"],
    number: "integer",
    string: "none",
  },
  {
    name: "integer keys (TypeBox)",
    schema: { patternProperties: { "^-?(?:0|[1-9][0-9]*)$": INT } },
    at: ["-10"],
    number: "integer",
    string: "none",
  },
  {
    name: "an integer key with a leading zero does not match",
    schema: { patternProperties: { "^-?(?:0|[1-9][0-9]*)$": INT }, additionalProperties: NUM },
    at: ["007"],
    number: "number",
    string: "none",
  },
  {
    name: "a pattern that does not match falls to additionalProperties",
    schema: { patternProperties: { "^-?\\d+$": INT }, additionalProperties: NUM },
    at: ["x1"],
    number: "number",
    string: "none",
  },
  {
    name: "a pattern that does not match says nothing",
    schema: { patternProperties: { "^x-": INT } },
    at: ["y-1"],
    number: "any",
    string: "any",
  },
  {
    name: "a pattern without anchors is searched for",
    schema: { patternProperties: { foo: INT } },
    at: ["a foo b"],
    number: "integer",
    string: "none",
  },
  {
    name: "a pattern anchored in front",
    schema: { patternProperties: { "^n_": INT } },
    at: ["n_x"],
    number: "integer",
    string: "none",
  },
  {
    name: "a pattern anchored in front does not match inside",
    schema: { patternProperties: { "^n_": INT } },
    at: ["an_x"],
    number: "any",
  },
  {
    name: "a pattern anchored behind",
    schema: { patternProperties: { _id$: INT } },
    at: ["user_id"],
    number: "integer",
    string: "none",
  },
  {
    name: "a pattern anchored behind does not match inside",
    schema: { patternProperties: { _id$: INT } },
    at: ["user_ids"],
    number: "any",
  },
  {
    name: "a pattern with alternatives",
    schema: { patternProperties: { "^(?:foo|bar)$": INT } },
    at: ["bar"],
    number: "integer",
    string: "none",
  },
  {
    name: "a pattern with alternatives does not match a third",
    schema: { patternProperties: { "^(?:foo|bar)$": INT } },
    at: ["foobar"],
    number: "any",
  },
  {
    name: "alternatives bind weaker than anchors",
    schema: { patternProperties: { "^foo|bar$": INT } },
    at: ["foo!"],
    number: "integer",
    string: "none",
  },
  {
    name: "a pattern with counts",
    schema: { patternProperties: { "^[a-f]{2,3}$": INT } },
    at: ["abc"],
    number: "integer",
    string: "none",
  },
  {
    name: "a pattern with counts refuses more",
    schema: { patternProperties: { "^[a-f]{2,3}$": INT } },
    at: ["abcd"],
    number: "any",
  },
  { name: "a negated class", schema: { patternProperties: { "^[^_]+$": INT } }, at: ["a_b"], number: "any" },
  {
    name: "a pattern with \\w and \\s",
    schema: { patternProperties: { "^\\w+\\s\\w+$": INT } },
    at: ["a1 b_"],
    number: "integer",
    string: "none",
  },
  {
    name: "a pattern with an escaped point",
    schema: { patternProperties: { "^a\\.b$": INT } },
    at: ["axb"],
    number: "any",
  },
  {
    name: "an optional group",
    schema: { patternProperties: { "^a(bc)?d$": INT } },
    at: ["abcd"],
    number: "integer",
    string: "none",
  },
  {
    name: "the empty pattern matches every key",
    schema: { patternProperties: { "": INT } },
    number: "integer",
    string: "none",
  },
  { name: "\\d is ASCII", schema: { patternProperties: { "^\\d$": INT } }, at: ["٣"], number: "any" },

  {
    name: "properties and patternProperties both apply",
    schema: { properties: { v: NUM }, patternProperties: { "^v$": INT } },
    number: "integer",
    string: "none",
  },
  {
    name: "every matching pattern applies",
    schema: { patternProperties: { "^v": NUM, v$: INT } },
    number: "integer",
    string: "none",
  },
  {
    name: "every matching pattern applies for the width",
    schema: { patternProperties: { "^v": INT, v$: { minimum: 0 }, v: { maximum: 100 } } },
    number: "integer",
    width: "small",
  },
  {
    name: "patternProperties beside properties leaves other keys to additionalProperties",
    schema: { properties: { a: STR }, patternProperties: { "^x": NUM }, additionalProperties: INT },
    number: "integer",
    string: "none",
  },

  {
    name: "unevaluatedProperties",
    schema: { type: "object", unevaluatedProperties: INT },
    number: "integer",
    string: "none",
  },
  {
    name: "unevaluatedProperties does not reach a declared key",
    schema: object({ v: {} }, { unevaluatedProperties: INT }),
    number: "any",
    string: "any",
  },
  {
    name: "unevaluatedProperties comes after additionalProperties",
    schema: { additionalProperties: NUM, unevaluatedProperties: INT },
    number: "number",
    string: "none",
  },
  {
    name: "unevaluatedProperties does not reach a key of allOf",
    schema: { allOf: [object({ v: NUM })], unevaluatedProperties: INT },
    number: "number",
    string: "none",
  },
  {
    name: "unevaluatedProperties reaches a key that allOf does not name",
    schema: { allOf: [object({ a: STR })], unevaluatedProperties: INT },
    number: "integer",
  },
  {
    name: "unevaluatedProperties false changes nothing (zod 3)",
    schema: { allOf: [object({ v: INT }), object({ w: STR })], unevaluatedProperties: false },
    number: "integer",
    string: "none",
  },
  {
    name: "a pointer with escapes",
    schema: object({ "a/b~c": INT }),
    at: ["a/b~c"],
    number: "integer",
    string: "none",
  },
  { name: "the empty key", schema: object({ "": INT }), at: [""], number: "integer", string: "none" },
];

/** Items of arrays. */
const items: HintRow[] = [
  {
    name: "items with one schema",
    schema: at({ type: "array", items: INT }),
    at: ["v", 3],
    number: "integer",
    string: "none",
  },
  { name: "items without a type", schema: at({ items: INT }), at: ["v", 0], number: "integer", string: "none" },
  { name: "items of items", schema: at({ items: { items: INT } }), at: ["v", 1, 2], number: "integer", string: "none" },
  {
    name: "items of objects",
    schema: at({ items: object({ id: STR64 }) }),
    at: ["v", 1, "id"],
    number: "none",
    string: "decimal",
  },
  { name: "prefixItems", schema: at({ prefixItems: [STR, INT] }), at: ["v", 1], number: "integer", string: "none" },
  {
    name: "prefixItems, another place",
    schema: at({ prefixItems: [STR, INT] }),
    at: ["v", 0],
    number: "none",
    string: "text",
  },
  {
    name: "after prefixItems nothing is known",
    schema: at({ prefixItems: [STR, INT] }),
    at: ["v", 2],
    number: "any",
    string: "any",
  },
  {
    name: "items after prefixItems",
    schema: at({ prefixItems: [STR], items: INT }),
    at: ["v", 2],
    number: "integer",
    string: "none",
  },
  {
    name: "items does not reach prefixItems",
    schema: at({ prefixItems: [STR], items: INT }),
    at: ["v", 0],
    number: "none",
    string: "text",
  },
  {
    name: "prefixItems and items false (zod 4)",
    schema: at({ prefixItems: [INT, NUM], items: false }),
    at: ["v", 0],
    number: "integer",
    string: "none",
  },
  {
    name: "items as an array (draft-07)",
    schema: at({ items: [NUM, STR64] }),
    at: ["v", 1],
    number: "none",
    string: "decimal",
  },
  {
    name: "after an items array nothing is known",
    schema: at({ items: [NUM, STR64] }),
    at: ["v", 2],
    number: "any",
    string: "any",
  },
  {
    name: "additionalItems after an items array",
    schema: at({ items: [STR], additionalItems: INT }),
    at: ["v", 1],
    number: "integer",
    string: "none",
  },
  {
    name: "additionalItems false changes nothing (TypeBox)",
    schema: at({ items: [STR, INT], additionalItems: false, minItems: 2, maxItems: 2 }),
    at: ["v", 1],
    number: "integer",
    string: "none",
  },
  {
    name: "additionalItems beside one items schema is not read",
    schema: at({ items: NUM, additionalItems: INT }),
    at: ["v", 1],
    number: "number",
    string: "none",
  },
  { name: "additionalItems alone is not read", schema: at({ additionalItems: INT }), at: ["v", 0], number: "any" },
  {
    name: "unevaluatedItems",
    schema: at({ type: "array", unevaluatedItems: INT }),
    at: ["v", 0],
    number: "integer",
    string: "none",
  },
  {
    name: "unevaluatedItems does not reach prefixItems",
    schema: at({ prefixItems: [NUM], unevaluatedItems: INT }),
    at: ["v", 0],
    number: "number",
    string: "none",
  },
  {
    name: "unevaluatedItems after prefixItems",
    schema: at({ prefixItems: [NUM], unevaluatedItems: INT }),
    at: ["v", 1],
    number: "integer",
  },
  {
    name: "unevaluatedItems after items is not read",
    schema: at({ items: NUM, unevaluatedItems: INT }),
    at: ["v", 1],
    number: "number",
    string: "none",
  },
  {
    name: "an empty prefixItems",
    schema: at({ prefixItems: [], items: INT }),
    at: ["v", 0],
    number: "integer",
    string: "none",
  },
  {
    name: "OpenAPI 3.0 tuples",
    schema: at({ items: { anyOf: [INT, NUM] } }),
    at: ["v", 0],
    number: "number",
    string: "none",
  },
  {
    name: "prefixItems in allOf intersect with items",
    schema: at({ allOf: [{ prefixItems: [NUM] }, { items: INT }] }),
    at: ["v", 0],
    number: "integer",
    string: "none",
  },
  {
    name: "a tuple as map entries (z.map)",
    schema: at({ type: "array", items: { type: "array", items: [STR, INT32], minItems: 2, maxItems: 2 } }),
    at: ["v", 1, 1],
    number: "integer",
    width: "small",
    string: "none",
  },
  {
    name: "Gemini's upper-case array",
    schema: { type: "OBJECT", properties: { v: { type: "ARRAY", items: { type: "INTEGER" } } } },
    at: ["v", 0],
    number: "integer",
    string: "none",
  },
];

/** Patterns that nothing of ours decides. */
const undecidable: HintRow[] = ["^(?=a)", "^(?!_)", "(a)\\1", "\\p{L}", "(?<=a)b"].flatMap((pattern): HintRow[] => [
  {
    name: `beside the undecidable pattern ${pattern} declared keys keep their hint`,
    schema: { properties: { v: INT }, patternProperties: { [pattern]: NUM } },
    number: "integer",
    string: "none",
    schemaIssues: [{ code: "unsupported_pattern" }],
  },
  {
    name: `beside the undecidable pattern ${pattern} other keys have no hint, not that of additionalProperties`,
    schema: { properties: { v: INT }, patternProperties: { [pattern]: STR }, additionalProperties: INT },
    at: ["w"],
    number: "any",
    string: "any",
    schemaIssues: [{ code: "unsupported_pattern" }],
  },
]);

const injected: HintRow[] = [
  {
    name: "an injected matcher decides what we do not",
    schema: { patternProperties: { "^(?!_)": INT }, additionalProperties: NUM },
    options: { matchPattern: (pattern) => (pattern === "^(?!_)" ? (key) => !key.startsWith("_") : undefined) },
    number: "integer",
    string: "none",
  },
  {
    name: "an injected matcher may say no",
    schema: { patternProperties: { "^(?!_)": INT }, additionalProperties: NUM },
    options: { matchPattern: (pattern) => (pattern === "^(?!_)" ? (key) => !key.startsWith("_") : undefined) },
    at: ["_v"],
    number: "number",
    string: "none",
  },
  {
    name: "an injected matcher that knows nothing leaves the pattern undecidable",
    schema: { patternProperties: { "^(?!_)": INT }, additionalProperties: NUM },
    options: { matchPattern: () => undefined },
    number: "any",
    schemaIssues: [{ code: "unsupported_pattern" }],
  },
];

/** Patterns that hang a backtracking matcher. The clock is vitest's. */
const attack = "a".repeat(50_000);
const slow: Case[] = ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(a*)*b", "^(\\w+\\s?)*$", "^(?:a?){40}a{40}$"].map(
  (pattern) => ({
    name: `the pattern ${pattern} against 50,000 characters`,
    schema: { patternProperties: { [pattern]: {} } },
    schemaIssues: "any",
    text: `{"${attack}!":1}`,
    field: { [`${attack}!`]: 1 },
  }),
);

export const memberCases: readonly Case[] = [
  ...[...members, ...items, ...undecidable, ...injected].flatMap(casesOf),
  ...slow,
];
