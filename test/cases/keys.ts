// biome-ignore-all lint/suspicious/noThenProperty: "then" is a key like any other here.

import { at, type Case, INT, INT64, NUM, STR64 } from "../support/case.js";

/** An object with members that a literal cannot have. */
function objectOf(...members: [key: string, value: unknown][]): never {
  const object = {};
  for (const [key, value] of members) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return object as never;
}

/** Keys that mean something to JavaScript mean nothing here. */
const data: Case[] = [
  {
    name: "__proto__ is an ordinary key",
    text: '{"__proto__":{"x":1},"a":2}',
    field: objectOf(["__proto__", { x: 1 }], ["a", 2]),
  },
  {
    name: "__proto__ holds a scalar, null, a list",
    text: '{"a":{"__proto__":1},"b":{"__proto__":null},"c":{"__proto__":[1]}}',
    field: { a: objectOf(["__proto__", 1]), b: objectOf(["__proto__", null]), c: objectOf(["__proto__", [1]]) },
  },
  {
    name: "constructor and prototype are ordinary keys",
    text: '{"constructor":{"prototype":{"polluted":true}},"prototype":1}',
    field: objectOf(["constructor", { prototype: { polluted: true } }], ["prototype", 1]),
  },
  {
    name: "names of Object.prototype are ordinary keys",
    text: '{"toString":1,"valueOf":2,"hasOwnProperty":3,"__defineGetter__":4,"isPrototypeOf":5}',
    field: objectOf(
      ["toString", 1],
      ["valueOf", 2],
      ["hasOwnProperty", 3],
      ["__defineGetter__", 4],
      ["isPrototypeOf", 5],
    ),
  },
  {
    name: "then, toJSON and length are ordinary keys",
    text: '{"then":1,"toJSON":"x","length":3}',
    field: { then: 1, toJSON: "x", length: 3 },
  },
  {
    name: "names of protobuf runtimes are ordinary keys",
    text: '{"$typeName":"x","fields":{"v":{"numberValue":5}},"kind":{"case":"numberValue","value":1},"@type":"y"}',
    field: {
      $typeName: "x",
      fields: { v: { numberValue: 5 } },
      kind: { case: "numberValue", value: 1 },
      "@type": "y",
    },
  },
  {
    name: "keys that look like numbers but are no array index keep their place",
    text: '{"b":1,"01":2,"1e3":3,"-1":4,"4294967295":5,"1.5":6}',
    field: objectOf(["b", 1], ["01", 2], ["1e3", 3], ["-1", 4], ["4294967295", 5], ["1.5", 6]),
  },
  {
    name: "keys with quotes, controls and emoji",
    text: '{"a\\"b\\\\c\\n":1,"😀":2,"\\u0000":3}',
    field: { 'a"b\\c\n': 1, "😀": 2, "\u0000": 3 },
  },
  {
    name: "composed and decomposed letters are two keys",
    text: '{"\u00e9":1,"e\u0301":2}',
    field: { "\u00e9": 1, "e\u0301": 2 },
  },
];

