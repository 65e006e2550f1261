import { create, createRegistry, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { anyPack, ListValueSchema, StructSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { Validator } from "@cfworker/json-schema";
import { Code, ConnectError, type ConnectRouter, createClient, type Interceptor } from "@connectrpc/connect";
import { describe, expect, it, vi } from "vitest";
import { CallToolRequestSchema, type ContentSchema, ToolService } from "../../gen/structcodec/test/v1/agent_pb.js";
import { createClientStructInterceptor, createServerStructInterceptor, findStructProblems } from "../../src/connect.js";
import { createStructCodec, type Issue, StructCodecError } from "../../src/index.js";
import { createMessageHints } from "../../src/protobuf.js";
import { useCfworker } from "../../src/schema.js";
import { type Peer, peers } from "./support/peers.js";

const args = "structcodec.test.v1.CallToolRequest.arguments";
const content = "structcodec.test.v1.CallToolResponse.structured_content";
const schema = {
  type: "object",
  properties: {
    id: { type: "integer", format: "int64", minimum: 1 },
    page: { type: "integer", maximum: 10 },
    secret: { type: "string" },
  },
  required: ["id"],
} as const;
const validator = useCfworker(Validator);
const inProcess = peers[0] as Peer;
/** A peer for every protocol, in the format that passes NaN. */
const binaryPeers = peers.filter(({ isJson }) => !isJson);

async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  const error = await call.then(
    () => expect.fail("no error"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConnectError);
  return error as ConnectError;
}

async function drain(messages: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of messages) count++;
  return count;
}

async function* list<T>(...messages: T[]): AsyncGenerator<T> {
  yield* messages;
}

/** A service that echoes arguments, and counts how often a handler began. */
function createEcho() {
  const begin = vi.fn();
  const routes = (router: ConnectRouter) =>
    void router.service(ToolService, {
      async callTool({ arguments: structuredContent }) {
        begin();
        return structuredContent === undefined ? {} : { structuredContent };
      },
      async *watchTool({ call }) {
        begin();
        yield { event: { case: "result", value: { callId: 1n } } };
        if (call?.arguments) yield { event: { case: "progress", value: { detail: call.arguments } } };
      },
      async batchTools(requests) {
        begin();
        return { failures: BigInt(await drain(requests)) };
      },
      async *converse(requests) {
        begin();
        for await (const { message } of requests) {
          if (message.case === "call" && message.value.arguments) {
            yield { message: { case: "notice", value: message.value.arguments } };
          }
        }
      },
    });
  return { begin, routes };
}

describe.each(peers)("a request that cannot be sent, over $name", ({ connect, hasBidi }) => {
  const nan = { arguments: { id: 1, "a/b": [0, Number.NaN] } };
  const problem = {
    code: "not_finite",
    pointer: "/arguments/a~1b/1",
    message: "cannot write structcodec.test.v1.CallToolRequest: number is NaN at /arguments/*/1",
  };

  it("is the caller's error, of every kind of call, and the next call works", async () => {
    const { begin, routes } = createEcho();
    const client = createClient(
      ToolService,
      await connect({ routes, client: [createClientStructInterceptor({ hints: { [args]: schema } })] }),
    );
    const error = await errorOf(client.callTool(nan));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).toBe(problem.message);
    expect(error.cause).toBeInstanceOf(StructCodecError);
    expect(findStructProblems(error)).toEqual([problem]);
    expect(begin).not.toHaveBeenCalled();

    const nested = { code: "not_finite", pointer: "/call/arguments/a~1b/1" };
    const watched = await errorOf(drain(client.watchTool({ call: nan })));
    expect(watched.code).toBe(Code.InvalidArgument);
    expect(findStructProblems(watched)).toMatchObject([nested]);
    const batched = await errorOf(client.batchTools(list({ call: { arguments: { id: 1 } } }, { call: nan })));
    expect(batched.code).toBe(Code.InvalidArgument);
    expect(findStructProblems(batched)).toMatchObject([nested]);
    if (hasBidi) {
      const converse = client.converse(list({ message: { case: "call" as const, value: nan } }));
      const conversed = await errorOf(drain(converse));
      expect(conversed.code).toBe(Code.InvalidArgument);
      expect(findStructProblems(conversed)).toMatchObject([nested]);
    }
    expect((await client.callTool({ arguments: { id: 5 } })).structuredContent).toEqual({ id: 5 });
  });
});

