import { fileURLToPath } from "node:url";
import * as es from "@bufbuild/protobuf";
import * as wkt from "@bufbuild/protobuf/wkt";
import {
  Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ClientWritableStream,
  loadPackageDefinition,
  type Server,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceClientConstructor,
  type ServiceDefinition,
  type ServiceError,
  type sendUnaryData,
  status,
} from "@grpc/grpc-js";
import { loadSync, type Options, type PackageDefinition } from "@grpc/proto-loader";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CallToolRequestSchema, StructsSchema } from "../../gen/structcodec/test/v1/agent_pb.js";
import { createStructInterceptor, readStructProblem } from "../../src/grpc.js";
import type { JsonSchemaObject } from "../../src/index.js";
import { withStructs } from "../../src/proto-loader.js";
import type { HintTable } from "../../src/protobuf.js";
import { insecure, type RunningServer, startServer } from "../support/grpc-server.js";

// biome-ignore lint/suspicious/noExplicitAny: objects of proto-loader have no types
type Loaded = any;

const service = "structcodec.test.v1.ToolService";
const args = "structcodec.test.v1.CallToolRequest.arguments";
const result = "structcodec.test.v1.CallToolResponse.structured_content";

const integer = { type: "integer", format: "int64" };
const schemas = new Map<string, JsonSchemaObject>([
  [
    "get_order",
    {
      properties: { id: integer, low: integer, high: { type: "integer", format: "uint64" }, line: { type: "integer" } },
    },
  ],
]);
const hints: HintTable = {
  [args]: (message: { name: string }) => {
    if (message.name === "throw") throw new Error("the list of tools is gone");
    return schemas.get(message.name);
  },
  [result]: schemas.get("get_order"),
};

function load(options: Options): PackageDefinition {
  return loadSync("structcodec/test/v1/agent.proto", {
    includeDirs: [fileURLToPath(new URL("../../proto", import.meta.url))],
    ...options,
  });
}

function nested(depth: number): object {
  return depth === 0 ? {} : { a: nested(depth - 1) };
}

const sent = {
  id: 9007199254740993n,
  low: -(2n ** 63n),
  high: 2n ** 64n - 1n,
  big: 1e21,
  zero: -0,
  line: 5.0,
  ratio: 0.1,
  none: null,
  gone: undefined,
  ["__proto__"]: { x: 1 },
  deep: nested(90),
  list: [1, "a", null, [], {}],
};
const plain = {
  big: 1e21,
  zero: -0,
  line: 5,
  ratio: 0.1,
  none: null,
  ["__proto__"]: { x: 1 },
  deep: nested(90),
  list: [1, "a", null, [], {}],
};
/** As a handler gets it, and as a client with bigint does. */
const asText = { id: "9007199254740993", low: "-9223372036854775808", high: "18446744073709551615", ...plain };
const asBigint = { id: 9007199254740993n, low: -(2n ** 63n), high: 2n ** 64n - 1n, ...plain };

const handlers = {
  callTool: (call: ServerUnaryCall<Loaded, Loaded>, callback: sendUnaryData<Loaded>) => {
    seen.push(call.request);
    callback(null, respond(call.request));
  },
  watchTool: (call: ServerWritableStream<Loaded, Loaded>) => {
    if (call.request.call.name === "forever") {
      call.on("cancelled", () => cancelled?.());
      call.write({ progress: { done: 1 } });
      return;
    }
    call.write({ result: respond(call.request.call) });
    call.end();
  },
  batchTools: (call: ServerReadableStream<Loaded, Loaded>, callback: sendUnaryData<Loaded>) => {
    const results: Loaded[] = [];
    call.on("data", ({ call: inner }) => results.push(respond(inner)));
    call.on("end", () => callback(null, { results }));
  },
  converse: (call: ServerDuplexStream<Loaded, Loaded>) => {
    call.on("data", ({ call: inner }) => call.write({ result: respond(inner) }));
    call.on("end", () => call.end());
  },
};

const seen: Loaded[] = [];
let cancelled: (() => void) | undefined;

function respond(request: Loaded): Loaded {
  const content = request.name === "nan" ? { a: [Number.NaN] } : { ...request.arguments };
  // With keepCase the names are those of the proto file.
  return { structuredContent: content, structured_content: content };
}

