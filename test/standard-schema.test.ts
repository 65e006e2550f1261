import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compileHint, createStructCodec, type HintSource } from "../src/index.js";
import { printStandardSchema } from "../src/json-schema/standard-schema.js";

/** What libraries that print themselves as JSON Schema say, asked again where they refuse bigint. */
const sources: readonly { name: string; source: HintSource }[] = [
  {
    name: "zod",
    source: z.object({
      id: z.int64(),
      unsigned: z.uint64(),
      big: z.bigint(),
      nullable: z.int64().nullable(),
      list: z.array(z.bigint()),
      map: z.record(z.string(), z.int64()),
      line: z.int(),
      ratio: z.number(),
      name: z.string(),
      nested: z.object({ id: z.int64() }).optional(),
    }) as unknown as HintSource,
  },
  {
    name: "arktype",
    source: type({
      id: "bigint",
      unsigned: "bigint",
      big: "bigint",
      nullable: "bigint | null",
      list: "bigint[]",
      map: { "[string]": "bigint" },
      line: "number.integer",
      ratio: "number",
      name: "string",
      "nested?": { id: "bigint" },
    }) as unknown as HintSource,
  },
  {
    name: "valibot",
    source: toStandardJsonSchema(
      v.object({
        id: v.bigint(),
        unsigned: v.bigint(),
        big: v.bigint(),
        nullable: v.nullable(v.bigint()),
        list: v.array(v.bigint()),
        map: v.record(v.string(), v.bigint()),
        line: v.pipe(v.number(), v.integer()),
        ratio: v.number(),
        name: v.string(),
        nested: v.optional(v.object({ id: v.bigint() })),
      }),
    ) as unknown as HintSource,
  },
];

for (const { name, source } of sources) {
  describe(name, () => {
    for (const pointer of ["/id", "/unsigned", "/big", "/list/0", "/map/k", "/nested/id"]) {
      it(`a bigint at ${pointer} is a wide integer`, () => {
        expect(compileHint(source).explain(pointer)).toMatchObject({
          number: "integer",
          width: "wide",
          string: "none",
        });
      });
    }
    it("a nullable bigint is a wide integer", () => {
      expect(compileHint(source).explain("/nullable")).toMatchObject({ number: "integer", width: "wide" });
    });
    it("the rest is what it is", () => {
      const hint = compileHint(source);
      expect(hint.schemaIssues).toEqual([]);
      expect(hint.explain("/line")).toMatchObject({ number: "integer", string: "none" });
      expect(hint.explain("/ratio")).toMatchObject({ number: "number", string: "none" });
      expect(hint.explain("/name")).toMatchObject({ number: "none", string: "text" });
    });
    it("converts", () => {
      const codec = createStructCodec(source, { int64: "schema" });
      expect(codec.fieldToJsonString({ id: "1955516024755728386", line: 1e21, name: "007" })).toBe(
        '{"id":1955516024755728386,"line":1000000000000000000000,"name":"007"}',
      );
    });
  });
}

describe("zod", () => {
  it("int() is proven safe", () => {
    const source = z.object({ n: z.int() }) as unknown as HintSource;
    expect(compileHint(source).explain("/n").width).toBe("small");
  });

  it("io chooses the side", () => {
    const piped = z.object({
      n: z
        .string()
        .transform((text) => BigInt(text))
        .pipe(z.int64()),
    }) as unknown as HintSource;
    expect(compileHint(piped, { io: "input" }).explain("/n")).toMatchObject({ number: "none", string: "text" });
    expect(compileHint(piped, { io: "output" }).explain("/n")).toMatchObject({ number: "integer", width: "wide" });
  });

  it("a schema in a branch of a union", () => {
    const source = z.object({ v: z.union([z.int64(), z.string()]) }) as unknown as HintSource;
    expect(compileHint(source).explain("/v")).toMatchObject({ number: "integer", width: "wide", string: "text" });
  });

  it("what has no JSON form gives no hint and does not throw", () => {
    const source = z.object({ when: z.date(), n: z.int64() }) as unknown as HintSource;
    const hint = compileHint(source);
    expect(hint.explain("/when").number).toBe("any");
    expect(hint.explain("/n").width).toBe("wide");
  });

  it("a recursive schema", () => {
    const node = z.object({
      id: z.int64(),
      get kids() {
        return z.array(node);
      },
    });
    const hint = compileHint(node as unknown as HintSource);
    expect(hint.explain("/kids/0/kids/1/id")).toMatchObject({ number: "integer", width: "wide" });
  });
});

