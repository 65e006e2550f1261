import { IntegerLiteral } from "../../src/index.js";
import {
  ANY,
  at,
  BOOL,
  type Case,
  DECIMAL,
  encode,
  INT,
  INT_OR_STR,
  INT32,
  INT64,
  INT64_OR_STR,
  INT64_OR_STR64,
  INT128,
  NUM,
  NUM_OR_STR64,
  refuseEncode,
  SAFE,
  STR,
  STR64,
  UINT64,
} from "../support/case.js";
import { list, num, obj, str, struct, unset } from "../support/wire.js";

const literal = (digits: string) => ({ value: new IntegerLiteral(digits) });

/** The double 1e300, all its 301 digits. */
const DOUBLE_1E300 =
  "1000000000000000052504760255204420248704468581108159154915854115511802457988908195786371375080447864" +
  "0437044438328838781769425232353604305756447921847867069828483872009265758037378302337947880900593689" +
  "5323497079994508111903896764088007465274278014249457925878882005684283811566947219638686545940054016" +
  "0";

/** o1: what is no number of JSON. */
const o1: Case[] = [
  refuseEncode("o1 NaN without a schema", undefined, Number.NaN, "not_finite"),
  refuseEncode("o1 Infinity without a schema", undefined, Number.POSITIVE_INFINITY, "not_finite"),
  refuseEncode("o1 -Infinity without a schema", undefined, Number.NEGATIVE_INFINITY, "not_finite"),
  refuseEncode("o1 NaN at an integer position", INT, Number.NaN, "not_finite"),
  refuseEncode("o1 NaN at a wide position", INT64, Number.NaN, "not_finite"),
  refuseEncode("o1 Infinity at a number position", NUM, Number.POSITIVE_INFINITY, "not_finite"),
  refuseEncode("o1 -Infinity at a string position", STR, Number.NEGATIVE_INFINITY, "not_finite"),
  refuseEncode("o1 Infinity at a decimal string position", STR64, Number.POSITIVE_INFINITY, "not_finite"),
  {
    name: "o1 NaN below an object in a list is named by its pointer",
    direction: "encode",
    field: { a: [{ b: 1 }, { "c/d~": Number.NaN }] },
    error: { code: "not_finite", pointer: "/a/1/c~1d~0" },
  },
  {
    name: "o1 NaN with other bits on the wire",
    direction: "encode",
    wire: struct(["v", new Uint8Array([0x11, 0x01, 0, 0, 0, 0, 0, 0xf8, 0xff])]),
    error: { code: "not_finite", pointer: "/v" },
  },
  {
    name: "o1 NaN as the root of a Value",
    codec: "value",
    direction: "encode",
    field: Number.NaN,
    error: { code: "not_finite", pointer: "" },
  },
];

/** o2: fractions are never rounded or cut. */
const o2: Case[] = [
  encode("o2 2.5 without a schema", undefined, 2.5, "2.5"),
  encode("o2 2.5 at an integer position is passed on and reported", INT, 2.5, "2.5", {
    issues: [{ code: "fractional", pointer: "/v" }],
  }),
  encode("o2 2.5 at a small position is passed on and reported", INT32, 2.5, "2.5", {
    issues: [{ code: "fractional", pointer: "/v" }],
  }),
  ...(["string", "schema", "safe", "bigint"] as const).map((int64) =>
    encode(`o2 -0.5 at a wide position under int64 ${int64}`, INT64, -0.5, "-0.5", {
      options: { int64 },
      issues: [{ code: "fractional", pointer: "/v" }],
    }),
  ),
  encode("o2 2.5 at a number position", NUM, 2.5, "2.5"),
  encode("o2 2.5 at a string position", STR, 2.5, "2.5"),
  encode("o2 2.5 at a decimal string position stays a number", STR64, 2.5, "2.5"),
  encode("o2 2.5 at integer or text is no integer either", INT_OR_STR, 2.5, "2.5", {
    issues: [{ code: "fractional", pointer: "/v" }],
  }),
  encode("o2 0.1 + 0.2 prints its shortest digits", undefined, 0.1 + 0.2, "0.30000000000000004"),
  encode("o2 the smallest double", undefined, 5e-324, "5e-324"),
  encode("o2 1e-7 keeps its exponent", NUM, 1e-7, "1e-7"),
  encode("o2 0.000001 has none", NUM, 0.000001, "0.000001"),
  encode("o2 a fraction beyond 2^51", NUM, 2251799813685248.5, "2251799813685248.5"),
  encode("o2 a fraction under wholeNumbers fraction", NUM, 2.5, "2.5", { options: { wholeNumbers: "fraction" } }),
];

