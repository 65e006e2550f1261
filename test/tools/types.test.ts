import { type } from "arktype";
import type { FromSchema } from "json-schema-to-ts";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { createStructCodec } from "../../src/index.js";
import {
  createToolCodec,
  type JsonSchema,
  rewriteSchema,
  type WideAsBigint,
  type WideAsText,
} from "../../src/schema.js";

const schema = {
  type: "object",
  properties: {
    id: { type: "integer", format: "int64" },
    owner: { type: "object", properties: { key: { type: "integer", format: "uint64" } }, required: ["key"] },
    refs: { type: "array", items: { type: "number", format: "int64" } },
    count: { type: "integer" },
  },
  required: ["id", "owner", "refs", "count"],
  additionalProperties: false,
} as const;

const digits = "1955516024755728386";
const field = { id: digits, owner: { key: "5" }, refs: [digits], count: 3 };

describe("types from a schema", () => {
  it("say string where the codec writes text", () => {
    type Order = FromSchema<typeof schema, { deserialize: WideAsText }>;
    const order = createStructCodec(schema).fieldToJson(field) as Order;
    expectTypeOf(order.id).toEqualTypeOf<string>();
    expectTypeOf(order.owner.key).toEqualTypeOf<string>();
    expectTypeOf(order.refs).toEqualTypeOf<string[]>();
    expectTypeOf(order.count).toEqualTypeOf<number>();
    expect(order).toEqual(field);
  });

  it("say bigint where the codec gives bigint", () => {
    type Order = FromSchema<typeof schema, { deserialize: WideAsBigint }>;
    const order = createStructCodec(schema, { int64: "bigint" }).fieldToJson(field) as Order;
    expectTypeOf(order.id).toEqualTypeOf<bigint>();
    expectTypeOf(order.count).toEqualTypeOf<number>();
    expect(order).toEqual({ id: BigInt(digits), owner: { key: 5n }, refs: [BigInt(digits)], count: 3 });
  });

  it("say of a Standard Schema what int64: bigint gives", () => {
    const ofZod = z.object({ id: z.bigint() });
    const ofArktype = type({ id: "bigint" });
    const ofValibot = v.object({ id: v.bigint() });
    expectTypeOf<z.output<typeof ofZod>["id"]>().toEqualTypeOf<bigint>();
    expectTypeOf<typeof ofArktype.infer.id>().toEqualTypeOf<bigint>();
    expectTypeOf<v.InferOutput<typeof ofValibot>["id"]>().toEqualTypeOf<bigint>();
    const order = createStructCodec(ofZod, { int64: "bigint" }).fieldToJson({ id: digits });
    expect(ofZod.parse(order)).toEqual({ id: BigInt(digits) });
  });
});

describe("types of the schema tools", () => {
  it("say that an advertised number may be a string, and keep the rest of a tool", () => {
    const tool = { name: "t", inputSchema: schema, extra: 5 };
    const advertised = createToolCodec(tool).tool;
    expectTypeOf(advertised.inputSchema.properties.id.type).toEqualTypeOf<"integer" | "string">();
    expectTypeOf(advertised.inputSchema.type).toEqualTypeOf<"object">();
    expectTypeOf(advertised.extra).toEqualTypeOf<number>();
    expect(advertised.inputSchema.properties.id.type).toBe("string");
  });

  it("tell text from objects", () => {
    expectTypeOf(rewriteSchema("{}")).toEqualTypeOf<string>();
    expectTypeOf(rewriteSchema({})).toEqualTypeOf<JsonSchema>();
  });
});
