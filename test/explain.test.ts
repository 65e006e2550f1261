import { describe, expect, it } from "vitest";
import { compileHint, createStructCodec, createValueCodec } from "../src/index.js";

const schema = {
  type: "object",
  properties: {
    id: { $ref: "#/$defs/id", description: "the key" },
    "a/b": { type: "number" },
    list: { type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" } },
    text: { type: "string", format: "uint64" },
    both: { anyOf: [{ type: "integer" }, { type: "string" }] },
    map: { additionalProperties: { type: "integer", format: "int32" } },
    shape: {
      oneOf: [
        { type: "object", properties: { kind: { const: "a" }, n: { type: "integer" } } },
        { type: "object", properties: { kind: { const: "b" }, n: { type: "number" } } },
      ],
    },
  },
  $defs: { id: { type: "integer", format: "int64" } },
};

describe("explain", () => {
  const hint = compileHint(schema);

  it("answers the three questions at a place in the data", () => {
    expect(hint.explain("/id")).toMatchObject({ pointer: "/id", number: "integer", width: "wide", string: "none" });
    expect(hint.explain("/both")).toMatchObject({ number: "integer", width: "unknown", string: "text" });
    expect(hint.explain("/text")).toMatchObject({ number: "none", string: "decimal" });
    expect(hint.explain("/map/anything")).toMatchObject({ number: "integer", width: "small", string: "none" });
  });

  it("takes a JSON Pointer with escapes", () => {
    expect(hint.explain("/a~1b")).toMatchObject({ pointer: "/a~1b", number: "number" });
  });

  it("goes into arrays", () => {
    expect(hint.explain("/list/0")).toMatchObject({ number: "none", string: "text" });
    expect(hint.explain("/list/7")).toMatchObject({ number: "integer", string: "none" });
  });

  it("names the range of a wide integer", () => {
    expect(hint.explain("/id").range).toBe("int64");
    expect(hint.explain("/both").range).toBeUndefined();
  });

  it("names the schemas that an answer came from", () => {
    expect(hint.explain("/id").schemaPointers).toContain("/$defs/id");
    expect(hint.explain("/list/7").schemaPointers).toContain("/properties/list/items");
    expect(hint.explain("/a~1b").schemaPointers).toContain("/properties/a~1b");
  });

  it("says no information where the schema says nothing", () => {
    expect(hint.explain("/nowhere/0/x")).toMatchObject({ number: "any", string: "any", schemaPointers: [] });
  });

  it("explains the root", () => {
    expect(hint.explain("")).toMatchObject({ pointer: "", number: "none", string: "none" });
    expect(compileHint({ type: "integer" }).explain("")).toMatchObject({ number: "integer" });
  });

  it("names the members that select among branches that disagree", () => {
    expect(hint.explain("/shape/n").selectedBy).toEqual(["kind"]);
    expect(hint.explain("/id").selectedBy).toBeUndefined();
  });

  it("does not name members where the branches agree", () => {
    const same = compileHint({
      oneOf: [
        { type: "object", properties: { kind: { const: "a" }, n: { type: "integer" } } },
        { type: "object", properties: { kind: { const: "b" }, n: { type: "integer" } } },
      ],
    });
    expect(same.explain("/n").selectedBy).toBeUndefined();
    expect(same.explain("/n").number).toBe("integer");
  });

  it("is the same on a hint and on the codecs that use it", () => {
    for (const codec of [createStructCodec(hint), createValueCodec(hint), createStructCodec(schema)]) {
      for (const pointer of ["", "/id", "/list/1", "/shape/n", "/nowhere"]) {
        expect(codec.explain(pointer)).toEqual(hint.explain(pointer));
      }
    }
  });

  it("of no schema says no information everywhere", () => {
    expect(createStructCodec().explain("/a/0")).toMatchObject({ number: "any", string: "any" });
  });
});

describe("a compiled hint", () => {
  it("is shared by codecs", () => {
    const hint = compileHint(schema);
    expect(createStructCodec(hint).hint).toBe(hint);
    expect(createValueCodec(hint, { int64: "schema" }).hint).toBe(hint);
  });

  it("compiles to itself", () => {
    const hint = compileHint(schema);
    expect(compileHint(hint).explain("/id")).toEqual(hint.explain("/id"));
  });

  it("takes codec options beside it", () => {
    const codec = createStructCodec(compileHint(schema), { int64: "schema", limits: { depth: 5 } });
    expect(codec.fieldToJsonString({ id: "1955516024755728386" })).toBe('{"id":1955516024755728386}');
  });

  it("refuses options that change the hint beside it", () => {
    const hint = compileHint(schema);
    for (const options of [
      { exact: "ids" },
      { io: "output" },
      { documents: {} },
      { matchPattern: () => undefined },
      { limits: { schemaNodes: 5 } },
      { limits: { schemaDepth: 5 } },
      { limits: { schemaBytes: 5 } },
    ] as const) {
      expect(() => createStructCodec(hint, options as never), JSON.stringify(options)).toThrow(TypeError);
      expect(() => createValueCodec(hint, options as never), JSON.stringify(options)).toThrow(TypeError);
      expect(() => compileHint(hint, options as never), JSON.stringify(options)).toThrow(TypeError);
    }
  });

  it.each<[object, string]>([
    [{ exakt: "ids" }, 'unknown option "exakt"'],
    [{ int64: "schema" }, 'unknown option "int64"'],
    [{ limits: { depth: 5 } }, 'unknown limit "depth"'],
    [{ limits: 5 }, "limits must be an object"],
    [{ limits: [] }, "limits must be an object"],
    [{ limits: { schemaNodes: -1 } }, "schemaNodes must be a whole number from 0"],
    [{ limits: { schemaDepth: 1.5 } }, "schemaDepth must be a whole number from 0"],
    [{ exact: "id" }, "exact must be one of declared, ids, all, or a function"],
    [{ io: "both" }, "io must be one of input, output"],
    [{ documents: [] }, "documents must be an object of schemas by URI"],
    [{ matchPattern: /x/ }, "matchPattern must be a function"],
  ])("is not compiled with the options %j", (options, message) => {
    for (const source of [schema, undefined, true, "false"]) {
      expect(() => compileHint(source, options)).toThrow(new TypeError(message));
    }
  });

  it("does not change when the schema object changes afterwards", () => {
    const own = { properties: { v: { type: "integer" } } };
    const codec = createStructCodec(own);
    own.properties.v.type = "string";
    (own.properties as Record<string, unknown>).w = { type: "integer" };
    expect(codec.fieldToJsonString({ v: 1e21, w: 1e21 })).toBe('{"v":1000000000000000000000,"w":1e+21}');
  });

  it("lists the schema's issues", () => {
    const hint = compileHint({ properties: { v: { $ref: "#/nowhere" } } });
    expect(hint.schemaIssues).toMatchObject([{ code: "unresolved_ref", message: expect.any(String) }]);
    expect(createStructCodec(hint).schemaIssues).toEqual(hint.schemaIssues);
  });
});

describe("options", () => {
  for (const options of [
    { int46: "string" },
    { int64: "strings" },
    { int64: 5 },
    { structInt64: "number" },
    { unsafeIntegers: "throw" },
    { wholeNumbers: "point" },
    { unsetValue: "drop" },
    { duplicateKeys: "first" },
    { strict: "yes" },
    { strict: ["no_such_issue"] },
    { prettySpaces: "2" },
    { prettySpaces: -1 },
    { onIssues: "x" },
    { quoteData: "x" },
    { limits: { deep: 5 } },
    { limits: { depth: "5" } },
    { limits: { depth: Number.NaN } },
    { limits: 5 },
    { exact: "everything" },
    { io: "both" },
  ] as const) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      expect(() => createStructCodec(undefined, options as never)).toThrow(TypeError);
      expect(() => createValueCodec(undefined, options as never)).toThrow(TypeError);
    });
  }

  it("an option that is undefined is an option not given", () => {
    const codec = createStructCodec(undefined, { int64: undefined, strict: undefined, limits: undefined } as never);
    expect(codec.fieldToJsonString({ a: 1 })).toBe('{"a":1}');
  });
});