/** o3: a position that takes an integer only as text is quoted under every int64 option. */
const o3: Case[] = [
  ...(["string", "schema", "safe", "bigint"] as const).map((int64) =>
    encode(`o3 5 is quoted under int64 ${int64}`, STR64, 5, '"5"', { options: { int64 } }),
  ),
  encode("o3 5 at a position that the rewriter made", DECIMAL, 5, '"5"'),
  encode("o3 5 at a nullable one", { type: ["string", "null"], format: "int64" }, 5, '"5"'),
  encode("o3 0", STR64, 0, '"0"'),
  encode("o3 -0 has the digits 0", STR64, -0, '"0"'),
  encode("o3 -5", STR64, -5, '"-5"'),
  encode("o3 2^53 - 1", STR64, SAFE, '"9007199254740991"'),
  encode("o3 2^60 with all digits of the double", STR64, 2 ** 60, '"1152921504606846976"'),
  encode("o3 1e21 without exponent", DECIMAL, 1e21, '"1000000000000000000000"'),
  encode("o3 int32 as text", { type: "string", format: "int32" }, 5, '"5"'),
  encode("o3 wholeNumbers does not reach it", STR64, 5, '"5"', { options: { wholeNumbers: "fraction" } }),
];

/** o4: NumberValue where the schema declares 64 bits or more. */
const o4: Case[] = [
  encode("o4 5 under the default", INT64, 5, '"5"'),
  encode("o4 5 under int64 string", INT64, 5, '"5"', { options: { int64: "string" } }),
  encode("o4 5 under int64 schema", INT64, 5, "5", { options: { int64: "schema" } }),
  encode("o4 5 under int64 safe", INT64, 5, "5", { options: { int64: "safe" } }),
  encode("o4 5 under int64 bigint", INT64, 5, "5", { options: { int64: "bigint" }, json: { value: 5n } }),
  encode("o4 5 at uint64", UINT64, 5, '"5"'),
  encode("o4 -0 under int64 string has the digits 0", INT64, -0, '"0"'),
  encode("o4 -0 under int64 schema is 0", INT64, -0, "0", { options: { int64: "schema" } }),
  encode("o4 -0 under int64 safe is 0", INT64, -0, "0", { options: { int64: "safe" } }),
  encode("o4 -0 under int64 bigint is 0n", INT64, -0, "0", { options: { int64: "bigint" }, json: { value: 0n } }),
  encode("o4 2^53 - 1 under int64 safe is bare", INT64, SAFE, "9007199254740991", { options: { int64: "safe" } }),
  encode("o4 1 - 2^53 under int64 safe is bare", INT64, -SAFE, "-9007199254740991", { options: { int64: "safe" } }),
  encode("o4 2^53 under int64 string", INT64, 2 ** 53, '"9007199254740992"'),
  encode("o4 2^53 under int64 safe is quoted", INT64, 2 ** 53, '"9007199254740992"', { options: { int64: "safe" } }),
  encode("o4 2^53 under int64 schema is bare", INT64, 2 ** 53, "9007199254740992", {
    options: { int64: "schema" },
    json: literal("9007199254740992"),
  }),
  encode("o4 2^53 under int64 bigint", INT64, 2 ** 53, "9007199254740992", {
    options: { int64: "bigint" },
    json: { value: 9007199254740992n },
  }),
  encode("o4 -(2^60) has the digits of the double", INT64, -(2 ** 60), '"-1152921504606846976"'),
  encode("o4 1e21 at a width without a range", INT128, 1e21, '"1000000000000000000000"'),
  encode("o4 1e21 at a width without a range under int64 schema", INT128, 1e21, "1000000000000000000000", {
    options: { int64: "schema" },
    json: literal("1000000000000000000000"),
  }),
  encode("o4 5 where a number and a decimal string fit, under int64 string", INT64_OR_STR64, 5, '"5"'),
  encode("o4 5 where both fit, under int64 schema, stays a number", INT64_OR_STR64, 5, "5", {
    options: { int64: "schema" },
  }),
  encode("o4 2^53 where both fit, under int64 schema, stays a number", INT64_OR_STR64, 2 ** 53, "9007199254740992", {
    options: { int64: "schema" },
    json: literal("9007199254740992"),
  }),
  encode("o4 5 where both fit, under int64 safe", INT64_OR_STR64, 5, "5", { options: { int64: "safe" } }),
  encode("o4 5 where both fit, under int64 bigint", INT64_OR_STR64, 5, "5", {
    options: { int64: "bigint" },
    json: { value: 5n },
  }),
  encode("o4 wholeNumbers does not reach it", INT64, 5, "5", {
    options: { int64: "schema", wholeNumbers: "fraction" },
  }),
  encode("o4 a list of wide integers", { type: "array", items: INT64 }, [1, 2 ** 53], '["1","9007199254740992"]'),
];

