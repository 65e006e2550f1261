import * as es from "@bufbuild/protobuf";
import { create, type JsonObject, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { AnySchema, anyPack, type ListValue, StructSchema, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  CallToolRequestSchema,
  CallToolResponseSchema,
  file_structcodec_test_v1_agent,
  NodeSchema,
  StructsSchema,
} from "../../gen/structcodec/test/v1/agent_pb.js";
import {
  binaryToJsonString,
  checkStructs,
  createMessageHints,
  fromJson,
  fromJsonString,
  jsonStringToBinary,
  normalizeStructs,
  StructCodecError,
  toJson,
  toJsonString,
} from "../../src/protobuf.js";

const registry = es.createRegistry(file_structcodec_test_v1_agent, StructSchema, ValueSchema);

function errorOf(run: () => unknown): StructCodecError {
  try {
    run();
  } catch (error) {
    if (error instanceof StructCodecError) return error;
    throw error;
  }
  return expect.fail("no error");
}

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;
}

describe("JSON text", () => {
  it.each<[string, string, object]>([
    [
      "a key twice in the message",
      '{"name":"x",\n"name":"y"}',
      { code: "duplicate_key", pointer: "/name", line: 2, column: 1 },
    ],
    ["a field under both of its names", '{"callId":"1","call_id":"2"}', {}],
    ["a Struct twice", '{"arguments":{},"arguments":{}}', { code: "duplicate_key", pointer: "/arguments", column: 17 }],
    [
      "a key twice in a Struct",
      '{"arguments":{"a":{"b":1,"b":2}}}',
      { code: "duplicate_key", pointer: "/arguments/a/b", column: 26 },
    ],
    [
      "a key twice in a map",
      '{"context":{"baggage":{"a":{},"a":{}}}}',
      { code: "duplicate_key", pointer: "/context/baggage/a" },
    ],
    ["an escaped key twice", '{"name":"x","na\\u006de":"y"}', { code: "duplicate_key", pointer: "/name" }],
    ["a Struct that is no object", '{"arguments":[1]}', { code: "unexpected_type", pointer: "/arguments", offset: 13 }],
    ["a Struct that is a number", '{"arguments": 5}', { code: "unexpected_type", pointer: "/arguments", column: 15 }],
    [
      "a bracket of the wrong kind",
      '{"arguments":{"a":[1}}',
      { code: "invalid_syntax", pointer: "/arguments/a", offset: 20 },
    ],
    ["text that ends in a Struct", '{"arguments":{"a":', { code: "invalid_syntax", offset: 18 }],
    ["text that ends in a string", '{"arguments":{"a":"', { code: "invalid_syntax" }],
    ["text that ends in the message", '{"name":"x"', { code: "invalid_syntax", offset: 11 }],
    ["text after the end", '{"arguments":{}}}', { code: "invalid_syntax", offset: 16 }],
    ["a comma too much", '{"arguments":{},}', { code: "invalid_syntax", offset: 16 }],
    ["a comma too few", '{"arguments":{}"name":"x"}', { code: "invalid_syntax", offset: 15 }],
    ["no value", '{"arguments":,"name":"x"}', { code: "invalid_syntax", offset: 13 }],
    ["no colon", '{"arguments"{}}', { code: "invalid_syntax", offset: 12 }],
    ["a key that is no string", "{arguments:{}}", { code: "invalid_syntax", offset: 1 }],
    ["nothing", "", { code: "invalid_syntax", offset: 0 }],
    ["half a surrogate pair", '{"arguments":{"a":"\\ud800"}}', { code: "invalid_utf8", pointer: "/arguments/a" }],
    [
      "a number that no double holds",
      '{"arguments":{"a":{"b":-1e400}}}',
      { code: "out_of_range", pointer: "/arguments/a/b" },
    ],
  ])("is refused: %s", (_, text, expected) => {
    for (const convert of [fromJsonString, jsonStringToBinary]) {
      if (!("code" in expected)) expect(() => convert(CallToolRequestSchema, text)).toThrow("set multiple times");
      else
        expect(errorOf(() => convert(CallToolRequestSchema, text))).toMatchObject({ direction: "decode", ...expected });
    }
  });

  it("may repeat keys where the last one is to count", () => {
    const text = '{"name":"x","name":"y","arguments":{"a":1},"arguments":{"b":1,"b":2}}';
    const options = { duplicateKeys: "last" } as const;
    const expected = create(CallToolRequestSchema, { name: "y", arguments: { b: 2 } });
    expect(fromJsonString(CallToolRequestSchema, text, options)).toEqual(expected);
    expect(jsonStringToBinary(CallToolRequestSchema, text, options)).toEqual(toBinary(CallToolRequestSchema, expected));
  });

  it("gives the errors of protobuf-es for what it reads", () => {
    const text = '{"callId":"x","arguments":{}}';
    expect(() => fromJsonString(CallToolRequestSchema, text)).toThrow(
      "cannot decode field structcodec.test.v1.CallToolRequest.call_id from JSON",
    );
    expect(() => fromJsonString(CallToolRequestSchema, '{"argument":{}}')).toThrow('key "argument" is unknown');
    expect(
      fromJsonString(CallToolRequestSchema, '{"argument":{"a":1e999}}', { ignoreUnknownFields: true }).arguments,
    ).toBeUndefined();
    expect(() => fromJsonString(StructsSchema, '{"many":[null]}')).toThrow("list item must not be null");
    expect(() => fromJsonString(StructsSchema, '{"chosen":{},"chosenValue":1}')).toThrow("oneof set multiple times");
  });

  it("has only so many bytes", () => {
    const text = '{"name":"xxxxxxxxxx","arguments":{}}';
    expect(errorOf(() => fromJsonString(CallToolRequestSchema, text, { limits: { inputBytes: 20 } }))).toMatchObject({
      code: "too_large",
    });
    expect(() => fromJsonString(CallToolRequestSchema, 5 as never)).toThrow(TypeError);
    const message = create(CallToolRequestSchema, { name: "x".repeat(30), arguments: {} });
    expect(errorOf(() => toJsonString(CallToolRequestSchema, message, { limits: { outputBytes: 20 } }))).toMatchObject({
      code: "too_large",
    });
  });

  it("names members of a Struct only where the schema does", () => {
    const hints = { "structcodec.test.v1.CallToolRequest.arguments": { properties: { known: {} } } };
    const text = '{"arguments":{"known":{"secret":1e400}}}';
    const end = "(line 1, column 33)";
    expect(errorOf(() => fromJsonString(CallToolRequestSchema, text, { hints })).message).toBe(
      `cannot decode structcodec.test.v1.CallToolRequest from JSON: number is beyond the range of doubles at /arguments/known/* ${end}`,
    );
    expect(errorOf(() => fromJsonString(CallToolRequestSchema, text, { hints, quoteData: true })).message).toBe(
      `cannot decode structcodec.test.v1.CallToolRequest from JSON: "1e400" is beyond the range of doubles at /arguments/known/secret ${end}`,
    );
  });
});

