import { IntegerLiteral } from "../../src/index.js";
import { type Case, INT, INT64, NUM, SAFE, STR64 } from "../support/case.js";

/** The same rules at the root of a google.protobuf.Value. */
export const valueCodec: readonly Case[] = (
  [
    { name: "null", text: "null", field: null },
    { name: "true", text: "true", field: true },
    { name: "a number", text: "2.5", field: 2.5 },
    { name: "-0", text: "-0", field: -0 },
    { name: "a string", text: '"hello"', field: "hello" },
    { name: "the empty string", text: '""', field: "" },
    { name: "a list", text: '[0,"hello",null,[]]', field: [0, "hello", null, []] },
    { name: "an object", text: '{"value":1}', field: { value: 1 } },
    {
      name: "1e21 at an integer root",
      schema: INT,
      direction: "encode",
      field: 1e21,
      text: "1000000000000000000000",
    },
    { name: "-0 at an integer root is 0", schema: INT, direction: "encode", field: -0, text: "0" },
    { name: "digits at an integer root are bare", schema: INT, direction: "encode", field: "5", text: "5" },
    {
      name: "an id at an integer root",
      schema: INT,
      text: "1955516024755728386",
      field: "1955516024755728386",
    },
    {
      name: "an id at a wide root under int64 bigint",
      schema: INT64,
      options: { int64: "bigint" },
      direction: "encode",
      field: "1955516024755728386",
      text: "1955516024755728386",
      json: { value: 1955516024755728386n },
    },
    {
      name: "an id at a wide root under int64 schema",
      schema: INT64,
      options: { int64: "schema" },
      field: "1955516024755728386",
      text: "1955516024755728386",
      json: { value: new IntegerLiteral("1955516024755728386") },
    },
    { name: "5 at a decimal string root", schema: STR64, direction: "encode", field: 5, text: '"5"' },
    { name: "5 read at a decimal string root", schema: STR64, direction: "decode", text: "5.0", field: "5" },
    {
      name: "5 at a number root under wholeNumbers fraction",
      schema: NUM,
      options: { wholeNumbers: "fraction" },
      direction: "encode",
      field: 5,
      text: "5.0",
    },
    {
      name: "a fraction at an integer root is reported at the root",
      schema: INT,
      field: 2.5,
      text: "2.5",
      issues: [{ code: "fractional", pointer: "" }],
    },
    {
      name: "an id without a schema becomes text",
      direction: "decode",
      text: "1955516024755728386",
      field: "1955516024755728386",
    },
    { name: "the last safe integer", schema: INT, text: "9007199254740991", field: SAFE },
    {
      name: "a list of integers as the root",
      schema: { type: "array", items: INT },
      direction: "encode",
      field: [1e21, "5", null],
      text: "[1000000000000000000000,5,null]",
    },
    { name: "1e400", direction: "decode", text: "1e400", error: { code: "out_of_range", pointer: "" } },
    {
      name: "an unsafe integer under unsafeIntegers error",
      options: { unsafeIntegers: "error" },
      direction: "decode",
      text: "9007199254740993",
      error: { code: "unsafe_integer", pointer: "" },
    },
    { name: "no text at all", direction: "decode", text: "", error: { code: "invalid_syntax" } },
    {
      name: "duplicate keys below a list",
      direction: "decode",
      text: '[{"a":1,"a":1}]',
      error: { code: "duplicate_key", pointer: "/0/a" },
    },
  ] satisfies Omit<Case, "codec">[]
).map((row) => ({ ...row, codec: "value" }));