/** o5: exact digits, no point, no exponent. */
const o5: Case[] = [
  encode("o5 5", INT, 5, "5"),
  encode("o5 0", INT, 0, "0"),
  encode("o5 -0 is 0", INT, -0, "0"),
  encode("o5 -0 at a small position is 0", INT32, -0, "0"),
  encode("o5 -17", INT, -17, "-17"),
  encode("o5 2^53 - 1", INT, SAFE, "9007199254740991"),
  encode("o5 1 - 2^53", INT, -SAFE, "-9007199254740991"),
  encode("o5 2^53", INT, 2 ** 53, "9007199254740992", { json: literal("9007199254740992") }),
  encode("o5 -(2^53)", INT, -(2 ** 53), "-9007199254740992", { json: literal("-9007199254740992") }),
  encode("o5 2^60 has the digits of the double, not its shortest spelling", INT, 2 ** 60, "1152921504606846976"),
  encode("o5 2^63", INT, 2 ** 63, "9223372036854775808"),
  encode("o5 1e20", INT, 1e20, "100000000000000000000"),
  encode("o5 1e21 has no exponent", INT, 1e21, "1000000000000000000000", {
    json: literal("1000000000000000000000"),
  }),
  encode("o5 -1e21", INT, -1e21, "-1000000000000000000000"),
  encode("o5 1e22", INT, 1e22, "10000000000000000000000"),
  encode("o5 1e23 has the digits of the double", INT, 1e23, "99999999999999991611392"),
  encode("o5 1e300 has 301 digits", INT, 1e300, DOUBLE_1E300),
  encode("o5 1e21 at a small position is still exact", INT32, 1e21, "1000000000000000000000"),
  ...(["string", "schema", "safe"] as const).flatMap((int64) => [
    encode(`o5 5 of unknown width is bare under int64 ${int64}`, INT, 5, "5", { options: { int64 } }),
    encode(`o5 2^53 of unknown width is bare under int64 ${int64}`, INT, 2 ** 53, "9007199254740992", {
      options: { int64 },
      json: literal("9007199254740992"),
    }),
  ]),
  encode("o5 5 of unknown width stays a JS number under int64 bigint", INT, 5, "5", { options: { int64: "bigint" } }),
  encode("o5 2^53 of unknown width is a bigint under int64 bigint", INT, 2 ** 53, "9007199254740992", {
    options: { int64: "bigint" },
    json: { value: 9007199254740992n },
  }),
  encode("o5 5 of small width stays a JS number under int64 bigint", INT32, 5, "5", { options: { int64: "bigint" } }),
  encode("o5 1e21 at integer or text", INT_OR_STR, 1e21, "1000000000000000000000"),
  ...(["string", "schema", "safe"] as const).map((int64) =>
    encode(`o5 5 at int64 or text is bare under int64 ${int64}`, INT64_OR_STR, 5, "5", { options: { int64 } }),
  ),
  encode("o5 5 at int64 or text is bare, and a bigint under int64 bigint", INT64_OR_STR, 5, "5", {
    options: { int64: "bigint" },
    json: { value: 5n },
  }),
  encode("o5 2^53 at int64 or text is bare under int64 string", INT64_OR_STR, 2 ** 53, "9007199254740992", {
    json: literal("9007199254740992"),
  }),
  encode("o5 wholeNumbers does not reach integers", INT, 5, "5", { options: { wholeNumbers: "fraction" } }),
  encode("o5 -0 under wholeNumbers fraction is 0", INT, -0, "0", { options: { wholeNumbers: "fraction" } }),
];

