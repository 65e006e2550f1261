import { at, type Case, INT, INT64, NUM, SAFE, STR } from "../support/case.js";
import { casesOf, type HintRow } from "../support/hint-case.js";

function row(name: string, schema: unknown, answers: Partial<HintRow>): HintRow {
  return { name, schema: at(schema), ...answers };
}

/** Q1: may a number stand here, and is every one of them an integer? */
const rows: HintRow[] = [
  row("type integer", INT, { number: "integer", width: "unknown", string: "none" }),
  row("type [integer]", { type: ["integer"] }, { number: "integer", width: "unknown", string: "none" }),
  row("type [integer, null]", { type: ["integer", "null"] }, { number: "integer", width: "unknown", string: "none" }),
  row("type [null, integer]", { type: ["null", "integer"] }, { number: "integer", width: "unknown", string: "none" }),
  row("type [string, integer]", { type: ["string", "integer"] }, { number: "integer", string: "text" }),
  row(
    "type [integer, boolean, object]",
    { type: ["integer", "boolean", "object"] },
    { number: "integer", string: "none" },
  ),
  row("type INTEGER in upper case", { type: "INTEGER" }, { number: "integer", width: "unknown", string: "none" }),
  row("type Integer", { type: "Integer" }, { number: "integer", string: "none" }),
  row("type [INTEGER, NULL]", { type: ["INTEGER", "NULL"] }, { number: "integer", string: "none" }),
  row("type bigint (TypeBox)", { type: "bigint" }, { number: "integer", width: "wide", string: "none" }),
  row("type number", NUM, { number: "number", string: "none" }),
  row("type NUMBER", { type: "NUMBER" }, { number: "number", string: "none" }),
  row("type [integer, number] is number", { type: ["integer", "number"] }, { number: "number", string: "none" }),
  row("type [number, integer] is number", { type: ["number", "integer"] }, { number: "number", string: "none" }),
  row("type [number, null]", { type: ["number", "null"] }, { number: "number", string: "none" }),
  row("type [number, string]", { type: ["number", "string"] }, { number: "number", string: "text" }),
  row("type string", STR, { number: "none", string: "text" }),
  row("type boolean", { type: "boolean" }, { number: "none", string: "none" }),
  row("type null", { type: "null" }, { number: "none", string: "none" }),
  row("type object", { type: "object" }, { number: "none", string: "none" }),
  row("type array", { type: "array" }, { number: "none", string: "none" }),
  row("an empty schema", {}, { number: "any", string: "any" }),
  row("the schema true", true, { number: "any", string: "any" }),
  row("an unknown type name", { type: "any" }, { number: "any" }),
  row("type Date", { type: "Date" }, { number: "any" }),
  row("bounds without a type say nothing", { minimum: 1, maximum: 5 }, { number: "any" }),
  row("a title alone says nothing", { title: "integer", description: "an integer" }, { number: "any", string: "any" }),

  row(
    "number enum of integers",
    { type: "number", enum: [1, 2, 3] },
    { number: "integer", width: "small", string: "none" },
  ),
  row("enum of integers without a type", { enum: [1, 2, 3] }, { number: "integer", width: "small", string: "none" }),
  row("integer enum", { type: "integer", enum: [1, 2] }, { number: "integer", width: "small", string: "none" }),
  row("enum of an integer and null", { enum: [1, null] }, { number: "integer", width: "small", string: "none" }),
  row("enum of an integer and a word", { enum: [1, "auto"] }, { number: "integer", width: "small", string: "none" }),
  row("enum with a fraction", { enum: [1, 2.5] }, { number: "number", string: "none" }),
  row("enum of words", { enum: ["a", "b"] }, { number: "none", string: "none" }),
  row("const 5 without a type", { const: 5 }, { number: "integer", width: "small", string: "none" }),
  row("number const 5", { type: "number", const: 5 }, { number: "integer", width: "small", string: "none" }),
  row("const 1.5", { const: 1.5 }, { number: "number", string: "none" }),
  row("const x", { const: "x" }, { number: "none", string: "none" }),
  row("const true", { const: true }, { number: "none", string: "none" }),
  row("const null", { const: null }, { number: "none", string: "none" }),
  row("const 0", { const: 0 }, { number: "integer", width: "small", string: "none" }),
  row(
    "Gemini's integer enum of strings",
    { type: "INTEGER", format: "enum", enum: ["101", "201"] },
    {
      number: "integer",
      width: "small",
      string: "none",
    },
  ),

  row(
    "number with format int64",
    { type: "number", format: "int64" },
    { number: "integer", width: "wide", string: "none" },
  ),
  row(
    "number with format int32",
    { type: "number", format: "int32" },
    { number: "integer", width: "small", string: "none" },
  ),
  row("format int64 without a type (.NET)", { format: "int64" }, { number: "integer", width: "wide" }),
  row("format int32 without a type", { format: "int32" }, { number: "integer", width: "small" }),
  row("number with format double", { type: "number", format: "double" }, { number: "number", string: "none" }),
  row("number with format float", { type: "number", format: "float" }, { number: "number", string: "none" }),
  row("a format of strings without a type says nothing", { format: "date-time" }, { number: "any" }),

  row(
    "number multipleOf 1",
    { type: "number", multipleOf: 1 },
    { number: "integer", width: "unknown", string: "none" },
  ),
  row("number multipleOf 5", { type: "number", multipleOf: 5 }, { number: "integer", string: "none" }),
  row("number multipleOf 0.5", { type: "number", multipleOf: 0.5 }, { number: "number", string: "none" }),
  row("number multipleOf 1.5", { type: "number", multipleOf: 1.5 }, { number: "number", string: "none" }),
  row("number multipleOf 0.01", { type: "number", multipleOf: 0.01 }, { number: "number", string: "none" }),
  row("integer multipleOf 0.5", { type: "integer", multipleOf: 0.5 }, { number: "integer", string: "none" }),
  row(
    "[number, null] multipleOf 1",
    { type: ["number", "null"], multipleOf: 1 },
    { number: "integer", string: "none" },
  ),

  row(
    "number with safe bounds stays a number",
    { type: "number", minimum: -SAFE, maximum: SAFE },
    { number: "number", string: "none" },
  ),
  row(
    "number with an integral default stays a number",
    { type: "number", default: 5 },
    { number: "number", string: "none" },
  ),
  row(
    "number with integral examples stays a number",
    { type: "number", examples: [1, 2] },
    { number: "number", string: "none" },
  ),
  row("string with a minimum is no number", { type: "string", minimum: 5 }, { number: "none", string: "text" }),

  row("nullable integer", { type: "integer", nullable: true }, { number: "integer", string: "none" }),
  row("integer with not", { type: "integer", not: { const: 0 } }, { number: "integer", string: "none" }),
  row(
    "anyOf integer, null",
    { anyOf: [INT, { type: "null" }] },
    { number: "integer", width: "unknown", string: "none" },
  ),
  row("oneOf null, integer", { oneOf: [{ type: "null" }, INT] }, { number: "integer", string: "none" }),
  row("anyOf integer, number is number", { anyOf: [INT, NUM] }, { number: "number", string: "none" }),
  row("oneOf number, integer is number", { oneOf: [NUM, INT] }, { number: "number", string: "none" }),
  row("anyOf integer, object", { anyOf: [INT, { type: "object" }] }, { number: "integer", string: "none" }),
  row(
    "anyOf of consts",
    {
      anyOf: [
        { type: "number", const: 1 },
        { type: "number", const: 2 },
      ],
    },
    {
      number: "integer",
      width: "small",
      string: "none",
    },
  ),
  row("anyOf with one branch", { anyOf: [INT64] }, { number: "integer", width: "wide", string: "none" }),
  row("anyOf integer, string", { anyOf: [INT, STR] }, { number: "integer", string: "text" }),
  row(
    "anyOf integer, boolean, string, null",
    { anyOf: [INT, { type: "boolean" }, STR, { type: "null" }] },
    {
      number: "integer",
      string: "text",
    },
  ),
  row("x- keywords say nothing", { "x-type": "integer", "x-schema": INT }, { number: "any", string: "any" }),
  row(
    "schemas in default, examples, const of objects are data",
    {
      type: "object",
      default: { properties: { w: INT } },
      examples: [{ properties: { w: INT } }],
    },
    { number: "none" },
  ),
];