describe.each(binaryPeers)("a request that a server cannot read, over $name", ({ connect, hasBidi }) => {
  it("is the caller's error before the handler begins, and the next call works", async () => {
    const { begin, routes } = createEcho();
    const server = createServerStructInterceptor({ hints: { [args]: schema } });
    const client = createClient(ToolService, await connect({ routes, server: [server] }));
    const nan = { arguments: { id: 1, "a/b": [0, Number.NaN] } };
    const error = await errorOf(client.callTool(nan));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(findStructProblems(error)).toEqual([
      {
        code: "not_finite",
        pointer: "/arguments/a~1b/1",
        message: "cannot read structcodec.test.v1.CallToolRequest: number is NaN at /arguments/*/1",
      },
    ]);
    const nested = [{ code: "not_finite", pointer: "/call/arguments/a~1b/1" }];
    const watched = await errorOf(drain(client.watchTool({ call: nan })));
    expect(watched.code).toBe(Code.InvalidArgument);
    expect(findStructProblems(watched)).toMatchObject(nested);
    expect(begin).not.toHaveBeenCalled();

    const batched = await errorOf(client.batchTools(list({ call: { arguments: { id: 1 } } }, { call: nan })));
    expect(batched.code).toBe(Code.InvalidArgument);
    expect(findStructProblems(batched)).toMatchObject(nested);
    if (hasBidi) {
      const good = { message: { case: "call" as const, value: { arguments: { id: 1 } } } };
      const bad = { message: { case: "call" as const, value: nan } };
      const conversed = await errorOf(drain(client.converse(list(good, bad))));
      expect(conversed.code).toBe(Code.InvalidArgument);
      expect(findStructProblems(conversed)).toMatchObject(nested);
    }
    expect((await client.callTool({ arguments: { id: 5 } })).structuredContent).toEqual({ id: 5 });
  });
});

describe.each(peers)("a response that cannot be sent, over $name", ({ connect }) => {
  it("is the server's error, and ends the handler", async () => {
    const ended = vi.fn();
    const routes = (router: ConnectRouter) =>
      void router.service(ToolService, {
        callTool: () => ({ structuredContent: { at: new Date(0) as never } }),
        async *watchTool() {
          try {
            yield { event: { case: "progress", value: { done: 1n } } };
            yield { event: { case: "progress", value: { detail: { list: [Number.POSITIVE_INFINITY] } } } };
            yield { event: { case: "progress", value: { done: 2n } } };
          } finally {
            ended();
          }
        },
      });
    const client = createClient(ToolService, await connect({ routes, server: [createServerStructInterceptor()] }));
    const error = await errorOf(client.callTool({}));
    expect(error.code).toBe(Code.Internal);
    expect(findStructProblems(error)).toEqual([
      {
        code: "unsupported_value",
        pointer: "/structuredContent/at",
        message:
          "cannot write structcodec.test.v1.CallToolResponse: JSON has no class instance at /structuredContent/*",
      },
    ]);

    let received = 0;
    const watched = await errorOf(
      (async () => {
        for await (const _ of client.watchTool({})) received++;
      })(),
    );
    expect(watched.code).toBe(Code.Internal);
    expect(findStructProblems(watched)).toMatchObject([{ code: "not_finite", pointer: "/progress/detail/list/0" }]);
    expect(received).toBe(1);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  });
});