function contentOf(response: Loaded): Loaded {
  return response.structuredContent ?? response.structured_content;
}

function createClient(definition: PackageDefinition, address: string): Loaded {
  const root = loadPackageDefinition(definition as never) as Loaded;
  return new (root.structcodec.test.v1.ToolService as ServiceClientConstructor)(address, insecure);
}

function callTool(client: Loaded, request: object): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    client.callTool(request, (error: ServiceError | null, response: Loaded) =>
      error === null ? resolve(response) : reject(error),
    );
  });
}

function collect(stream: ClientReadableStream<Loaded>): Promise<Loaded[]> {
  return new Promise((resolve, reject) => {
    const items: Loaded[] = [];
    stream.on("data", (item) => items.push(item));
    stream.on("error", reject);
    stream.on("end", () => resolve(items));
  });
}

async function failure(promise: Promise<unknown>): Promise<ServiceError> {
  return promise.then(
    () => expect.fail("no error"),
    (error: ServiceError) => error,
  );
}

describe.each<[string, Options, boolean]>([
  ["as they are", {}, true],
  ["as NestJS has them", { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true }, false],
  [
    "with everything",
    {
      longs: String,
      enums: String,
      bytes: String,
      defaults: true,
      arrays: true,
      objects: true,
      oneofs: true,
      json: true,
    },
    true,
  ],
])("objects of proto-loader %s", (_, options, intercepts) => {
  let server: RunningServer;
  let client: Loaded;
  let raw: Loaded;

  beforeAll(async () => {
    const loaded = load(options);
    const definition = withStructs(loaded, { hints });
    server = await startServer({ interceptors: intercepts ? [createStructInterceptor()] : [] }, (grpc: Server) =>
      grpc.addService(definition[service] as unknown as ServiceDefinition, handlers),
    );
    client = createClient(withStructs(load(options), { hints, int64: "bigint" }), server.address);
    raw = createClient(load(options), server.address);
  });
  afterAll(() => {
    client.close();
    raw.close();
    server.close();
  });

  it("hold plain values both ways, unary", async () => {
    const response = await callTool(client, { name: "get_order", arguments: sent });
    expect(contentOf(response)).toEqual(asBigint);
    const received = seen.at(-1)?.arguments;
    expect(received).toEqual(asText);
    expect(Object.keys(received)).toContain("__proto__");
    expect(Object.is(received.zero, -0)).toBe(true);
  });

  it("hold plain values on all kinds of streams", async () => {
    const request = { name: "get_order", arguments: { id: 2n ** 53n + 1n } };
    const watched = await collect(client.watchTool({ call: request }));
    expect(watched.map((event) => contentOf(event.result))).toEqual([{ id: 2n ** 53n + 1n }]);
    const batched = await new Promise<Loaded>((resolve, reject) => {
      const call: ClientWritableStream<Loaded> = client.batchTools((error: ServiceError | null, response: Loaded) =>
        error === null ? resolve(response) : reject(error),
      );
      call.write({ call: request });
      call.write({ call: { name: "other", arguments: { a: [2n ** 53n + 1n] } } });
      call.end();
    });
    expect(batched.results.map(contentOf)).toEqual([{ id: 2n ** 53n + 1n }, { a: ["9007199254740993"] }]);
    const duplex: ClientDuplexStream<Loaded, Loaded> = client.converse();
    const responses = collect(duplex);
    for (let i = 0; i < 3; i++) duplex.write({ call: { name: "get_order", arguments: { line: i } } });
    duplex.end();
    expect((await responses).map((event) => contentOf(event.result))).toEqual([{ line: 0 }, { line: 1 }, { line: 2 }]);
  });

  it("are what protobuf-es writes and reads", () => {
    const method = (withStructs(load(options), { hints })[service] as Loaded).CallTool;
    const bytes = method.requestSerialize({
      name: "get_order",
      arguments: { id: 5n, line: 1, a: "x" },
      callId: 7,
      call_id: 7,
    });
    const message = es.create(CallToolRequestSchema, {
      name: "get_order",
      arguments: { id: 5, line: 1, a: "x" },
      callId: 7n,
    });
    expect(Uint8Array.from(bytes)).toEqual(es.toBinary(CallToolRequestSchema, message));
    expect(method.requestDeserialize(Buffer.from(bytes)).arguments).toEqual({ id: "5", line: 1, a: "x" });
  });

  it("do without a Struct", async () => {
    await callTool(client, { name: "get_order" });
    expect(seen.at(-1)?.arguments ?? null).toBeNull();
    await callTool(client, { name: "get_order", arguments: null });
    expect(seen.at(-1)?.arguments ?? null).toBeNull();
    await callTool(client, { name: "get_order", arguments: {} });
    expect(seen.at(-1)?.arguments).toEqual({});
  });

  it.each<[string, unknown, string, string]>([
    ["NaN", { a: { b: Number.NaN } }, "number is NaN at /arguments/*/*", "not_finite"],
    ["a Date", { a: new Date(0) }, "class instance", "unsupported_value"],
    ["an array", [1], "expected object, got array at /arguments", "unexpected_type"],
    ["a number", 5, "expected object, got number at /arguments", "unexpected_type"],
  ])("refuse to be sent with %s, and the next call works", async (_name, value, reason, code) => {
    const error = await failure(callTool(client, { name: "get_order", arguments: value }));
    expect(error.code).toBe(status.INTERNAL);
    expect(error.details).toContain("cannot write structcodec.test.v1.CallToolRequest: ");
    expect(error.details).toContain(reason);
    expect(error.details).toContain(`[${code}]`);
    await callTool(client, { name: "get_order", arguments: {} });
  });

  it("refuse NaN that another client sends, and the next call works", async () => {
    const old = { fields: { a: { numberValue: Number.NaN } } };
    const error = await failure(callTool(raw, { name: "get_order", arguments: old }));
    expect(error.code).toBe(intercepts ? status.INVALID_ARGUMENT : status.INTERNAL);
    if (intercepts) {
      expect(error.details).toBe(
        "cannot read structcodec.test.v1.CallToolRequest: number is NaN at /arguments/* [not_finite]",
      );
      expect(readStructProblem(error)).toMatchObject({ code: "not_finite", pointer: "/arguments/a" });
    }
    await callTool(client, { name: "get_order", arguments: {} });
  });

  it("fail where the answer holds NaN or the hint function throws, and the next call works", async () => {
    const answered = await failure(callTool(client, { name: "nan", arguments: {} }));
    expect(answered.code).toBe(status.INTERNAL);
    if (intercepts) expect(answered.details).toContain("number is NaN at /structuredContent/*/0 [not_finite]");
    const thrown = await failure(callTool(client, { name: "throw", arguments: {} }));
    expect(thrown.details).toContain("failed at /arguments [no_schema]");
    const received = await failure(callTool(raw, { name: "throw", arguments: { fields: {} } }));
    expect(received.code).toBe(status.INTERNAL);
    await callTool(client, { name: "get_order", arguments: {} });
  });

  it("refuse frames that are no message, and the next call works", async () => {
    const malformed = new Client(server.address, insecure);
    const same = (bytes: Buffer) => bytes;
    const error = await failure(
      new Promise((resolve, reject) => {
        malformed.makeUnaryRequest(`/${service}/CallTool`, same, same, Buffer.from([18, 200]), (failed, value) =>
          failed === null ? resolve(value) : reject(failed),
        );
      }),
    );
    expect(error.code).toBe(intercepts ? status.INVALID_ARGUMENT : status.INTERNAL);
    malformed.close();
    await callTool(client, { name: "get_order", arguments: {} });
  });

  it("hear of a client that cancels in mid-stream, and the next call works", async () => {
    const heard = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const call = client.watchTool({ call: { name: "forever" } });
    const ended = failure(collect(call));
    await new Promise((resolve) => call.once("data", resolve));
    call.cancel();
    expect((await ended).code).toBe(status.CANCELLED);
    await heard;
    await callTool(client, { name: "get_order", arguments: {} });
  });
});

