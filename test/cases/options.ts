import { at, type Case, INT, INT64, NUM, STR64 } from "../support/case.js";
import { num, str, struct } from "../support/wire.js";

/** strict turns issues into errors, all of them or the ones named. */
const strict: Case[] = [
  {
    name: "strict refuses a fraction at an integer position",
    schema: at(INT),
    options: { strict: true },
    field: { v: 2.5 },
    text: '{"v":2.5}',
    error: { code: "fractional", pointer: "/v" },
  },
  {
    name: "strict says which schema decided",
    schema: at(INT),
    options: { strict: true },
    field: { v: 2.5 },
    text: '{"v":2.5}',
    error: { code: "fractional", pointer: "/v", schemaPointer: "/properties/v" },
  },
  {
    name: "strict refuses rounding",
    options: { strict: true, unsafeIntegers: "round" },
    direction: "decode",
    text: '{"v":9007199254740993}',
    error: { code: "rounded", pointer: "/v" },
  },
  {
    name: "strict refuses a value out of the declared range",
    schema: at(INT64),
    options: { strict: true },
    direction: "decode",
    text: '{"v":9223372036854775808}',
    error: { code: "out_of_range", pointer: "/v" },
  },
  {
    name: "strict with a list refuses what it names",
    schema: at(INT),
    options: { strict: ["rounded", "fractional"] },
    field: { v: 2.5 },
    text: '{"v":2.5}',
    error: { code: "fractional", pointer: "/v" },
  },
  {
    name: "strict with a list passes on what it does not name",
    schema: at(INT),
    options: { strict: ["rounded"] },
    field: { v: 2.5 },
    text: '{"v":2.5}',
    issues: [{ code: "fractional", pointer: "/v" }],
  },
  {
    name: "strict with an empty list refuses nothing",
    schema: at(INT),
    options: { strict: [] },
    field: { v: 2.5 },
    text: '{"v":2.5}',
    issues: [{ code: "fractional", pointer: "/v" }],
  },
  {
    name: "strict false refuses nothing",
    schema: at(INT),
    options: { strict: false },
    field: { v: 2.5 },
    text: '{"v":2.5}',
    issues: [{ code: "fractional", pointer: "/v" }],
  },
  {
    name: "strict passes what has no issue",
    schema: { properties: { a: INT, b: NUM } },
    options: { strict: true },
    field: { a: 5, b: 2.5 },
    text: '{"a":5,"b":2.5}',
  },
  {
    name: "every issue is collected with its pointer",
    schema: { properties: { a: INT, l: { items: INT } } },
    field: { a: 0.5, l: [1, 1.5, { x: 0.5 }] },
    text: '{"a":0.5,"l":[1,1.5,{"x":0.5}]}',
    issues: [
      { code: "fractional", pointer: "/a" },
      { code: "fractional", pointer: "/l/1" },
    ],
  },
];

