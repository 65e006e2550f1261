import { create, fromJson } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Issue } from "../../src/index.js";
import {
  createToolCodec,
  createToolCodecs,
  type ExactJson,
  IntegerLiteral,
  StructCodecError,
  StructSchemaError,
} from "../../src/schema.js";
import { difference } from "../support/exact-json.js";

const digits = "1955516024755728386";
const literal = new IntegerLiteral(digits);

const tool = {
  name: "book",
  description: "Books material.",
  inputSchema: {
    type: "object",
    properties: {
      form: {
        type: "object",
        properties: {
          lines: {
            type: "array",
            items: {
              type: "object",
              properties: { materialId: { type: "integer" }, line: { type: "integer" }, note: { type: "string" } },
            },
          },
        },
      },
      limit: { type: "number" },
    },
  },
  outputSchema: { type: "object", properties: { bookingId: { type: "integer" }, count: { type: "integer" } } },
} as const;

const pattern = "^-?(?:0|[1-9][0-9]*)$";

function lines(materialId: ExactJson): ExactJson {
  return { form: { lines: [{ materialId, line: 5, note: "123" }] }, limit: 10 };
}

function codeAt(convert: () => unknown): [code: string, pointer: string] | "no error" {
  try {
    convert();
    return "no error";
  } catch (error) {
    if (!(error instanceof StructCodecError)) throw error;
    return [error.code, error.pointer];
  }
}

