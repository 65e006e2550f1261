import { describe, expect, it } from "vitest";
import { type RewriteFinding, rewriteSchema, StructSchemaError } from "../../src/schema.js";
import { rewriteRows } from "./rewrite-rows.js";
import { sharedRows } from "./shared-rows.js";

/** Freeze everything in a value, cycles included. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
  return value;
}

describe("rewriteSchema", () => {
  it.each([...rewriteRows, ...sharedRows])("$name", ({ before, after = before, options = {}, findings = [] }) => {
    const found: RewriteFinding[] = [];
    const rewritten = rewriteSchema(deepFreeze(before) as never, { ...options, onFinding: (f) => found.push(f) });
    expect(rewritten).toEqual(after);
    expect(found.map(({ code, schemaPointer }) => [code, schemaPointer])).toEqual(findings);
    // Text or not, once or twice.
    expect(rewriteSchema(rewritten as never, options)).toEqual(rewritten);
  });

  it("says what it could not do and where", () => {
    const messages: string[] = [];
    rewriteSchema(
      { properties: { id: { type: ["integer", "string"] } } },
      { onFinding: ({ message }) => messages.push(message) },
    );
    expect(messages).toEqual(["wide integer is kept, strings are accepted there too at /properties/id"]);
  });

  it("gives a fresh object that shares nothing with the input", () => {
    const before = { properties: { n: { default: [1, { a: 1 }] } }, "x-data": { list: [{}] } };
    const after = rewriteSchema(before) as typeof before;
    expect(after).toEqual(before);
    expect(after.properties.n.default[1]).not.toBe(before.properties.n.default[1]);
    expect(after["x-data"].list[0]).not.toBe(before["x-data"].list[0]);
  });

  it("copies a cycle of objects as a cycle", () => {
    const before: Record<string, unknown> = { type: "object" };
    before.properties = { id: { type: "integer" }, child: before };
    const after = rewriteSchema(deepFreeze(before)) as { properties: { id: object; child: object } };
    expect(after.properties.child).toBe(after);
    expect(after.properties.id).toMatchObject({ type: "string" });
  });

  it("rewrites one object that stands at two places once, and only if both qualify", () => {
    const shared = { type: "integer" };
    const ids = rewriteSchema({ properties: { aId: shared, bId: shared } }) as { properties: Record<string, object> };
    expect(ids.properties.aId).toBe(ids.properties.bId);
    expect(ids.properties.aId).toMatchObject({ type: "string" });
    expect(rewriteSchema({ properties: { aId: shared, n: shared } })).toEqual({
      properties: { aId: shared, n: shared },
    });
  });

  it("refuses what is no schema and no text of one", () => {
    for (const source of [null, 5, [], () => {}]) {
      expect(() => rewriteSchema(source as never)).toThrow(StructSchemaError);
    }
    for (const source of ["", "{", "5", '{"a":1}x']) expect(() => rewriteSchema(source)).toThrow(StructSchemaError);
  });

  it("refuses options that nobody reads", () => {
    expect(() => rewriteSchema({}, { exakt: "all" } as never)).toThrow(TypeError);
    expect(() => rewriteSchema({}, { exact: "some" as never })).toThrow(TypeError);
  });
});

describe("rewriteSchema on hostile schemas", () => {
  const deep = (levels: number, wrap: (inner: object) => object): object => {
    let schema: object = { type: "integer", format: "int64" };
    for (let i = 0; i < levels; i++) schema = wrap(schema);
    return schema;
  };
  const bombs: [name: string, schema: unknown][] = [
    ["self reference", { $ref: "#" }],
    [
      "cycle of references",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } } },
    ],
    ["200,000 nested properties", deep(200_000, (inner) => ({ properties: { a: inner } }))],
    ["200,000 nested allOf", deep(200_000, (inner) => ({ allOf: [inner] }))],
    ["doubling by allOf", doubling("allOf")],
    ["doubling by anyOf", doubling("anyOf")],
    ["doubling by oneOf", doubling("oneOf")],
    [
      "100,000 properties",
      { properties: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`p${i}Id`, { type: "integer" }])) },
    ],
    [
      "20,000 branches",
      { anyOf: Array.from({ length: 20_000 }, (_, i) => ({ properties: { id: { type: "integer", minimum: i } } })) },
    ],
    ["200,000 listed values", { enum: Array.from({ length: 200_000 }, (_, i) => i) }],
    [
      "listed doubles of 300 digits",
      { type: "integer", enum: Array.from({ length: 1000 }, (_, i) => 1e300 + i * 1e290) },
    ],
    [
      "malformed keywords",
      { properties: 5, items: null, allOf: {}, anyOf: "x", enum: 7, type: [{}], required: 1, $ref: 5 },
    ],
    ["remote references", { properties: { id: { $ref: "https://example.com/a" }, b: { $ref: "file:///etc/passwd" } } }],
    ["pointers that are none", { properties: { id: { $ref: "#/%E0%A4%A" }, b: { $ref: "#/~2" } } }],
    ["many tiny integers", { prefixItems: Array.from({ length: 5000 }, () => ({ type: "integer" })) }],
    ["some tiny integers", { prefixItems: Array.from({ length: 300 }, () => ({ type: "integer" })) }],
    [
      "many schemas at many places",
      {
        allOf: [
          { properties: Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`n${i}`, { type: "integer" }])) },
          ...Array.from({ length: 300 }, () => ({ additionalProperties: { type: "integer" } })),
        ],
      },
    ],
    [
      "defaults of 300 digits",
      { properties: { ids: { items: { type: "integer" }, default: Array(1000).fill(1e300) } } },
    ],
    ["defaults of 40 digits", { properties: { ids: { items: { type: "integer" }, default: Array(1000).fill(1e39) } } }],
    ["listed doubles of 40 digits", { properties: { id: { type: "integer", enum: Array(1000).fill(1e39) } } }],
    [
      "listed doubles beside a union",
      { properties: { id: { anyOf: [{ type: "integer" }, { type: "null" }], enum: Array(500).fill(1e38) } } },
    ],
    [
      "many defaults of 40 digits",
      { prefixItems: Array.from({ length: 1000 }, () => ({ type: "integer", default: 1e39 })) },
    ],
  ];

  function doubling(keyword: string): object {
    const $defs: Record<string, object> = { d0: { type: "integer", format: "int64" } };
    for (let i = 1; i <= 60; i++) {
      const branch = { properties: { a: { $ref: `#/$defs/d${i - 1}` } } };
      $defs[`d${i}`] = { [keyword]: [branch, { ...branch }] };
    }
    return { $ref: "#/$defs/d60", $defs };
  }

  it.each(bombs)("ends and grows to four times the length or by 16 KiB at the most: %s", (_, schema) => {
    const started = performance.now();
    const rewritten = rewriteSchema(schema as never, { exact: "all" });
    expect(performance.now() - started).toBeLessThan(20_000);
    if (JSON.stringify(Object.keys(schema as object)).length < 100 && isShallow(schema)) {
      const { length } = JSON.stringify(schema);
      expect(JSON.stringify(rewritten).length - length).toBeLessThanOrEqual(Math.max(3 * length, 16 * 1024));
      expect(rewriteSchema(rewritten, { exact: "all" })).toEqual(rewritten);
    }
  });

  it("describes every integer of an ordinary schema, however short", () => {
    const int64 = { type: "integer", format: "int64" };
    const tiny = { type: "integer" };
    for (const schema of [
      int64,
      tiny,
      { items: tiny },
      { properties: { aId: tiny, bId: tiny, cId: { minimum: 0, ...tiny } } },
    ]) {
      expect(JSON.stringify(rewriteSchema(schema, { exact: "all" })).match(/ecimal digits as text/g)?.length).toBe(
        JSON.stringify(schema).match(/"integer"/g)?.length,
      );
    }
    const most = { prefixItems: Array.from({ length: 150 }, () => tiny).map((schema) => ({ ...schema })) };
    expect(JSON.stringify(rewriteSchema(most, { exact: "all" })).match(/ecimal digits as text/g)?.length).toBe(150);
  });

  it("leaves data that shares objects without end", () => {
    let shared: object = { id: 5 };
    for (let i = 0; i < 60; i++) shared = { a: shared, b: shared };
    const before = { properties: { a: { $ref: "#" }, b: { $ref: "#" }, id: { type: "integer" } }, default: shared };
    const { default: kept } = rewriteSchema(before) as { default: { a: object; b: object } };
    expect(kept.a).toBe(kept.b);
  });

  it("leaves data that would grow without bounds, and says so", () => {
    const found: string[] = [];
    const schema = { properties: { ids: { items: { type: "integer" }, default: [1e300, 2 ** 60, 5] } } };
    const rewritten = rewriteSchema(schema, {
      onFinding: ({ code, schemaPointer }) => found.push(`${code} ${schemaPointer}`),
    });
    expect(rewritten).toMatchObject({ properties: { ids: { default: [1e300, "1152921504606846976", "5"] } } });
    expect(found).toEqual(["inexact_constant /properties/ids"]);
  });

  /** Whether `JSON.stringify` and a deep comparison, which recurse, can be asked about it. */
  function isShallow(schema: unknown): boolean {
    try {
      JSON.stringify(schema);
      return true;
    } catch {
      return false;
    }
  }
});
