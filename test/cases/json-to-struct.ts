import { IntegerLiteral } from "../../src/index.js";
import {
  ANY,
  at,
  BOOL,
  type Case,
  DECIMAL,
  decode,
  decodeJson,
  INT,
  INT_OR_STR,
  INT32,
  INT64,
  INT64_OR_STR64,
  INT128,
  NUM,
  NUM_OR_STR64,
  refuseDecode,
  SAFE,
  STR,
  STR64,
  UINT64,
} from "../support/case.js";
import { list, num, obj, str, struct } from "../support/wire.js";

const round = { options: { unsafeIntegers: "round" } } as const;
const refuse = { options: { unsafeIntegers: "error" } } as const;
const rounded = { issues: [{ code: "rounded", pointer: "/v" }] } as const;

/** i1: beyond the range of doubles. */
const i1: Case[] = [
  refuseDecode("i1 1e400 without a schema", undefined, "1e400", "out_of_range"),
  refuseDecode("i1 -1e400 without a schema", undefined, "-1e400", "out_of_range"),
  refuseDecode("i1 1E400 at an integer position", INT, "1E400", "out_of_range"),
  refuseDecode("i1 1e400 at a number position", NUM, "1e400", "out_of_range"),
  refuseDecode("i1 1e400 at a string position", STR, "1e400", "out_of_range"),
  refuseDecode("i1 1e400 at a decimal string position", STR64, "1e400", "out_of_range"),
  refuseDecode("i1 400 digits without a schema", undefined, "9".repeat(400), "out_of_range"),
  refuseDecode("i1 400 digits at an integer position", INT, "9".repeat(400), "out_of_range"),
  refuseDecode("i1 400 digits at a decimal string position", DECIMAL, "9".repeat(400), "out_of_range"),
  refuseDecode("i1 309 nines", INT, "9".repeat(309), "out_of_range"),
  refuseDecode("i1 1e400 under unsafeIntegers round", undefined, "1e400", "out_of_range", round),
  refuseDecode("i1 400 digits under unsafeIntegers round", INT, "9".repeat(400), "out_of_range", round),
  refuseDecode("i1 1.8e308", undefined, "1.8e308", "out_of_range"),
  refuseDecode("i1 an exponent of 20 digits", undefined, "1e99999999999999999999", "out_of_range"),
  decode("i1 zero with an exponent of 20 digits is zero", undefined, "0e99999999999999999999", 0),
  decode("i1 400 digits and e-399 are within", undefined, `1${"0".repeat(399)}e-399`, 1),
  {
    name: "i1 1e400 below a list is named by its pointer and its place in the text",
    direction: "decode",
    text: '{"a":[1,\n 1e400]}',
    error: { code: "out_of_range", pointer: "/a/1", offset: 10, line: 2, column: 2 },
  },
  {
    name: "i1 a bigint beyond doubles",
    direction: "decode",
    json: { value: { v: 10n ** 400n } },
    error: { code: "out_of_range", pointer: "/v" },
  },
];

/** i2: fractions. */
const i2: Case[] = [
  decode("i2 2.5 without a schema", undefined, "2.5", 2.5),
  decode("i2 2.5 at an integer position is passed on and reported", INT, "2.5", 2.5, {
    issues: [{ code: "fractional", pointer: "/v" }],
  }),
  decode("i2 25e-1 at a wide position is passed on and reported", INT64, "25e-1", 2.5, {
    issues: [{ code: "fractional", pointer: "/v" }],
  }),
  decode("i2 2.5 at a decimal string position stays a number", STR64, "2.5", 2.5),
  decode("i2 2.5 at a number position", NUM, "2.5", 2.5),
  decode("i2 2.5 at integer or text is reported", INT_OR_STR, "2.5", 2.5, {
    issues: [{ code: "fractional", pointer: "/v" }],
  }),
  decode("i2 17 digits are not reported", NUM, "0.12345678901234567", Number("0.12345678901234567")),
  decode("i2 19 digits are reported", NUM, "0.1234567890123456789", Number("0.1234567890123456789"), rounded),
  decode(
    "i2 19 digits are reported without a schema",
    undefined,
    "1.234567890123456789",
    Number("1.234567890123456789"),
    rounded,
  ),
  decode("i2 5.00000000000000000001 is 5 and reported", undefined, "5.00000000000000000001", 5, rounded),
  decode("i2 5.00000000000000000001 at an integer position has a fraction", INT, "5.00000000000000000001", 5, {
    issues: [
      { code: "fractional", pointer: "/v" },
      { code: "rounded", pointer: "/v" },
    ],
  }),
  decode("i2 underflow is 0", undefined, "1e-400", 0, { issues: "any" }),
  decode("i2 negative underflow is -0", undefined, "-1e-400", -0, { issues: "any" }),
  decode("i2 the smallest double", undefined, "5e-324", 5e-324),
];

