import { create, type JsonObject, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  Client,
  type ClientReadableStream,
  type Metadata,
  makeGenericClientConstructor,
  type Server,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BatchToolsResponseSchema,
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResponse,
  CallToolResponseSchema,
  ConverseRequestSchema,
  type ConverseResponse,
  ConverseResponseSchema,
  ToolService,
  WatchToolRequestSchema,
  type WatchToolResponse,
  WatchToolResponseSchema,
} from "../../gen/structcodec/test/v1/agent_pb.js";
import {
  createStructInterceptor,
  type GrpcClient,
  type GrpcHandlers,
  readStructProblem,
  toServiceDefinition,
} from "../../src/grpc.js";
import type { JsonSchemaObject } from "../../src/index.js";
import { createMessageHints, type HintTable } from "../../src/protobuf.js";
import { useAjv } from "../../src/schema.js";
import { insecure, type RunningServer, startServer } from "../support/grpc-server.js";

type ToolClient = GrpcClient<typeof ToolService>;

const integer = { type: "integer", format: "int64" };
const schemas = new Map<string, JsonSchemaObject>([
  [
    "get_order",
    {
      properties: { id: integer, low: integer, high: { type: "integer", format: "uint64" }, line: { type: "integer" } },
    },
  ],
]);
const args = "structcodec.test.v1.CallToolRequest.arguments";

/** By the name of the tool; a name "throw" is one that the list of tools fails over. */
const hints: HintTable = {
  [args]: (message: CallToolRequest) => {
    if (message.name === "throw") throw new Error("the list of tools is gone");
    if (message.name === "absent")
      throw Object.assign(new Error(), { code: status.NOT_FOUND, details: "no such tool" });
    return schemas.get(message.name);
  },
};

/** Everything that goes wrong with numbers, as a caller may write it, and what arrives. */
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
  deep: nested(40),
};
const received = {
  id: "9007199254740993",
  low: "-9223372036854775808",
  high: "18446744073709551615",
  big: 1e21,
  zero: -0,
  line: 5,
  ratio: 0.1,
  none: null,
  ["__proto__"]: { x: 1 },
  deep: nested(40),
};

function nested(depth: number): JsonObject {
  return depth === 0 ? {} : { a: nested(depth - 1) };
}

function request(init: MessageInitShape<typeof CallToolRequestSchema>): CallToolRequest {
  return create(CallToolRequestSchema, init);
}

/** A message whose Struct holds what a caller put there, whatever its type says. */
function withArguments(name: string, content: unknown): CallToolRequest {
  return request({ name, arguments: content as JsonObject });
}

const seen: CallToolRequest[] = [];
let cancelled: (() => void) | undefined;

const handlers: GrpcHandlers<typeof ToolService> = {
  callTool: (call, callback) => {
    seen.push(call.request);
    callback(null, respond(call.request));
  },
  watchTool: (call) => {
    const { call: inner } = call.request;
    if (inner?.name === "forever") {
      call.on("cancelled", () => cancelled?.());
      call.write(create(WatchToolResponseSchema, { event: { case: "progress", value: { done: 1n } } }));
      return;
    }
    call.write(
      create(WatchToolResponseSchema, {
        event: { case: "progress", value: { done: 1n, detail: inner?.arguments ?? {} } },
      }),
    );
    call.write(
      create(WatchToolResponseSchema, { event: { case: "result", value: respond(inner as CallToolRequest) } }),
    );
    call.end();
  },
  batchTools: (call, callback) => {
    const results: CallToolResponse[] = [];
    call.on("data", ({ call: inner }) => results.push(respond(inner)));
    call.on("end", () => callback(null, create(BatchToolsResponseSchema, { results })));
  },
  converse: (call) => {
    call.on("data", ({ message }) => {
      if (message.case === "call") {
        call.write(create(ConverseResponseSchema, { message: { case: "result", value: respond(message.value) } }));
      }
    });
    call.on("end", () => call.end());
  },
};

function respond({ name, arguments: content = {}, callId }: CallToolRequest): CallToolResponse {
  const exact = { ...content, replied: 9007199254740995n };
  const structuredContent = (name === "nan" ? { a: [Number.NaN] } : exact) as unknown as JsonObject;
  return create(CallToolResponseSchema, { callId, structuredContent });
}

