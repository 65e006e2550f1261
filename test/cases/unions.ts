import { type Case, INT, INT64, NUM, STR, STR64 } from "../support/case.js";
import { num, obj, str, struct } from "../support/wire.js";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const kind = (name: unknown) => ({ const: name });

/** Kind a has an integer, kind b a number, kind c an integer as text. */
const byConst = {
  oneOf: [
    object({ kind: kind("a"), v: INT }),
    object({ kind: kind("b"), v: NUM }),
    object({ kind: kind("c"), v: STR64 }),
  ],
};
const byNumber = {
  anyOf: [object({ version: { const: 1 }, v: STR64 }), object({ version: { const: 2 }, v: INT })],
};

/** Kinds that are integers in one branch and text in the other, and kinds that are digits in both. */
const byDigits = {
  oneOf: [object({ kind: { const: 1 }, v: INT64, w: INT }), object({ kind: STR, v: INT, w: STR })],
};
const byText = {
  oneOf: [object({ kind: { ...STR64, const: "5" }, v: STR64 }), object({ kind: { ...STR64, const: "6" }, v: INT })],
};

/** 2^60 as JavaScript and JSON Schema documents spell it; its exact digits end in 976. */
const spelled = "1152921504606847000";
const byHuge = {
  anyOf: [object({ version: { const: 2 ** 60 }, v: STR64 }), object({ version: { const: 7 }, v: INT })],
};

function row(name: string, schema: object, field: object, text: string, more: Partial<Case> = {}): Case {
  return { name, schema: schema as never, direction: "encode", field: field as never, text, ...more };
}
function read(name: string, schema: object, text: string, field: object, more: Partial<Case> = {}): Case {
  return { name, schema: schema as never, direction: "decode", field: field as never, text, ...more };
}

