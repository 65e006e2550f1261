import { type Case, INT, INT64, NUM, STR, STR64 } from "../support/case.js";
import { casesOf, type HintRow } from "../support/hint-case.js";

const ref = ($ref: string) => ({ $ref });
const unresolved = [{ code: "unresolved_ref" }];

function to(name: string, $ref: string, rest: object, more: Partial<HintRow> = {}): HintRow {
  return {
    name,
    schema: { type: "object", ...rest, properties: { ...(rest as { properties?: object }).properties, v: { $ref } } },
    number: "integer",
    string: "none",
    ...more,
  };
}

const forms: HintRow[] = [
  to("#/$defs", "#/$defs/n", { $defs: { n: INT } }),
  to("#/definitions", "#/definitions/n", { definitions: { n: INT } }),
  to("#/components/schemas", "#/components/schemas/N", { components: { schemas: { N: INT } } }),
  to("into properties (zod 3, .NET)", "#/properties/a", { properties: { a: INT } }),
  to("into items", "#/properties/a/items", { properties: { a: { type: "array", items: INT } } }),
  to("into prefixItems", "#/properties/a/prefixItems/1", { properties: { a: { prefixItems: [STR, INT] } } }),
  to("into an items array", "#/properties/a/items/1", { properties: { a: { items: [STR, INT] } } }),
  to("into allOf", "#/allOf/0/properties/w", { allOf: [{ properties: { w: INT } }] }),
  to("into a place that is no schema place", "#/x-shared/types/n", { "x-shared": { types: { n: INT } } }),
  to("into additionalProperties", "#/properties/a/additionalProperties", {
    properties: { a: { additionalProperties: INT } },
  }),
  to("percent-encoded", "#/definitions/Record%3Cstring%2Cnumber%3E", { definitions: { "Record<string,number>": INT } }),
  to("percent-encoded letters beyond ASCII", "#/$defs/%C3%A9", { $defs: { é: INT } }),
  to("~1 is a slash", "#/$defs/a~1b", { $defs: { "a/b": INT } }),
  to("~0 is a tilde", "#/$defs/a~0b", { $defs: { "a~b": INT } }),
  to("~01 is ~1", "#/$defs/a~01b", { $defs: { "a~1b": INT } }),
  to("percent-encoding comes before ~", "#/$defs/a%7E1b", { $defs: { "a/b": INT } }),
  to("a definition with an empty name", "#/$defs/", { $defs: { "": INT } }),
  to(
    "a definition named __proto__",
    "#/$defs/__proto__",
    JSON.parse('{"$defs":{"__proto__":{"type":"integer"}}}') as object,
  ),
  to(
    "a chain of references",
    "#/$defs/a",
    { $defs: { a: ref("#/$defs/b"), b: ref("#/$defs/c"), c: INT64 } },
    { width: "wide" },
  ),
  to("deep into a definition", "#/$defs/a/properties/n", { $defs: { a: { properties: { n: INT } } } }),
  to("$anchor", "#n", { $defs: { x: { $anchor: "n", type: "integer" } } }),
  to("$id as an anchor (draft-06, draft-07)", "#n", { definitions: { x: { $id: "#n", type: "integer" } } }),
  to("id as an anchor (draft-04)", "#n", { definitions: { x: { id: "#n", type: "integer" } } }),
  to("a bare name (TypeBox)", "N", { $defs: { N: { $id: "N", type: "integer" } } }),
  to("an absolute $id", "https://example.com/n", { $defs: { x: { $id: "https://example.com/n", type: "integer" } } }),
  to("an absolute id (draft-04)", "http://example.com/n", {
    definitions: { x: { id: "http://example.com/n", type: "integer" } },
  }),
  to("a relative $ref against the root's $id", "n.json", {
    $id: "https://example.com/root.json",
    $defs: { x: { $id: "https://example.com/n.json", type: "integer" } },
  }),
  to("a relative $id against the root's $id", "https://example.com/n.json", {
    $id: "https://example.com/root.json",
    $defs: { x: { $id: "n.json", type: "integer" } },
  }),
  to("the root by its own $id and a pointer", "https://example.com/root.json#/$defs/n", {
    $id: "https://example.com/root.json",
    $defs: { n: INT },
  }),
  to("a pointer into a resource with an $id", "n.json#/$defs/m", {
    $id: "https://example.com/root.json",
    $defs: { x: { $id: "n.json", $defs: { m: INT } } },
  }),
  to("an anchor in a resource with an $id", "n.json#m", {
    $id: "https://example.com/root.json",
    $defs: { x: { $id: "n.json", $defs: { y: { $anchor: "m", type: "integer" } } } },
  }),
  {
    name: "a pointer is relative to the resource it stands in",
    schema: {
      $id: "https://example.com/root.json",
      $defs: {
        n: NUM,
        x: { $id: "x.json", type: "object", properties: { v: ref("#/$defs/n") }, $defs: { n: INT } },
      },
      $ref: "x.json",
    },
    number: "integer",
    string: "none",
  },
  {
    name: "Gemini's ref and defs",
    schema: { type: "OBJECT", properties: { v: { ref: "#/defs/n" } }, defs: { n: { type: "INTEGER" } } },
    number: "integer",
    string: "none",
  },
  {
    name: "the root is a reference (chrusty, pydantic)",
    schema: { $ref: "#/$defs/T", $defs: { T: { properties: { v: INT } } } },
    number: "integer",
    string: "none",
  },
  {
    name: "# is the root",
    schema: { properties: { v: INT, next: ref("#") } },
    at: ["next", "next", "v"],
    number: "integer",
    string: "none",
  },
  {
    name: "a tree",
    schema: {
      $ref: "#/$defs/node",
      $defs: { node: { properties: { v: INT, kids: { type: "array", items: ref("#/$defs/node") } } } },
    },
    at: ["kids", 0, "kids", 1, "v"],
    number: "integer",
    string: "none",
  },
  {
    name: "two types that hold each other",
    schema: {
      $ref: "#/$defs/a",
      $defs: {
        a: { properties: { b: ref("#/$defs/b"), v: INT } },
        b: { properties: { a: ref("#/$defs/a"), v: NUM } },
      },
    },
    at: ["b", "a", "v"],
    number: "integer",
    string: "none",
  },
  {
    name: "recursion through a nullable union",
    schema: { properties: { v: STR64, next: { anyOf: [ref("#"), { type: "null" }] } } },
    at: ["next", "next", "next", "v"],
    number: "none",
    string: "decimal",
  },
  {
    name: "recursion into a property (.NET)",
    schema: { properties: { v: INT, next: { properties: { v: INT64, next: ref("#/properties/next") } } } },
    at: ["next", "next", "v"],
    number: "integer",
    width: "wide",
  },
  {
    name: "recursion through additionalProperties",
    schema: { properties: { v: INT }, additionalProperties: ref("#") },
    at: ["x", "y", "v"],
    number: "integer",
    string: "none",
  },
  {
    name: "$dynamicRef to a $dynamicAnchor",
    schema: { properties: { v: { $dynamicRef: "#n" } }, $defs: { n: { $dynamicAnchor: "n", type: "integer" } } },
    number: "integer",
    string: "none",
  },
  {
    name: "$dynamicRef to an $anchor",
    schema: { properties: { v: { $dynamicRef: "#n" } }, $defs: { n: { $anchor: "n", type: "integer" } } },
    number: "integer",
    string: "none",
  },
  {
    name: "$recursiveRef is the root",
    schema: { $recursiveAnchor: true, properties: { v: INT, next: { $recursiveRef: "#" } } },
    at: ["next", "next", "v"],
    number: "integer",
    string: "none",
  },
  {
    name: "a reference to true says nothing",
    schema: { properties: { v: ref("#/$defs/t") }, $defs: { t: true } },
    number: "any",
    string: "any",
  },
  {
    name: "a document that the caller passes",
    schema: { properties: { v: ref("https://example.com/n.json") } },
    options: { documents: { "https://example.com/n.json": INT64 } },
    number: "integer",
    width: "wide",
  },
  {
    name: "a pointer into a document that the caller passes",
    schema: { properties: { v: ref("https://example.com/n.json#/$defs/n") } },
    options: { documents: { "https://example.com/n.json": { $defs: { n: INT } } } },
    number: "integer",
    string: "none",
  },
  {
    name: "a document that refers to itself",
    schema: { properties: { v: ref("https://example.com/n.json") } },
    options: { documents: { "https://example.com/n.json": { $ref: "#/$defs/n", $defs: { n: INT } } } },
    number: "integer",
    string: "none",
  },
];