async function start(intercepts: boolean, options = {}): Promise<{ server: RunningServer; client: ToolClient }> {
  const definition = toServiceDefinition(ToolService, { hints, ...options });
  const interceptors = intercepts ? [createStructInterceptor()] : [];
  const server = await startServer({ interceptors }, (grpc: Server) => grpc.addService(definition, handlers));
  return { server, client: createClient(server.address, definition) };
}

function createClient(address: string, definition = toServiceDefinition(ToolService, { hints })): ToolClient {
  const ToolClient = makeGenericClientConstructor(definition, "ToolService");
  return new ToolClient(address, insecure) as unknown as ToolClient;
}

function callTool(client: ToolClient, message: CallToolRequest): Promise<CallToolResponse> {
  return new Promise((resolve, reject) => {
    client.callTool(message, (error, response) =>
      error === null ? resolve(response as CallToolResponse) : reject(error),
    );
  });
}

async function failure(promise: Promise<unknown>): Promise<ServiceError> {
  return promise.then(
    () => expect.fail("no error"),
    (error: ServiceError) => error,
  );
}

function collect<T>(stream: ClientReadableStream<T>): Promise<T[]> {
  return new Promise((resolve, reject) => {
    const items: T[] = [];
    stream.on("data", (item: T) => items.push(item));
    stream.on("error", reject);
    stream.on("end", () => resolve(items));
  });
}