/** o6: everything else as JSON.stringify, except -0. */
const o6: Case[] = [
  encode("o6 5 without a schema", undefined, 5, "5"),
  encode("o6 -0 without a schema", undefined, -0, "-0"),
  encode("o6 -0 at a number position", NUM, -0, "-0"),
  encode("o6 -0 at a string position", STR, -0, "-0"),
  encode("o6 -0 at a boolean position", BOOL, -0, "-0"),
  encode("o6 1e21 without a schema", undefined, 1e21, "1e+21"),
  encode("o6 1e21 at a number position", NUM, 1e21, "1e+21"),
  encode("o6 1e21 at a string position", STR, 1e21, "1e+21"),
  encode("o6 1e21 at a boolean position", BOOL, 1e21, "1e+21"),
  encode("o6 1e21 at an empty schema", ANY, 1e21, "1e+21"),
  {
    name: "o6 1e21 at a key that the schema does not name",
    schema: { type: "object", properties: { w: INT } },
    direction: "encode",
    field: { v: 1e21 },
    text: '{"v":1e+21}',
  },
  encode("o6 2^60 without a schema", undefined, 2 ** 60, "1152921504606847000", { json: { value: 2 ** 60 } }),
  encode("o6 2^60 at a number position", NUM, 2 ** 60, "1152921504606847000", { json: { value: 2 ** 60 } }),
  encode("o6 2^53 without a schema", undefined, 2 ** 53, "9007199254740992", { json: { value: 2 ** 53 } }),
  encode("o6 1e20 without a schema", undefined, 1e20, "100000000000000000000", { json: { value: 1e20 } }),
  encode("o6 123456789012345680000", undefined, 123456789012345680000, "123456789012345680000", {
    json: { value: 123456789012345680000 },
  }),
  encode("o6 1.7976931348623157e308", undefined, Number.MAX_VALUE, "1.7976931348623157e+308", {
    json: { value: Number.MAX_VALUE },
  }),
  encode("o6 5 at a string position stays a number", STR, 5, "5"),
  encode("o6 5 at number or decimal string stays a number", NUM_OR_STR64, 5, "5"),
  encode("o6 5 at a number position under wholeNumbers fraction", NUM, 5, "5.0", {
    options: { wholeNumbers: "fraction" },
    json: { value: 5 },
  }),
  encode("o6 -0 at a number position under wholeNumbers fraction", NUM, -0, "-0.0", {
    options: { wholeNumbers: "fraction" },
    json: { value: -0 },
  }),
  encode("o6 -17 at a number position under wholeNumbers fraction", NUM, -17, "-17.0", {
    options: { wholeNumbers: "fraction" },
    json: { value: -17 },
  }),
  encode("o6 2^60 at a number position under wholeNumbers fraction", NUM, 2 ** 60, "1152921504606847000.0", {
    options: { wholeNumbers: "fraction" },
    json: { value: 2 ** 60 },
  }),
  encode("o6 digits with an exponent stay under wholeNumbers fraction", NUM, 1e21, "1e+21", {
    options: { wholeNumbers: "fraction" },
    json: { value: 1e21 },
  }),
  encode("o6 5 without a schema under wholeNumbers fraction", undefined, 5, "5", {
    options: { wholeNumbers: "fraction" },
  }),
  encode("o6 5 at a string position under wholeNumbers fraction", STR, 5, "5", {
    options: { wholeNumbers: "fraction" },
  }),
  encode("o6 5 at integer or number under wholeNumbers fraction", { type: ["integer", "number"] }, 5, "5.0", {
    options: { wholeNumbers: "fraction" },
    json: { value: 5 },
  }),
  encode("o6 5 at number or null under wholeNumbers fraction", { type: ["number", "null"] }, 5, "5.0", {
    options: { wholeNumbers: "fraction" },
    json: { value: 5 },
  }),
];