/** Keys of a schema. */
const schemas: Case[] = [
  {
    name: "a property named __proto__ in a schema text has a hint",
    schema: '{"properties":{"__proto__":{"type":"integer"}}}',
    direction: "encode",
    field: objectOf(["__proto__", 1e21]),
    text: '{"__proto__":1000000000000000000000}',
  },
  {
    name: "a property named __proto__ in a schema object has a hint",
    schema: { properties: objectOf(["__proto__", INT]) },
    direction: "encode",
    field: objectOf(["__proto__", 1e21]),
    text: '{"__proto__":1000000000000000000000}',
  },
  {
    name: "a property named constructor has a hint",
    schema: { properties: { constructor: INT, toString: INT } },
    direction: "encode",
    field: objectOf(["constructor", 1e21], ["toString", "5"]),
    text: '{"constructor":1000000000000000000000,"toString":5}',
  },
  {
    name: "members of Object.prototype are no properties of a schema",
    schema: { properties: { v: INT }, additionalProperties: STR64 },
    direction: "encode",
    field: objectOf(["constructor", 5], ["toString", 5], ["__proto__", 5]),
    text: '{"constructor":"5","toString":"5","__proto__":"5"}',
  },
  {
    name: "properties named as keywords are properties",
    schema: {
      properties: {
        type: INT,
        format: INT,
        items: INT,
        $ref: INT,
        properties: INT,
        enum: INT,
        const: INT,
        allOf: INT,
        nullable: INT,
        $defs: INT,
        $id: INT,
      },
    },
    direction: "encode",
    field: {
      type: "5",
      format: "5",
      items: "5",
      $ref: "5",
      properties: "5",
      enum: "5",
      const: "5",
      allOf: "5",
      nullable: "5",
      $defs: "5",
      $id: "5",
    },
    text: '{"type":5,"format":5,"items":5,"$ref":5,"properties":5,"enum":5,"const":5,"allOf":5,"nullable":5,"$defs":5,"$id":5}',
  },
  {
    name: "an own member named __proto__ of a schema node is no keyword and no prototype",
    schema: { properties: { v: objectOf(["__proto__", INT], ["title", "x"]) } },
    direction: "encode",
    field: { v: "5", w: 1e21 },
    text: '{"v":"5","w":1e+21}',
  },
  {
    name: "inherited keywords are not read",
    schema: { properties: { v: Object.create(INT) as object } },
    direction: "encode",
    field: { v: "5" },
    text: '{"v":"5"}',
  },
  {
    name: "an inherited property map is not read",
    schema: { properties: Object.create({ v: INT }) as object },
    direction: "encode",
    field: { v: "5" },
    text: '{"v":"5"}',
  },
  {
    name: "symbol keys of a schema are not read (TypeBox adds some)",
    schema: {
      [Symbol("TypeBox.Kind")]: "Object",
      properties: { v: { [Symbol.for("TypeBox.Kind")]: "Integer", type: "integer" } },
    },
    direction: "encode",
    field: { v: "5" },
    text: '{"v":5}',
  },
  {
    name: "array-index keys have their own hints",
    schema: { properties: { 0: INT, 10: NUM, 9: STR64 } },
    direction: "encode",
    field: { 0: "5", 9: 5, 10: 1e21, 11: 1e21 },
    text: '{"0":5,"9":"5","10":1e+21,"11":1e+21}',
  },
  {
    name: "a key is not trimmed, folded or normalised",
    schema: { properties: { id: INT64, "\u00e9": INT } },
    direction: "encode",
    options: { int64: "schema" },
    field: { ID: "5", " id": "5", "e\u0301": "5", id: "5", "\u00e9": "5" },
    text: '{"ID":"5"," id":"5","e\u0301":"5","id":5,"\u00e9":5}',
  },
  {
    name: "declared keys beyond ASCII beside nothing else beyond it",
    schema: { properties: { ключ: INT, "\u{1f511}": INT, é: INT } },
    direction: "encode",
    field: { ключ: 1e21, "\u{1f511}": "5", é: 1 },
    text: '{"ключ":1000000000000000000000,"\u{1f511}":5,"é":1}',
  },
  {
    name: "a property whose name is half a surrogate pair is no property named U+FFFD",
    schema: { properties: { "\ud800": INT, v: INT } },
    direction: "encode",
    field: { "\ufffd": 1e21, v: 1e21 },
    text: '{"\ufffd":1e+21,"v":1000000000000000000000}',
  },
  {
    name: "nor is it read as one",
    schema: { properties: { "\ud800": STR64, v: STR64 } },
    direction: "decode",
    text: '{"\ufffd":5,"v":5}',
    field: { "\ufffd": 5, v: "5" },
  },
  {
    name: "a declared key that is half a surrogate pair is refused like any other",
    schema: { properties: { "\ud800": INT } },
    direction: "decode",
    text: '{"\ud800":1}',
    error: { code: "invalid_utf8" },
  },
  {
    name: "an array has no members by name",
    schema: at({ type: "array", properties: { length: INT, 0: INT }, items: NUM }),
    direction: "encode",
    field: { v: [1e21, 1e21] },
    text: '{"v":[1e+21,1e+21]}',
  },
];

export const keys: readonly Case[] = [...data, ...schemas];