describe.each([
  ["with the interceptor", true],
  ["without it", false],
])("a service of grpc-js %s", (_, intercepts) => {
  let server: RunningServer;
  let client: ToolClient;
  /** A client that writes whatever it is given, as one in another language may. */
  let raw: ToolClient;

  beforeAll(async () => {
    ({ server, client } = await start(intercepts));
    raw = createClient(server.address, rawDefinition());
  });
  afterAll(() => {
    client.close();
    raw.close();
    server.close();
  });

  it("takes and gives every number exactly, unary", async () => {
    const response = await callTool(client, withArguments("get_order", sent));
    expect(response.structuredContent).toEqual({ ...received, replied: "9007199254740995" });
    const content = seen.at(-1)?.arguments ?? {};
    expect(content).toEqual(received);
    expect(Object.keys(content)).toContain("__proto__");
    expect(Object.is(content.zero, -0)).toBe(true);
  });

  it("does so on a stream of responses", async () => {
    const message = create(WatchToolRequestSchema, { call: withArguments("get_order", sent) });
    const events = (await collect<WatchToolResponse>(client.watchTool(message))).map(({ event }) => event);
    expect(events.map((event) => event.case)).toEqual(["progress", "result"]);
    expect(events[0]?.value).toMatchObject({ done: 1n, detail: received });
    expect(events[1]?.value).toMatchObject({ structuredContent: { ...received, replied: "9007199254740995" } });
  });

  it("does so on a stream of requests", async () => {
    const results = await new Promise<CallToolResponse[]>((resolve, reject) => {
      const call = client.batchTools((error, response) =>
        error === null ? resolve(response?.results ?? []) : reject(error),
      );
      for (const name of ["get_order", "other"]) call.write(create(batchRequest, { call: withArguments(name, sent) }));
      call.end();
    });
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual([
      { ...received, replied: "9007199254740995" },
      { ...received, replied: "9007199254740995" },
    ]);
  });

  it("does so on streams both ways", async () => {
    const call = client.converse();
    const responses = collect<ConverseResponse>(call);
    for (let i = 0; i < 3; i++) {
      call.write(
        create(ConverseRequestSchema, {
          message: { case: "call", value: withArguments("get_order", { id: 2n ** 53n + BigInt(i) }) },
        }),
      );
    }
    call.end();
    expect((await responses).map(({ message }) => (message.value as CallToolResponse).structuredContent)).toEqual([
      { id: "9007199254740992", replied: "9007199254740995" },
      { id: "9007199254740993", replied: "9007199254740995" },
      { id: "9007199254740994", replied: "9007199254740995" },
    ]);
  });

  it("refuses to send what a Struct cannot hold, and the next call works", async () => {
    const error = await failure(callTool(client, withArguments("get_order", { a: { b: Number.NaN } })));
    expect(error.code).toBe(status.INTERNAL);
    expect(error.details).toBe(
      "Request message serialization failure: cannot write structcodec.test.v1.CallToolRequest: number is NaN at /arguments/*/* [not_finite]",
    );
    await callTool(client, withArguments("get_order", {}));
  });

  it("refuses NaN that another client sends, and the next call works", async () => {
    const error = await failure(callTool(raw, withArguments("get_order", { a: Number.NaN })));
    if (intercepts) {
      expect(error.code).toBe(status.INVALID_ARGUMENT);
      expect(error.details).toBe(
        "cannot read structcodec.test.v1.CallToolRequest: number is NaN at /arguments/* [not_finite]",
      );
      expect(readStructProblem(error)).toEqual({ code: "not_finite", pointer: "/arguments/a", message: error.details });
    } else {
      expect(error.code).toBe(status.INTERNAL);
      expect(readStructProblem(error)).toBeUndefined();
    }
    await callTool(raw, withArguments("get_order", {}));
  });

  it("refuses it in the middle of a stream, and the next call works", async () => {
    const call = raw.converse();
    const responses = collect<ConverseResponse>(call);
    const write = (content: object) =>
      call.write(
        create(ConverseRequestSchema, { message: { case: "call", value: withArguments("get_order", content) } }),
      );
    write({ line: 1 });
    write({ line: Number.NaN });
    write({ line: 2 });
    const error = await failure(responses);
    expect(error.code).toBe(intercepts ? status.INVALID_ARGUMENT : status.INTERNAL);
    if (intercepts) expect(readStructProblem(error)?.pointer).toBe("/call/arguments/line");
    await callTool(raw, withArguments("get_order", {}));
  });

  it("refuses it on a stream of requests", async () => {
    const error = await new Promise<ServiceError | null>((resolve) => {
      const call = raw.batchTools((error) => resolve(error));
      call.on("error", () => {});
      call.write(create(batchRequest, { call: withArguments("get_order", { line: Number.POSITIVE_INFINITY }) }));
      call.write(create(batchRequest, { call: withArguments("get_order", {}) }));
      call.end();
    });
    expect(error?.code).toBe(intercepts ? status.INVALID_ARGUMENT : status.INTERNAL);
    await callTool(raw, withArguments("get_order", {}));
  });

  it("fails where it answers with NaN, and the next call works", async () => {
    const error = await failure(callTool(client, withArguments("nan", {})));
    expect(error.code).toBe(status.INTERNAL);
    if (intercepts) {
      expect(error.details).toBe(
        "cannot write structcodec.test.v1.CallToolResponse: number is NaN at /structuredContent/*/0 [not_finite]",
      );
      expect(readStructProblem(error)?.pointer).toBe("/structuredContent/a/0");
    }
    const message = create(WatchToolRequestSchema, { call: withArguments("nan", {}) });
    const streamed = await failure(collect(client.watchTool(message)));
    expect(streamed.code).toBe(status.INTERNAL);
    await callTool(client, withArguments("get_order", {}));
  });

  it("fails where the hint function throws, and the next call works", async () => {
    const sending = await failure(callTool(client, withArguments("throw", {})));
    expect(sending.code).toBe(status.INTERNAL);
    expect(sending.details).toContain(`the hint function of ${args} failed at /arguments [no_schema]`);
    const error = await failure(callTool(raw, withArguments("throw", {})));
    expect(error.code).toBe(status.INTERNAL);
    if (intercepts) expect(readStructProblem(error)).toMatchObject({ code: "no_schema", pointer: "/arguments" });
    const absent = await failure(callTool(raw, withArguments("absent", {})));
    if (intercepts) expect([absent.code, absent.details]).toEqual([status.NOT_FOUND, "no such tool"]);
    await callTool(raw, withArguments("get_order", {}));
  });

  it("refuses frames that are no message, and the next call works", async () => {
    const malformed = new Client(server.address, insecure);
    const error = await failure(
      new Promise((resolve, reject) => {
        const path = "/structcodec.test.v1.ToolService/CallTool";
        const same = (bytes: Buffer) => bytes;
        malformed.makeUnaryRequest(path, same, same, Buffer.from([18, 200]), (error, value) =>
          error === null ? resolve(value) : reject(error),
        );
      }),
    );
    expect(error.code).toBe(intercepts ? status.INVALID_ARGUMENT : status.INTERNAL);
    malformed.close();
    await callTool(client, withArguments("get_order", {}));
  });

  it("hears of a client that cancels in mid-stream, and the next call works", async () => {
    const heard = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const call = client.watchTool(create(WatchToolRequestSchema, { call: { name: "forever" } }));
    const ended = failure(collect(call));
    await new Promise((resolve) => call.once("data", resolve));
    call.cancel();
    expect((await ended).code).toBe(status.CANCELLED);
    await heard;
    await callTool(client, withArguments("get_order", {}));
  });

  it("leaves the message of the caller as it is", async () => {
    const message = withArguments("get_order", { id: 9007199254740993n });
    await callTool(client, message);
    expect(message.arguments).toEqual({ id: 9007199254740993n });
  });
});