/** i3: only an integer written as text. */
const i3: Case[] = [
  decode("i3 5", STR64, "5", "5"),
  decode("i3 -5", STR64, "-5", "-5"),
  decode("i3 0", DECIMAL, "0", "0"),
  decode("i3 -0 has the digits 0", STR64, "-0", "0"),
  decode("i3 -0.0 has the digits 0", STR64, "-0.0", "0"),
  decode("i3 5.0", STR64, "5.0", "5"),
  decode("i3 5.000", STR64, "5.000", "5"),
  decode("i3 1.5e3", STR64, "1.5e3", "1500"),
  decode("i3 150e-1", STR64, "150e-1", "15"),
  decode("i3 1E2", STR64, "1E2", "100"),
  decode("i3 9007199254740993", STR64, "9007199254740993", "9007199254740993"),
  decode("i3 9007199254740993.0", STR64, "9007199254740993.0", "9007199254740993"),
  decode("i3 900719925474099.3e1", STR64, "900719925474099.3e1", "9007199254740993"),
  decode("i3 90071992547409930e-1", STR64, "90071992547409930e-1", "9007199254740993"),
  decode("i3 1e21 at a position that the rewriter made", DECIMAL, "1e21", "1000000000000000000000"),
  decode("i3 9223372036854775807", STR64, "9223372036854775807", "9223372036854775807"),
  decode("i3 int32 as text", { type: "string", format: "int32" }, "5", "5"),
  decode("i3 unsafeIntegers error is not asked", STR64, "9007199254740993", "9007199254740993", refuse),
  decode("i3 unsafeIntegers round is not asked", STR64, "9007199254740993", "9007199254740993", round),
  decodeJson("i3 a JS number", STR64, 5, "5"),
  decodeJson("i3 the JS number -0", STR64, -0, "0"),
  decodeJson("i3 a small bigint", STR64, 5n, "5"),
  decodeJson("i3 a small IntegerLiteral", STR64, new IntegerLiteral("5"), "5"),
];