describe("createToolCodec", () => {
  const t = createToolCodec(tool);

  it("advertises rewritten schemas and everything else of the tool", () => {
    expect(t.tool).toMatchObject({ name: "book", description: "Books material." });
    const { lines } = t.tool.inputSchema.properties.form.properties;
    expect(lines.items.properties.materialId).toEqual({
      type: "string",
      pattern,
      description: "Decimal digits as text",
    });
    expect(lines.items.properties.line).toEqual({ type: "integer" });
    expect(t.tool.outputSchema.properties.bookingId).toMatchObject({ type: "string", pattern });
    expect(tool.outputSchema.properties.bookingId).toEqual({ type: "integer" });
  });

  it.each<[name: string, sent: ExactJson, received: ExactJson]>([
    ["digits beyond the safe range as the literal", digits, literal],
    ["safe digits as a number", "42", 42],
    ["negative digits", `-${digits}`, new IntegerLiteral(`-${digits}`)],
    ["a safe number as it is", 42, 42],
    ["a safe bigint as a number", 42n, 42],
    ["-0 as 0", -0, 0],
    ["the text -0 as 0", "-0", 0],
    ["digits with a leading zero as text", "007", "007"],
    ["words as text", "latest", "latest"],
    ["a fraction as it is", 1.5, 1.5],
    ["null as it is", null, null],
    ["an object as it is", { id: "5" }, { id: "5" }],
  ])("gives the server %s", (_, sent, received) => {
    expect(difference(t.toServer(lines(sent)), lines(received))).toBeUndefined();
  });

  it.each<[name: string, sent: ExactJson]>([
    ["number", 1955516024755728400],
    ["bigint", BigInt(digits)],
    ["literal", literal],
  ])("refuses an unsafe %s of the model, with its pointer", (_, sent) => {
    expect(codeAt(() => t.toServer(lines(sent)))).toEqual(["unsafe_integer", "/form/lines/0/materialId"]);
  });

  it.each<[name: string, sent: ExactJson, received: ExactJson]>([
    ["a literal as digits", literal, digits],
    ["a bigint as digits", BigInt(digits), digits],
    ["a number as digits", 42, "42"],
    ["-0 as 0", -0, "0"],
    ["digits as digits", digits, digits],
    ["a double beyond the safe range as its exact digits", 2 ** 60, "1152921504606846976"],
    ["a fraction as it is", 1.5, 1.5],
    ["null as it is", null, null],
  ])("gives the model %s", (_, sent, received) => {
    const result = { bookingId: sent, count: 7, extra: literal };
    expect(difference(t.toModel(result), { bookingId: received, count: 7, extra: literal })).toBeUndefined();
  });

  it("reports a double beyond the safe range, whose digits were lost before", () => {
    const issues: Issue[] = [];
    createToolCodec(tool, { onIssues: (found) => issues.push(...found) }).toModel({ bookingId: 2 ** 60 });
    expect(issues).toMatchObject([{ code: "inexact", direction: "encode", pointer: "/bookingId" }]);
    const strict = createToolCodec(tool, { strict: true });
    expect(codeAt(() => strict.toModel({ bookingId: 2 ** 60 }))).toEqual(["inexact", "/bookingId"]);
  });

  it("keeps __proto__ members and leaves the input alone", () => {
    const args = JSON.parse(`{"__proto__":{"a":"1"},"form":{"lines":[{"materialId":"${digits}"}]}}`);
    const before = JSON.stringify(args);
    const converted = t.toServer(args) as object;
    expect(Object.keys(converted)).toEqual(["__proto__", "form"]);
    expect(JSON.stringify(args)).toBe(before);
  });

  it("refuses a value that contains itself, and one nested beyond the limit", () => {
    const cycle: Record<string, unknown> = { lines: [] };
    (cycle.lines as unknown[]).push(cycle);
    const recursive = { name: "r", inputSchema: { properties: { id: { type: "integer" }, child: { $ref: "#" } } } };
    const loop: Record<string, unknown> = {};
    loop.child = loop;
    expect(codeAt(() => createToolCodec(recursive).toServer(loop as never))).toEqual(["unsupported_value", "/child"]);
    let deep: ExactJson = {};
    for (let i = 0; i < 200; i++) deep = { child: deep };
    expect(codeAt(() => createToolCodec(recursive).toServer(deep))[0]).toBe("depth_exceeded");
  });

  it("holds the limits on values and depth, in both directions", () => {
    const recursive = { properties: { id: { type: "integer" }, a: { $ref: "#" }, b: { $ref: "#" } } };
    const open = (limits: object) =>
      createToolCodec({ name: "r", inputSchema: recursive, outputSchema: recursive }, { limits });
    const json = { id: "5", a: { id: "6", b: {} } };
    expect(open({ values: 6, depth: 3 }).toServer(json)).toEqual({ id: 5, a: { id: 6, b: {} } });
    for (const method of ["toServer", "toModel"] as const) {
      expect(codeAt(() => open({ values: 4 })[method](json))).toEqual(["too_large", ""]);
      expect(codeAt(() => open({ depth: 2 })[method](json))).toEqual(["depth_exceeded", "/a/b"]);
    }
    // As many as the codecs count.
    expect(codeAt(() => open({ values: 4 }).server.args.fromJson(json))).toEqual(["too_large", ""]);
    expect(codeAt(() => open({ values: 5 }).server.args.fromJson(json))).toBe("no error");
    expect(codeAt(() => open({ values: 5 }).toServer(json))).toBe("no error");
  });

  it("ends where data shares objects without end", () => {
    const recursive = { properties: { id: { type: "integer" }, a: { $ref: "#" }, b: { $ref: "#" } } };
    let shared: ExactJson = { id: "5" };
    for (let i = 0; i < 60; i++) shared = { a: shared, b: shared };
    const { toServer } = createToolCodec({ name: "r", inputSchema: recursive }, { limits: { values: 100_000 } });
    expect(codeAt(() => toServer(shared))).toEqual(["too_large", ""]);
  });

  it("names the place and quotes no data", () => {
    expect(() => t.toServer(lines(2 ** 60))).toThrow(
      "cannot decode tool arguments from JSON: integer is beyond ±(2^53−1) and must come as a string of its digits at /form/lines/0/materialId",
    );
  });
});