describe("withStructs", () => {
  const structs = "structcodec.test.v1.Structs";
  const names = [
    "single",
    "many",
    "by_name",
    "by_id",
    "value",
    "values",
    "value_by_name",
    "list",
    "lists",
    "list_by_name",
    "chosen",
    "chosen_value",
    "chosen_list",
    "renamed",
  ];
  const object = {
    single: { a: 1 },
    many: [{ a: 1n }, {}],
    byName: { "a/b": { a: 1 }, ["__proto__"]: {} },
    byId: { "7": { a: [] } },
    value: null,
    values: [1, "x", null, [2n ** 60n], { a: {} }],
    valueByName: { x: true },
    list: [1, [2]],
    lists: [[], ["a"]],
    listByName: { x: [null] },
    chosenValue: "5",
    renamed: { a: 2 },
  };

  /** The functions of a method that takes and gives a Structs message, which no service of the proto file does. */
  function formOf(options: Options, chosen: object): Loaded {
    const definition = load(options);
    const message = definition[structs] as Loaded;
    const types = { requestType: message, responseType: message };
    const functions = {
      requestSerialize: message.serialize,
      requestDeserialize: message.deserialize,
      responseSerialize: message.serialize,
      responseDeserialize: message.deserialize,
    };
    const method = { ...(definition[service] as Loaded).CallTool, ...types, ...functions };
    // The method's types come from the descriptors, which say CallToolRequest; so the path is that of a method that is added to them.
    const described = addMethod(definition, "Echo", structs);
    return (
      withStructs(
        {
          ...described,
          [service]: {
            Echo: {
              ...method,
              path: `/${service}/Echo`,
              requestType: described[structs],
              responseType: described[structs],
            },
          },
        },
        chosen,
      )[service] as Loaded
    ).Echo;
  }

  it.each<[string, Options]>([
    ["camel case", {}],
    ["everything", { defaults: true, oneofs: true, arrays: true, objects: true, enums: String }],
  ])("serves every kind of field, with %s", (_, options) => {
    const echo = formOf(options, { fields: names.map((name) => `${structs}.${name}`) });
    const bytes = echo.requestSerialize(object);
    expect(es.toJson(StructsSchema, es.fromBinary(StructsSchema, bytes))).toEqual({
      single: { a: 1 },
      many: [{ a: 1 }, {}],
      byName: { "a/b": { a: 1 }, ["__proto__"]: {} },
      byId: { "7": { a: [] } },
      value: null,
      values: [1, "x", null, ["1152921504606846976"], { a: {} }],
      valueByName: { x: true },
      list: [1, [2]],
      lists: [[], ["a"]],
      listByName: { x: [null] },
      chosenValue: "5",
      "renamed-struct": { a: 2 },
    });
    const read = echo.requestDeserialize(Buffer.from(bytes));
    const { byId, ...others } = object;
    expect(read).toMatchObject({
      ...others,
      many: [{ a: 1 }, {}],
      values: [1, "x", null, ["1152921504606846976"], { a: {} }],
    });
    // protobufjs writes keys of 64 bits as eight characters.
    expect(Object.values(read.byId)).toEqual(Object.values(byId));
    expect(Object.keys(read.byName)).toEqual(["a/b", "__proto__"]);
  });

  const flags = ["defaults", "arrays", "objects", "oneofs"] as const;
  const combinations = Array.from({ length: 2 ** flags.length }, (_, bits): Options => {
    return Object.fromEntries(flags.map((flag, i) => [flag, (bits & (1 << i)) !== 0]));
  });

  it.each(combinations)("has what proto-loader has for absent fields, under %j", (options) => {
    const asProtoLoader = (load(options)[structs] as Loaded).deserialize(Buffer.alloc(0));
    const hints = Object.fromEntries(names.map((name) => [`${structs}.${name}`, () => undefined]));
    const echo = formOf(options, { hints });
    expect(echo.requestDeserialize(echo.requestSerialize({}))).toEqual(asProtoLoader);
    expect(echo.requestDeserialize(Buffer.alloc(0))).toEqual(asProtoLoader);
  });

  it.each(combinations)("tells null from absent where objects can, under %j", (options) => {
    const echo = formOf(options, { fields: names.map((name) => `${structs}.${name}`) });
    const roundTrip = (sent: object): Loaded => echo.requestDeserialize(echo.requestSerialize(sent));
    // A Value that holds null takes four bytes; a Struct and a ListValue have no null.
    expect(echo.requestSerialize({ value: null })).toHaveLength(4);
    expect(echo.requestSerialize({ single: null, list: null })).toHaveLength(0);
    expect(roundTrip({ value: null }).value).toBeNull();
    expect(roundTrip({}).value).toBe(options.defaults === true ? null : undefined);
    expect(Object.hasOwn(roundTrip({ chosenValue: null }), "chosenValue")).toBe(true);
    expect(roundTrip({ chosenValue: null }).choice).toBe(options.oneofs === true ? "chosenValue" : undefined);
    expect(Object.hasOwn(roundTrip({}), "chosenValue")).toBe(false);
    expect(roundTrip({ values: [null, {}], valueByName: { a: null } })).toMatchObject({
      values: [null, {}],
      valueByName: { a: null },
    });
    expect(roundTrip({ single: {}, list: [] })).toMatchObject({ single: {}, list: [] });
  });

  it("refuses a Value without a kind, wherever it is", () => {
    const echo = formOf({ defaults: true }, { fields: names.map((name) => `${structs}.${name}`) });
    for (const [bytes, pointer] of [
      [[0x32, 0], "/value"],
      [[0x3a, 0], "/values/0"],
      [[0x42, 3, 0x0a, 1, 0x61], "/valueByName/a"],
      [[0x6a, 0], "/chosenValue"],
    ] as const) {
      expect(() => echo.requestDeserialize(Buffer.from(bytes))).toThrow(
        expect.objectContaining({ code: "unset_value", pointer }),
      );
    }
  });

  it("leaves fields alone that are not named", () => {
    const echo = formOf({}, { fields: [`${structs}.single`] });
    const bytes = echo.requestSerialize({ single: { a: 1 }, plain: { fields: { a: { numberValue: 1 } } } });
    expect(es.toJson(StructsSchema, es.fromBinary(StructsSchema, bytes))).toEqual({
      single: { a: 1 },
      plain: { a: 1 },
    });
    const read = echo.requestDeserialize(Buffer.from(bytes));
    expect(read.single).toEqual({ a: 1 });
    expect(read.plain).toEqual({ fields: { a: { numberValue: 1 } } });
  });

  it("takes the old shape where that is declared, and never guesses", () => {
    const name = `${structs}.single`;
    const old = {
      fields: {
        n: { numberValue: 5 },
        s: { stringValue: "x", kind: "stringValue" },
        l: { listValue: { values: [{ nullValue: 0 }, { boolValue: true }] } },
        o: { structValue: {} },
        ["__proto__"]: { nullValue: "NULL_VALUE" },
      },
    };
    const expected = { n: 5, s: "x", l: [null, true], o: {}, ["__proto__"]: null };
    const declared = formOf({}, { fields: [name], oldShape: [name] });
    expect(declared.requestDeserialize(declared.requestSerialize({ single: old })).single).toEqual(expected);
    const plainForm = formOf({}, { fields: [name] });
    expect(
      plainForm.requestDeserialize(plainForm.requestSerialize({ single: { fields: { n: { numberValue: 5 } } } }))
        .single,
    ).toEqual({
      fields: { n: { numberValue: 5 } },
    });
    for (const [value, code, pointer] of [
      [{ fields: { a: 5 } }, "unexpected_type", "/single/a"],
      [{ fields: { a: {} } }, "unset_value", "/single/a"],
      [{ fields: { a: { numberValue: 1, stringValue: "x" } } }, "unexpected_type", "/single/a"],
      [{ fields: { a: { numberValue: Number.NaN } } }, "not_finite", "/single/a"],
      [{ fields: { "a/b": { listValue: { values: [{}] } } } }, "unset_value", "/single/a~1b/0"],
    ] as const) {
      expect(() => declared.requestSerialize({ single: value })).toThrow(expect.objectContaining({ code, pointer }));
    }
  });

  it("takes Values and ListValues in the old shape", () => {
    const fields = [`${structs}.values`, `${structs}.list`];
    const declared = formOf({}, { fields, oldShape: fields });
    const bytes = declared.requestSerialize({
      values: [{ numberValue: 1 }, { nullValue: 0 }],
      list: { values: [{ stringValue: "x" }] },
    });
    expect(declared.requestDeserialize(bytes)).toMatchObject({ values: [1, null], list: ["x"] });
  });

  it.each<[string, object]>([
    ["a message that is not there", { fields: ["some.Message.field"] }],
    ["a field that is not there", { fields: [`${structs}.nothing`] }],
    ["a field of another type", { fields: [`${structs}.misplaced`] }],
    ["the inside of a Struct", { fields: ["google.protobuf.Struct.fields"] }],
    ["an old shape of a field that is not chosen", { oldShape: [`${structs}.single`] }],
    ["an option that nobody reads", { hint: {} }],
  ])("refuses %s", (_, options) => {
    expect(() => withStructs(load({}), options as never)).toThrow(TypeError);
  });

  it("leaves the definition as it was, and services without such fields", () => {
    const definition = load({});
    const before = { ...(definition[service] as Loaded).CallTool };
    const wrapped = withStructs(definition, { fields: [`${structs}.single`] });
    expect((definition[service] as Loaded).CallTool).toEqual(before);
    expect((wrapped[service] as Loaded).CallTool).toBe((definition[service] as Loaded).CallTool);
    expect(wrapped[structs]).toBe(definition[structs]);
  });

  it("tells issues with their place", () => {
    const found: string[] = [];
    const many = `${structs}.many`;
    const echo = formOf(
      {},
      {
        hints: { [many]: { properties: { a: { type: "integer" } } } },
        onIssues: (issues: { code: string; pointer: string }[]) =>
          void found.push(...issues.map(({ code, pointer }) => `${code} at ${pointer}`)),
      },
    );
    echo.requestSerialize({ many: [{ a: 1 }, { a: 1.5 }] });
    expect(found).toEqual(["fractional at /many/1/a"]);
  });

  it("goes no deeper than protobufjs", () => {
    const node = "structcodec.test.v1.Node";
    const definition = addMethod(load({}), "Tree", node);
    const message = definition[node] as Loaded;
    const method = {
      ...(definition[service] as Loaded).CallTool,
      path: `/${service}/Tree`,
      requestType: message,
      responseType: message,
      requestSerialize: message.serialize,
      requestDeserialize: message.deserialize,
    };
    const { Tree } = withStructs({ ...definition, [service]: { Tree: method } }, { fields: [`${node}.attributes`] })[
      service
    ] as Loaded;
    let tree: object = { attributes: { a: 1 } };
    for (let i = 0; i < 40; i++) tree = { parent: tree, links: { x: { attributes: { i } } } };
    const read = Tree.requestDeserialize(Tree.requestSerialize(tree));
    expect(read.links.x.attributes).toEqual({ i: 39 });
    for (let i = 0; i < 200_000; i++) tree = { parent: tree };
    expect(() => Tree.requestSerialize(tree)).toThrow(
      expect.objectContaining({ code: "depth_exceeded", pointer: "/parent".repeat(100) }),
    );
  });
});

/** Add a method that takes and gives one message to the descriptors of a definition. */
function addMethod(definition: PackageDefinition, name: string, typeName: string): PackageDefinition {
  const { FileDescriptorProtoSchema, MethodDescriptorProtoSchema } = wkt;
  const parts = Object.entries(definition).map(([key, part]) => {
    if (!("fileDescriptorProtos" in part)) return [key, part] as const;
    const fileDescriptorProtos = (part.fileDescriptorProtos as Buffer[]).map((bytes) => {
      const file = es.fromBinary(FileDescriptorProtoSchema, bytes);
      const method = es.create(MethodDescriptorProtoSchema, { name, inputType: typeName, outputType: typeName });
      for (const one of file.service) one.method.push(es.clone(MethodDescriptorProtoSchema, method));
      return Buffer.from(es.toBinary(FileDescriptorProtoSchema, file));
    });
    return [key, { ...part, fileDescriptorProtos }] as const;
  });
  return Object.fromEntries(parts) as PackageDefinition;
}
