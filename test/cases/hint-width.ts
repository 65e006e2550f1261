import { at, type Case, INT, SAFE } from "../support/case.js";
import { casesOf, type HintRow } from "../support/hint-case.js";

function width(name: string, schema: unknown, width: HintRow["width"] & string, extra: Partial<HintRow> = {}): HintRow {
  return { name, schema: at(schema), number: "integer", width, ...extra };
}

const int = (more: object) => ({ ...INT, ...more });

/** Q2: small is proven within +-(2^53 - 1), wide is declared beyond, everything else is unknown. */
const rows: HintRow[] = [
  ...["int8", "int16", "int32", "uint8", "uint16", "uint32", "sint32", "fixed32", "sfixed32"].map((format) =>
    width(`format ${format} is small`, int({ format }), "small"),
  ),
  ...["int64", "uint64", "int128", "uint128", "int", "uint", "sint64", "fixed64", "sfixed64", "long"].map((format) =>
    width(`format ${format} is wide`, int({ format }), "wide"),
  ),
  width("an unknown format is unknown", int({ format: "money" }), "unknown"),
  width("no bounds", INT, "unknown"),
  width("a minimum alone", int({ minimum: 0 }), "unknown"),
  width("a maximum alone", int({ maximum: 100 }), "unknown"),
  width("an exclusive minimum alone", int({ exclusiveMinimum: 0 }), "unknown"),
  width("both safe bounds", int({ minimum: -SAFE, maximum: SAFE }), "small"),
  width("0 to 100", int({ minimum: 0, maximum: 100 }), "small"),
  width("bounds of uint32", int({ minimum: 0, maximum: 4294967295 }), "small"),
  width("bounds as floats", int({ minimum: 0.5, maximum: 99.5 }), "small"),
  width("exclusive bounds as numbers", int({ exclusiveMinimum: 0, exclusiveMaximum: 10 }), "small"),
  width("an exclusive minimum and a maximum (zod positive)", int({ exclusiveMinimum: 0, maximum: SAFE }), "small"),
  width(
    "exclusive bounds as booleans (draft-04)",
    int({ minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: false }),
    "small",
  ),
  width("a boolean exclusive minimum without a maximum", int({ minimum: 0, exclusiveMinimum: true }), "unknown"),
  width("bounds as bigint", int({ minimum: 0n, maximum: 100n }), "small"),
  width("bounds as decimal strings", int({ minimum: "0", maximum: "100" }), "small"),
  width("a bound that is no number is no bound", int({ minimum: 0, maximum: "many" }), "unknown", {
    schemaIssues: "any",
  }),
  width("a maximum of 2^53", int({ minimum: 0, maximum: 2 ** 53 }), "wide"),
  width("a maximum of 2^63 alone", int({ maximum: 2 ** 63 }), "wide"),
  width("a minimum of -(2^63) alone", int({ minimum: -(2 ** 63) }), "wide"),
  width("bounds of int64", int({ minimum: -(2 ** 63), maximum: 2 ** 63 }), "wide"),
  width("a maximum of 2^54 (Discord)", int({ minimum: 0, maximum: 2 ** 54 }), "wide"),
  width("bounds of int64 as bigint", int({ minimum: -9223372036854775808n, maximum: 9223372036854775807n }), "wide"),
  width("bounds of uint64 as decimal strings", int({ minimum: "0", maximum: "18446744073709551615" }), "wide"),
  width("small bounds beat a wide format", int({ format: "int64", minimum: 0, maximum: 100 }), "small"),
  width("one bound does not beat a wide format", int({ format: "int64", minimum: 0 }), "wide"),
  width("uint64 with a minimum", int({ format: "uint64", minimum: 0 }), "wide"),
  width("safe enum members", int({ enum: [1, 2] }), "small"),
  width("safe enum members beside a fraction", int({ enum: [1, 2, 0.5] }), "small"),
  width("an enum member beyond safe", int({ enum: [1, 2 ** 53] }), "wide"),
  width("a const beyond safe as bigint", int({ const: 9007199254740993n }), "wide"),
  width("safe enum members beat a wide format", int({ format: "int64", enum: [1, 2] }), "small"),
  width("type bigint", { type: "bigint" }, "wide"),
  width("a nullable int64", int({ format: "int64", nullable: true }), "wide"),
  width("[integer, null] int64", { type: ["integer", "null"], format: "int64" }, "wide"),

  width("bounds gathered over allOf", int({ allOf: [{ minimum: 0 }, { maximum: 100 }] }), "small"),
  width("one bound here and one in allOf", int({ minimum: 0, allOf: [{ maximum: 100 }] }), "small"),
  width(
    "effect's int32",
    int({
      allOf: [
        { minimum: -SAFE, maximum: SAFE },
        { minimum: -2147483648, maximum: 2147483647 },
      ],
    }),
    "small",
  ),
  width("union: wide over unknown", { anyOf: [INT, int({ format: "int64" })] }, "wide"),
  width("union: wide over small", { anyOf: [int({ format: "int32" }), int({ format: "int64" })] }, "wide"),
  width("union: unknown over small", { anyOf: [int({ format: "int32" }), INT] }, "unknown"),
  width("union: small and small", { oneOf: [int({ format: "int32" }), int({ format: "uint8" })] }, "small"),
  width(
    "union: a branch of another kind has no width",
    { anyOf: [int({ format: "int32" }), { type: "null" }, { type: "string" }] },
    "small",
  ),
  width("intersection: wide over unknown", { allOf: [INT, int({ format: "int64" })] }, "wide"),
  width("intersection: small over wide", { allOf: [int({ format: "int32" }), int({ format: "int64" })] }, "small"),
  width("intersection: small over unknown", { allOf: [INT, int({ format: "int32" })] }, "small"),
  {
    name: "bounds gathered over $ref",
    schema: { properties: { v: { $ref: "#/$defs/n", minimum: 0 } }, $defs: { n: { type: "integer", maximum: 100 } } },
    number: "integer",
    width: "small",
  },
  { name: "int64 has a range", schema: at(int({ format: "int64" })), number: "integer", width: "wide", range: "int64" },
  {
    name: "uint64 has a range",
    schema: at(int({ format: "uint64" })),
    number: "integer",
    width: "wide",
    range: "uint64",
  },
  {
    name: "a constant of a schema text keeps its digits",
    schema: '{"properties":{"v":{"type":"integer","const":9007199254740993}}}',
    number: "integer",
    width: "wide",
  },
  {
    name: "the bounds of int64 in a schema text",
    schema: '{"properties":{"v":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}}}',
    number: "integer",
    width: "wide",
  },
  {
    name: "a safe bound with an exponent in a schema text",
    schema: '{"properties":{"v":{"type":"integer","minimum":-1e3,"maximum":1e15}}}',
    number: "integer",
    width: "small",
  },
  {
    name: "a bound of a million digits in a schema text does no harm",
    schema: `{"properties":{"v":{"type":"integer","minimum":0,"maximum":${"9".repeat(1_000_000)}}}}`,
    number: "integer",
    schemaIssues: "any",
  },
];

export const hintWidth: readonly Case[] = rows.flatMap(casesOf);