describe("an Any", () => {
  const struct = "type.googleapis.com/google.protobuf.Struct";
  const read = (details: string) => fromJsonString(CallToolResponseSchema, `{"details":[${details}]}`, { registry });

  it("has a Struct in the member value, and only there", () => {
    expect(read(`{"@type":"${struct}"}`).details[0]?.value).toEqual(new Uint8Array());
    for (const bad of [
      `{"@type":"${struct}","a":1}`,
      `{"@type":"${struct}","0":null}`,
      `{"0":null,"@type":"${struct}"}`,
    ]) {
      expect(errorOf(() => read(bad))).toMatchObject({ code: "unexpected_type", pointer: "/details/0/value" });
      expect(errorOf(() => read(`{"@type":"${struct}","value":{"x":1}},${bad}`))).toMatchObject({
        code: "unexpected_type",
      });
    }
  });

  it("passes as protobuf-es has it where its type is unknown", () => {
    expect(() => read('{"@type":"x/unknown.Type","value":{}}')).toThrow("is not in the type registry");
    const message = create(CallToolResponseSchema, {
      details: [{ typeUrl: "x/unknown.Type", value: new Uint8Array([1]) }],
    });
    expect(() => toJsonString(CallToolResponseSchema, message, { registry })).toThrow("is not in the type registry");
    expect(toJsonString(CallToolResponseSchema, create(CallToolResponseSchema, { details: [{}] }), { registry })).toBe(
      '{"details":[{}]}',
    );
  });

  it("with malformed bytes is an error with its place", () => {
    const message = create(CallToolResponseSchema, {
      details: [{ typeUrl: struct, value: new Uint8Array([10, 200]) }],
    });
    expect(errorOf(() => toJsonString(CallToolResponseSchema, message, { registry }))).toMatchObject({
      code: "invalid_wire",
      pointer: "/details/0/value",
    });
    const inner = create(CallToolResponseSchema, {
      details: [{ typeUrl: "x/structcodec.test.v1.CallToolRequest", value: new Uint8Array([18, 200]) }],
    });
    expect(() => toJsonString(CallToolResponseSchema, inner, { registry })).toThrow();
  });

  it("may be packed in others only so deep", () => {
    let any = anyPack(StructSchema, create(StructSchema));
    const withAny = es.createRegistry(registry, AnySchema);
    for (let i = 0; i < 30; i++) any = anyPack(AnySchema, any);
    expect(toJsonString(AnySchema, any, { registry: withAny })).toBe(
      es.toJsonString(AnySchema, any, { registry: withAny }),
    );
    for (let i = 0; i < 60; i++) any = anyPack(AnySchema, any);
    expect(errorOf(() => toJsonString(AnySchema, any, { registry: withAny }))).toMatchObject({
      code: "depth_exceeded",
    });
  });
});