describe.each(peers)("half a surrogate pair that a handler answers in a Value, over $name", ({ connect }) => {
  const half = { kind: { case: "stringValue" as const, value: "\ud800" } };
  it.each<[string, MessageInitShape<typeof ContentSchema>]>([
    ["/content/0/value", { part: { case: "value", value: half } }],
    ["/content/0/rows/0", { part: { case: "rows", value: { values: [half] } } }],
  ])("is refused at %s", async (pointer, part) => {
    const routes = (router: ConnectRouter) => router.service(ToolService, { callTool: () => ({ content: [part] }) });
    const client = createClient(ToolService, await connect({ routes, server: [createServerStructInterceptor()] }));
    const error = await errorOf(client.callTool({}));
    expect(error.code).toBe(Code.Internal);
    expect(findStructProblems(error)).toMatchObject([{ code: "invalid_utf8", pointer }]);
  });
});

describe.each(peers.filter(({ isJson }) => isJson))("an infinite number in JSON, over $name", ({ connect }) => {
  it("is no number that a Struct holds", async () => {
    const { begin, routes } = createEcho();
    const client = createClient(
      ToolService,
      await connect({ routes, server: [createServerStructInterceptor()], jsonOptions: infinite }),
    );
    const error = await errorOf(client.callTool({ arguments: { a: 1 } }));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(findStructProblems(error)).toMatchObject([{ code: "not_finite", pointer: "/arguments/a" }]);
    expect(begin).not.toHaveBeenCalled();
  });
});

/** What another client may send, and protobuf-es takes. */
const infinite = {
  textEncoder: { encode: (text: string) => new TextEncoder().encode(text.replace('"a":1', '"a":1e400')) },
} as object;

describe.each(binaryPeers)("a response that a client cannot read, over $name", ({ connect }) => {
  it("is an internal error, and closes the stream", async () => {
    const ended = vi.fn();
    const routes = (router: ConnectRouter) =>
      void router.service(ToolService, {
        callTool: ({ name }) => ({ structuredContent: name === "good" ? { a: 1 } : { a: Number.NaN } }),
        async *watchTool(_, { signal }) {
          signal.addEventListener("abort", () => ended());
          yield { event: { case: "progress", value: { detail: { a: 1 } } } };
          yield { event: { case: "progress", value: { detail: { a: Number.NaN } } } };
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        },
      });
    const client = createClient(ToolService, await connect({ routes, client: [createClientStructInterceptor()] }));
    const error = await errorOf(client.callTool({}));
    expect(error.code).toBe(Code.Internal);
    expect(findStructProblems(error)).toMatchObject([{ code: "not_finite", pointer: "/structuredContent/a" }]);
    const watched = await errorOf(drain(client.watchTool({})));
    expect(watched.code).toBe(Code.Internal);
    expect(findStructProblems(watched)).toMatchObject([{ code: "not_finite", pointer: "/progress/detail/a" }]);
    await vi.waitFor(() => expect(ended).toHaveBeenCalled());
    expect((await client.callTool({ name: "good" })).structuredContent).toEqual({ a: 1 });
  });
});