describe("the codecs of both sides", () => {
  const t = createToolCodec(tool);
  const field = { form: { lines: [{ materialId: digits, line: 5 }] } };

  it("write digits for the model and the literal for the server", () => {
    const struct = fromJson(StructSchema, field);
    expect(t.model.args.toJsonString(struct)).toBe(`{"form":{"lines":[{"materialId":"${digits}","line":5}]}}`);
    expect(t.server.args.toJsonString(struct)).toBe(`{"form":{"lines":[{"materialId":${digits},"line":5}]}}`);
    const result = create(StructSchema, fromJson(StructSchema, { bookingId: 5, count: 5 }));
    expect(t.model.result.toJsonString(result)).toBe('{"bookingId":"5","count":5}');
    expect(t.server.result.toJsonString(result)).toBe('{"bookingId":5,"count":5}');
  });

  it("read what the model sends: digits, or a safe number", () => {
    const read = (text: string) => t.model.args.jsonStringToField(text);
    expect(read(`{"form":{"lines":[{"materialId":"${digits}"}]}}`)).toEqual({
      form: { lines: [{ materialId: digits }] },
    });
    expect(read('{"form":{"lines":[{"materialId":42}]}}')).toEqual({ form: { lines: [{ materialId: "42" }] } });
  });

  it("refuse an unsafe number of the model in every form", () => {
    const text = `{"form":{"lines":[{"materialId":${digits}}]}}`;
    const { args } = t.model;
    const at = ["unsafe_integer", "/form/lines/0/materialId"];
    expect(codeAt(() => args.fromJsonString(text))).toEqual(at);
    expect(codeAt(() => args.jsonStringToField(text))).toEqual(at);
    expect(codeAt(() => args.jsonStringToBinary(text))).toEqual(at);
    expect(codeAt(() => args.jsonBytesToBinary(new TextEncoder().encode(text)))).toEqual(at);
    for (const sent of [literal, BigInt(digits), 2 ** 60]) {
      expect(
        codeAt(() => args.fromJson(lines(sent))),
        String(sent),
      ).toEqual(at);
      expect(
        codeAt(() => args.jsonToBinary(lines(sent))),
        String(sent),
      ).toEqual(at);
    }
  });

  it("agree with toServer and toModel", () => {
    const sent = lines(digits);
    const struct = t.model.args.fromJson(sent);
    expect(difference(t.server.args.toJson(struct), t.toServer(sent))).toBeUndefined();
    const structured = { bookingId: literal, count: 5 };
    const result = t.server.result.fromJson(structured);
    expect(difference(t.model.result.toJson(result), t.toModel(structured))).toBeUndefined();
  });
});

describe("the codecs of the model take their places from the rewriting", () => {
  const loose = ["^-?\\d+$", "^\\d+$", "^[0-9]+$", "^-?[1-9]\\d*$", "^[+-]?\\d+$"];
  const forms = loose.flatMap((looser) => [
    { type: ["string", "integer"], pattern: looser },
    { anyOf: [{ type: "integer" }, { type: "string", pattern: looser }] },
    { type: "integer", pattern: looser },
  ]);
  it.each(forms)("whatever pattern the schema has: %j", (id) => {
    const schema = { type: "object", properties: { id } };
    const { model, findings } = createToolCodec({ name: "t", inputSchema: schema, outputSchema: schema });
    expect(findings).toEqual([]);
    expect(model.args.jsonStringToField('{"id":42}')).toEqual({ id: "42" });
    expect(model.args.jsonStringToField(`{"id":"${digits}"}`)).toEqual({ id: digits });
    for (const sent of [digits, "1955516024755728400", "1e30"]) {
      expect(codeAt(() => model.args.jsonStringToField(`{"id":${sent}}`))).toEqual(["unsafe_integer", "/id"]);
    }
    expect(codeAt(() => model.args.fromJson({ id: 2 ** 60 }))).toEqual(["unsafe_integer", "/id"]);
    expect(model.result.fieldToJsonString({ id: 42 })).toBe('{"id":"42"}');
    expect(model.result.fieldToJsonString({ id: 2 ** 60 })).toBe('{"id":"1152921504606846976"}');
  });

  it("and leave what was not rewritten to the schema", () => {
    const schema = {
      type: "object",
      properties: { id: { type: ["integer", "string"] }, aId: { $ref: "#/$defs/N" }, n: { $ref: "#/$defs/N" } },
      $defs: { N: { type: "number" } },
    };
    const issues: Issue[] = [];
    const { model } = createToolCodec(
      { name: "t", inputSchema: schema },
      { structInt64: "string", onIssues: (found) => issues.push(...found) },
    );
    expect(model.args.jsonStringToField('{"id":5,"aId":1.5,"n":1.5}')).toEqual({ id: 5, aId: 1.5, n: 1.5 });
    expect(issues).toEqual([]);
    expect(model.args.explain("/aId")).toMatchObject({ number: "number", width: "unknown" });
  });

  it("along patterns, tuples, recursion and branches told apart", () => {
    const int64 = { type: "integer", format: "int64" };
    const branch = (kind: string, id: object) => ({
      properties: { kind: { const: kind }, id, next: { $ref: "#" } },
      required: ["kind"],
    });
    const inputSchema = {
      type: "object",
      patternProperties: { "^x-": int64 },
      properties: { pair: { type: "array", prefixItems: [int64, { type: "string" }], items: int64 } },
      oneOf: [branch("a", int64), branch("b", { type: "string" })],
    };
    const t = createToolCodec({ name: "t", inputSchema });
    const text = '{"kind":"a","id":1,"x-y":2,"pair":[3,"4",5],"next":{"kind":"b","id":"6","next":{"kind":"a","id":7}}}';
    expect(t.model.args.jsonStringToField(text)).toEqual({
      ...{ kind: "a", id: "1", "x-y": "2", pair: ["3", "4", "5"] },
      next: { kind: "b", id: "6", next: { kind: "a", id: "7" } },
    });
    expect(t.model.args.explain("/pair/0")).toMatchObject({ number: "none", string: "decimal", range: "int64" });
  });
});