/** What has a bigint in its data, where JSON text has none. */
const bigintData: readonly [name: string, source: unknown, at: { number: string; width: string; string?: string }][] = [
  [
    "a zod literal",
    z.object({ v: z.literal(9007199254740993n) }),
    { number: "integer", width: "wide", string: "none" },
  ],
  ["a small zod literal", z.object({ v: z.literal(5n) }), { number: "integer", width: "small" }],
  ["zod literals", z.object({ v: z.literal([1n, 2n]) }), { number: "integer", width: "small" }],
  [
    "a zod literal in a union",
    z.object({ v: z.union([z.literal(2n ** 60n), z.string()]) }),
    { number: "integer", width: "wide", string: "text" },
  ],
  ["a zod default", z.object({ v: z.bigint().default(5n) }), { number: "integer", width: "wide" }],
  [
    "a zod default in an object",
    z.object({ v: z.bigint(), o: z.object({ k: z.bigint() }).default({ k: 5n }) }),
    { number: "integer", width: "wide" },
  ],
  [
    "zod examples",
    z.object({ v: z.bigint().meta({ examples: [5n, { deep: [6n] }] }) }),
    { number: "integer", width: "wide" },
  ],
  ["zod metadata", z.object({ v: z.int64().meta({ "x-first": { id: 1n } }) }), { number: "integer", width: "wide" }],
  ["an arktype unit", type({ v: "9007199254740993n" }), { number: "integer", width: "wide" }],
  ["an arktype default", type({ v: "bigint = 5n" }), { number: "integer", width: "wide" }],
  [
    "a valibot literal",
    toStandardJsonSchema(v.object({ v: v.literal(9007199254740993n) })),
    { number: "integer", width: "wide" },
  ],
  [
    "a valibot picklist",
    toStandardJsonSchema(v.object({ v: v.picklist([1n, 2n ** 60n]) })),
    { number: "integer", width: "wide" },
  ],
  [
    "a valibot default",
    toStandardJsonSchema(v.object({ v: v.optional(v.bigint(), 5n) })),
    { number: "integer", width: "wide" },
  ],
];

describe("bigint in the data of a schema", () => {
  it.each(bigintData)("%s", (_, source, at) => {
    for (const io of ["input", "output"] as const) {
      const hint = compileHint(source as HintSource, { io });
      expect(hint.schemaIssues).toEqual([]);
      expect(hint.explain("/v")).toMatchObject(at);
    }
  });

  it("is printed with all digits", () => {
    const source = z.object({
      id: z.literal([9007199254740993n, 5n]),
      page: z.bigint().default(9007199254740995n),
      like: z.bigint().meta({ examples: [9007199254740997n] }),
    });
    expect(printStandardSchema(source as never, "input")).toMatchObject({
      properties: {
        id: { enum: [9007199254740993n, 5n] },
        page: { type: "integer", format: "int64", default: 9007199254740995n },
        like: { type: "integer", format: "int64", examples: [9007199254740997n] },
      },
    });
  });

  it("chooses a branch of a union", () => {
    const source = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal(1n), v: z.bigint() }),
      z.object({ kind: z.literal(2n), v: z.string() }),
    ]) as unknown as HintSource;
    const codec = createStructCodec(source, { int64: "schema" });
    expect(codec.fieldToJsonString({ kind: 1, v: "12" })).toBe('{"kind":1,"v":12}');
    expect(codec.fieldToJsonString({ kind: 2, v: "12" })).toBe('{"kind":2,"v":"12"}');
  });
});

describe("a source made by hand", () => {
  const print = (schema: object) => ({
    "~standard": {
      version: 1 as const,
      vendor: "hand",
      validate: () => ({ value: undefined }),
      jsonSchema: { input: () => ({ ...schema, title: "in" }), output: () => ({ ...schema, title: "out" }) },
    },
  });

  it("is asked for its JSON Schema", () => {
    const source = print({ properties: { v: { type: "integer" } } }) as unknown as HintSource;
    expect(compileHint(source).explain("/v").number).toBe("integer");
  });

  it("that throws is refused with its reason", () => {
    const source = {
      "~standard": {
        version: 1,
        vendor: "hand",
        jsonSchema: {
          input: () => {
            throw new Error("cannot be represented");
          },
          output: () => ({}),
        },
      },
    } as unknown as HintSource;
    expect(() => compileHint(source)).toThrow(
      expect.objectContaining({ code: "invalid_schema", message: expect.stringContaining("cannot be represented") }),
    );
  });
});