const byText: HintRow[] = [
  {
    name: "const 1.0 in a schema text is integral by value",
    schema: '{"properties":{"v":{"const":1.0}}}',
    number: "integer",
    width: "small",
    string: "none",
  },
  {
    name: "enum 1e2 in a schema text is integral by value",
    schema: '{"properties":{"v":{"enum":[1e2,2]}}}',
    number: "integer",
    string: "none",
  },
  {
    name: "multipleOf 1.0 in a schema text is integral",
    schema: '{"properties":{"v":{"type":"number","multipleOf":1.0}}}',
    number: "integer",
    string: "none",
  },
  {
    name: "a schema text is read as the object is",
    schema: ' {"type":"object","properties":{"v":{"type":"integer"}}} ',
    number: "integer",
    width: "unknown",
    string: "none",
  },
  { name: "no schema at all", schema: undefined, number: "any", string: "any" },
  { name: "the root schema true", schema: true, number: "any", string: "any" },
  { name: "the root schema {}", schema: {}, number: "any", string: "any" },
  { name: "a key that the schema does not name", schema: { properties: { w: INT } }, number: "any", string: "any" },
  {
    name: "below a position without information",
    schema: { properties: { v: {} } },
    at: ["v", "w", 3],
    number: "any",
    string: "any",
  },
];

export const hintNumber: readonly Case[] = [...rows, ...byText].flatMap(casesOf);