describe("tools of every kind", () => {
  it("passes through what has no schema", () => {
    const t = createToolCodec({ name: "free" });
    expect(t.tool).toEqual({ name: "free" });
    expect(t.toServer({ id: "5" })).toEqual({ id: "5" });
    expect(t.toModel({ id: 5 })).toEqual({ id: 5 });
    expect(t.model.args.jsonStringToField('{"id":5}')).toEqual({ id: 5 });
  });

  it("reads a Standard Schema and advertises JSON Schema, the output of outputSchema", () => {
    const t = createToolCodec({
      name: "zod",
      inputSchema: z.object({ n: z.bigint(), small: z.int() }),
      outputSchema: z.object({
        text: z
          .string()
          .transform((text) => BigInt(text))
          .pipe(z.bigint()),
      }),
    });
    expect(t.tool.inputSchema).toMatchObject({
      properties: { n: { type: "string", pattern }, small: { type: "integer" } },
    });
    expect(t.tool.outputSchema).toMatchObject({ properties: { text: { type: "string", pattern } } });
    expect(t.toServer({ n: "5", small: 5 })).toEqual({ n: 5, small: 5 });
  });

  it.each([null, 5, "garbage", [], "5"])("passes through a schema that is none: %j", (inputSchema) => {
    const t = createToolCodec({ name: "broken", inputSchema });
    expect(t.tool.inputSchema).toEqual(inputSchema);
    expect(t.schemaIssues).toMatchObject([{ code: "invalid_schema", schemaPointer: "/inputSchema" }]);
    expect(t.toServer({ id: "5" })).toEqual({ id: "5" });
  });

  it("rewrites around broken parts, and says where they are in the tool", () => {
    const t = createToolCodec({
      name: "partly",
      inputSchema: { properties: { id: { type: "integer" }, x: { $ref: "#/nowhere" }, y: 5 } },
    });
    expect(t.toServer({ id: "5", x: "5" })).toEqual({ id: 5, x: "5" });
    expect(t.schemaIssues.map(({ code, schemaPointer }) => [code, schemaPointer])).toEqual(
      expect.arrayContaining([["unresolved_ref", "/inputSchema/properties/x/$ref"]]),
    );
    const broken = { name: "partly", inputSchema: { properties: { x: { $ref: "#/nowhere" } } } };
    expect(() => createToolCodec(broken, { strictSchema: true })).toThrow(StructSchemaError);
  });

  it("tells findings with pointers into the tool", () => {
    const found: string[] = [];
    const t = createToolCodec(
      { name: "union", outputSchema: { properties: { id: { type: ["integer", "string"] } } } },
      { onFinding: ({ schemaPointer }) => found.push(schemaPointer) },
    );
    expect(found).toEqual(["/outputSchema/properties/id"]);
    expect(t.findings).toMatchObject([{ code: "text_union" }]);
    expect(t.toServer({ id: "5" })).toEqual({ id: "5" });
  });

  it("converts by the branch that the value itself selects", () => {
    const branch = (kind: string, id: string) => ({
      type: "object",
      properties: { kind: { const: kind }, id: { type: id } },
      required: ["kind"],
    });
    const t = createToolCodec({
      name: "u",
      inputSchema: { oneOf: [branch("issue", "integer"), branch("user", "string")] },
    });
    expect(t.toServer({ kind: "issue", id: "5" })).toEqual({ kind: "issue", id: 5 });
    expect(t.toServer({ kind: "user", id: "5" })).toEqual({ kind: "user", id: "5" });
  });

  it("refuses int64 and options that nobody reads", () => {
    expect(() => createToolCodec(tool, { int64: "bigint" } as never)).toThrow(TypeError);
    expect(() => createToolCodec(tool, { limits: { height: 3 } } as never)).toThrow(TypeError);
    expect(() => createToolCodec(5 as never)).toThrow(TypeError);
  });
});

