import { create, type DescField, fromBinary, fromJson, toBinary } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  CallToolRequestSchema,
  NodeSchema,
  RecordSchema,
  StructsSchema,
} from "../../gen/structcodec/test/v1/agent_pb.js";
import { beginConversion, createMessageHints, type MessagePlace } from "../../src/protobuf.js";

const narrow = { properties: { id: { type: "integer" } } };
const many = StructsSchema.field.many;
const place: MessagePlace = { parent: { parent: undefined, key: "many", isData: false }, key: 1, isData: false };

describe("a conversion", () => {
  it("puts other bytes in the place of Structs, in their order", () => {
    const message = create(StructsSchema, {
      single: { a: 1 },
      many: [{ b: 2 }, {}],
      byName: { x: { c: 3 } },
      values: [{ kind: { case: "boolValue", value: true } }],
      misplaced: "x",
    });
    const seen: string[] = [];
    const conversion = beginConversion(createMessageHints(), "decode", "cannot write");
    const other = toBinary(
      StructSchema,
      fromJson(StructSchema, { other: "a longer content than that which was there" }),
    );
    const bytes = conversion.rewrite(StructsSchema, toBinary(StructsSchema, message), (field: DescField, content) => {
      seen.push(`${field.name} ${content.length}`);
      return field.name === "values" ? content : other;
    });
    expect(seen).toEqual(["single 16", "many 16", "many 0", "by_name 16", "values 2"]);
    const struct = { other: "a longer content than that which was there" };
    expect(fromBinary(StructsSchema, bytes)).toEqual({
      ...message,
      single: struct,
      many: [struct, struct],
      byName: { x: struct },
    });
  });

  it("leaves bytes alone that hold no Struct", () => {
    const bytes = toBinary(RecordSchema, create(RecordSchema, { id: 5n, history: [1, 2], counters: { a: 1n } }));
    const conversion = beginConversion(createMessageHints(), "encode", "cannot read");
    expect(conversion.rewrite(RecordSchema, bytes, () => expect.fail("no Struct"))).toEqual(bytes);
    expect(() => conversion.rewrite(NodeSchema, new Uint8Array([10, 200]), (_, content) => content)).toThrow();
  });

  it("says where things are in a message of any form", () => {
    const found: string[] = [];
    const hints = createMessageHints({
      hints: { "structcodec.test.v1.Structs.many": (message) => message.schema },
      onIssues: (issues) => void found.push(...issues.map(({ code, pointer }) => `${code} at ${pointer}`)),
    });
    const conversion = beginConversion(hints, "decode", "cannot write a form of my own");
    const codec = conversion.find(many, { schema: narrow }, place);
    expect(conversion.convert(place, () => codec.fromJson({ id: 1.5 }))).toEqual({ id: 1.5 });
    expect(() => conversion.convert(place, () => codec.fromJson({ id: Number.NaN }))).toThrow(
      "cannot write a form of my own: number is NaN at /many/1/id",
    );
    conversion.find(many, {}, place);
    expect(found).toEqual([]);
    conversion.finish();
    expect(found).toEqual(["fractional at /many/1/id", "no_schema at /many/1"]);
  });

  it("is for fields of Structs", () => {
    const conversion = beginConversion(createMessageHints(), "decode", "cannot write");
    expect(() => conversion.find(CallToolRequestSchema.field.name, {}, place)).toThrow(TypeError);
    expect(() => beginConversion({} as never, "decode", "x")).toThrow(TypeError);
  });
});

describe("prepare", () => {
  it("finds names that are no field, wherever they are", () => {
    const hints = createMessageHints({ hints: { "structcodec.test.v1.CallContext.meta": narrow } });
    expect(() => hints.prepare(CallToolRequestSchema)).toThrow(TypeError);
    expect(() => hints.prepare(StructsSchema)).not.toThrow();
    createMessageHints({ hints: { "structcodec.test.v1.CallContext.metadata": narrow } }).prepare(
      CallToolRequestSchema,
    );
  });
});
