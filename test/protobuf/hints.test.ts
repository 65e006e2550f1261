import { create, createRegistry, type DescMessage } from "@bufbuild/protobuf";
import { anyPack, StructSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import {
  CallContextSchema,
  type CallToolRequest,
  CallToolRequestSchema,
  ContentSchema,
  file_structcodec_test_v1_agent,
  StructsSchema,
} from "../../gen/structcodec/test/v1/agent_pb.js";
import { compileHint, createStructCodec, createValueCodec, type Issue } from "../../src/index.js";
import {
  binaryToJsonString,
  checkStructs,
  createMessageHints,
  fromJson,
  fromJsonString,
  type HintTable,
  jsonStringToBinary,
  normalizeStructs,
  StructCodecError,
  StructSchemaError,
  toJson,
  toJsonString,
} from "../../src/protobuf.js";
import { createToolCodecs } from "../../src/schema.js";

const args = "structcodec.test.v1.CallToolRequest.arguments";
const wide = { properties: { id: { type: "integer", format: "int64" } } };
const narrow = { properties: { id: { type: "integer" } } };
const id = "9007199254740993";

function call(name = "get_order"): CallToolRequest {
  return create(CallToolRequestSchema, { name, arguments: { id } });
}

type Listener = (issues: readonly Issue[], dropped: number) => void;

function issuesOf(run: (onIssues: Listener) => unknown): string[] {
  const found: string[] = [];
  run((issues) => void found.push(...issues.map(({ code, pointer }) => `${code} at ${pointer}`)));
  return found;
}

function errorOf(run: () => unknown): StructCodecError {
  try {
    run();
  } catch (error) {
    return error as StructCodecError;
  }
  return expect.fail("no error");
}

describe("a table of hints", () => {
  it.each<[string, HintTable[string], string]>([
    ["a schema", narrow, `{"name":"get_order","arguments":{"id":${id}}}`],
    ["a schema of wide integers", wide, `{"name":"get_order","arguments":{"id":"${id}"}}`],
    ["schema text", JSON.stringify(narrow), `{"name":"get_order","arguments":{"id":${id}}}`],
    ["a boolean", true, `{"name":"get_order","arguments":{"id":"${id}"}}`],
    ["a compiled hint", compileHint(narrow), `{"name":"get_order","arguments":{"id":${id}}}`],
    [
      "a codec, with its options",
      createStructCodec(wide, { int64: "schema" }),
      `{"name":"get_order","arguments":{"id":${id}}}`,
    ],
    ["a codec of Values", createValueCodec(wide, { int64: "schema" }), `{"name":"get_order","arguments":{"id":${id}}}`],
    ["a function", () => narrow, `{"name":"get_order","arguments":{"id":${id}}}`],
  ])("takes %s", (_, hint, expected) => {
    const hints = { [args]: hint };
    expect(toJsonString(CallToolRequestSchema, call(), { hints })).toBe(expected);
    const bytes = jsonStringToBinary(CallToolRequestSchema, expected, { hints });
    expect(binaryToJsonString(CallToolRequestSchema, bytes, { hints })).toBe(expected);
    expect(fromJsonString(CallToolRequestSchema, expected, { hints }).arguments).toEqual({ id });
  });

  it("asks functions about the message that has the field", () => {
    const tools = createToolCodecs([{ name: "get_order", inputSchema: wide }]);
    const hints: HintTable = { [args]: (message) => tools.get(message.name).server.args };
    expect(toJsonString(CallToolRequestSchema, call(), { hints })).toBe(
      `{"name":"get_order","arguments":{"id":${id}}}`,
    );
    expect(toJsonString(CallToolRequestSchema, call("other"), { hints })).toBe(
      `{"name":"other","arguments":{"id":"${id}"}}`,
    );
  });

  it("asks functions about the message also where its Structs come first in JSON and bytes", () => {
    const seen: unknown[] = [];
    const look = (message: CallToolRequest) => {
      seen.push([message.name, message.callId, message.arguments, message.context?.metadata]);
      return narrow;
    };
    const hints = { [args]: look };
    const text = `{"arguments":{"id":${id}},"context":{"metadata":{"traceId":7}},"callId":"5","name":"x"}`;
    const bytes = jsonStringToBinary(CallToolRequestSchema, text, { hints });
    const message = fromJsonString(CallToolRequestSchema, text, { hints });
    fromJson(CallToolRequestSchema, JSON.parse(text.replace(id, "5")), { hints });
    binaryToJsonString(CallToolRequestSchema, bytes, { hints });
    toJsonString(CallToolRequestSchema, message, { hints });
    const whole = ["x", 5n, { id }, { traceId: 7 }];
    expect(seen).toEqual([whole, whole, ["x", 5n, { id: 5 }, { traceId: 7 }], whole, whole]);
    expect(Object.getOwnPropertyDescriptor(message, "arguments")).toEqual({
      value: { id },
      enumerable: true,
      configurable: true,
      writable: true,
    });
  });

  it("takes a codec of Structs for a Value, as far as objects go", () => {
    const hints = { "structcodec.test.v1.Structs.values": createStructCodec(wide, { int64: "schema" }) };
    const text = `{"values":[{"id":${id}},"${id}",null,[${id}]]}`;
    const expected = `{"values":[{"id":${id}},"${id}",null,["${id}"]]}`;
    expect(toJsonString(StructsSchema, fromJsonString(StructsSchema, text, { hints }), { hints })).toBe(expected);
    expect(binaryToJsonString(StructsSchema, jsonStringToBinary(StructsSchema, text, { hints }), { hints })).toBe(
      expected,
    );
    expect(
      toJson(StructsSchema, fromJson(StructsSchema, JSON.parse(text.replaceAll(id, "5")), { hints }), { hints }),
    ).toEqual({
      values: [{ id: 5 }, "5", null, [5]],
    });
  });

  it("passes a ListValue unhinted for which it has a codec of Structs", () => {
    const hints = { "structcodec.test.v1.Structs.list": createStructCodec(wide) };
    expect(issuesOf((onIssues) => fromJsonString(StructsSchema, '{"list":[1]}', { hints, onIssues }))).toEqual([
      "no_schema at /list",
    ]);
  });

  it("describes what is packed in an Any by the name of the field", () => {
    const registry = createRegistry(file_structcodec_test_v1_agent, StructSchema, ValueSchema);
    const desc = registry.getMessage("structcodec.test.v1.CallToolResponse") as DescMessage;
    const details = [
      anyPack(
        StructSchema,
        create(StructSchema, { fields: { id: create(ValueSchema, { kind: { case: "stringValue", value: id } }) } }),
      ),
    ];
    const hints = { "structcodec.test.v1.CallToolResponse.details": narrow };
    expect(toJsonString(desc, create(desc, { details }), { hints, registry })).toBe(
      `{"details":[{"value":{"id":${id}},"@type":"type.googleapis.com/google.protobuf.Struct"}]}`,
    );
  });

  it.each([
    ["structcodec.test.v1.CallToolRequest.argument"],
    ["structcodec.test.v1.CallToolRequest.callId"],
    ["structcodec.test.v1.CallToolRequest.name"],
    ["structcodec.test.v1.CallToolRequest.context"],
    ["structcodec.test.v1.CallContext.meta_data"],
  ])("refuses the name %s, which is no field of a Struct", (name) => {
    const run = () => toJsonString(CallToolRequestSchema, call(), { hints: { [name]: wide } });
    // Only messages that hold Structs are looked at, which all of these do.
    if (name.includes("CallContext")) {
      expect(() => toJsonString(CallContextSchema, create(CallContextSchema), { hints: { [name]: wide } })).toThrow(
        TypeError,
      );
    } else {
      expect(run).toThrow(`hints has "${name}", which is no field of type Struct, Value, ListValue or Any`);
    }
  });

  it("may have names of other messages", () => {
    const hints = { "some.other.Message.field": wide, [args]: narrow };
    expect(toJsonString(CallToolRequestSchema, call(), { hints })).toContain(id);
  });
});

describe("the field option", () => {
  it("gives a schema in place", () => {
    const message = create(CallContextSchema, { metadata: { traceId: id, attempt: 1e21 } });
    expect(toJsonString(CallContextSchema, message)).toBe(
      `{"metadata":{"traceId":"${id}","attempt":1000000000000000000000}}`,
    );
    expect(toJsonString(CallContextSchema, message, { int64: "schema" })).toBe(
      `{"metadata":{"traceId":${id},"attempt":1000000000000000000000}}`,
    );
  });

  it("names a message, whose JSON the schema is derived from", () => {
    const message = create(ContentSchema, { part: { case: "data", value: { id, line: 1e21, ownerId: 5 } } });
    expect(toJsonString(ContentSchema, message)).toBe(
      `{"data":{"id":"${id}","line":1000000000000000000000,"ownerId":"5"}}`,
    );
  });

  it("names a schema of the caller", () => {
    const message = create(CallContextSchema, { baggage: { x: { id } } });
    const schemas = { baggage: narrow };
    expect(toJsonString(CallContextSchema, message, { schemas })).toBe(`{"baggage":{"x":{"id":${id}}}}`);
    expect(toJsonString(CallContextSchema, message, { schemas: { baggage: () => narrow } })).toBe(
      `{"baggage":{"x":{"id":${id}}}}`,
    );
  });

  it("loses against the table", () => {
    const message = create(CallContextSchema, { metadata: { traceId: id } });
    const hints = { "structcodec.test.v1.CallContext.metadata": { properties: { traceId: { type: "integer" } } } };
    expect(toJsonString(CallContextSchema, message, { hints })).toBe(`{"metadata":{"traceId":${id}}}`);
  });

  it("is asked where a function of the table knows nothing", () => {
    const message = create(CallContextSchema, { metadata: { traceId: 5 } });
    const hints = { "structcodec.test.v1.CallContext.metadata": () => undefined };
    const run = (onIssues: Listener) =>
      expect(toJsonString(CallContextSchema, message, { hints, onIssues })).toBe('{"metadata":{"traceId":"5"}}');
    expect(issuesOf(run)).toEqual([]);
  });

  it("has no effect on other fields, and none with a description alone", () => {
    const message = create(StructsSchema, { misplaced: "x", described: { id: 5 } });
    expect(
      issuesOf((onIssues) => toJsonString(StructsSchema, message, { onIssues, schemas: { record: wide } })),
    ).toEqual([]);
  });
});

describe("a schema that is not there", () => {
  const text = `{"name":"x","arguments":{"id":${id}}}`;

  it.each<[string, HintTable[string]]>([
    ["a function that knows none", () => undefined],
    ["a function that gives no schema", () => 5 as never],
    ["a function that gives text that is none", () => "{"],
  ])("is an issue and no error: %s", (_, hint) => {
    const hints = { [args]: hint };
    const run = (onIssues: Listener) => {
      expect(fromJsonString(CallToolRequestSchema, text, { hints, onIssues }).arguments).toEqual({ id });
      expect(toJsonString(CallToolRequestSchema, call("x"), { hints, onIssues })).toBe(
        `{"name":"x","arguments":{"id":"${id}"}}`,
      );
    };
    expect(issuesOf(run)).toEqual(["no_schema at /arguments", "no_schema at /arguments"]);
  });

  it("is an issue where a field option names it", () => {
    const message = create(CallContextSchema, { baggage: { "a/b": { id } } });
    expect(issuesOf((onIssues) => toJsonString(CallContextSchema, message, { onIssues }))).toEqual([
      "no_schema at /baggage/a~1b",
    ]);
  });

  it("is an error under strict", () => {
    const hints = { [args]: () => undefined };
    const error = errorOf(() => toJsonString(CallToolRequestSchema, call(), { hints, strict: ["no_schema"] }));
    expect(error).toMatchObject({ code: "no_schema", pointer: "/arguments", direction: "encode" });
    expect(error.message).toBe(
      "cannot encode structcodec.test.v1.CallToolRequest to JSON: no schema for this message at /arguments",
    );
  });

  it("is an error where the table has it in place", () => {
    expect(() => createMessageHints({ hints: { [args]: "{" } })).toThrow(StructSchemaError);
    expect(() => createMessageHints({ hints: { [args]: 5 as never } })).toThrow(StructSchemaError);
    expect(() => toJsonString(CallToolRequestSchema, call(), { hints: { [args]: [] as never } })).toThrow(
      StructSchemaError,
    );
  });
});

describe("a function that throws", () => {
  const cause = new Error("the list of tools is gone");
  const hints: HintTable = {
    [args]: ({ name }) => {
      if (name === "gone") throw cause;
      return narrow;
    },
  };

  it("is an error with code, pointer and cause, and the next call works", () => {
    const runs = [
      () => toJsonString(CallToolRequestSchema, call("gone"), { hints }),
      () => fromJsonString(CallToolRequestSchema, '{"name":"gone","arguments":{}}', { hints }),
      () => jsonStringToBinary(CallToolRequestSchema, '{"arguments":{},"name":"gone"}', { hints }),
      () => normalizeStructs(CallToolRequestSchema, call("gone"), createMessageHints({ hints })),
      () => checkStructs(CallToolRequestSchema, call("gone"), createMessageHints({ hints })),
    ];
    for (const run of runs) {
      const error = errorOf(run);
      expect(error).toBeInstanceOf(StructCodecError);
      expect(error).toMatchObject({ code: "no_schema", pointer: "/arguments" });
      expect(error.cause).toBe(cause);
      expect(error.message).toMatch(
        /: the hint function of structcodec\.test\.v1\.CallToolRequest\.arguments failed at \/arguments$/,
      );
      expect(toJsonString(CallToolRequestSchema, call(), { hints })).toContain(`"id":${id}`);
    }
  });
});

describe("issues", () => {
  it("come once, with pointers from the root of the message", () => {
    const calls: [string[], number][] = [];
    const onIssues = (issues: readonly Issue[], dropped: number) =>
      void calls.push([issues.map(({ pointer }) => pointer), dropped]);
    const hints = { "structcodec.test.v1.Structs.many": narrow, "structcodec.test.v1.Structs.by_name": narrow };
    const message = create(StructsSchema, { many: [{ id: 1.5 }, {}, { id: 2.5 }], byName: { "a/b": { id: 0.5 } } });
    toJsonString(StructsSchema, message, { hints, onIssues });
    expect(calls).toEqual([[["/many/0/id", "/many/2/id", "/byName/a~1b/id"], 0]]);
  });

  it("are at most a hundred, and the rest is counted", () => {
    const many = Array.from({ length: 130 }, () => ({ id: 1.5 }));
    const counts: number[] = [];
    const onIssues = (issues: readonly Issue[], dropped: number) => void counts.push(issues.length, dropped);
    toJsonString(StructsSchema, create(StructsSchema, { many }), {
      hints: { "structcodec.test.v1.Structs.many": narrow },
      onIssues,
    });
    expect(counts).toEqual([100, 30]);
  });

  it("name places in text by line and column", () => {
    const found: Issue[] = [];
    const text = '{\n  "name": "x",\n  "arguments": {\n    "id": 1.5 }\n}';
    fromJsonString(CallToolRequestSchema, text, {
      hints: { [args]: narrow },
      onIssues: (issues) => void found.push(...issues),
    });
    expect(found).toEqual([
      {
        code: "fractional",
        direction: "decode",
        pointer: "/arguments/id",
        schemaPointer: "/properties/id",
        offset: text.indexOf("1.5"),
        line: 4,
        column: 11,
        message:
          "structcodec.test.v1.CallToolRequest from JSON: number has a fraction at /arguments/id (line 4, column 11)",
      },
    ]);
  });

  it("may use the functions again", () => {
    let inner = "";
    const hints = { [args]: narrow };
    const onIssues = () => void (inner = toJsonString(CallToolRequestSchema, call(), { hints }));
    toJsonString(CallToolRequestSchema, create(CallToolRequestSchema, { arguments: { id: 1.5 } }), { hints, onIssues });
    expect(inner).toBe(`{"name":"get_order","arguments":{"id":${id}}}`);
  });
});

describe("createMessageHints", () => {
  it("is shared by calls, which bring the options of protobuf-es only", () => {
    const hints = createMessageHints({ hints: { [args]: wide }, int64: "schema" });
    expect(toJsonString(CallToolRequestSchema, call(), { hints, useProtoFieldName: true, prettySpaces: 1 })).toBe(
      `{\n "name": "get_order",\n "arguments": {\n  "id": ${id}\n }\n}`,
    );
    expect(() => toJsonString(CallToolRequestSchema, call(), { hints, int64: "string" })).toThrow(
      'option "int64" belongs to createMessageHints',
    );
    expect(() => toJsonString(CallToolRequestSchema, call(), { hints, onIssues() {} })).toThrow(TypeError);
  });

  it("lists what could not be read of the schemas it was given", () => {
    const { schemaIssues } = createMessageHints({
      hints: { [args]: { properties: { a: { $ref: "#/nowhere" } } } },
      schemas: { record: { items: { $ref: "#/nowhere" } } },
    });
    expect(schemaIssues.map(({ name, code, schemaPointer }) => [name, code, schemaPointer])).toEqual([
      ["record", "unresolved_ref", "/items/$ref"],
      [args, "unresolved_ref", "/properties/a/$ref"],
    ]);
    expect(() => createMessageHints({ hints: { [args]: { $ref: "#/nowhere" } }, strictSchema: true })).toThrow(
      StructSchemaError,
    );
  });

  it("finds codecs, for frameworks", () => {
    const hints = createMessageHints({ hints: { [args]: ({ name }) => (name === "x" ? narrow : undefined) } });
    const found = hints.find(CallToolRequestSchema.field.arguments, call("x"));
    expect(found?.missing).toBeUndefined();
    expect(found?.codec.toJsonString({ id })).toBe(`{"id":${id}}`);
    expect(hints.find(CallToolRequestSchema.field.arguments, call())?.missing).toBe("no schema for this message");
    expect(hints.find(CallToolRequestSchema.field.name, call())).toBeUndefined();
  });

  it.each([
    [{ hint: {} }],
    [{ hints: 5 }],
    [{ int64: "number" }],
    [{ limits: { deep: 5 } }],
    [{ alwaysEmitImplicit: true }],
  ])("refuses %j", (options) => {
    expect(() => createMessageHints(options as never)).toThrow(TypeError);
  });

  it("is what adapters must be given", () => {
    expect(() => checkStructs(CallToolRequestSchema, call(), {} as never)).toThrow(TypeError);
  });
});

describe("options of a call", () => {
  it("refuse names that nobody reads", () => {
    expect(() => toJsonString(CallToolRequestSchema, call(), { emitDefaults: true } as never)).toThrow(
      'unknown option "emitDefaults"',
    );
  });

  it("may differ from call to call beside one table", () => {
    const hints = { [args]: wide };
    const results = (["string", "schema", "string", "schema"] as const).map((int64) =>
      toJsonString(CallToolRequestSchema, call(), { hints, int64, limits: { depth: 5 } }),
    );
    expect(results.map((text) => text.includes(`"${id}"`))).toEqual([true, false, true, false]);
  });

  it("may change between calls", () => {
    const options: { hints: HintTable; int64: "string" | "schema" } = { hints: { [args]: wide }, int64: "string" };
    expect(toJsonString(CallToolRequestSchema, call(), options)).toContain(`"${id}"`);
    options.int64 = "schema";
    expect(toJsonString(CallToolRequestSchema, call(), options)).not.toContain(`"${id}"`);
  });
});
