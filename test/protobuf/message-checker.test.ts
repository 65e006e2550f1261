import { create, createRegistry, type DescMessage, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { anyPack, StructSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { Validator } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import {
  CallToolRequestSchema,
  CallToolResponseSchema,
  ContentSchema,
  NodeSchema,
  StructsSchema,
} from "../../gen/structcodec/test/v1/agent_pb.js";
import { compileHint, createStructCodec, createValueCodec, type Issue, StructCodecError } from "../../src/index.js";
import {
  createMessageChecker,
  createMessageHints,
  type HintTable,
  type MessageHintsOptions,
} from "../../src/protobuf.js";
import { createToolCodec, type SchemaValidator, useAjv, useCfworker } from "../../src/schema.js";
import { bareRegistry } from "../support/extended-file.js";

const structs = "structcodec.test.v1.Structs";
const schema = {
  type: "object",
  properties: { id: { type: "integer", format: "int64" }, n: { type: "number", maximum: 5 } },
} as const;
const cfworker = useCfworker(Validator);
const validators: [name: string, validator: SchemaValidator][] = [
  ["@cfworker/json-schema", cfworker],
  ["ajv", useAjv(new Ajv2020({ allErrors: true, formats: { int64: true } }))],
];

function check<Desc extends DescMessage>(
  desc: Desc,
  message: Parameters<typeof create<Desc>>[1],
  options: MessageHintsOptions,
  validator = cfworker,
) {
  return createMessageChecker(createMessageHints(options), validator).check(desc, create(desc, message));
}

describe.each(validators)("createMessageChecker with %s", (_, validator) => {
  it("takes wide integers as the schema has them, whichever way they are kept", () => {
    const hints = { [`${structs}.many`]: schema };
    const many: JsonObject[] = [{ id: 5 }, { id: "9007199254740993" }, { id: "18446744073709551616" }, {}];
    expect(check(StructsSchema, { many }, { hints, int64: "string" }, validator)).toEqual([]);
    expect(check(StructsSchema, { many: [{}, { id: "x" }] }, { hints }, validator)).toEqual([
      {
        pointer: "/many/1/id",
        schemaPointer: "/properties/id/type",
        keyword: "type",
        message: 'does not meet "type" of /properties/id/type at /many/1/id',
      },
    ]);
  });

  it.each<[string, HintTable[string]]>([
    ["a schema", schema],
    ["text", JSON.stringify(schema)],
    ["a compiled hint", compileHint(schema)],
    ["a codec of Structs", createStructCodec(schema, { int64: "bigint" })],
    ["a codec of Values", createValueCodec(schema)],
    ["a function", () => schema],
    ["a tool's codec towards the server", createToolCodec({ name: "x", inputSchema: schema }).server.args],
  ])("knows the schema of %s", (__, hint) => {
    const found = check(StructsSchema, { single: { id: 1.5, n: 6 } }, { hints: { [`${structs}.single`]: hint } });
    expect(found.map(({ pointer }) => pointer)).toEqual(["/single/id", "/single/n"]);
  });
});

describe("createMessageChecker", () => {
  it.each<[string, DescMessage, object, HintTable, string[]]>([
    ["maps", StructsSchema, { byName: { "a/b": { n: 6 } } }, { [`${structs}.by_name`]: schema }, ["/byName/a~1b/n"]],
    [
      "oneofs",
      StructsSchema,
      { choice: { case: "chosen", value: { n: 6 } } },
      { [`${structs}.chosen`]: schema },
      ["/chosen/n"],
    ],
    [
      "Values",
      StructsSchema,
      { value: fromJson(ValueSchema, 6) },
      { [`${structs}.value`]: { maximum: 5 } },
      ["/value"],
    ],
    [
      "ListValues",
      StructsSchema,
      { list: { values: [fromJson(ValueSchema, 6)] } },
      { [`${structs}.list`]: { items: { maximum: 5 } } },
      ["/list/0"],
    ],
    [
      "messages in messages",
      NodeSchema,
      { children: [{ name: "x" }, { attributes: { n: 6 } }] },
      { "structcodec.test.v1.Node.attributes": schema },
      ["/children/1/attributes/n"],
    ],
    [
      "a Struct that stands for itself",
      StructSchema,
      fromJson(StructSchema, { n: 6 }),
      { "google.protobuf.Struct": schema },
      ["/n"],
    ],
    ["what has no schema", StructsSchema, { single: { n: 6 }, plain: { n: 6 } }, {}, []],
    ["a codec without a schema", StructsSchema, { plain: { n: 6 } }, { [`${structs}.plain`]: createStructCodec() }, []],
    ["what is not set", StructsSchema, {}, { [`${structs}.single`]: schema }, []],
  ])("looks at %s", (_, desc, message, hints, pointers) => {
    const issues: Issue[] = [];
    const onIssues = (found: readonly Issue[]) => void issues.push(...found);
    const found = check(desc, message as never, { hints, onIssues });
    expect(found.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(issues).toEqual([]);
  });

  it("looks into what is packed, where a registry knows it", () => {
    const request = create(CallToolRequestSchema, { arguments: { id: "x" } });
    const message = { details: [anyPack(CallToolRequestSchema, request)] };
    const hints = { "structcodec.test.v1.CallToolRequest.arguments": schema };
    expect(check(CallToolResponseSchema, message, { hints })).toEqual([]);
    const registry = createRegistry(CallToolRequestSchema);
    const found = check(CallToolResponseSchema, message, { hints, registry });
    expect(found.map(({ pointer }) => pointer)).toEqual(["/details/0/arguments/id"]);
    expect(bareRegistry.getMessage("structcodec.test.v1.CallToolRequest")).toBeDefined();
  });

  it("takes the schemas of field options", () => {
    const record = { part: { case: "data" as const, value: { id: 5, line: 2 ** 40 } } };
    const found = check(ContentSchema, record, {});
    expect(found.map(({ pointer }) => pointer)).toContain("/data/line");
  });

  it("compiles a schema once", () => {
    let compiled = 0;
    const counting: SchemaValidator = (given) => {
      compiled++;
      return cfworker(given);
    };
    const checker = createMessageChecker(
      createMessageHints({ hints: { [`${structs}.many`]: () => schema } }),
      counting,
    );
    const message = create(StructsSchema, { many: [{}, {}, {}] });
    expect([...checker.check(StructsSchema, message), ...checker.check(StructsSchema, message)]).toEqual([]);
    expect(compiled).toBe(1);
  });

  it("says which schema a validator does not take, and lets pass what it describes", () => {
    const refusing: SchemaValidator = () => {
      throw new Error("no such dialect");
    };
    const issues: Issue[] = [];
    const onIssues = (found: readonly Issue[]) => void issues.push(...found);
    const hints = { [`${structs}.single`]: schema };
    const single = { n: 6 };
    expect(check(StructsSchema, { single }, { hints, onIssues }, refusing)).toEqual([]);
    expect(issues).toMatchObject([
      {
        code: "no_schema",
        pointer: "/single",
        message: "structcodec.test.v1.Structs: the validator does not take the schema at /single",
      },
    ]);
    expect(() => check(StructsSchema, { single }, { hints, strict: ["no_schema"] }, refusing)).toThrow(
      StructCodecError,
    );
  });

  it("lets pass what a validator fails over because the schema is broken, and nothing else", () => {
    const cause = new Error("stack overflow");
    const failing: SchemaValidator = () => () => {
      throw cause;
    };
    const single = { n: 6 };
    const broken = { properties: { n: { $ref: "#/nowhere" } } };
    expect(check(StructsSchema, { single }, { hints: { [`${structs}.single`]: broken } }, failing)).toEqual([]);
    const run = () => check(StructsSchema, { single }, { hints: { [`${structs}.single`]: schema } }, failing);
    expect(run).toThrow(
      `cannot check structcodec.test.v1.Structs: the validator of ${structs}.single failed at /single`,
    );
    expect(run).toThrow(expect.objectContaining({ code: "no_schema", pointer: "/single", cause }));
  });

  it("takes compiled hints only", () => {
    expect(() => createMessageChecker({ find: () => undefined } as never, cfworker)).toThrow(TypeError);
  });
});