/** o7: digits as text where the schema declares 64 bits or more. */
const o7: Case[] = [
  encode("o7 an id under the default", INT64, "1955516024755728386", '"1955516024755728386"'),
  encode("o7 an id under int64 string", INT64, "1955516024755728386", '"1955516024755728386"', {
    options: { int64: "string" },
  }),
  encode("o7 an id under int64 schema is bare", INT64, "1955516024755728386", "1955516024755728386", {
    options: { int64: "schema" },
    json: literal("1955516024755728386"),
  }),
  encode("o7 an id under int64 safe is quoted", INT64, "1955516024755728386", '"1955516024755728386"', {
    options: { int64: "safe" },
  }),
  encode("o7 an id under int64 bigint", INT64, "1955516024755728386", "1955516024755728386", {
    options: { int64: "bigint" },
    json: { value: 1955516024755728386n },
  }),
  encode("o7 safe digits under int64 string stay quoted", INT64, "5", '"5"'),
  encode("o7 safe digits under int64 schema are bare", INT64, "5", "5", { options: { int64: "schema" } }),
  encode("o7 safe digits under int64 safe are bare", INT64, "5", "5", { options: { int64: "safe" } }),
  encode("o7 safe digits under int64 bigint", INT64, "5", "5", {
    options: { int64: "bigint" },
    json: { value: 5n },
  }),
  encode("o7 the last safe digits under int64 safe", INT64, "-9007199254740991", "-9007199254740991", {
    options: { int64: "safe" },
  }),
  encode("o7 the first unsafe digits under int64 safe", INT64, "-9007199254740992", '"-9007199254740992"', {
    options: { int64: "safe" },
  }),
  encode("o7 uint64 max under int64 schema", UINT64, "18446744073709551615", "18446744073709551615", {
    options: { int64: "schema" },
    json: literal("18446744073709551615"),
  }),
  encode("o7 25 digits at a width without a range", INT128, "1234567890123456789012345", "1234567890123456789012345", {
    options: { int64: "schema" },
    json: literal("1234567890123456789012345"),
  }),
  encode("o7 where both fit the string stays, under int64 schema", INT64_OR_STR64, "5", '"5"', {
    options: { int64: "schema" },
  }),
  encode("o7 where both fit the string stays, under int64 string", INT64_OR_STR64, "5", '"5"'),
  encode("o7 where both fit safe digits are bare, under int64 safe", INT64_OR_STR64, "5", "5", {
    options: { int64: "safe" },
  }),
  encode(
    "o7 where both fit unsafe digits stay, under int64 safe",
    INT64_OR_STR64,
    "9007199254740993",
    '"9007199254740993"',
    {
      options: { int64: "safe" },
    },
  ),
  encode("o7 a big bound makes it wide", { type: "integer", maximum: 2 ** 63 }, "5", '"5"'),
  encode("o7 not at int64 or text: the string stays", INT64_OR_STR, "5", '"5"', { options: { int64: "schema" } }),
  encode("o7 not at int64 or text under int64 safe", INT64_OR_STR, "5", '"5"', { options: { int64: "safe" } }),
  encode("o7 not at int64 or text under int64 bigint", INT64_OR_STR, "5", '"5"', { options: { int64: "bigint" } }),
];