/** What a client without this package writes. */
function rawDefinition(): ReturnType<typeof toServiceDefinition<typeof ToolService>> {
  const definition = toServiceDefinition(ToolService, { hints });
  return Object.fromEntries(
    Object.entries(definition).map(([name, method]) => {
      const desc = ToolService.method[name as keyof typeof definition].input;
      return [name, { ...method, requestSerialize: (message: never) => Buffer.from(toBinary(desc, message)) }];
    }),
  ) as never;
}

const batchRequest = ToolService.method.batchTools.input;

describe("toServiceDefinition", () => {
  it("names methods as the proto file and in camel case", () => {
    const { callTool, converse } = toServiceDefinition(ToolService);
    expect(callTool).toMatchObject({
      path: "/structcodec.test.v1.ToolService/CallTool",
      originalName: "CallTool",
      requestStream: false,
      responseStream: false,
    });
    expect(converse).toMatchObject({ requestStream: true, responseStream: true });
  });

  it("refuses names that are no field of a Struct, and options that nobody reads", () => {
    expect(() =>
      toServiceDefinition(ToolService, { hints: { "structcodec.test.v1.CallToolRequest.argument": {} } }),
    ).toThrow(TypeError);
    expect(() => toServiceDefinition(ToolService, { hint: {} } as never)).toThrow(TypeError);
    expect(() => toServiceDefinition(ToolService, { hints: createMessageHints(), int64: "schema" })).toThrow(TypeError);
    expect(() => toServiceDefinition(ToolService, { validator: {} as never })).toThrow(TypeError);
  });

  it("gives fields of type bytes that are no Buffers", () => {
    const { callTool } = toServiceDefinition(ToolService);
    const message = create(CallToolResponseSchema, {
      content: [{ part: { case: "blob", value: new Uint8Array([1]) } }],
    });
    const read = callTool.responseDeserialize(Buffer.from(toBinary(CallToolResponseSchema, message)));
    expect(read.content[0]?.part.value).toEqual(new Uint8Array([1]));
    expect(Buffer.isBuffer(read.content[0]?.part.value)).toBe(false);
  });
});

describe("a validator", () => {
  it("refuses what does not fit its schema", async () => {
    const validator = useAjv(new Ajv2020({ strict: false, validateFormats: false }));
    const { server, client } = await start(true, { hints: createMessageHints({ hints }), validator });
    const error = await failure(callTool(client, withArguments("get_order", { line: "five" })));
    expect(error.code).toBe(status.INVALID_ARGUMENT);
    expect(error.details).toBe(
      'cannot read structcodec.test.v1.CallToolRequest: does not meet "type" of /properties/line/type at /arguments/line [schema_mismatch]',
    );
    expect(readStructProblem(error)).toMatchObject({
      code: "schema_mismatch",
      pointer: "/arguments/line",
      schemaPointer: "/properties/line/type",
    });
    await callTool(client, withArguments("get_order", { line: 5, id: "9007199254740993" }));
    client.close();
    server.close();
  });
});

describe("an interceptor", () => {
  it("leaves other services alone", async () => {
    const path = "/other.Service/Echo";
    const same = (bytes: Buffer) => bytes;
    const echo = {
      echo: {
        path,
        requestStream: false,
        responseStream: false,
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
      },
    };
    const server = await startServer({ interceptors: [createStructInterceptor()] }, (grpc) =>
      grpc.addService(echo, {
        echo: (call: { request: Buffer }, callback: (error: null, value: Buffer) => void) =>
          callback(null, call.request),
      }),
    );
    const client = new Client(server.address, insecure);
    const value = await new Promise((resolve, reject) => {
      client.makeUnaryRequest(path, same, same, Buffer.from("x"), (error, reply) =>
        error === null ? resolve(reply) : reject(error),
      );
    });
    expect(String(value)).toBe("x");
    client.close();
    server.close();
  });
});

it("reads no problem out of other errors", () => {
  const metadata = { get: () => [Buffer.from([10, 200]), "text"] } as unknown as Metadata;
  expect(readStructProblem({ details: "", metadata })).toBeUndefined();
});