describe("depth", () => {
  const cases = [
    ["/arguments", CallToolRequestSchema, (text: string) => `{"arguments":${text}}`],
    ["/values/0", StructsSchema, (text: string) => `{"values":[${text}]}`],
  ] as const;

  it.each(cases)("is that of the Struct at %s", (pointer, desc, frame) => {
    const bytes = jsonStringToBinary(desc, frame(nested(100)));
    expect(binaryToJsonString(desc, bytes)).toBe(frame(nested(100)));
    expect(toJsonString(desc, fromJsonString(desc, frame(nested(100))))).toBe(frame(nested(100)));
    const error = { code: "depth_exceeded", pointer: `${pointer}${"/a".repeat(100)}` };
    expect(errorOf(() => fromJsonString(desc, frame(nested(101))))).toMatchObject(error);
    expect(errorOf(() => jsonStringToBinary(desc, frame(nested(101))))).toMatchObject(error);
    const deeper = jsonStringToBinary(desc, frame(nested(101)), { limits: { depth: 101 } });
    expect(errorOf(() => binaryToJsonString(desc, deeper))).toMatchObject(error);
  });

  it.each(cases)("may be any at %s, and is never the end of the stack", (_, desc, frame) => {
    const text = frame(nested(20_000));
    const options = { limits: { depth: 20_000 } };
    expect(toJsonString(desc, fromJsonString(desc, text, options), options)).toBe(text);
    const bytes = jsonStringToBinary(desc, text, options);
    expect(binaryToJsonString(desc, bytes, options)).toBe(text);
    expect(jsonStringToBinary(desc, binaryToJsonString(desc, bytes, options), options)).toEqual(bytes);
  });

  it("of messages ends before the stack does", () => {
    let node = create(NodeSchema, { attributes: { a: 1 } });
    for (let i = 0; i < 450; i++) node = create(NodeSchema, { parent: node });
    expect(toJsonString(NodeSchema, node)).toBe(es.toJsonString(NodeSchema, node));
    for (let i = 0; i < 20_000; i++) node = create(NodeSchema, { parent: node });
    const hints = createMessageHints();
    for (const run of [
      () => toJsonString(NodeSchema, node),
      () => toJson(NodeSchema, node),
      () => checkStructs(NodeSchema, node, hints),
      () => normalizeStructs(NodeSchema, node, hints),
    ]) {
      expect(errorOf(run)).toMatchObject({ code: "depth_exceeded", pointer: "/parent".repeat(500) });
    }
  });

  it("of messages that are read is what protobuf-es reads", () => {
    const chain = (depth: number) => `${'{"parent":'.repeat(depth)}{}${"}".repeat(depth)}`;
    expect(toJsonString(NodeSchema, fromJsonString(NodeSchema, chain(99)))).toBe(chain(99));
    for (const convert of [fromJsonString, jsonStringToBinary]) {
      expect(() => convert(NodeSchema, chain(100))).toThrow("maximum recursion depth of 100 reached");
      expect(() => convert(NodeSchema, chain(50_000))).toThrow("maximum recursion depth of 100 reached");
      expect(() => convert(NodeSchema, chain(50), { recursionLimit: 40 })).toThrow(
        "maximum recursion depth of 40 reached",
      );
    }
    const bytes = jsonStringToBinary(NodeSchema, chain(99));
    expect(binaryToJsonString(NodeSchema, bytes)).toBe(chain(99));
    expect(() => binaryToJsonString(NodeSchema, bytes, { recursionLimit: 40 })).toThrow(
      "maximum recursion depth of 40 reached",
    );
  });

  it("is no matter in what nobody reads", () => {
    const text = `{"unknown":${"[".repeat(50_000)}${"]".repeat(50_000)},"arguments":{"a":1}}`;
    expect(fromJsonString(CallToolRequestSchema, text, { ignoreUnknownFields: true }).arguments).toEqual({ a: 1 });
  });

  it("of a JSON value that contains itself ends too", () => {
    const json: JsonObject = {};
    json.parent = json;
    expect(() => fromJson(NodeSchema, json as never)).toThrow("maximum recursion depth of 100 reached");
    const content: JsonObject = {};
    content.self = content;
    expect(errorOf(() => fromJson(NodeSchema, { attributes: content } as never))).toMatchObject({
      code: "unsupported_value",
      pointer: "/attributes/self",
    });
  });
});