describe("createToolCodecs", () => {
  it("finds tools by name, whatever the name", () => {
    const tools = createToolCodecs([tool, { name: "__proto__", inputSchema: tool.inputSchema }]);
    expect(tools.tools.map(({ name }) => name)).toEqual(["book", "__proto__"]);
    expect(tools.get("__proto__").toServer(lines("5"))).toEqual(lines(5));
    expect(tools.get("book").tool).toBe(tools.tools[0]);
  });

  it("hints nothing for an unknown tool and says so on every conversion", () => {
    const issues: string[] = [];
    const tools = createToolCodecs([tool], { onIssues: (found) => issues.push(...found.map(({ code }) => code)) });
    const t = tools.get("toString");
    expect(t.tool).toEqual({ name: "toString" });
    expect(t.toServer({ id: digits })).toEqual({ id: digits });
    expect(t.toModel({ id: 5 })).toEqual({ id: 5 });
    t.model.args.fromJson({});
    t.server.result.toJson(create(StructSchema));
    expect(issues).toEqual(["no_schema", "no_schema", "no_schema", "no_schema"]);
    expect(codeAt(() => createToolCodecs([], { strict: true }).get("x").toServer({}))).toEqual(["no_schema", ""]);
  });

  it("takes another list, and keeps what it handed out", () => {
    const tools = createToolCodecs([tool]);
    const before = tools.get("book");
    tools.update([{ ...tool, inputSchema: undefined as never }]);
    expect(tools.get("book").toServer(lines("5"))).toEqual(lines("5"));
    expect(before.toServer(lines("5"))).toEqual(lines(5));
    tools.update([]);
    expect(tools.tools).toEqual([]);
  });
});

describe.runIf("rawJSON" in JSON)("raw JSON at a rewritten place", () => {
  const raw = (text: string) => (JSON as unknown as { rawJSON(text: string): ExactJson }).rawJSON(text);
  const schema = { type: "object", properties: { id: { type: "integer", format: "int64" } } } as const;
  const t = createToolCodec({ name: "t", inputSchema: schema, outputSchema: schema });

  it.each(["9007199254740993", "9007199254740993.0", "9.007199254740993e15"])("is no safe number: %s", (spelling) => {
    expect(() => t.toServer({ id: raw(spelling) })).toThrow(
      expect.objectContaining({ code: "unsafe_integer", pointer: "/id" }),
    );
    expect(t.toModel({ id: raw(spelling) })).toEqual({ id: "9007199254740993" });
  });

  it.each([
    ["5.0", 5],
    ["1e3", 1000],
    ["-0", 0],
  ])("is an integer: %s", (spelling, value) => {
    expect(t.toServer({ id: raw(spelling) })).toEqual({ id: value });
    expect(t.toModel({ id: raw(spelling) })).toEqual({ id: String(value) });
  });

  it.each(["0.5", '"5"', "true"])("stays what it is where it is no integer: %s", (spelling) => {
    expect(JSON.stringify(t.toServer({ id: raw(spelling) }))).toBe(`{"id":${spelling}}`);
  });
});