/** References that lead nowhere: no hint there, one issue, nothing thrown, nothing fetched. */
const nowhere: HintRow[] = [
  ...[
    "#/$defs/missing",
    "#missing",
    "https://example.com/schema.json",
    "http://169.254.169.254/latest/meta-data",
    "file:///etc/passwd",
    "data:application/json,{}",
    "//host/share/schema.json",
    "Missing",
    "1/a",
    "#/%E0%A4%A",
    "#/%",
    "#/$defs/a~2b",
    "#/$defs/0/x",
    "#/type",
    "http://[",
    "\u0000",
  ].map(
    (target): HintRow => ({
      name: `a reference to ${JSON.stringify(target)}`,
      schema: { type: "object", properties: { v: ref(target), w: INT } },
      number: "any",
      string: "any",
      schemaIssues: target === "#/type" ? "any" : unresolved,
    }),
  ),
  {
    name: "beside an unresolved reference its siblings still hold",
    schema: { properties: { v: { ...ref("#/$defs/missing"), type: "integer" } } },
    number: "integer",
    schemaIssues: unresolved,
  },
  {
    name: "beside an unresolved reference other members keep their hint",
    schema: { properties: { w: ref("#/$defs/missing"), v: INT } },
    number: "integer",
    string: "none",
    schemaIssues: unresolved,
  },
  {
    name: "a reference that is no string",
    schema: { properties: { v: { $ref: 5 } as object, w: INT } },
    at: ["w"],
    number: "integer",
    string: "none",
    schemaIssues: [{ code: "invalid_schema" }],
  },
  {
    name: "the prototype is not looked through",
    schema: { properties: { v: ref("#/$defs/toString") }, $defs: {} },
    number: "any",
    schemaIssues: unresolved,
  },
  {
    name: "__proto__ is not looked through",
    schema: { properties: { v: ref("#/__proto__") } },
    number: "any",
    schemaIssues: unresolved,
  },
  {
    name: "references inside data are not followed",
    schema: {
      properties: {
        v: { type: "integer", default: ref("#/nowhere"), examples: [ref("#/nowhere")], "x-y": ref("#/nowhere") },
      },
    },
    number: "integer",
    string: "none",
  },
  {
    name: "a reference in a definition that nothing uses",
    schema: { properties: { v: INT }, $defs: { unused: ref("#/nowhere") } },
    number: "integer",
    string: "none",
    schemaIssues: "any",
  },
];