/** i4: integer tokens at integer positions. */
const i4: Case[] = [
  decode("i4 5", INT, "5", 5),
  decode("i4 5.0", INT, "5.0", 5),
  decode("i4 1.5e3", INT, "1.5e3", 1500),
  decode("i4 150e-1", INT, "150e-1", 15),
  decode("i4 1e2", INT, "1e2", 100),
  decode("i4 -0 stays -0 as a number", INT, "-0", -0),
  decode("i4 -0.0 stays -0 as a number", INT, "-0.0", -0),
  decode("i4 2^53 - 1 is safe", INT, "9007199254740991", SAFE),
  decode("i4 1 - 2^53 is safe", INT, "-9007199254740991", -SAFE),
  decode("i4 9007199254740991.0 is safe", INT, "9007199254740991.0", SAFE),
  decode("i4 2^53 becomes text although a double holds it", INT, "9007199254740992", "9007199254740992"),
  decode("i4 -(2^53) becomes text", INT, "-9007199254740992", "-9007199254740992"),
  decode("i4 2^53 + 1 becomes text", INT, "9007199254740993", "9007199254740993"),
  decode("i4 9007199254740993.0 becomes the text 9007199254740993", INT, "9007199254740993.0", "9007199254740993"),
  decode("i4 9007199254740993e0 becomes the text 9007199254740993", INT, "9007199254740993e0", "9007199254740993"),
  decode("i4 9.007199254740993e15 becomes the text 9007199254740993", INT, "9.007199254740993e15", "9007199254740993"),
  decode("i4 1e21 becomes text", INT, "1e21", "1000000000000000000000"),
  decode("i4 -1e21 becomes text", INT, "-1e21", "-1000000000000000000000"),
  decode("i4 1e+21 becomes text", INT, "1e+21", "1000000000000000000000"),
  decode("i4 1e300 becomes 301 digits", INT, "1e300", `1${"0".repeat(300)}`),
  decode("i4 an id", INT, "1955516024755728386", "1955516024755728386"),
  decode("i4 40 digits", INT, "1234567890".repeat(4), "1234567890".repeat(4)),
  decode("i4 an id at a wide position", INT64, "1955516024755728386", "1955516024755728386"),
  decode("i4 an unsafe integer at a small position", INT32, "9007199254740993", "9007199254740993"),
  decode("i4 5 at a wide position is a number", INT64, "5", 5),
  decode("i4 5 at a wide position under structInt64 string", INT64, "5", "5", { options: { structInt64: "string" } }),
  decode("i4 -0 at a wide position under structInt64 string", INT64, "-0", "0", { options: { structInt64: "string" } }),
  decode("i4 1.5e3 at a wide position under structInt64 string", UINT64, "1.5e3", "1500", {
    options: { structInt64: "string" },
  }),
  decode("i4 5 of unknown width under structInt64 string", INT, "5", 5, { options: { structInt64: "string" } }),
  decode("i4 5 of small width under structInt64 string", INT32, "5", 5, { options: { structInt64: "string" } }),
  decode("i4 5 under structInt64 auto", INT64, "5", 5, { options: { structInt64: "auto" } }),
  decode("i4 5 at wide integer or decimal string", INT64_OR_STR64, "5", 5),
  decode("i4 an id at integer or text", INT_OR_STR, "1955516024755728386", "1955516024755728386"),
  decode("i4 5 at integer or text", INT_OR_STR, "5", 5),
  refuseDecode("i4 2^53 under unsafeIntegers error", INT, "9007199254740992", "unsafe_integer", refuse),
  refuseDecode("i4 1e21 under unsafeIntegers error", INT, "1e21", "unsafe_integer", refuse),
  refuseDecode(
    "i4 an id at a wide position under unsafeIntegers error",
    INT64,
    "1955516024755728386",
    "unsafe_integer",
    refuse,
  ),
  decode("i4 2^53 - 1 under unsafeIntegers error", INT, "9007199254740991", SAFE, refuse),
  decode("i4 2^53 under unsafeIntegers round is exact", INT, "9007199254740992", 2 ** 53, round),
  decode("i4 2^53 + 1 under unsafeIntegers round is reported", INT, "9007199254740993", 2 ** 53, {
    ...round,
    ...rounded,
  }),
  decode("i4 9007199254740993.0 under unsafeIntegers round is reported", INT, "9007199254740993.0", 2 ** 53, {
    ...round,
    ...rounded,
  }),
  decode(
    "i4 1152921504606847000 under unsafeIntegers round is the double's own spelling",
    INT,
    "1152921504606847000",
    2 ** 60,
    {
      ...round,
    },
  ),
  decode("i4 1e21 under unsafeIntegers round is exact", INT, "1e21", 1e21, round),
  decodeJson("i4 a JS number", INT, 5, 5),
  decodeJson("i4 the JS number -0", INT, -0, -0),
  decodeJson("i4 a small bigint becomes a number", INT, 5n, 5),
  decodeJson("i4 a small IntegerLiteral becomes a number", INT, new IntegerLiteral("5"), 5),
  decodeJson("i4 a small bigint at a wide position under structInt64 string", INT64, 5n, "5", {
    options: { structInt64: "string" },
  }),
];

/** i5: digits that a double does not spell, anywhere else. */
const i5: Case[] = [
  ...(
    [
      ["without a schema", undefined],
      ["at an empty schema", ANY],
      ["at a number position", NUM],
      ["at a string position", STR],
      ["at a boolean position", BOOL],
      ["at number or decimal string", NUM_OR_STR64],
    ] as const
  ).flatMap(([where, schema]) => [
    decode(`i5 2^53 + 1 ${where} becomes text`, schema, "9007199254740993", "9007199254740993"),
    decode(`i5 2^53 + 1 ${where} under unsafeIntegers round`, schema, "9007199254740993", 2 ** 53, {
      ...round,
      ...rounded,
    }),
    refuseDecode(
      `i5 2^53 + 1 ${where} under unsafeIntegers error`,
      schema,
      "9007199254740993",
      "unsafe_integer",
      refuse,
    ),
  ]),
  decode("i5 -(2^53) - 1 becomes text", undefined, "-9007199254740993", "-9007199254740993"),
  decode("i5 an id becomes text", undefined, "1955516024755728386", "1955516024755728386"),
  decode("i5 2^60 in full is not how its double is spelled", undefined, "1152921504606846976", "1152921504606846976"),
  decode("i5 2^60 in full under unsafeIntegers round loses nothing", undefined, "1152921504606846976", 2 ** 60, round),
  decode("i5 10^21 in full is not how its double is spelled", undefined, `1${"0".repeat(21)}`, `1${"0".repeat(21)}`),
  decode("i5 uint64 max", undefined, "18446744073709551615", "18446744073709551615"),
];

