import { at, type Case, DECIMAL, encode, INT, INT64, NUM, STR, STR64 } from "../support/case.js";
import { casesOf, type HintRow } from "../support/hint-case.js";

function string(
  name: string,
  schema: unknown,
  number: HintRow["number"] & string,
  answer: HintRow["string"] & string,
): HintRow {
  return { name, schema: at(schema), number, string: answer };
}

/** Q3: text, only an integer written as text, or no string at all? */
const rows: HintRow[] = [
  string("string is text", STR, "none", "text"),
  string("[string, null] is text", { type: ["string", "null"] }, "none", "text"),
  string("a date-time is text", { type: "string", format: "date-time" }, "none", "text"),
  string("an unknown format is text", { type: "string", format: "snowflake" }, "none", "text"),
  string("a pattern of words is text", { type: "string", pattern: "^[a-z]+$" }, "none", "text"),
  string("lengths are text", { type: "string", minLength: 1, maxLength: 5 }, "none", "text"),

  ...["int32", "uint32", "int64", "uint64", "sint64", "fixed64", "sfixed64", "int128", "int8", "uint16"].map((format) =>
    string(`string with format ${format} is decimal`, { type: "string", format }, "none", "decimal"),
  ),
  string(
    "[string, null] with format int64 is decimal",
    { type: ["string", "null"], format: "int64" },
    "none",
    "decimal",
  ),
  string(
    "a nullable string with format int64 is decimal",
    { type: "string", format: "int64", nullable: true },
    "none",
    "decimal",
  ),
  string("the rewriter's pattern is decimal", DECIMAL, "none", "decimal"),
  string(
    "the rewriter's unsigned pattern is decimal",
    { type: "string", pattern: "^(?:0|[1-9][0-9]*)$" },
    "none",
    "decimal",
  ),
  string(
    "the rewriter's pattern, nullable",
    { type: ["string", "null"], pattern: "^-?(?:0|[1-9][0-9]*)$" },
    "none",
    "decimal",
  ),
  string("another decimal pattern alone is text", { type: "string", pattern: "^-?\\d+$" }, "none", "text"),
  string("digits alone are text", { type: "string", pattern: "^\\d+$" }, "none", "text"),
  string(
    "a decimal pattern within more text is text",
    { type: "string", pattern: "-?(?:0|[1-9][0-9]*)" },
    "none",
    "text",
  ),

  string("[integer, string] is text", { type: ["integer", "string"] }, "integer", "text"),
  string("anyOf string, integer is text", { anyOf: [STR, INT] }, "integer", "text"),
  string("oneOf string, number is text", { oneOf: [STR, NUM] }, "number", "text"),
  string(
    "[integer, string] with format int64 is decimal",
    { type: ["integer", "string"], format: "int64" },
    "integer",
    "decimal",
  ),
  string(
    "[integer, string] with format int32 is decimal",
    { type: ["integer", "string"], format: "int32" },
    "integer",
    "decimal",
  ),
  string(
    "[number, string] with format int32 is integer and decimal",
    { type: ["number", "string"], format: "int32" },
    "integer",
    "decimal",
  ),
  string("anyOf integer, string int64 is decimal", { anyOf: [INT, STR64] }, "integer", "decimal"),
  string("anyOf number, string int64 is decimal", { anyOf: [NUM, STR64] }, "number", "decimal"),
  string("any plain string makes it text", { anyOf: [INT, STR64, STR] }, "integer", "text"),
  string("int64 text or plain text is text", { anyOf: [STR64, STR] }, "none", "text"),
  ...["^-?[0-9]+$", "^[0-9]+$", "^-?\\d+$", "^\\d+$", "^-?(?:0|[1-9]\\d*)$"].flatMap((pattern) => [
    string(
      `anyOf integer, string ${pattern} is decimal`,
      { anyOf: [INT, { type: "string", pattern }] },
      "integer",
      "decimal",
    ),
    string(`[string, integer] ${pattern} is decimal`, { type: ["string", "integer"], pattern }, "integer", "decimal"),
  ]),
  string(
    "anyOf integer, a pattern of words is text",
    { anyOf: [INT, { type: "string", pattern: "^[a-z]+$" }] },
    "integer",
    "text",
  ),

  string("integer is none", INT, "integer", "none"),
  string("integer, null is none", { anyOf: [INT, { type: "null" }] }, "integer", "none"),
  string("enumerated words are none", { anyOf: [INT, { enum: ["auto", "none"] }] }, "integer", "none"),
  string("enumerated string words are none", { anyOf: [INT, { type: "string", enum: ["auto"] }] }, "integer", "none"),
  string("a constant word is none", { anyOf: [INT, { const: "auto" }] }, "integer", "none"),
  string("words and a number constant", { enum: ["auto", 5] }, "integer", "none"),
  string(
    "float names (buf) are none",
    { anyOf: [NUM, { type: "string", enum: ["Infinity", "-Infinity", "NaN"] }] },
    "number",
    "none",
  ),
  string("enumerated 007 is no canonical decimal", { anyOf: [INT, { enum: ["007"] }] }, "integer", "none"),
];

/** An enumerated canonical decimal is a string that must stay one. */
const enumerated: Case[] = [
  encode("an enumerated canonical decimal", { anyOf: [INT, { enum: ["12"] }] }, "12", '"12"', {
    options: { int64: "schema" },
  }),
  encode(
    "a canonical decimal among words",
    { anyOf: [INT64, { type: "string", enum: ["auto", "12"] }] },
    "12",
    '"12"',
    {
      options: { int64: "schema" },
    },
  ),
  encode(
    "chrusty's enum of names and numbers",
    { oneOf: [{ type: "string" }, INT], enum: ["A", 0, "B", 1] },
    "A",
    '"A"',
  ),
];

export const hintString: readonly Case[] = [...rows.flatMap(casesOf), ...enumerated];
