import type { RewriteFindingCode, RewriteOptions } from "../../src/schema.js";

/** One schema before and after. A row without `after` must come out as it went in. */
export interface RewriteRow {
  readonly name: string;
  readonly before: object | string | boolean;
  readonly after?: object | string;
  readonly options?: RewriteOptions;
  readonly findings?: readonly (readonly [code: RewriteFindingCode, schemaPointer: string])[];
}

const signed = "^-?(?:0|[1-9][0-9]*)$";
const unsigned = "^(?:0|[1-9][0-9]*)$";
const description = "Decimal digits as text";
const text = { type: "string", pattern: signed, description };
const int64 = { type: "integer", format: "int64" };

/** The schema of an object with one member. */
function member(schema: unknown, name = "id") {
  return { type: "object", properties: { [name]: schema } };
}

const all: RewriteOptions = { exact: "all" };
const declared: RewriteOptions = { exact: "declared" };

export const rewriteRows: readonly RewriteRow[] = [
  // Which integers.
  { name: "rewrites an integer id", before: member({ type: "integer" }), after: member(text) },
  { name: "rewrites an id typed number", before: member({ type: "number" }), after: member(text) },
  ...[
    "issue_id",
    "issueId",
    "issueID",
    "pipeline_ids",
    "pipelineIds",
    "merge_request_iid",
    "issueIid",
    "id",
    "ids",
  ].map(
    (name): RewriteRow => ({
      name: `takes ${name} for an id`,
      before: member({ type: "integer" }, name),
      after: member(text, name),
    }),
  ),
  ...["limit", "page", "perPage", "retry-max-retries", "idle", "paid", "width", "valid", "grid"].map(
    (name): RewriteRow => ({ name: `leaves ${name} a number`, before: member({ type: "integer" }, name) }),
  ),
  { name: "leaves an id whose bounds are safe", before: member({ type: "integer", minimum: 1, maximum: 1000 }) },
  { name: "leaves an id of 32 bits", before: member({ type: "integer", format: "int32" }) },
  { name: "leaves ids of unproven width under declared", before: member({ type: "integer" }), options: declared },
  { name: "rewrites a declared int64", before: member(int64, "n"), after: member(text, "n"), options: declared },
  {
    name: "rewrites a bound beyond the safe range",
    before: member({ type: "integer", maximum: 2 ** 63 }, "n"),
    after: member({ ...text, description: `${description}, up to 9223372036854775807` }, "n"),
    options: declared,
  },
  {
    name: "rewrites every integer under all",
    before: member({ type: "integer" }, "n"),
    after: member(text, "n"),
    options: all,
  },
  { name: "leaves numbers under all", before: member({ type: "number" }, "n"), options: all },
  {
    name: "asks a function",
    before: { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } } },
    after: { type: "object", properties: { a: text, b: { type: "integer" } } },
    options: { exact: (_, pointer, names) => pointer === "/properties/a" && names.includes("a") },
  },
  {
    name: "takes the items of ids for ids",
    before: member({ type: "array", items: { type: "integer" } }, "ids"),
    after: member({ type: "array", items: text }, "ids"),
  },
  { name: "takes a list of the schema for the schema", before: member({ type: "bigint" }), after: member(text) },

  // W1: what a rewritten schema says.
  {
    name: "keeps title, annotations and extensions",
    before: member({ title: "Id", type: "integer", deprecated: true, readOnly: true, "x-order": 3 }),
    after: member({
      title: "Id",
      type: "string",
      pattern: signed,
      deprecated: true,
      readOnly: true,
      "x-order": 3,
      description,
    }),
  },
  {
    name: "appends to a sentence",
    before: member({ type: "integer", description: "The issue." }),
    after: member({ type: "string", pattern: signed, description: "The issue. Decimal digits as text." }),
  },
  {
    name: "appends to a phrase",
    before: member({ type: "integer", description: "The issue " }),
    after: member({ type: "string", pattern: signed, description: "The issue (decimal digits as text)" }),
  },
  {
    name: "writes defaults and examples as text, but for doubles that are spelled with an exponent",
    before: member({ type: "integer", default: 5, examples: [1, -2, 1e21, 2 ** 60], example: 7 }),
    after: member({
      type: "string",
      pattern: signed,
      default: "5",
      examples: ["1", "-2", 1e21, "1152921504606846976"],
      example: "7",
      description,
    }),
    findings: [["inexact_constant", "/properties/id"]],
  },
  {
    name: "says that an integer without a type took other kinds too",
    before: member({ format: "int64" }),
    after: member({ type: "string", pattern: signed, description }),
    findings: [["untyped_integer", "/properties/id"]],
  },
  {
    name: "says nothing where another schema has the type",
    before: member({ allOf: [{ type: "integer" }, { format: "int64" }] }),
    after: member({
      allOf: [
        { type: "string", pattern: signed, description },
        { type: "string", pattern: signed, description },
      ],
    }),
  },
  {
    name: "writes defaults beside a reference and a union as text",
    before: {
      type: "object",
      properties: {
        id: { $ref: "#/$defs/I", default: 7 },
        aId: { anyOf: [{ type: "integer" }, { type: "null" }], default: null },
      },
      default: { id: 3, n: 3 },
      $defs: { I: { type: "integer" } },
    },
    after: {
      type: "object",
      properties: { id: { $ref: "#/$defs/I", default: "7" }, aId: { anyOf: [text, { type: "null" }], default: null } },
      default: { id: "3", n: 3 },
      $defs: { I: text },
    },
  },
  {
    name: "takes no minus where the minimum is 0",
    before: member({ type: "integer", minimum: 0 }),
    after: member({ type: "string", pattern: unsigned, description: `${description}, from 0` }),
  },
  {
    name: "takes no minus for an unsigned format",
    before: member({ type: "integer", format: "uint64" }),
    after: member({ type: "string", pattern: unsigned, description }),
  },

  // W3: what a string schema must not say.
  {
    name: "puts the bounds into words",
    before: member({ type: "integer", minimum: -(2 ** 63), maximum: 2 ** 63 }),
    after: member({ ...text, description: `${description}, from -9223372036854775808 to 9223372036854775807` }),
  },
  {
    name: "puts exclusive bounds into words, in both spellings",
    before: {
      type: "object",
      properties: {
        aId: { type: "integer", exclusiveMinimum: 0 },
        bId: { type: "integer", minimum: 5, exclusiveMinimum: true },
      },
    },
    after: {
      type: "object",
      properties: {
        aId: { type: "string", pattern: unsigned, description: `${description}, above 0` },
        bId: { type: "string", pattern: unsigned, description: `${description}, above 5` },
      },
    },
  },
  {
    name: "puts a step into words",
    before: member({ type: "integer", format: "int64", exclusiveMinimum: 0, exclusiveMaximum: 2 ** 60, multipleOf: 5 }),
    after: member({
      type: "string",
      pattern: unsigned,
      description: `${description}, above 0 and below 1152921504606846976, a multiple of 5`,
    }),
  },

  // W4: beside other kinds.
  {
    name: "keeps null in a type list",
    before: member({ type: ["integer", "null"] }),
    after: member({ type: ["string", "null"], pattern: signed, description }),
  },
  {
    name: "rewrites the branch beside null in place",
    before: member({ anyOf: [{ type: "null" }, { type: "integer" }] }),
    after: member({ anyOf: [{ type: "null" }, text] }),
  },
  {
    name: "keeps nullable",
    before: member({ type: "integer", nullable: true }),
    after: member({ type: "string", pattern: signed, nullable: true, description }),
  },
  {
    name: "keeps the letter case of types",
    before: { type: "OBJECT", properties: { id: { type: "INTEGER", format: "int64" } } },
    after: { type: "OBJECT", properties: { id: { ...text, type: "STRING" } } },
  },
  {
    name: "drops the integer beside decimal text",
    before: member({ type: ["string", "integer"], pattern: "^-?(?:0|[1-9]\\d*)$", format: "int64" }),
    after: member(text),
  },
  {
    name: "keeps a looser pattern, which the server may rely on",
    before: member({ type: ["string", "integer"], pattern: "^\\d+$" }),
    after: member({ type: "string", pattern: "^\\d+$", description }),
  },
  {
    name: "rewrites the integer beside a branch of decimal text",
    before: member({ anyOf: [{ type: "integer" }, { type: "string", pattern: "^-?[0-9]+$" }] }),
    after: member({ anyOf: [text, { type: "string", pattern: "^-?[0-9]+$" }] }),
  },
  {
    name: "leaves an id that may be any text",
    before: member({ anyOf: [{ type: "integer" }, { type: "string" }] }),
    findings: [["text_union", "/properties/id/anyOf/0"]],
  },
  {
    name: "leaves a type list of integer and string",
    before: member({ type: ["integer", "string"] }),
    findings: [["text_union", "/properties/id"]],
  },
  {
    name: "leaves a declared int64 beside numbers with a fraction",
    before: member({ anyOf: [int64, { type: "number" }] }, "n"),
    findings: [["number_union", "/properties/n/anyOf/0"]],
  },
  {
    name: "leaves branches of oneOf that would match alike",
    before: member({ oneOf: [int64, { type: "string", pattern: "^-?[0-9]+$" }] }, "n"),
    findings: [["ambiguous_one_of", "/properties/n/oneOf/0"]],
  },
  {
    name: "rewrites constants of oneOf that stay apart",
    before: {
      oneOf: [
        { title: "One", const: 9007199254740993n },
        { title: "Two", const: 9007199254740995n },
      ],
    },
    after: {
      oneOf: [
        { pattern: signed, title: "One", const: "9007199254740993", description },
        { pattern: signed, title: "Two", const: "9007199254740995", description },
      ],
    },
  },
  {
    name: "leaves an int64 whose other schema proves it small",
    before: member({ allOf: [int64, { minimum: 0, maximum: 100 }] }, "n"),
  },
  {
    name: "rewrites all schemas that hold at a place",
    before: member({ allOf: [{ type: "integer" }, { type: "number", minimum: 3 }, { description: "An id" }] }),
    after: member({
      allOf: [
        text,
        { type: "string", pattern: unsigned, description: `${description}, from 3` },
        { description: "An id" },
      ],
    }),
  },

  // W5: listed values.
  { name: "leaves a list of small values", before: member({ type: "number", enum: [1, 2] }) },
  {
    name: "writes a list of wide values with the digits of the text",
    before: '{"type":"object","properties":{"n":{"type":"integer","enum":[1,9007199254740993]}}}',
    after: `{"type":"object","properties":{"n":{"type":"string","pattern":"${signed}","enum":["1","9007199254740993"],"description":"${description}"}}}`,
  },
  {
    name: "keeps words among listed values",
    before: member({ enum: ["auto", 9007199254740993n, null] }, "n"),
    after: member({ enum: ["auto", "9007199254740993", null], description }, "n"),
  },

  {
    name: "leaves listed doubles that are spelled with an exponent",
    before: member({ type: "integer", enum: [1, 1e39] }),
    findings: [["inexact_constant", "/properties/id"]],
  },
  {
    name: "writes listed integers of any length that came with their digits",
    before: `{"properties":{"id":{"type":"integer","const":${"9".repeat(60)}}}}`,
    after: `{"properties":{"id":{"type":"string","pattern":"${signed}","const":"${"9".repeat(60)}","description":"${description}"}}}`,
  },
  {
    name: "drops keywords about text that meant nothing beside an integer",
    before: member({ type: "integer", minLength: 3, maxLength: 11, pattern: "^[1-9][0-9]{0,10}$" }),
    after: member(text),
  },

  // W7: keywords that ask about a value.
  {
    name: "leaves not, if, contains, propertyNames and contentSchema alone",
    before: {
      type: "object",
      not: { properties: { aId: { type: "integer" } } },
      if: { properties: { bId: { type: "integer" } } },
      propertyNames: { type: "integer" },
      contains: { type: "integer" },
      contentSchema: { properties: { id: { type: "integer" } } },
    },
  },
  {
    name: "rewrites beside a not of a constant (schemars)",
    before: member({ type: "integer", format: "int64", not: { const: 0 } }),
    after: member({ type: "string", pattern: signed, not: { const: 0 }, description }),
  },
  {
    name: "leaves items that contains looks at",
    before: member({ type: "array", items: { type: "integer" }, contains: { type: "integer", minimum: 3 } }, "ids"),
    findings: [["tested_value", "/properties/ids/items"]],
  },
  {
    name: "leaves a member that if looks at",
    before:
      '{"properties":{"id":{"type":"integer"}},"if":{"properties":{"id":{"minimum":9}}},"then":{"required":["x"]}}',
    findings: [["tested_value", "/properties/id"]],
  },
  {
    name: "leaves a shared schema that not applies",
    before: {
      properties: { id: { $ref: "#/$defs/I" } },
      not: { properties: { x: { $ref: "#/$defs/I" } } },
      $defs: { I: { type: "integer" } },
    },
    findings: [["tested_value", "/$defs/I"]],
  },

  // W8 and what must stay.
  { name: "adds nothing to an empty schema", before: {} },
  { name: "keeps a boolean schema", before: true },
  { name: "keeps false", before: false },
  {
    name: "never reads property names as keywords",
    before: member(
      { type: "object", properties: { type: { type: "boolean" }, format: int64, properties: {}, enum: {} } },
      "properties",
    ),
    after: member(
      { type: "object", properties: { type: { type: "boolean" }, format: text, properties: {}, enum: {} } },
      "properties",
    ),
  },
  {
    name: "never reads data as schemas",
    before: {
      type: "object",
      properties: { id: { type: "object", default: int64 } },
      enum: [{ type: "integer", format: "int64" }],
      examples: [{ properties: { id: { type: "integer" } } }],
      "x-schema": { properties: { id: { type: "integer" } } },
    },
  },
  {
    name: "keeps a member named __proto__",
    before:
      '{"properties":{"__proto__":{"type":"integer","format":"int64"},"id":{"type":"integer"}},"__proto__":{"id":1}}',
    after: `{"properties":{"__proto__":{"type":"string","pattern":"${signed}","description":"${description}"},"id":{"type":"string","pattern":"${signed}","description":"${description}"}},"__proto__":{"id":1}}`,
  },
  {
    name: "writes the numbers of a text as they came",
    before: '{"default":1e400,"const":1.0,"examples":[0.10000000000000000555,-0,12345678901234567890]}',
  },
  { name: "gives a text without a schema back", before: "true" },
];