/** Repeated keys of a text. */
const duplicateKeys: Case[] = [
  {
    name: "a repeated key of a text is refused",
    direction: "decode",
    text: '{"a":1,"a":2}',
    error: { code: "duplicate_key", pointer: "/a", offset: 7, line: 1, column: 8 },
  },
  {
    name: "a repeated key is refused whatever the values are",
    direction: "decode",
    text: '{"a":1,"b":{},"a":1}',
    error: { code: "duplicate_key", pointer: "/a" },
  },
  {
    name: "a repeated key in other escapes is refused",
    direction: "decode",
    text: '{"v":1,"\\u0076":2}',
    error: { code: "duplicate_key", pointer: "/v" },
  },
  {
    name: "a repeated key below a list is named by its pointer",
    direction: "decode",
    text: '{"l":[{},{"a/b":1,"a/b":2}]}',
    error: { code: "duplicate_key", pointer: "/l/1/a~1b" },
  },
  {
    name: "a repeated __proto__ is refused",
    direction: "decode",
    text: '{"__proto__":1,"__proto__":2}',
    error: { code: "duplicate_key", pointer: "/__proto__" },
  },
  {
    name: "a repeated empty key is refused",
    direction: "decode",
    text: '{"":1,"":2}',
    error: { code: "duplicate_key", pointer: "/" },
  },
  {
    name: "hasOwnProperty once is no repeated key",
    text: '{"hasOwnProperty":1,"toString":2,"valueOf":3}',
    field: { hasOwnProperty: 1, toString: 2, valueOf: 3 } as never,
  },
  {
    name: "the same key in two objects is no repeated key",
    text: '{"a":{"a":{"a":1}},"b":{"a":2}}',
    field: { a: { a: { a: 1 } }, b: { a: 2 } },
  },
  {
    name: "duplicateKeys last keeps the first place and takes the last value",
    options: { duplicateKeys: "last" },
    direction: "decode",
    text: '{"a":1,"b":2,"a":"x"}',
    wire: struct(["a", str("x")], ["b", num(2)]),
  },
  {
    name: "duplicateKeys last reads the last value by the position's hint",
    schema: at(STR64),
    options: { duplicateKeys: "last" },
    direction: "decode",
    text: '{"v":"x","v":5}',
    wire: struct(["v", str("5")]),
  },
  {
    name: "duplicateKeys last at __proto__",
    options: { duplicateKeys: "last" },
    direction: "decode",
    text: '{"__proto__":1,"a":2,"__proto__":3}',
    wire: struct(["__proto__", num(3)], ["a", num(2)]),
  },
  {
    name: "duplicateKeys error is the default, said aloud",
    options: { duplicateKeys: "error" },
    direction: "decode",
    text: '{"a":1,"a":1}',
    error: { code: "duplicate_key", pointer: "/a" },
  },
];

const nested = (depth: number, open: string, close: string, leaf: string) =>
  open.repeat(depth) + leaf + close.repeat(depth);

function nestedField(depth: number): never {
  let field: unknown = {};
  for (let i = 1; i < depth; i++) {
    field = { a: field };
  }
  return field as never;
}