/** Cycles that say nothing. */
const cycles: HintRow[] = [
  {
    name: "a reference to itself",
    schema: { properties: { v: ref("#/properties/v") } },
    number: "any",
    string: "any",
    schemaIssues: "any",
  },
  {
    name: "two references to each other",
    schema: { properties: { v: ref("#/$defs/a") }, $defs: { a: ref("#/$defs/b"), b: ref("#/$defs/a") } },
    number: "any",
    string: "any",
    schemaIssues: "any",
  },
  { name: "the root is itself", schema: ref("#"), number: "any", string: "any", schemaIssues: "any" },
  {
    name: "a cycle through allOf keeps what else is said",
    schema: { properties: { v: ref("#/$defs/a") }, $defs: { a: { type: "integer", allOf: [ref("#/$defs/a")] } } },
    number: "integer",
    string: "none",
    schemaIssues: "any",
  },
  {
    name: "a cycle through allOf at the root",
    schema: { allOf: [ref("#")], properties: { v: INT } },
    number: "integer",
    string: "none",
    schemaIssues: "any",
  },
  {
    name: "a cycle through anyOf keeps the other branch's numbers as they may be",
    schema: { properties: { v: { anyOf: [INT, { type: "array", items: ref("#/properties/v") }] } } },
    at: ["v", 0, 0],
    number: "integer",
    string: "none",
  },
];

export const references: readonly Case[] = [...forms, ...nowhere, ...cycles].flatMap(casesOf);
