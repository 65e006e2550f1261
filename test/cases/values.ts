import { runInNewContext } from "node:vm";
import type { ExactJson } from "../../src/index.js";
import { IntegerLiteral } from "../../src/index.js";
import { at, type Case, decodeJson, INT, INT64, NUM } from "../support/case.js";

class Money {
  amount = 5;
}

function cycle(): object {
  const a: { b: unknown[] } = { b: [] };
  a.b.push(a);
  return a;
}

function holes(): unknown[] {
  const items: unknown[] = [1];
  items[2] = 3;
  return items;
}

function refuse(name: string, value: unknown, pointer = "/v", code: string | string[] = "unsupported_value"): Case {
  return {
    name: `${name} is no JSON`,
    direction: "decode",
    json: { value: { v: value } as unknown as ExactJson },
    error: { code, pointer },
  };
}

const refused: Case[] = [
  refuse("a Date", new Date(0)),
  refuse("a Map", new Map([["a", 1]])),
  refuse("a Set", new Set([1])),
  refuse("a function", () => 1),
  refuse("a symbol", Symbol("x")),
  refuse("a class instance", new Money()),
  refuse("a RegExp", /x/),
  refuse("a Promise", Promise.resolve(1)),
  refuse("an Error", new Error("x")),
  refuse("a Uint8Array", new Uint8Array(2)),
  refuse("a boxed number", Object(5)),
  refuse("a boxed string", Object("x")),
  refuse("a boxed boolean", Object(true)),
  refuse("a boxed bigint", Object(5n)),
  refuse("undefined in an array", [1, undefined], "/v/1"),
  refuse("a hole in an array", holes(), "/v/1"),
  refuse("a function in a list in an object", { a: [{ b: () => 1 }] }, "/v/a/0/b"),
  refuse("a Date at an integer position", new Date(0)),
  {
    name: "a cycle through a list is no JSON",
    direction: "decode",
    json: { value: cycle() as ExactJson },
    error: { code: ["unsupported_value", "depth_exceeded"] },
  },
  {
    name: "undefined in a root list is no JSON",
    codec: "value",
    direction: "decode",
    json: { value: [undefined] as never },
    error: { code: "unsupported_value", pointer: "/0" },
  },
  {
    name: "a Date as the root is no Struct",
    direction: "decode",
    json: { value: new Date(0) as never },
    error: { code: ["unsupported_value", "unexpected_type"], pointer: "" },
  },
  {
    name: "a function at an integer position is no JSON",
    schema: at(INT),
    direction: "decode",
    json: { value: { v: (() => 1) as never } },
    error: { code: "unsupported_value", pointer: "/v" },
  },
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value) =>
    refuse(`the number ${value}`, value, "/v", ["not_finite", "unsupported_value", "out_of_range"]),
  ),
];

const nullPrototype = Object.assign(Object.create(null) as object, { a: 1 });

const accepted: Case[] = [
  decodeJson("an object without a prototype is plain", undefined, nullPrototype as never, { a: 1 }),
  decodeJson("an object of another realm is plain", undefined, runInNewContext("({ a: [1, { b: 'x' }] })") as never, {
    a: [1, { b: "x" }],
  }),
  decodeJson("the same object twice is no cycle", undefined, [nullPrototype, nullPrototype] as never, [
    { a: 1 },
    { a: 1 },
  ]),
  decodeJson("a frozen object is plain", undefined, Object.freeze({ a: Object.freeze([1]) }) as never, { a: [1] }),
  decodeJson(
    "members that are not enumerable are not read",
    undefined,
    Object.defineProperty({ a: 2 }, "b", { value: 1, enumerable: false }) as never,
    { a: 2 },
  ),
  decodeJson("an undefined member is dropped at an integer position", at(INT), { v: undefined } as never, {}),
  decodeJson("a bigint without a schema", undefined, 1955516024755728386n, "1955516024755728386"),
  decodeJson("a negative bigint at a wide position", INT64, -1955516024755728386n, "-1955516024755728386"),
  decodeJson(
    "an IntegerLiteral without a schema",
    undefined,
    new IntegerLiteral("9007199254740993"),
    "9007199254740993",
  ),
  decodeJson("0n at an integer position", INT, 0n, 0),
  ...("rawJSON" in JSON ? rawJson() : []),
];

/** Only where the runtime has JSON.rawJSON. */
function rawJson(): Case[] {
  const raw = (digits: string) => (JSON as unknown as { rawJSON(text: string): ExactJson }).rawJSON(digits);
  return [
    decodeJson("a raw-JSON integer without a schema", undefined, raw("9007199254740993"), "9007199254740993"),
    decodeJson("a raw-JSON integer at an integer position", INT, raw("5"), 5),
    ...["1", "1.0", "10e-1"].map(
      (spelling): Case => ({
        name: `the raw-JSON integer ${spelling} decides between branches`,
        schema: {
          oneOf: [
            { type: "object", properties: { kind: { const: 1 }, v: INT } },
            { type: "object", properties: { kind: { const: 2 }, v: NUM } },
          ],
        },
        direction: "decode",
        json: { value: { kind: raw(spelling), v: raw("9007199254740993.0") } },
        field: { kind: 1, v: "9007199254740993" },
      }),
    ),
  ];
}

export const values: readonly Case[] = [...refused, ...accepted];