const encoding: Case[] = [
  row("the first branch", byConst, { kind: "a", v: 1e21 }, '{"kind":"a","v":1000000000000000000000}'),
  row("the second branch", byConst, { kind: "b", v: 1e21 }, '{"kind":"b","v":1e+21}'),
  row("the third branch", byConst, { kind: "c", v: 2 ** 60 }, '{"kind":"c","v":"1152921504606846976"}'),
  row("the deciding member comes last", byConst, { v: 1e21, kind: "a" }, '{"v":1000000000000000000000,"kind":"a"}'),
  row("the deciding member comes last, second branch", byConst, { v: 1e21, kind: "b" }, '{"v":1e+21,"kind":"b"}'),
  row("the deciding member comes last, third branch", byConst, { v: 5, kind: "c" }, '{"v":"5","kind":"c"}'),
  row("the deciding member stands between", byConst, { w: 1, kind: "c", v: 5 }, '{"w":1,"kind":"c","v":"5"}'),
  row("a value of no branch merges all", byConst, { kind: "z", v: 1e21 }, '{"kind":"z","v":1e+21}'),
  row("no deciding member merges all", byConst, { v: 1e21 }, '{"v":1e+21}'),
  row(
    "a deciding member of another kind survives nowhere and merges all",
    byConst,
    { kind: 5, v: 1e21 },
    '{"kind":5,"v":1e+21}',
  ),
  row("digits as text in the branch of the integer", byConst, { kind: "a", v: "5" }, '{"kind":"a","v":5}'),
  row("digits as text in the branch of the text", byConst, { kind: "c", v: "5" }, '{"kind":"c","v":"5"}'),
  row(
    "a fraction is reported only in the branch of the integer",
    byConst,
    { kind: "a", v: 2.5 },
    '{"kind":"a","v":2.5}',
    {
      issues: [{ code: "fractional", pointer: "/v" }],
    },
  ),
  row("a fraction in the branch of the number", byConst, { kind: "b", v: 2.5 }, '{"kind":"b","v":2.5}'),
  row(
    "each item of a list selects for itself",
    object({ l: { type: "array", items: byConst } }),
    {
      l: [
        { kind: "c", v: 5 },
        { v: 1e21, kind: "a" },
        { kind: "b", v: 1e21 },
      ],
    },
    '{"l":[{"kind":"c","v":"5"},{"v":1000000000000000000000,"kind":"a"},{"kind":"b","v":1e+21}]}',
  ),
  row(
    "an enum decides as a const does",
    {
      oneOf: [
        object({ kind: { enum: ["a", "aa"] }, v: INT }),
        object({ kind: { type: "string", enum: ["b"] }, v: NUM }),
      ],
    },
    { v: 1e21, kind: "aa" },
    '{"v":1000000000000000000000,"kind":"aa"}',
  ),
  row(
    "a boolean decides",
    { anyOf: [object({ ok: { const: true }, v: INT }), object({ ok: { const: false }, v: STR64 })] },
    { ok: false, v: 5 },
    '{"ok":false,"v":"5"}',
  ),
  row(
    "null decides",
    { anyOf: [object({ error: { const: null }, v: INT }), object({ error: { const: "x" }, v: STR64 })] },
    { error: null, v: 1e21 },
    '{"error":null,"v":1000000000000000000000}',
  ),
  row("a number decides", byNumber, { version: 1, v: 5 }, '{"version":1,"v":"5"}'),
  row("another number decides", byNumber, { v: 1e21, version: 2 }, '{"v":1000000000000000000000,"version":2}'),
  row(
    "two deciding members",
    {
      oneOf: [
        object({ a: kind("x"), b: kind("x"), v: STR64 }),
        object({ a: kind("x"), b: kind("y"), v: INT }),
        object({ a: kind("y"), v: NUM }),
      ],
    },
    { a: "x", v: 1e21, b: "y" },
    '{"a":"x","v":1000000000000000000000,"b":"y"}',
  ),
  row(
    "a branch that does not mention the deciding member survives",
    { anyOf: [object({ kind: kind("a"), v: INT }), object({ v: NUM })] },
    { kind: "b", v: 1e21 },
    '{"kind":"b","v":1e+21}',
  ),
  row(
    "branches behind references",
    {
      $defs: { a: object({ kind: kind("a"), v: INT }), c: object({ kind: kind("c"), v: STR64 }) },
      oneOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/c" }],
      discriminator: { propertyName: "kind", mapping: { a: "#/$defs/gone", c: "#/$defs/a" } },
    },
    { v: 5, kind: "c" },
    '{"v":"5","kind":"c"}',
  ),
  row(
    "a branch whose constant comes from allOf",
    {
      oneOf: [
        { allOf: [object({ kind: kind("a") }), object({ v: INT })] },
        { allOf: [object({ kind: kind("c") }), object({ v: STR64 })] },
      ],
    },
    { kind: "c", v: 5 },
    '{"kind":"c","v":"5"}',
  ),
  row(
    "a union below a union",
    object({
      o: {
        oneOf: [object({ kind: kind("a"), in: byConst }), object({ kind: kind("b"), in: object({ v: STR64 }) })],
      },
    }),
    { o: { in: { v: 1e21, kind: "a" }, kind: "a" } },
    '{"o":{"in":{"v":1000000000000000000000,"kind":"a"},"kind":"a"}}',
  ),
  row(
    "a union below a union, the other way",
    object({
      o: {
        oneOf: [object({ kind: kind("a"), in: byConst }), object({ kind: kind("b"), in: object({ v: STR64 }) })],
      },
    }),
    { o: { in: { v: 5, kind: "a" }, kind: "b" } },
    '{"o":{"in":{"v":"5","kind":"a"},"kind":"b"}}',
  ),
  row(
    "a selected branch with a list",
    { oneOf: [object({ kind: kind("a"), l: { items: INT } }), object({ kind: kind("c"), l: { items: STR64 } })] },
    { l: [5, 6], kind: "c" },
    '{"l":["5","6"],"kind":"c"}',
  ),
  row(
    "a union in a branch of the root's union",
    {
      oneOf: [
        { oneOf: [object({ kind: kind("a"), v: INT }), object({ kind: kind("b"), v: NUM })] },
        object({ kind: kind("c"), v: STR64 }),
      ],
    },
    { v: 5, kind: "c" },
    '{"v":"5","kind":"c"}',
  ),
  row(
    "a member of the parent beside the union",
    object({ n: INT }, { oneOf: byConst.oneOf }),
    { n: 1e21, v: 5, kind: "c" },
    '{"n":1000000000000000000000,"v":"5","kind":"c"}',
  ),
  row(
    "a selection is needed for the width too",
    {
      oneOf: [
        object({ kind: kind("a"), v: INT64 }),
        object({ kind: kind("b"), v: { type: "integer", format: "int32" } }),
      ],
    },
    { v: 5, kind: "b" },
    '{"v":5,"kind":"b"}',
  ),
  row(
    "the wide branch",
    {
      oneOf: [
        object({ kind: kind("a"), v: INT64 }),
        object({ kind: kind("b"), v: { type: "integer", format: "int32" } }),
      ],
    },
    { v: 5, kind: "a" },
    '{"v":"5","kind":"a"}',
  ),
  row(
    "a selection is needed for strings too",
    { oneOf: [object({ kind: kind("a"), v: INT }), object({ kind: kind("b"), v: { anyOf: [INT, STR] } })] },
    { v: "5", kind: "a" },
    '{"v":5,"kind":"a"}',
  ),
  row(
    "the branch that holds text",
    { oneOf: [object({ kind: kind("a"), v: INT }), object({ kind: kind("b"), v: { anyOf: [INT, STR] } })] },
    { v: "5", kind: "b" },
    '{"v":"5","kind":"b"}',
  ),
  row(
    "a constant beside a type with nothing else to tell is merged",
    { oneOf: [object({ kind: kind("a"), v: INT, x: STR }), object({ kind: kind("b"), v: INT, y: STR })] },
    { kind: "z", v: 1e21 },
    '{"kind":"z","v":1000000000000000000000}',
  ),
  {
    name: "of a repeated deciding member on the wire the last wins",
    schema: byConst,
    direction: "encode",
    wire: struct(["kind", str("a")], ["v", num(5)], ["kind", str("c")]),
    text: '{"kind":"c","v":"5"}',
  },
  {
    name: "of a repeated deciding member on the wire the last wins, after the value",
    schema: byConst,
    direction: "encode",
    wire: struct(["v", num(5)], ["kind", str("c")], ["kind", str("a")]),
    text: '{"v":5,"kind":"a"}',
  },
  {
    name: "a deciding member in two pieces of one object",
    schema: object({ o: byConst }),
    direction: "encode",
    wire: struct(["o", new Uint8Array([...obj(["v", num(5)]), ...obj(["kind", str("c")])])]),
    text: '{"o":{"v":"5","kind":"c"}}',
  },
];