describe("a validator", () => {
  const bad = { arguments: { id: 0, page: 11, secret: 7 } as JsonObject };
  const mismatches = [
    ["/arguments/id", "minimum"],
    ["/arguments/page", "maximum"],
    ["/arguments/secret", "type"],
  ];

  it.each(peers)("has its say before the handler, over $name", async ({ connect }) => {
    const { begin, routes } = createEcho();
    const server = createServerStructInterceptor({ hints: { [args]: schema }, validator });
    const client = createClient(ToolService, await connect({ routes, server: [server] }));
    const error = await errorOf(client.callTool(bad));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).toBe(
      'cannot read structcodec.test.v1.CallToolRequest: does not meet "minimum" of /properties/id/minimum at /arguments/id (and 2 more)',
    );
    expect(findStructProblems(error)).toEqual(
      mismatches.map(([pointer, keyword], i) => ({
        code: "schema_mismatch",
        pointer,
        ...(i === 0 && { schemaPointer: "/properties/id/minimum" }),
        message: `cannot read structcodec.test.v1.CallToolRequest: does not meet "${keyword}" of /properties/${pointer
          ?.split("/")
          .pop()}/${keyword} at ${pointer}${i === 0 ? " (and 2 more)" : ""}`,
      })),
    );
    expect(begin).not.toHaveBeenCalled();
    const big = { id: "1955516024755728386", page: 1 };
    expect((await client.callTool({ arguments: big })).structuredContent).toEqual(big);
  });

  it("checks each message of a stream when the handler asks for it", async () => {
    const { begin, routes } = createEcho();
    const server = createServerStructInterceptor({ hints: { [args]: schema }, validator });
    const client = createClient(ToolService, await inProcess.connect({ routes, server: [server] }));
    const error = await errorOf(client.batchTools(list({ call: { arguments: { id: 1 } } }, { call: bad })));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(findStructProblems(error).map(({ pointer }) => pointer)).toEqual(
      mismatches.map(([pointer]) => `/call${pointer}`),
    );
    expect(begin).toHaveBeenCalledOnce();
  });

  it("checks responses for a client", async () => {
    const { routes } = createEcho();
    const interceptor = createClientStructInterceptor({ hints: { [content]: schema }, validator });
    const client = createClient(ToolService, await inProcess.connect({ routes, client: [interceptor] }));
    const error = await errorOf(client.callTool(bad));
    expect(error.code).toBe(Code.Internal);
    expect(findStructProblems(error)).toMatchObject([{ code: "schema_mismatch", pointer: "/structuredContent/id" }]);
  });

  it("takes the schema of codecs and of hints that were compiled before", async () => {
    const { routes } = createEcho();
    const codecs = new Map([["pay", createStructCodec(schema, { int64: "schema" })]]);
    const hints = createMessageHints({ hints: { [args]: ({ name }) => codecs.get(name) } });
    const server = createServerStructInterceptor({ hints, validator });
    const client = createClient(ToolService, await inProcess.connect({ routes, server: [server] }));
    const error = await errorOf(client.callTool({ name: "pay", ...bad }));
    expect(findStructProblems(error)).toHaveLength(3);
    expect((await client.callTool({ name: "other", ...bad })).structuredContent).toEqual(bad.arguments);
  });

  it("that does not take a schema lets the call through, with an issue", async () => {
    const found: Issue[] = [];
    const { routes } = createEcho();
    const refusing = () => {
      throw new Error("no such dialect");
    };
    const onIssues = (issues: readonly Issue[]) => void found.push(...issues);
    const server = createServerStructInterceptor({ hints: { [args]: schema }, validator: refusing, onIssues });
    const client = createClient(ToolService, await inProcess.connect({ routes, server: [server] }));
    expect((await client.callTool(bad)).structuredContent).toEqual(bad.arguments);
    expect(found).toMatchObject([{ code: "no_schema", pointer: "/arguments" }]);
  });

  it("that fails over the data is not got past", async () => {
    const { begin, routes } = createEcho();
    const failing = () => () => {
      throw new Error("out of memory");
    };
    const server = createServerStructInterceptor({ hints: { [args]: schema }, validator: failing });
    const client = createClient(ToolService, await inProcess.connect({ routes, server: [server] }));
    const error = await errorOf(client.callTool(bad));
    expect(error.code).toBe(Code.Internal);
    expect(error.rawMessage).not.toContain("out of memory");
    expect(findStructProblems(error)).toMatchObject([{ code: "no_schema", pointer: "/arguments" }]);
    expect(begin).not.toHaveBeenCalled();
  });
});