/** i6: any other number. */
const i6: Case[] = [
  decode("i6 5 without a schema", undefined, "5", 5),
  decode("i6 5.0 without a schema", undefined, "5.0", 5),
  decode("i6 -0 without a schema", undefined, "-0", -0),
  decode("i6 -0.0 at a number position", NUM, "-0.0", -0),
  decode("i6 5 at a string position stays a number", STR, "5", 5),
  decode("i6 5 at number or decimal string stays a number", NUM_OR_STR64, "5", 5),
  decode("i6 2^53 is its double's own spelling", undefined, "9007199254740992", 2 ** 53),
  decode("i6 1152921504606847000 is its double's own spelling", undefined, "1152921504606847000", 2 ** 60),
  decode("i6 10^20 is its double's own spelling", undefined, `1${"0".repeat(20)}`, 1e20),
  decode("i6 1e21 is no token of digits", undefined, "1e21", 1e21),
  decode("i6 1e21 at a number position", NUM, "1e21", 1e21),
  decode("i6 1e+21 at a string position", STR, "1e+21", 1e21),
  decode("i6 9007199254740992.0 is exact", undefined, "9007199254740992.0", 2 ** 53),
  decode("i6 9007199254740993.0 is rounded and reported", undefined, "9007199254740993.0", 2 ** 53, rounded),
  decode(
    "i6 9007199254740993.0 at a number position is rounded and reported",
    NUM,
    "9007199254740993.0",
    2 ** 53,
    rounded,
  ),
  decode("i6 9007199254740993e0 is rounded and reported", NUM, "9007199254740993e0", 2 ** 53, rounded),
  decode("i6 9007199254740993.0 under unsafeIntegers error is no token of digits", NUM, "9007199254740993.0", 2 ** 53, {
    ...refuse,
    ...rounded,
  }),
  decode("i6 1.7976931348623157e308", undefined, "1.7976931348623157e308", Number.MAX_VALUE, {
    issues: "any",
  }),
  decodeJson("i6 a JS number beyond safe without a schema", undefined, 2 ** 60, 2 ** 60),
  decodeJson("i6 a JS number beyond safe at a number position", NUM, 1e21, 1e21),
  decodeJson("i6 a JS number beyond safe at a string position", STR, 2 ** 53, 2 ** 53),
  decodeJson("i6 a small bigint without a schema is a number", undefined, 5n, 5),
  decodeJson("i6 a bigint that is its double's own spelling is a number", undefined, 9007199254740992n, 2 ** 53),
];

/** i7: strings. */
const i7: Case[] = [
  decode("i7 5 as text at an integer position", INT, '"5"', "5"),
  decode("i7 5 as text at a wide position", INT64, '"5"', "5"),
  decode("i7 007 as text at an integer position", INT, '"007"', "007"),
  decode("i7 an id as text at a decimal string position", STR64, '"1955516024755728386"', "1955516024755728386"),
  decode("i7 007 as text at a decimal string position", STR64, '"007"', "007"),
  decode("i7 a word at a decimal string position", STR64, '"five"', "five"),
  decode("i7 text without a schema", undefined, '"x"', "x"),
  decode("i7 text at a number position", NUM, '"1e400"', "1e400"),
  decode("i7 an id as text under unsafeIntegers round", INT, '"1955516024755728386"', "1955516024755728386", round),
  decode("i7 escapes", undefined, '"\\u0041\\n\\/\\"\\\\\\b\\f\\r\\t\\ud83d\\ude00"', 'A\n/"\\\b\f\r\t😀'),
  decode("i7 U+0000 and U+FEFF", undefined, '"\\u0000\ufeff"', "\u0000\ufeff"),
];