const decoding: Case[] = [
  read("read by the first branch", byNumber, '{"version":1,"v":5}', { version: 1, v: "5" }),
  read("read by the second branch", byNumber, '{"version":2,"v":5}', { version: 2, v: 5 }),
  read("read with the deciding member last", byNumber, '{"v":5,"version":1}', { v: "5", version: 1 }),
  read("numbers decide by value: 1.0", byNumber, '{"v":5,"version":1.0}', { v: "5", version: 1 }),
  read("numbers decide by value: 10e-1", byNumber, '{"version":10e-1,"v":5}', { version: 1, v: "5" }),
  read("a constant spelled as its double is chosen by that spelling", byHuge, `{"v":5,"version":${spelled}}`, {
    v: "5",
    version: spelled,
  }),
  read(
    "a constant spelled as its double is chosen by its exact digits",
    byHuge,
    '{"v":5,"version":1152921504606846976}',
    {
      v: "5",
      version: "1152921504606846976",
    },
  ),
  read(
    "other digits that round to the same double are another number",
    byHuge,
    '{"v":5,"version":1152921504606846999}',
    {
      v: 5,
      version: "1152921504606846999",
    },
  ),
  {
    name: "a constant spelled as its double is chosen by a JS number",
    schema: byHuge as never,
    direction: "decode",
    json: { value: { v: 5, version: 2 ** 60 } },
    field: { v: "5", version: 2 ** 60 },
    issues: "any",
  },
  {
    name: "a constant spelled as its double is chosen in a schema text too",
    schema: JSON.stringify(byHuge),
    direction: "decode",
    text: `{"v":5,"version":${spelled}}`,
    field: { v: "5", version: spelled },
  },
  row(
    "a constant spelled as its double is chosen by a NumberValue",
    byHuge,
    { version: 2 ** 60, v: 5 },
    '{"version":1152921504606846976,"v":"5"}',
    { options: { int64: "schema" } },
  ),
  row(
    "a constant spelled as its double is chosen by its digits",
    byHuge,
    { version: spelled, v: 5 },
    `{"version":${spelled},"v":"5"}`,
    { options: { int64: "schema" } },
  ),
  read("read without a deciding member", byNumber, '{"v":5}', { v: 5 }),
  read(
    "read with the deciding member last, in a list",
    object({ l: { items: byNumber } }),
    '{"l":[{"v":5,"version":1},{"v":6,"version":2}]}',
    {
      l: [
        { v: "5", version: 1 },
        { v: 6, version: 2 },
      ],
    },
  ),
  read("a deciding member in other escapes", byConst, '{"v":5,"\\u006bind":"\\u0063"}', { v: "5", kind: "c" }),
  {
    name: "of a repeated deciding member in a text the last wins",
    schema: byConst,
    options: { duplicateKeys: "last" },
    direction: "decode",
    text: '{"kind":"a","v":5,"kind":"c"}',
    wire: struct(["kind", str("c")], ["v", str("5")]),
  },
  {
    name: "a deciding member is looked for in its own object only",
    schema: byConst,
    direction: "decode",
    text: '{"v":5,"w":{"kind":"a"},"kind":"c"}',
    field: { v: "5", w: { kind: "a" }, kind: "c" },
  },
  {
    name: "an error behind the deciding member is still found",
    schema: byConst,
    direction: "decode",
    text: '{"v":5,"kind":"c","w":1e400}',
    error: { code: "out_of_range", pointer: "/w" },
  },
  {
    name: "an issue before the deciding member is reported once",
    schema: byConst,
    text: '{"v":2.5,"kind":"a"}',
    field: { v: 2.5, kind: "a" },
    issues: [{ code: "fractional", pointer: "/v" }],
  },
  {
    name: "a big constant of a schema text decides by its digits",
    schema:
      '{"oneOf":[{"properties":{"k":{"const":9007199254740993},"v":{"type":"string","format":"int64"}}},' +
      '{"properties":{"k":{"const":9007199254740992},"v":{"type":"integer"}}}]}',
    direction: "decode",
    text: '{"k":9007199254740993,"v":5}',
    field: { k: "9007199254740993", v: "5" },
  },
  {
    name: "the other big constant",
    schema:
      '{"oneOf":[{"properties":{"k":{"const":9007199254740993},"v":{"type":"string","format":"int64"}}},' +
      '{"properties":{"k":{"const":9007199254740992},"v":{"type":"integer"}}}]}',
    direction: "decode",
    text: '{"v":5,"k":9007199254740992}',
    field: { v: 5, k: "9007199254740992" },
  },
  row("digits as text are not a small constant", byDigits, { kind: "1", v: 5, w: "5" }, '{"kind":"1","v":5,"w":"5"}'),
  row("the small constant itself", byDigits, { kind: 1, v: 5, w: "5" }, '{"kind":1,"v":"5","w":"5"}'),
  read("an integer decides where digits are expected", byText, '{"kind":5,"v":7}', { kind: "5", v: "7" }),
  read("digits decide where digits are expected", byText, '{"kind":"5","v":7}', { kind: "5", v: "7" }),
  read("another integer decides for nothing", byText, '{"kind":7,"v":1}', { kind: "7", v: 1 }),
];

export const unions: readonly Case[] = [...encoding, ...decoding];