/** o8: digits as text where only a number fits. */
const o8: Case[] = [
  encode("o8 5 at an integer position", INT, "5", "5"),
  encode("o8 -5 at an integer position", INT, "-5", "-5"),
  encode("o8 0 at an integer position", INT, "0", "0"),
  encode("o8 an id at an integer position", INT, "1955516024755728386", "1955516024755728386", {
    json: literal("1955516024755728386"),
  }),
  encode(
    "o8 an id at an integer position under int64 string is bare",
    INT,
    "1955516024755728386",
    "1955516024755728386",
    {
      options: { int64: "string" },
      json: literal("1955516024755728386"),
    },
  ),
  encode(
    "o8 an id at an integer position under int64 safe is bare",
    INT,
    "1955516024755728386",
    "1955516024755728386",
    {
      options: { int64: "safe" },
      json: literal("1955516024755728386"),
    },
  ),
  encode("o8 an id at an integer position under int64 bigint", INT, "1955516024755728386", "1955516024755728386", {
    options: { int64: "bigint" },
    json: { value: 1955516024755728386n },
  }),
  encode("o8 5 at an integer position under int64 bigint is a JS number", INT, "5", "5", {
    options: { int64: "bigint" },
  }),
  encode("o8 5 at a small position", INT32, "5", "5"),
  encode("o8 5 at a small position under int64 string", INT32, "5", "5", { options: { int64: "string" } }),
  encode("o8 40 digits at an integer position", INT, "1234567890".repeat(4), "1234567890".repeat(4)),
  encode("o8 5 at a number position", NUM, "5", "5"),
  encode("o8 an id at a number position", NUM, "1955516024755728386", "1955516024755728386", {
    json: literal("1955516024755728386"),
  }),
  encode("o8 an id at a number position under int64 bigint", NUM, "1955516024755728386", "1955516024755728386", {
    options: { int64: "bigint" },
    json: { value: 1955516024755728386n },
  }),
  encode("o8 5 at a number position under wholeNumbers fraction keeps its digits", NUM, "5", "5", {
    options: { wholeNumbers: "fraction" },
  }),
  encode("o8 5 at integer or null", { type: ["integer", "null"] }, "5", "5"),
  encode("o8 5 at integer or a word", { anyOf: [INT, { enum: ["auto", "none"] }] }, "5", "5"),
  encode("o8 the largest whole double has 309 digits", INT, `1${"0".repeat(308)}`, `1${"0".repeat(308)}`),
];

/** o9: a string that is no canonical decimal, or stands where text fits, or where nothing is known. */
const o9: Case[] = [
  encode("o9 007 at an integer position", INT, "007", '"007"'),
  encode("o9 007 at a wide position under int64 schema", INT64, "007", '"007"', { options: { int64: "schema" } }),
  encode("o9 007 at a number position", NUM, "007", '"007"'),
  encode("o9 -0 is no canonical decimal", INT, "-0", '"-0"'),
  encode("o9 +5 is no canonical decimal", INT, "+5", '"+5"'),
  encode("o9 5.0 is no canonical decimal", INT, "5.0", '"5.0"'),
  encode("o9 1e3 is no canonical decimal", INT, "1e3", '"1e3"'),
  encode("o9 0x10 is no canonical decimal", INT, "0x10", '"0x10"'),
  encode("o9 digits with a space are no canonical decimal", INT, " 5", '" 5"'),
  encode("o9 digits with a newline are no canonical decimal", INT, "5\n", '"5\\n"'),
  encode("o9 the empty string is no canonical decimal", INT, "", '""'),
  encode("o9 - alone is no canonical decimal", INT, "-", '"-"'),
  encode("o9 digits of another script are no canonical decimal", INT, "٣", '"٣"'),
  encode("o9 digits beyond the range of doubles", INT, "9".repeat(400), `"${"9".repeat(400)}"`),
  encode("o9 309 nines are beyond the range of doubles", INT, "9".repeat(309), `"${"9".repeat(309)}"`),
  encode("o9 NaN as text", NUM, "NaN", '"NaN"'),
  encode("o9 5 at string or integer", INT_OR_STR, "5", '"5"'),
  encode("o9 005930 at string or integer, a stock ticker", { anyOf: [STR, INT] }, "005930", '"005930"'),
  encode("o9 20240101 at string or integer, a date", { anyOf: [STR, INT] }, "20240101", '"20240101"'),
  encode("o9 5 at number or string", { type: ["number", "string"] }, "5", '"5"'),
  encode("o9 5 without a schema", undefined, "5", '"5"'),
  encode("o9 5 at an empty schema", ANY, "5", '"5"'),
  encode("o9 5 at a string position", STR, "5", '"5"'),
  encode("o9 5 at a boolean position", BOOL, "5", '"5"'),
  encode("o9 an id at a decimal string position", STR64, "1955516024755728386", '"1955516024755728386"'),
  encode("o9 5 at integer of unknown width or decimal string", { anyOf: [INT, DECIMAL] }, "5", '"5"'),
  encode("o9 5 at number or decimal string", NUM_OR_STR64, "5", '"5"'),
  encode("o9 an enumerated canonical decimal stays", { anyOf: [INT, { enum: ["1", "auto"] }] }, "1", '"1"'),
  encode("o9 a word at an integer position", INT, "five", '"five"'),
  encode(
    "o9 escapes are those of JSON.stringify",
    INT,
    '"\\/\b\f\n\r\t\u0001\u2028é😀',
    '"\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u2028é😀"',
  ),
];