describe("what a Struct cannot hold", () => {
  const frame = (value: unknown) => create(StructsSchema, { byName: { x: { a: [value as JsonValue] } } });
  const hints = createMessageHints();
  const hinted = createMessageHints({ schemas: { value: { type: "object" }, list: { items: { type: "integer" } } } });

  it.each<[string, unknown, string]>([
    ["NaN", Number.NaN, "not_finite"],
    ["Infinity", Number.POSITIVE_INFINITY, "not_finite"],
    ["a Date", new Date(0), "unsupported_value"],
    ["a Map", new Map(), "unsupported_value"],
    ["a function", () => 5, "unsupported_value"],
    ["undefined in a list", undefined, "unsupported_value"],
    ["half a surrogate pair", "\ud800", "invalid_utf8"],
  ])("is refused on its way out: %s", (_, value, code) => {
    expect(errorOf(() => toJsonString(StructsSchema, frame(value)))).toMatchObject({ code, pointer: "/byName/x/a/0" });
    expect(errorOf(() => normalizeStructs(StructsSchema, frame(value), hints))).toMatchObject({
      code,
      pointer: "/byName/x/a/0",
    });
  });

  /** A Value of a kind, whatever it holds. */
  const kindOf = (kind: string, held: unknown): Value => {
    return { $typeName: "google.protobuf.Value", kind: { case: kind, value: held } } as Value;
  };
  const text = (held: string) => kindOf("stringValue", held);
  const list = (...values: unknown[]) => kindOf("listValue", { $typeName: "google.protobuf.ListValue", values });
  const object = (fields: unknown) => kindOf("structValue", { $typeName: "google.protobuf.Struct", fields });

  it.each<[string, Value, string]>([
    ["a string", text("\ud800"), ""],
    ["the second half", text("a\udc00"), ""],
    ["halves in the wrong order", text("\udc00\ud800"), ""],
    ["an item", list(text("\ud83d\ude00"), text("\ud800")), "/1"],
    ["a member", object({ a: text("\ud800") }), "/a"],
    ["a key", object({ "\ud800": text("x") }), "/\ud800"],
    ["deep inside", list(object({ a: list(text("\ud800")) })), "/0/a/0"],
    ["beside a bigint", list(kindOf("numberValue", 5n), text("\ud800")), "/1"],
  ])("is refused in a Value and a ListValue: half a surrogate pair as %s", (_, value, pointer) => {
    const listValue = (list(value).kind as { value: ListValue }).value;
    for (const set of [createMessageHints(), createMessageHints({ onIssues: () => {} }), hinted]) {
      for (const [init, place] of [
        [{ value }, "/value"],
        [{ values: [text("\ud83d\ude00"), value] }, "/values/1"],
        [{ valueByName: { x: value } }, "/valueByName/x"],
        [{ list: listValue }, "/list/0"],
        [{ choice: { case: "chosenValue", value } }, "/choice"],
      ] as const) {
        const message = { ...create(StructsSchema), ...init } as never;
        const error = errorOf(() => normalizeStructs(StructsSchema, message, set));
        expect(error).toMatchObject({
          code: "invalid_utf8",
          pointer: (place === "/choice" ? "/chosenValue" : place) + pointer,
        });
      }
      expect(errorOf(() => normalizeStructs(ValueSchema, value, set))).toMatchObject({ code: "invalid_utf8", pointer });
    }
  });

  it("passes whole surrogate pairs, in Values too", () => {
    const value = object({ "\ud83d\ude00": list(text("\ud83d\ude00")) });
    const message = { ...create(StructsSchema), value };
    expect(normalizeStructs(StructsSchema, message, hints)).toBe(message);
  });

  it.each<[string, Value, string]>([
    ["a list that is undefined", kindOf("listValue", undefined), ""],
    ["a list that is null", kindOf("listValue", null), ""],
    ["a list that is an array", kindOf("listValue", [1]), ""],
    ["a list without values", kindOf("listValue", {}), ""],
    ["a Struct that is undefined", kindOf("structValue", undefined), ""],
    ["a Struct that is null", kindOf("structValue", null), ""],
    ["a Struct that is an object", kindOf("structValue", { a: 1 }), ""],
    ["fields that are null", object(null), ""],
    ["fields that are an array", object([]), ""],
    ["fields that are a Map", object(new Map([["a", text("x")]])), ""],
    ["an item that is undefined", list(text("x"), undefined), "/1"],
    ["a hole", list(text("x"), ...new Array(1)), "/1"],
    ["an item that is null", list(null), "/0"],
    ["an item that is a number", list(5), "/0"],
    ["a member that is null", object({ a: null }), "/a"],
    ["an inner list that is undefined", list(kindOf("listValue", undefined)), "/0"],
    ["a string that is a number", kindOf("stringValue", 5), ""],
    ["a bool that is undefined", kindOf("boolValue", undefined), ""],
    ["a number that is text", kindOf("numberValue", "5"), ""],
    ["a number that is null", kindOf("numberValue", null), ""],
    ["a number that is a Date", kindOf("numberValue", new Date(0)), ""],
    ["a malformed one beside a bigint", list(kindOf("listValue", null), kindOf("numberValue", 5n)), "/0"],
    ["a string that is a bigint beside another", list(text(5n as never), kindOf("numberValue", 5n)), "/0"],
  ])("is refused in a Value: %s", (_, value, pointer) => {
    for (const set of [createMessageHints(), createMessageHints({ onIssues: () => {} }), hinted]) {
      const message = { ...create(StructsSchema), value };
      expect(errorOf(() => normalizeStructs(StructsSchema, message, set))).toMatchObject({
        code: "unsupported_value",
        pointer: `/value${pointer}`,
      });
    }
  });

  it.each<[string, unknown]>([
    ["a string", "x"],
    ["a number", 5],
    ["null", null],
    ["a list", [1]],
  ])("is refused on its way out: a Struct that is %s", (_, content) => {
    const message = { ...create(StructsSchema), many: [{}, content as JsonObject] };
    expect(errorOf(() => toJsonString(StructsSchema, message))).toMatchObject({
      code: "unexpected_type",
      pointer: "/many/1",
    });
    expect(errorOf(() => toJson(StructsSchema, message))).toMatchObject({
      code: "unexpected_type",
      pointer: "/many/1",
    });
  });

  it("is brought to what it can hold where it can be", () => {
    const message = frame(9007199254740993n);
    const normal = normalizeStructs(StructsSchema, message, hints);
    expect(normal.byName).toEqual({ x: { a: ["9007199254740993"] } });
    expect(es.fromBinary(StructsSchema, toBinary(StructsSchema, normal)).byName).toEqual(normal.byName);
    expect(message.byName).toEqual({ x: { a: [9007199254740993n] } });
    expect(errorOf(() => toJson(StructsSchema, message))).toMatchObject({ code: "unsupported_value" });
  });

  it("is found in what came in", () => {
    expect(errorOf(() => checkStructs(StructsSchema, frame(Number.NaN), hints))).toMatchObject({
      code: "not_finite",
      pointer: "/byName/x/a/0",
      message: "cannot read structcodec.test.v1.Structs: number is NaN at /byName/*/*/0",
    });
    const value = create(ValueSchema, { kind: { case: undefined } });
    expect(errorOf(() => checkStructs(StructsSchema, create(StructsSchema, { value }), hints))).toMatchObject({
      code: "unset_value",
      pointer: "/value",
    });
    const details = [anyPack(ValueSchema, value)];
    const message = create(CallToolResponseSchema, { details });
    checkStructs(CallToolResponseSchema, message, hints);
    expect(
      errorOf(() => checkStructs(CallToolResponseSchema, message, createMessageHints({ registry }))),
    ).toMatchObject({
      code: "unset_value",
      pointer: "/details/0/value",
    });
  });

  it("leaves a frozen message in peace", () => {
    const message = deepFreeze(
      create(StructsSchema, { many: [{ a: 1 }], byName: { x: { a: 1 } }, choice: { case: "chosen", value: {} } }),
    );
    checkStructs(StructsSchema, message, hints);
    expect(normalizeStructs(StructsSchema, message, hints)).toEqual(message);
    expect(toJsonString(StructsSchema, message)).toBe('{"many":[{"a":1}],"byName":{"x":{"a":1}},"chosen":{}}');
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