/** JS numbers that have lost their digits before us. */
const inexact: Case[] = [
  decodeJson("a JS number beyond safe at an integer position is kept and reported", INT, 2 ** 53, 2 ** 53, {
    issues: [{ code: "inexact", pointer: "/v" }],
  }),
  decodeJson("1e21 as a JS number at a wide position is kept and reported", INT128, 1e21, 1e21, {
    issues: [{ code: "inexact", pointer: "/v" }],
  }),
  decodeJson("a JS number beyond safe at a decimal string position is kept and reported", STR64, 2 ** 60, 2 ** 60, {
    issues: [{ code: "inexact", pointer: "/v" }],
  }),
  decodeJson("a JS number beyond safe at integer or text is kept and reported", INT_OR_STR, -(2 ** 53), -(2 ** 53), {
    issues: [{ code: "inexact", pointer: "/v" }],
  }),
  decodeJson(
    "a JS number beyond safe at number or decimal string is kept and reported",
    NUM_OR_STR64,
    2 ** 60,
    2 ** 60,
    {
      issues: [{ code: "inexact", pointer: "/v" }],
    },
  ),
  decodeJson("2^53 - 1 as a JS number is exact", INT, SAFE, SAFE),
  {
    name: "a JS number beyond safe at an integer position under strict",
    schema: at(INT),
    options: { strict: true },
    direction: "decode",
    json: { value: { v: 2 ** 53 } },
    error: { code: "inexact", pointer: "/v" },
  },
];

/** A value outside the declared range. */
const range: Case[] = [
  decode(
    "9223372036854775808 at int64 is passed on exactly and reported",
    INT64,
    "9223372036854775808",
    "9223372036854775808",
    {
      issues: [{ code: "out_of_range", pointer: "/v" }],
    },
  ),
  decode(
    "-9223372036854775809 at int64 is passed on exactly and reported",
    INT64,
    "-9223372036854775809",
    "-9223372036854775809",
    {
      issues: [{ code: "out_of_range", pointer: "/v" }],
    },
  ),
  decode("9223372036854775807 at int64 is within", INT64, "9223372036854775807", "9223372036854775807"),
  decode("-9223372036854775808 at int64 is within", INT64, "-9223372036854775808", "-9223372036854775808"),
  decode("18446744073709551615 at uint64 is within", UINT64, "18446744073709551615", "18446744073709551615"),
  decode(
    "18446744073709551616 at uint64 is passed on exactly and reported",
    UINT64,
    "18446744073709551616",
    "18446744073709551616",
    {
      issues: [{ code: "out_of_range", pointer: "/v" }],
    },
  ),
  decode("-1 at uint64 is passed on and reported", UINT64, "-1", -1, {
    issues: [{ code: "out_of_range", pointer: "/v" }],
  }),
  decode(
    "18446744073709551616 at a width without a range is not reported",
    INT128,
    "18446744073709551616",
    "18446744073709551616",
  ),
  decode("an unknown width has no range", INT, "18446744073709551616", "18446744073709551616"),
];

/** Whole documents. */
const documents: Case[] = [
  {
    name: "the example of the contract",
    schema: { type: "object", properties: { line: INT, id: INT } },
    text: '{"line":5,"id":1955516024755728386}',
    field: { line: 5, id: "1955516024755728386" },
  },
  {
    name: "white space is no matter",
    direction: "decode",
    text: ' \t\r\n{ "a" : [ 1 , { } , [ ] ] } \n',
    field: { a: [1, {}, []] },
  },
  {
    name: "array-index keys keep the order of the text where no JS object is in between",
    direction: "decode",
    text: '{"b":1,"10":2,"9":{"2":"x","1":"y"},"a":[4]}',
    wire: struct(["b", num(1)], ["10", num(2)], ["9", obj(["2", str("x")], ["1", str("y")])], ["a", list(num(4))]),
  },
  {
    name: "safe data has the bytes that protobuf-es writes",
    schema: { properties: { n: INT, w: INT64, s: STR, x: NUM } },
    direction: "decode",
    text: '{"n":5,"w":6,"s":"t","x":1.5,"u":null,"b":true,"l":[],"o":{}}',
    field: { n: 5, w: 6, s: "t", x: 1.5, u: null, b: true, l: [], o: {} },
  },
  {
    name: "the empty key",
    text: '{"":1}',
    field: { "": 1 },
  },
  {
    name: "undefined members of a JSON value are dropped",
    direction: "decode",
    json: { value: { a: undefined, b: [{ c: undefined }] } as never },
    field: { b: [{}] },
  },
];

export const jsonToStruct: readonly Case[] = [
  ...i1,
  ...i2,
  ...i3,
  ...i4,
  ...i5,
  ...i6,
  ...i7,
  ...inexact,
  ...range,
  ...documents,
];