describe("schemas by the name of a tool", () => {
  it("that cannot be looked up fail the call, and the next one works", async () => {
    const { begin, routes } = createEcho();
    const hints = {
      [args]: ({ name }: { name: string }) => {
        if (name === "down") throw new Error("connection to 10.0.0.7 refused");
        if (name === "unknown") throw new ConnectError("no such tool", Code.NotFound);
        return schema;
      },
    };
    const server = createServerStructInterceptor({ hints });
    const client = createClient(ToolService, await inProcess.connect({ routes, server: [server] }));
    const down = await errorOf(client.callTool({ name: "down", arguments: {} }));
    expect(down.code).toBe(Code.Internal);
    expect(down.rawMessage).toBe(
      `cannot read structcodec.test.v1.CallToolRequest: the hint function of ${args} failed at /arguments`,
    );
    expect(findStructProblems(down)).toMatchObject([{ code: "no_schema", pointer: "/arguments" }]);
    const unknown = await errorOf(client.callTool({ name: "unknown", arguments: {} }));
    expect([unknown.code, unknown.rawMessage]).toEqual([Code.NotFound, "no such tool"]);
    expect(begin).not.toHaveBeenCalled();
    expect((await client.callTool({ name: "up", arguments: { id: 1 } })).structuredContent).toEqual({ id: 1 });
  });

  it("that vanish between two calls, or are broken, are never the call's error", async () => {
    const issues: Issue[] = [];
    const { routes } = createEcho();
    const tools = new Map<string, object>([["pay", schema]]);
    const server = createServerStructInterceptor({
      hints: { [args]: ({ name }) => tools.get(name) as never },
      validator,
      onIssues: (found) => void issues.push(...found),
    });
    const client = createClient(ToolService, await inProcess.connect({ routes, server: [server] }));
    const call = () => client.callTool({ name: "pay", arguments: { id: 0 } });
    expect((await errorOf(call())).code).toBe(Code.InvalidArgument);
    tools.delete("pay");
    expect((await call()).structuredContent).toEqual({ id: 0 });
    expect(issues).toMatchObject([{ code: "no_schema", pointer: "/arguments" }]);
    tools.set("pay", { properties: { id: { $ref: "#/nowhere" } }, type: 5 });
    expect((await call()).structuredContent).toEqual({ id: 0 });
    tools.set("pay", [] as object);
    expect((await call()).structuredContent).toEqual({ id: 0 });
  });

  it("cannot be waited for, and say so", async () => {
    const { begin, routes } = createEcho();
    const server = createServerStructInterceptor({ hints: { [args]: async () => schema } as never });
    const client = createClient(ToolService, await inProcess.connect({ routes, server: [server] }));
    const error = await errorOf(client.callTool({ arguments: { id: 1 } }));
    expect(error.code).toBe(Code.Internal);
    expect(findStructProblems(error)).toMatchObject([{ code: "no_schema", pointer: "/arguments" }]);
    expect(begin).not.toHaveBeenCalled();
  });

  it("are no matter to a call under strict, unless it says so", async () => {
    const { routes } = createEcho();
    const server = createServerStructInterceptor({ hints: { [args]: () => undefined as never }, strict: true });
    const client = createClient(ToolService, await inProcess.connect({ routes, server: [server] }));
    const error = await errorOf(client.callTool({ arguments: {} }));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(findStructProblems(error)).toMatchObject([{ code: "no_schema", pointer: "/arguments" }]);
  });
});

describe("options", () => {
  const compiled = createMessageHints();

  it("are refused beside compiled hints, misspelt, or of the wrong type", () => {
    for (const create of [createClientStructInterceptor, createServerStructInterceptor]) {
      expect(() => create({ hints: compiled, strict: true })).toThrow('option "strict" belongs to createMessageHints');
      expect(() => create({ hint: {} } as never)).toThrow('unknown option "hint"');
      expect(() => create({ validator: {} as never })).toThrow("validator must be a function");
      expect(() => create({ hints: 5 as never })).toThrow(TypeError);
      expect(() => create({ hints: { [args]: 5 as never } })).toThrow("a schema is an object or a boolean");
      expect(() => create({ hints: compiled, validator, strict: undefined })).not.toThrow();
      expect(() => create()).not.toThrow();
    }
  });
});

