import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldKeeperOf } from "../../src/codec/field-keeper.js";
import { createStructCodec, type HintSource, IntegerLiteral, type StructCodecOptions } from "../../src/index.js";
import { createToolCodec } from "../../src/schema.js";
import { fields, plainPairs, runs, schemas } from "../support/arbitraries.js";

const options = fc.record<StructCodecOptions>(
  {
    int64: fc.constantFrom("string", "schema", "safe", "bigint"),
    structInt64: fc.constantFrom("auto", "string"),
    unsafeIntegers: fc.constantFrom("string", "error", "round"),
    wholeNumbers: fc.constantFrom("shortest", "fraction"),
    strict: fc.constantFrom<StructCodecOptions["strict"]>(false, true, ["fractional"]),
    exact: fc.constantFrom("declared", "ids", "all"),
  },
  { requiredKeys: [] },
);
const pairs: fc.Arbitrary<[HintSource, JsonObject]> = fc.oneof(plainPairs, fc.tuple(schemas, fields));
/** What no Struct holds, at some place. */
const dirt = fc.constantFrom<unknown[]>(
  5n,
  9007199254740993n,
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  new IntegerLiteral("7"),
  new Date(0),
  new Map(),
  "\ud800",
  () => 1,
  [undefined],
  { "\udc00": 1 },
  Object.assign(Object.create({ inherited: 1n }), { a: 1 }),
);

/** A codec that counts whether it had issues. */
function createHearing(source: HintSource, given: StructCodecOptions) {
  const heard = { issues: 0 };
  const onIssues = (): void => {
    heard.issues++;
  };
  return { heard, codec: createStructCodec(source, { ...given, onIssues }) };
}

describe("a keeper", () => {
  it("keeps in a Struct only what jsonToField gives as it is, without an issue", () => {
    fc.assert(
      fc.property(pairs, options, fc.option(dirt), ([source, field], given, dirty) => {
        const { codec, heard } = createHearing(source, given);
        const value = dirty === null ? field : { ...field, id: dirty as JsonValue };
        for (const silent of [codec, createStructCodec(source, given)]) {
          if (!fieldKeeperOf(silent)("decode", value)) continue;
          // Vitest takes the member "constructor" of data for a class.
          expect(isDeepStrictEqual(silent.jsonToField(value), value)).toBe(true);
        }
        if (fieldKeeperOf(codec)("decode", value)) expect(heard.issues).toBe(0);
      }),
      runs(2000),
    );
  });

  it("keeps for JSON only what fieldToJson converts, without an issue", () => {
    fc.assert(
      fc.property(pairs, options, fc.option(dirt), ([source, field], given, dirty) => {
        const { codec, heard } = createHearing(source, given);
        const value = dirty === null ? field : { ...field, id: dirty as JsonValue };
        for (const silent of [codec, createStructCodec(source, given)]) {
          if (fieldKeeperOf(silent)("encode", value)) silent.fieldToJson(value);
        }
        if (fieldKeeperOf(codec)("encode", value)) expect(heard.issues).toBe(0);
      }),
      runs(2000),
    );
  });

  it("keeps what usually passes", () => {
    const schema = { properties: { id: { type: "integer", format: "int64" }, list: { items: { type: "number" } } } };
    const field = { id: "9007199254740993", list: [5, 0.5, -0], text: "é😀", none: null, yes: true, deep: { a: [{}] } };
    for (const source of [undefined, schema]) {
      const keeps = fieldKeeperOf(createStructCodec(source));
      expect([keeps("decode", field), keeps("encode", field)]).toEqual([true, true]);
    }
  });

  it("leaves to the conversions whatever they have a word to say about", () => {
    const decimal = { properties: { id: { type: "string", format: "int64" } } };
    expect(fieldKeeperOf(createStructCodec(decimal))("decode", { id: 5 })).toBe(false);
    const text = { structInt64: "string" } as const;
    const wide = { properties: { id: { type: "integer", format: "int64" } } };
    expect(fieldKeeperOf(createStructCodec(wide, text))("decode", { id: 5 })).toBe(false);
    const deep = createStructCodec(undefined, { limits: { depth: 2, values: 3 } });
    expect(fieldKeeperOf(deep)("decode", { a: { b: 1 } })).toBe(true);
    expect(fieldKeeperOf(deep)("decode", { a: { b: {} } })).toBe(false);
    expect(fieldKeeperOf(deep)("encode", { a: { b: [] } })).toBe(false);
    expect(fieldKeeperOf(deep)("encode", { a: 1, b: 2, c: 3 })).toBe(false);
    const model = createToolCodec({ name: "x", inputSchema: wide }).model.args;
    expect(fieldKeeperOf(model)("decode", { id: 2 ** 53 })).toBe(false);
  });

  it("is none where a codec has none", () => {
    expect(fieldKeeperOf({})("decode", {})).toBe(false);
  });
});