/** Limits, each one step below and above. */
const limits: Case[] = [
  {
    name: "100 containers are within the default depth",
    text: nested(99, '{"a":', "}", "{}"),
    field: nestedField(100),
  },
  {
    name: "101 containers are beyond the default depth",
    text: nested(100, '{"a":', "}", "{}"),
    field: nestedField(101),
    error: { code: "depth_exceeded" },
  },
  {
    name: "lists count as objects do",
    codec: "value",
    direction: "decode",
    text: nested(100, "[", "]", ""),
    field: JSON.parse(nested(100, "[", "]", "")) as never,
  },
  {
    name: "101 lists are beyond the default depth",
    codec: "value",
    text: nested(101, "[", "]", ""),
    field: JSON.parse(nested(101, "[", "]", "")) as never,
    error: { code: "depth_exceeded" },
  },
  {
    name: "a scalar below the last container does not count",
    options: { limits: { depth: 2 } },
    text: '{"a":{"b":1}}',
    field: { a: { b: 1 } },
  },
  {
    name: "depth 2 refuses three containers",
    options: { limits: { depth: 2 } },
    text: '{"a":{"b":[]}}',
    field: { a: { b: [] } },
    error: { code: "depth_exceeded" },
  },
  {
    name: "depth 1 allows the root",
    options: { limits: { depth: 1 } },
    text: '{"a":1,"b":"x"}',
    field: { a: 1, b: "x" },
  },
  {
    name: "siblings do not add up",
    options: { limits: { depth: 2 } },
    text: '{"a":[1],"b":{},"c":[]}',
    field: { a: [1], b: {}, c: [] },
  },
  {
    name: "depth may be raised",
    options: { limits: { depth: 1000 } },
    text: nested(999, '{"a":', "}", "{}"),
    field: nestedField(1000),
  },
  {
    name: "a text longer than inputBytes is refused",
    options: { limits: { inputBytes: 10 } },
    direction: "decode",
    text: '{"a":12345}',
    json: "none",
    error: { code: "too_large" },
  },
  {
    name: "a text of inputBytes is read",
    options: { limits: { inputBytes: 11 } },
    direction: "decode",
    text: '{"a":12345}',
    json: "none",
    wire: struct(["a", num(12345)]),
  },
  {
    name: "inputBytes counts bytes and not characters of a text",
    options: { limits: { inputBytes: 12 } },
    direction: "decode",
    text: '{"a":"日本"}',
    json: "none",
    error: { code: "too_large", pointer: "" },
  },
  {
    name: "a text of as many bytes as inputBytes is read",
    options: { limits: { inputBytes: 14 } },
    direction: "decode",
    text: '{"a":"日本"}',
    json: "none",
    field: { a: "日本" },
  },
  {
    name: "an output of outputBytes is written, though its keys might have grown",
    options: { limits: { outputBytes: 107 } },
    direction: "encode",
    field: { ["k".repeat(100)]: 1 },
    json: "none",
    text: `{"${"k".repeat(100)}":1}`,
  },
  {
    name: "a text that shrinks on the wire is written within outputBytes",
    options: { limits: { outputBytes: 16 } },
    direction: "decode",
    text: `{"a":${" ".repeat(5000)}1}`,
    json: "none",
    field: { a: 1 },
  },
  {
    name: "more values than the limit are about the whole document",
    options: { limits: { values: 4 } },
    direction: "decode",
    text: '{"a":[1,2],"b":3}',
    error: { code: "too_large", pointer: "" },
  },
  {
    name: "more values than the limit, the other way",
    options: { limits: { values: 4 } },
    direction: "encode",
    field: { a: [1, 2], b: 3 },
    error: { code: "too_large", pointer: "" },
  },
  {
    name: "as many values as the limit",
    options: { limits: { values: 5 } },
    field: { a: [1, 2], b: 3 },
    text: '{"a":[1,2],"b":3}',
  },
  {
    name: "wire bytes beyond inputBytes are refused",
    options: { limits: { inputBytes: 15 } },
    direction: "encode",
    wire: struct(["a", num(1)], ["b", num(2)]),
    from: ["binary"],
    error: { code: "too_large" },
  },
  {
    name: "a token longer than numberLength is refused",
    direction: "decode",
    text: `{"v":0.${"1".repeat(1099)}}`,
    json: "none",
    error: { code: "too_large", pointer: "/v" },
  },
  {
    name: "a token of numberLength is read",
    direction: "decode",
    text: `{"v":0.${"1".repeat(1098)}}`,
    json: "none",
    field: { v: Number(`0.${"1".repeat(30)}`) },
    issues: [{ code: "rounded", pointer: "/v" }],
  },
  {
    name: "numberLength may be lowered",
    options: { limits: { numberLength: 4 } },
    direction: "decode",
    text: '{"a":1234,"b":12345}',
    json: "none",
    error: { code: "too_large", pointer: "/b" },
  },
];

/** prettySpaces. */
/** Data in which strings look as numerals do that stand marked in a tree on its way to text. */
const lookalikes: Case[] = [
  ["a string", { w: "\u00005" }],
  ["a string with the mark alone", { w: "\u0000" }],
  ["a string with a quote before the mark", { w: 'x"\u00005' }],
  ["a string that ends with a quote", { w: '\u00005"' }],
  ["a key", { "\u00005": "\u00006" }],
  ["an item", { w: ["\u0000-1.5e3", "\u00000"] }],
].map(
  ([name, members]): Case => ({
    name: `${name as string} beside exact digits`,
    schema: { properties: { id: INT64, n: INT } },
    options: { int64: "schema" },
    direction: "encode",
    field: { id: "9007199254740993", n: 1e21, ...(members as object) },
    text: `{"id":9007199254740993,"n":1000000000000000000000,${JSON.stringify(members).slice(1)}`,
  }),
);

const pretty: Case[] = [
  {
    name: "prettySpaces 2 indents as JSON.stringify does",
    schema: at(INT),
    options: { prettySpaces: 2 },
    direction: "encode",
    field: { v: 1e21, l: [1, { a: true }], e: {}, f: [] },
    json: "none",
    text: `{
  "v": 1000000000000000000000,
  "l": [
    1,
    {
      "a": true
    }
  ],
  "e": {},
  "f": []
}`,
  },
  {
    name: "prettySpaces 0 is the default",
    options: { prettySpaces: 0 },
    field: { a: [1, 2] },
    text: '{"a":[1,2]}',
  },
];

export const options: readonly Case[] = [...strict, ...duplicateKeys, ...limits, ...pretty, ...lookalikes];
