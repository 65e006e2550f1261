import { describe, expect, it } from "vitest";
import { type CodecOptions, createStructCodec } from "../../src/index.js";
import {
  ANY,
  at,
  BOOL,
  DECIMAL,
  INT,
  INT_OR_STR,
  INT32,
  INT64_OR_STR,
  INT128,
  NUM,
  NUM_OR_STR64,
  SAFE,
  STR,
} from "../support/case.js";
import { integerDigits } from "../support/exact-json.js";

type Number = "integer" | "number" | "none" | "any";
type Width = "small" | "wide" | "unknown";
type Text = "text" | "decimal" | "none" | "any";
type Position = readonly [name: string, schema: object | undefined, number: Number, width: Width, text: Text];

/** Every position that a plain schema can describe, with the three answers. No format here has a range. */
const positions: readonly Position[] = [
  ["no schema", undefined, "any", "unknown", "any"],
  ["any", ANY, "any", "unknown", "any"],
  ["boolean", BOOL, "none", "unknown", "none"],
  ["text", STR, "none", "unknown", "text"],
  ["decimal text", DECIMAL, "none", "unknown", "decimal"],
  ["number", NUM, "number", "unknown", "none"],
  ["number or text", { type: ["number", "string"] }, "number", "unknown", "text"],
  ["number or decimal text", NUM_OR_STR64, "number", "unknown", "decimal"],
  ["integer", INT, "integer", "unknown", "none"],
  ["integer or text", INT_OR_STR, "integer", "unknown", "text"],
  ["integer or decimal text", { anyOf: [INT, DECIMAL] }, "integer", "unknown", "decimal"],
  ["small", INT32, "integer", "small", "none"],
  ["small or text", { anyOf: [INT32, STR] }, "integer", "small", "text"],
  ["small or decimal text", { type: ["integer", "string"], format: "int32" }, "integer", "small", "decimal"],
  ["wide", INT128, "integer", "wide", "none"],
  ["wide or text", INT64_OR_STR, "integer", "wide", "text"],
  ["wide or decimal text", { type: ["integer", "string"], format: "int128" }, "integer", "wide", "decimal"],
];

const numbers = [0, -0, 1, -1, 2.5, -0.5, 1e-7, SAFE, -SAFE, 2 ** 53, -(2 ** 53), 2 ** 60, 1e20, 1e21, -1e21, 1e23];
const strings = ["0", "5", "-5", String(SAFE), "9007199254740992", "-9007199254740993", "1955516024755728386"];
const others = ["", "-0", "007", "+5", "5.0", "1e3", "x", " 5", "NaN", "9".repeat(400), "٣"];
const tokens = [
  ...["0", "-0", "5", "-5", "5.0", "-0.0", "1.5e3", "2.5", "25e-1", "1e-7", "0.1", "1e2", "9007199254740991"],
  ...["9007199254740991.0", "9007199254740992", "-9007199254740992", "9007199254740993", "9007199254740993.0"],
  ...["9.007199254740993e15", "1152921504606846976", "1152921504606847000", "100000000000000000000", "1e20", "1e21"],
  ...["1000000000000000000000", "-1e21", "1955516024755728386", "18446744073709551616"],
];

describe("Struct to JSON, the whole table", () => {
  for (const [name, schema, number, width, text] of positions) {
    for (const int64 of ["string", "schema", "safe", "bigint"] as const) {
      it(`${name}, int64 ${int64}`, () => {
        const codec = createStructCodec(at(schema), { int64 });
        for (const n of numbers) {
          expect(codec.fieldToJsonString({ v: n }), String(n)).toBe(
            `{"v":${numberText(n, number, width, text, int64)}}`,
          );
        }
        for (const s of [...strings, ...others]) {
          expect(codec.fieldToJsonString({ v: s }), s).toBe(`{"v":${stringText(s, number, width, text, int64)}}`);
        }
      });
    }
  }
});

/** o2 to o6, read off the contract. */
function numberText(n: number, number: Number, width: Width, text: Text, int64: CodecOptions["int64"]): string {
  if (!Number.isInteger(n)) {
    return String(n);
  }
  const digits = BigInt(n).toString();
  if (number === "none" && text === "decimal") {
    return `"${digits}"`;
  }
  if (number === "integer" && width === "wide" && text !== "text") {
    const isBare = int64 === "schema" || int64 === "bigint" || (int64 === "safe" && Number.isSafeInteger(n));
    return isBare ? digits : `"${digits}"`;
  }
  if (number === "integer") {
    return digits;
  }
  return Object.is(n, -0) ? "-0" : String(n);
}

/** o7 to o9, read off the contract. */
function stringText(s: string, number: Number, width: Width, text: Text, int64: CodecOptions["int64"]): string {
  const quoted = JSON.stringify(s);
  if (!strings.includes(s)) {
    return quoted;
  }
  if (number === "integer" && width === "wide" && (text === "decimal" || text === "none")) {
    switch (int64) {
      case "safe":
        return Number.isSafeInteger(Number(s)) ? s : quoted;
      case "schema":
      case "bigint":
        return text === "none" ? s : quoted;
      default:
        return quoted;
    }
  }
  return (number === "integer" || number === "number") && text === "none" ? s : quoted;
}

describe("JSON to Struct, the whole table", () => {
  for (const [name, schema, number, width, text] of positions) {
    for (const structInt64 of ["auto", "string"] as const) {
      for (const unsafeIntegers of ["string", "round", "error"] as const) {
        it(`${name}, structInt64 ${structInt64}, unsafeIntegers ${unsafeIntegers}`, () => {
          // Where strings are text and the integer is wide, the contract does not say what structInt64 does.
          if (structInt64 === "string" && width === "wide" && text !== "none") {
            return;
          }
          const codec = createStructCodec(at(schema), { structInt64, unsafeIntegers });
          for (const token of tokens) {
            const expected = readAs(token, number, width, text, structInt64, unsafeIntegers);
            if (expected === undefined) {
              expect(() => codec.jsonStringToField(`{"v":${token}}`), token).toThrow(
                expect.objectContaining({ code: "unsafe_integer", pointer: "/v" }),
              );
            } else {
              expect(codec.jsonStringToField(`{"v":${token}}`), token).toEqual({ v: expected });
            }
          }
          for (const s of [...strings, ...others]) {
            expect(codec.jsonStringToField(`{"v":${JSON.stringify(s)}}`), s).toEqual({ v: s });
          }
        });
      }
    }
  }
});

/** i2 to i6, read off the contract; undefined is the error. */
function readAs(
  token: string,
  number: Number,
  width: Width,
  text: Text,
  structInt64: CodecOptions["structInt64"],
  unsafeIntegers: CodecOptions["unsafeIntegers"],
): number | string | undefined {
  const double = Number(token);
  const digits = integerDigits(token);
  if (digits === undefined) {
    return double;
  }
  const unsafe = { string: digits, round: double, error: undefined }[unsafeIntegers ?? "string"];
  if (number === "none" && text === "decimal") {
    return digits;
  }
  if (number === "integer") {
    if (!Number.isSafeInteger(double)) {
      return unsafe;
    }
    return width === "wide" && structInt64 === "string" ? digits : double;
  }
  const isUnspelled = /^-?[0-9]+$/.test(token) && !Number.isSafeInteger(double) && String(double) !== token;
  return isUnspelled ? unsafe : double;
}
