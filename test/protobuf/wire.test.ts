import * as es from "@bufbuild/protobuf";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { CallToolRequestSchema, NodeSchema, StructsSchema } from "../../gen/structcodec/test/v1/agent_pb.js";
import { binaryToJsonString, jsonStringToBinary, StructCodecError } from "../../src/protobuf.js";

const struct = (json: es.JsonObject) => toBinary(StructSchema, es.fromJson(StructSchema, json));

/** A message of fields of wire type 2, one after the other. */
function fields(...content: readonly [number, Uint8Array][]): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, bytes] of content) writer.tag(number, WireType.LengthDelimited).bytes(bytes);
  return writer.finish();
}

function join(...pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

const text = (value: string) => new TextEncoder().encode(value);

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return expect.fail("no error");
}

describe("a message in bytes", () => {
  // In each, protobuf-es merges something.
  it.each<[string, es.DescMessage, Uint8Array, string]>([
    [
      "a Struct twice",
      CallToolRequestSchema,
      fields([2, struct({ a: 1, b: 1 })], [2, struct({ b: 2, c: 3 })]),
      '{"arguments":{"a":1,"b":2,"c":3}}',
    ],
    [
      "a Struct twice, once empty",
      CallToolRequestSchema,
      fields([2, struct({ a: 1 })], [2, struct({})]),
      '{"arguments":{"a":1}}',
    ],
    ["an empty Struct", CallToolRequestSchema, fields([2, struct({})]), '{"arguments":{}}'],
    [
      "a message twice",
      CallToolRequestSchema,
      fields([4, fields([2, struct({ a: 1 })])], [1, text("x")], [4, fields([2, struct({ b: 2 })])]),
      '{"name":"x","context":{"metadata":{"a":1,"b":2}}}',
    ],
    [
      "a member of a oneof twice",
      StructsSchema,
      fields([12, struct({ a: 1 })], [12, struct({ b: 2 })]),
      '{"chosen":{"a":1,"b":2}}',
    ],
    [
      "another member of a oneof between",
      StructsSchema,
      fields([12, struct({ a: 1 })], [14, fields()], [12, struct({ b: 2 })]),
      '{"chosen":{"b":2}}',
    ],
    [
      "a key of a map twice",
      StructsSchema,
      fields([4, fields([1, text("x")], [2, struct({ a: 1 })])], [4, fields([1, text("x")], [2, struct({ b: 2 })])]),
      '{"byName":{"x":{"b":2}}}',
    ],
    [
      "the value of an entry twice, before the key",
      StructsSchema,
      fields([4, fields([2, struct({ a: 1 })], [2, struct({ b: 2 })], [1, text("x")])]),
      '{"byName":{"x":{"a":1,"b":2}}}',
    ],
    ["an entry without value", StructsSchema, fields([4, fields([1, text("x")])]), '{"byName":{"x":{}}}'],
    [
      "a ListValue twice",
      StructsSchema,
      fields([9, fields([1, fields([3, text("a")])])], [9, fields([1, fields([3, text("b")])])]),
      '{"list":["a","b"]}',
    ],
    [
      "a Value twice",
      StructsSchema,
      fields([6, fields([5, struct({ a: 1 })])], [6, fields([5, struct({ b: 2 })])]),
      '{"value":{"a":1,"b":2}}',
    ],
    [
      "a Value of two kinds",
      StructsSchema,
      fields([6, fields([5, struct({ a: 1 })])], [6, fields([3, text("x")])]),
      '{"value":"x"}',
    ],
    [
      "Structs of a list between others",
      StructsSchema,
      fields([3, struct({ a: 1 })], [15, struct({})], [3, struct({ b: 2 })]),
      '{"many":[{"a":1},{"b":2}],"plain":{}}',
    ],
    [
      "fields that nobody knows",
      StructsSchema,
      fields([999, text("x")], [15, struct({ a: 1 })], [1000, text("y")]),
      '{"plain":{"a":1}}',
    ],
    [
      "a recursive message twice",
      NodeSchema,
      fields([3, fields([3, fields([2, struct({ a: 1 })])])], [3, fields([3, fields([2, struct({ b: 2 })])])]),
      '{"parent":{"parent":{"attributes":{"a":1,"b":2}}}}',
    ],
  ])("may have %s", (_, desc, bytes, expected) => {
    expect(es.toJsonString(desc, fromBinary(desc, bytes))).toBe(expected);
    expect(binaryToJsonString(desc, bytes)).toBe(expected);
  });

  it("may have a field so often that to look at all again for each would take minutes", () => {
    const content = struct({ a: 1 });
    const bytes = fields(...Array.from({ length: 20_000 }, (): [number, Uint8Array] => [2, content]));
    expect(binaryToJsonString(CallToolRequestSchema, bytes)).toBe('{"arguments":{"a":1}}');
    const nested = fields(...Array.from({ length: 20_000 }, (): [number, Uint8Array] => [4, fields([2, content])]));
    expect(binaryToJsonString(CallToolRequestSchema, nested)).toBe('{"context":{"metadata":{"a":1}}}');
  });

  it("keeps the order of members on the wire, and values that a message loses", () => {
    const bytes = jsonStringToBinary(CallToolRequestSchema, '{"arguments":{"b":1,"1":2,"a":-0}}');
    expect(binaryToJsonString(CallToolRequestSchema, bytes)).toBe('{"arguments":{"b":1,"1":2,"a":-0}}');
  });

  it("is looked at where it is, in whatever it comes", () => {
    const bytes = toBinary(CallToolRequestSchema, create(CallToolRequestSchema, { name: "x", arguments: { a: 1 } }));
    const buffer = Buffer.concat([Buffer.from("before"), bytes, Buffer.from("after")]).subarray(6, 6 + bytes.length);
    expect(binaryToJsonString(CallToolRequestSchema, buffer)).toBe('{"name":"x","arguments":{"a":1}}');
  });

  it.each<[string, Uint8Array, string, string, number]>([
    [
      "an unset Value",
      fields([1, text("name")], [2, fields([1, fields([1, text("a")], [2, fields()])])]),
      "unset_value",
      "/arguments/a",
      13,
    ],
    [
      "a string that is no UTF-8",
      fields([1, text("name")], [2, fields([1, fields([1, text("a")], [2, fields([3, new Uint8Array([0xff])])])])]),
      "invalid_utf8",
      "/arguments/a",
      17,
    ],
    [
      "a length that goes too far",
      join(fields([1, text("name")]), new Uint8Array([18, 2, 10, 9])),
      "invalid_wire",
      "/arguments",
      9,
    ],
    [
      "NaN",
      fields([2, fields([1, fields([1, text("a")], [2, new Uint8Array([17, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f])])])]),
      "not_finite",
      "/arguments/a",
      9,
    ],
  ])("says where in the whole there is %s", (_, bytes, code, pointer, offset) => {
    expect(errorOf(() => binaryToJsonString(CallToolRequestSchema, bytes))).toMatchObject({
      code,
      pointer,
      direction: "encode",
      offset,
    });
  });

  it("says where in a ListValue it is, and in a Value", () => {
    const unset = fields([1, fields()]);
    expect(errorOf(() => binaryToJsonString(StructsSchema, fields([9, unset])))).toMatchObject({
      code: "unset_value",
      pointer: "/list/0",
      offset: 2,
    });
    expect(errorOf(() => binaryToJsonString(StructsSchema, fields([6, fields([6, unset])])))).toMatchObject({
      pointer: "/value/0",
      offset: 4,
    });
  });

  it("has the errors of protobuf-es where its own bytes are malformed", () => {
    const bytes = fields([1, text("x")], [2, struct({ a: 1 })]);
    for (const malformed of [
      bytes.subarray(0, bytes.length - 1),
      join(bytes, new Uint8Array([0])),
      join(bytes, new Uint8Array([8])),
    ]) {
      const expected = errorOf(() => fromBinary(CallToolRequestSchema, malformed));
      const actual = errorOf(() => binaryToJsonString(CallToolRequestSchema, malformed));
      expect(actual).not.toBeInstanceOf(StructCodecError);
      expect(actual).toEqual(expected);
    }
    expect(binaryToJsonString(CallToolRequestSchema, bytes)).toBe('{"name":"x","arguments":{"a":1}}');
  });

  it("reads as null where it is asked to what protobuf-es reads as null", () => {
    const bytes = fields([2, fields([1, fields([1, text("a")])])]);
    expect(es.toJsonString(CallToolRequestSchema, fromBinary(CallToolRequestSchema, bytes))).toBe(
      '{"arguments":{"a":null}}',
    );
    expect(binaryToJsonString(CallToolRequestSchema, bytes, { unsetValue: "null" })).toBe('{"arguments":{"a":null}}');
  });

  it("is read by protobuf-es itself where no writer would make it so", () => {
    // The field is a Struct, the tag says varint; protobuf-es does not look at that.
    const bytes = join(new Uint8Array([2 * 8]), fields([2, struct({ a: 1 })]).subarray(1));
    expect(es.toJsonString(CallToolRequestSchema, fromBinary(CallToolRequestSchema, bytes))).toBe(
      '{"arguments":{"a":1}}',
    );
    expect(binaryToJsonString(CallToolRequestSchema, bytes)).toBe('{"arguments":{"a":1}}');
  });
});
