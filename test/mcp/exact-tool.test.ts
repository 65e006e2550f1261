import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { IntegerLiteral, type Issue } from "../../src/index.js";
import { createExactTool, McpDataError } from "../../src/mcp.js";
import { useCfworker } from "../../src/schema.js";

const definition = {
  name: "get_order",
  inputSchema: {
    type: "object",
    properties: { orderId: { type: "integer" }, count: { type: "integer", maximum: 10 }, note: { type: "string" } },
    required: ["orderId"],
  },
  outputSchema: { type: "object", properties: { orderId: { type: "integer" }, ratio: { type: "number" } } },
};

describe("createExactTool", () => {
  it("shows ids as text, and hands them to the handler as bigint however they come", () => {
    const tool = createExactTool(definition);
    expect(tool.tool).toMatchObject({
      inputSchema: { properties: { orderId: { type: "string" }, count: { type: "integer" } } },
    });
    expect(tool.readArguments({ orderId: "1955516024755728386", count: 3, note: "42" })).toEqual({
      orderId: 1955516024755728386n,
      count: 3,
      note: "42",
    });
    expect(tool.readArguments({ orderId: 7 })).toEqual({ orderId: 7n });
    expect(tool.readArguments(undefined)).toEqual({});
  });

  it("refuses a number at an id that a model may have rounded", () => {
    const tool = createExactTool(definition);
    expect(() => tool.readArguments({ orderId: 1955516024755728400 })).toThrow(
      expect.objectContaining({
        code: -32602,
        data: { reason: "unsafe_integer", pointer: "/orderId", schemaPointer: "/properties/orderId" },
      }),
    );
    expect(() => tool.readArguments({ orderId: 1955516024755728386n })).toThrow(McpDataError);
  });

  it("shows numbers where it was asked to, and takes them", () => {
    const tool = createExactTool(definition, { advertise: "original", int64: "string" });
    expect(tool.tool).toBe(definition);
    expect(tool.readArguments({ orderId: 1955516024755728386n })).toEqual({ orderId: "1955516024755728386" });
  });

  it("tells that a number has lost digits before it came", () => {
    const issues: Issue[] = [];
    const tool = createExactTool(definition, {
      advertise: "original",
      onIssues: (found) => void issues.push(...found),
    });
    tool.readArguments({ orderId: 1955516024755728400 });
    expect(issues.map(({ code, pointer }) => `${code} at ${pointer}`)).toEqual(["inexact at /orderId"]);
  });

  it("writes ids of a result as clients see them", () => {
    const text = '{"orderId":"1955516024755728386","ratio":0.5}';
    expect(createExactTool(definition).writeResult({ orderId: 1955516024755728386n, ratio: 0.5 })).toEqual({
      content: [{ type: "text", text }],
      structuredContent: JSON.parse(text),
    });
  });

  it.each([
    ["a bigint", 1955516024755728386n],
    ["a literal", new IntegerLiteral("1955516024755728386")],
    ["text", "1955516024755728386"],
  ])("writes %s as a number where clients see one, with its text beside it", (_, orderId) => {
    const result = createExactTool(definition, { advertise: "original" }).writeResult({ orderId });
    const text = '{"orderId":1955516024755728386}';
    expect(result.content).toEqual([{ type: "text", text }]);
    expect(result._meta).toEqual({ "protobuf-struct-codec/exact": text });
    // Where the runtime can, digits; else a number, which is what validators want.
    const written = "rawJSON" in JSON ? text : '{"orderId":1955516024755728400}';
    expect(JSON.stringify(result.structuredContent)).toBe(written);
  });

  it("says where a result is wrong", () => {
    const tool = createExactTool(definition);
    expect(() => tool.writeResult({ ratio: Number.NaN })).toThrow(
      expect.objectContaining({
        code: -32603,
        data: { reason: "not_finite", pointer: "/ratio", schemaPointer: "/properties/ratio" },
      }),
    );
    expect(() => tool.writeResult(5)).toThrow(McpDataError);
  });

  it("checks with a validator, against the schemas of the tool", () => {
    const tool = createExactTool(definition, { validator: useCfworker(Validator) });
    expect(tool.readArguments({ orderId: "1955516024755728386" })).toEqual({ orderId: 1955516024755728386n });
    expect(() => tool.readArguments({ orderId: "1", count: 11 })).toThrow(
      expect.objectContaining({
        code: -32602,
        message: 'does not meet "maximum" of /properties/count/maximum at /count',
        data: { reason: "schema_mismatch", pointer: "/count", schemaPointer: "/properties/count/maximum" },
      }),
    );
    expect(() => tool.readArguments({})).toThrow(/"required"/);
    expect(() => tool.writeResult({ ratio: "none" })).toThrow(expect.objectContaining({ code: -32603 }));
    expect(tool.writeResult({ orderId: 5n }).structuredContent).toEqual({ orderId: "5" });
  });

  it("takes the schemas of zod", () => {
    const tool = createExactTool({ name: "t", inputSchema: z.object({ id: z.bigint() }) });
    expect(tool.readArguments({ id: "1955516024755728386" })).toEqual({ id: 1955516024755728386n });
  });

  it("gives Standard Schemas for the high-level server", () => {
    const { inputSchema, outputSchema } = createExactTool(definition);
    const { jsonSchema, validate } = inputSchema["~standard"];
    expect(jsonSchema.input()).toMatchObject({ type: "object", properties: { orderId: { type: "string" } } });
    expect(validate({ orderId: "1955516024755728386" })).toEqual({ value: { orderId: 1955516024755728386n } });
    expect(validate({ "a/b": { "~": Number.NaN } })).toMatchObject({ issues: [{ path: ["a/b", "~"] }] });
    const result = { orderId: "1955516024755728386" };
    expect(outputSchema?.["~standard"].validate(result)).toEqual({ value: result });
    expect(createExactTool({ name: "t" }).outputSchema).toBeUndefined();
  });

  it("goes as deep as it was told", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(150)}1${"}".repeat(150)}`);
    expect(() => createExactTool(definition).readArguments(deep)).toThrow(/nested/);
    expect(createExactTool(definition, { limits: { depth: 200 } }).readArguments(deep)).toEqual(deep);
  });

  it("refuses options that nobody reads", () => {
    expect(() => createExactTool(definition, { advertize: "original" } as never)).toThrow(TypeError);
    expect(() => createExactTool(definition, { advertise: "both" as never })).toThrow(TypeError);
    expect(() => createExactTool(definition, { int64: "number" as never })).toThrow(TypeError);
  });
});