/** o10: a Value with no kind. */
const o10: Case[] = [
  {
    name: "o10 a Value with no kind in a Struct",
    direction: "encode",
    wire: struct(["a", num(1)], ["v", unset()]),
    error: { code: "unset_value", pointer: "/v" },
  },
  {
    name: "o10 a Value with no kind in a list",
    direction: "encode",
    wire: struct(["a", list(num(1), unset())]),
    error: { code: "unset_value", pointer: "/a/1" },
  },
  {
    name: "o10 a Value with no kind below an object, at an integer position",
    schema: at({ properties: { w: INT } }),
    direction: "encode",
    wire: struct(["v", obj(["w", unset()])]),
    error: { code: "unset_value", pointer: "/v/w" },
  },
  {
    name: "o10 the root Value has no kind",
    codec: "value",
    direction: "encode",
    wire: unset(),
    error: { code: "unset_value", pointer: "" },
  },
  {
    name: "o10 unsetValue null reads null",
    direction: "encode",
    options: { unsetValue: "null" },
    wire: struct(["a", unset()], ["b", list(unset(), str("x"))]),
    text: '{"a":null,"b":[null,"x"]}',
  },
  {
    name: "o10 unsetValue null at an integer position",
    schema: at(INT),
    direction: "encode",
    options: { unsetValue: "null" },
    wire: struct(["v", unset()]),
    text: '{"v":null}',
  },
  {
    name: "o10 unsetValue null at the root of a Value",
    codec: "value",
    direction: "encode",
    options: { unsetValue: "null" },
    wire: unset(),
    text: "null",
  },
];

/** The rest of the kinds, which no hint touches. */
const kinds: Case[] = [
  encode("null at an integer position", INT, null, "null"),
  encode("true at an integer position", INT, true, "true"),
  encode("false at a decimal string position", STR64, false, "false"),
  encode(
    "an object at an integer position keeps its members as they are",
    INT,
    { a: 1e21, b: "5" },
    '{"a":1e+21,"b":"5"}',
    {
      json: { value: { a: 1e21, b: "5" } },
    },
  ),
  encode("a list at an integer position keeps its items as they are", INT, [1e21, "5"], '[1e+21,"5"]', {
    json: { value: [1e21, "5"] },
  }),
  encode("an empty object", undefined, {}, "{}"),
  encode("an empty list", undefined, [], "[]"),
  { name: "an empty Struct", direction: "encode", field: {}, text: "{}" },
  {
    name: "key order is kept",
    direction: "encode",
    field: { b: 1, a: 2, c: { z: 1, y: 2 } },
    text: '{"b":1,"a":2,"c":{"z":1,"y":2}}',
  },
  {
    name: "array-index keys keep their place where no JS object is in between",
    direction: "encode",
    wire: struct(["b", num(1)], ["10", num(2)], ["9", num(3)], ["a", num(4)]),
    text: '{"b":1,"10":2,"9":3,"a":4}',
  },
];

export const structToJson: readonly Case[] = [
  ...o1,
  ...o2,
  ...o3,
  ...o4,
  ...o5,
  ...o6,
  ...o7,
  ...o8,
  ...o9,
  ...o10,
  ...kinds,
];