describe("error details", () => {
  it("are google.rpc.ErrorInfo and google.rpc.BadRequest", async () => {
    const { routes } = createEcho();
    const server = createServerStructInterceptor({ hints: { [args]: schema }, validator });
    for (const { connect } of peers) {
      const client = createClient(ToolService, await connect({ routes, server: [server] }));
      const { details } = await errorOf(client.callTool({ arguments: { id: 0 } }));
      expect(details).toMatchObject([{ type: "google.rpc.ErrorInfo" }, { type: "google.rpc.BadRequest" }]);
      const [info, request] = details as { value: Uint8Array }[];
      expect(textsOf(info!.value)).toEqual([
        [1, "SCHEMA_MISMATCH"],
        [2, "protobuf-struct-codec"],
        [
          3,
          [
            [1, "pointer"],
            [2, "/arguments/id"],
          ],
        ],
        [
          3,
          [
            [1, "schemaPointer"],
            [2, "/properties/id/minimum"],
          ],
        ],
      ]);
      expect(textsOf(request!.value)).toEqual([
        [
          1,
          [
            [1, "/arguments/id"],
            [2, expect.stringContaining('does not meet "minimum"')],
            [3, "SCHEMA_MISMATCH"],
          ],
        ],
      ]);
    }
  });

  it.each(["€", "😀", "x😀"])("stay small enough for a trailer, however much is wrong, of %s", async (unit) => {
    const { routes } = createEcho();
    const each = { additionalProperties: { type: "integer" } };
    const server = createServerStructInterceptor({ hints: { [args]: each }, validator });
    const long = unit.repeat(5000);
    const wrong = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}${long}`, "x"]));
    for (const { name, connect } of peers) {
      const client = createClient(ToolService, await connect({ routes, server: [server] }));
      const error = await errorOf(client.callTool({ arguments: wrong }));
      expect(error.code, name).toBe(Code.InvalidArgument);
      const [first] = findStructProblems(error);
      const kept = `/arguments/0${long}`.slice(0, 199).replace(/[\ud800-\udbff]$/, "");
      expect(first?.pointer).toBe(`${kept}…`);
      const bytes = error.details.map((detail) => ("value" in detail ? (detail.value as Uint8Array).length : 0));
      const inStatus = bytes.reduce((sum, length) => sum + length + 50, Buffer.byteLength(error.rawMessage));
      expect(encodeURIComponent(error.rawMessage).length + (inStatus * 4) / 3).toBeLessThan(8000);
    }
  });

  it("of others are none of ours, and malformed ones do no harm", () => {
    const error = new ConnectError("x", Code.InvalidArgument);
    expect(findStructProblems(error)).toEqual([]);
    expect(findStructProblems(new Error("x"))).toEqual([]);
    expect(findStructProblems(undefined)).toEqual([]);
    error.details = [
      { type: "google.rpc.ErrorInfo", value: new Uint8Array([10, 200, 1]) },
      { type: "google.rpc.BadRequest", value: new Uint8Array([255]) },
      { desc: StructSchema, value: {} },
    ];
    expect(findStructProblems(error)).toEqual([]);
  });
});

function textsOf(bytes: Uint8Array): unknown[] {
  const reader = new BinaryReader(bytes);
  const fields: unknown[] = [];
  while (reader.pos < reader.len) {
    const [number] = reader.tag();
    const value = reader.bytes();
    // The first byte of a nested message here is the tag of its field 1.
    fields.push([number, value[0] === 10 ? textsOf(value) : new TextDecoder().decode(value)]);
  }
  return fields;
}

describe("what is packed in an Any", () => {
  it("is checked where a registry knows it", async () => {
    const value = create(ValueSchema, { kind: { case: "numberValue", value: Number.NaN } });
    const list = create(ListValueSchema, { values: [value] });
    const routes = (router: ConnectRouter) =>
      void router.service(ToolService, { callTool: () => ({ details: [anyPack(ListValueSchema, list)] }) });
    const call = async (interceptor: Interceptor) =>
      createClient(ToolService, await inProcess.connect({ routes, client: [interceptor] })).callTool({});
    expect((await call(createClientStructInterceptor())).details).toHaveLength(1);
    const registry = createRegistry(ListValueSchema, CallToolRequestSchema);
    const error = await errorOf(call(createClientStructInterceptor({ registry })));
    expect(error.code).toBe(Code.Internal);
    expect(findStructProblems(error)).toMatchObject([{ code: "not_finite", pointer: "/details/0/value/0" }]);
  });
});
