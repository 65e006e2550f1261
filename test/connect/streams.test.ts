import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, createClient } from "@connectrpc/connect";
import { describe, expect, it, vi } from "vitest";
import { CallToolRequestSchema, ToolService, WatchToolRequestSchema } from "../../gen/structcodec/test/v1/agent_pb.js";
import { mapMessages } from "../../src/connect/map-messages.js";
import { createClientStructInterceptor, createServerStructInterceptor } from "../../src/connect.js";
import { peers, serveHttp1, serveHttp2 } from "./support/peers.js";

const interceptors = {
  client: [createClientStructInterceptor()],
  server: [createServerStructInterceptor()],
};

describe.each(peers)("a client that cancels, over $name", ({ connect, hasBidi }) => {
  it("ends the handler where it stands, and the next call works", async () => {
    const ended = vi.fn();
    const routes = (router: ConnectRouter) =>
      void router.service(ToolService, {
        callTool: ({ arguments: structuredContent = {} }) => ({ structuredContent }),
        async *watchTool(_, { signal }) {
          try {
            for (let done = 0n; !signal.aborted; done++) {
              yield { event: { case: "progress", value: { done, detail: { done: Number(done) } } } };
              await new Promise((resolve) => setTimeout(resolve, 1));
            }
          } finally {
            ended();
          }
        },
        async *converse(requests) {
          try {
            for await (const _ of requests) yield { message: { case: "notice", value: { a: 1 } } };
          } finally {
            ended();
          }
        },
      });
    const client = createClient(ToolService, await connect({ routes, ...interceptors }));

    const watching = new AbortController();
    const watched = (async () => {
      for await (const { event } of client.watchTool({}, { signal: watching.signal })) {
        if (event.case === "progress" && event.value.done === 3n) watching.abort();
      }
    })();
    expect(await codeOf(watched)).toBe(Code.Canceled);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1), 5000);

    if (hasBidi) {
      const conversing = new AbortController();
      const conversed = (async () => {
        for await (const _ of client.converse(endless(), { signal: conversing.signal })) conversing.abort();
      })();
      expect(await codeOf(conversed)).toBe(Code.Canceled);
      await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(2), 5000);
    }
    expect((await client.callTool({ arguments: { a: 1 } })).structuredContent).toEqual({ a: 1 });
  });
});

async function* endless() {
  for (;;) {
    yield { message: { case: "call" as const, value: { arguments: { a: 1 } } } };
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function codeOf(call: Promise<unknown>): Promise<Code | undefined> {
  const error = await call.catch((reason: unknown) => reason);
  return error instanceof ConnectError ? error.code : undefined;
}

describe("malformed requests", () => {
  const begin = vi.fn();
  const routes = (router: ConnectRouter) =>
    void router.service(ToolService, {
      callTool: ({ arguments: structuredContent = {} }) => {
        begin();
        return { structuredContent };
      },
      async *watchTool() {
        begin();
        yield { event: { case: "progress", value: {} } };
      },
    });
  const good = toBinary(CallToolRequestSchema, create(CallToolRequestSchema, { arguments: { a: 1 } }));
  const watch = toBinary(WatchToolRequestSchema, create(WatchToolRequestSchema, { call: { arguments: { a: 1 } } }));
  const frame = (length: number, bytes: Uint8Array) => new Uint8Array([0, 0, 0, length >> 8, length & 255, ...bytes]);

  it.each<[string, string, string, Uint8Array]>([
    ["a message that is cut off", "CallTool", "application/proto", good.subarray(0, -1)],
    ["bytes that are none", "CallTool", "application/proto", new Uint8Array([255, 255])],
    ["a frame that is cut off", "WatchTool", "application/connect+proto", frame(watch.length, watch.subarray(0, 4))],
    ["a frame of another length", "WatchTool", "application/connect+proto", frame(3, watch)],
    ["a frame without a message", "WatchTool", "application/connect+proto", new Uint8Array()],
    ["JSON that is none", "CallTool", "application/json", new TextEncoder().encode('{"arguments":{"a":}')],
    ["JSON of another type", "CallTool", "application/json", new TextEncoder().encode('{"arguments":[1]}')],
    ["gRPC-Web that is none", "CallTool", "application/grpc-web+proto", new Uint8Array([0, 0, 0, 0, 9, 1])],
  ])("are the framework's errors: %s", async (_, method, type, body) => {
    begin.mockClear();
    const url = await serveHttp1({ routes, ...interceptors });
    const post = (path: string, contentType: string, bytes: Uint8Array) =>
      fetch(`${url}/structcodec.test.v1.ToolService/${path}`, {
        method: "POST",
        headers: { "content-type": contentType },
        body: bytes as Uint8Array<ArrayBuffer>,
      });
    const response = await post(method, type, body);
    const text = await response.text();
    expect(`${response.status} ${response.headers.get("grpc-status") ?? ""} ${text}`).toMatch(
      /^[45]\d\d |^200 [1-9]|"error":\{"code"|grpc-status: [1-9]/,
    );
    expect(begin).not.toHaveBeenCalled();
    const next = await post("CallTool", "application/proto", good);
    expect([next.status, begin.mock.calls.length]).toEqual([200, 1]);
  });

  it("over HTTP/2 leave the server alive", async () => {
    begin.mockClear();
    const { connect } = await import("node:http2");
    const url = await serveHttp2({ routes, ...interceptors });
    const session = connect(url);
    const post = (bytes: Uint8Array) =>
      new Promise<string | undefined>((resolve, reject) => {
        const stream = session.request({
          ":method": "POST",
          ":path": "/structcodec.test.v1.ToolService/CallTool",
          "content-type": "application/grpc+proto",
          te: "trailers",
        });
        let status: string | undefined;
        const note = (headers: object) => {
          status = (headers as { "grpc-status"?: string })["grpc-status"] ?? status;
        };
        stream.on("response", note).on("trailers", note).on("error", reject);
        stream.on("close", () => resolve(status)).resume();
        stream.end(bytes);
      });
    try {
      expect(await post(frame(good.length, good.subarray(0, 3)))).not.toBe("0");
      expect(await post(frame(2, new Uint8Array([255, 255])))).not.toBe("0");
      expect(begin).not.toHaveBeenCalled();
      expect(await post(frame(good.length, good))).toBe("0");
    } finally {
      session.destroy();
    }
  });
});

describe("mapMessages", () => {
  function createSource() {
    const log: string[] = [];
    let next = 0;
    const source: AsyncIterator<number> = {
      next: async () => ({ done: next === 5, value: next++ }) as IteratorResult<number>,
      return: async () => {
        log.push("return");
        return { done: true, value: undefined };
      },
      throw: async (error) => {
        log.push(`throw ${error}`);
        return { done: true, value: undefined };
      },
    };
    return { log, messages: { [Symbol.asyncIterator]: () => source } };
  }
  const failAt = (bad: number) => (message: number) => {
    if (message === bad) throw new Error(`bad ${message}`);
    return message * 10;
  };

  it("passes on what happens to it", async () => {
    const { log, messages } = createSource();
    const mapped: number[] = [];
    for await (const message of mapMessages(messages, failAt(9))) mapped.push(message);
    expect(mapped).toEqual([0, 10, 20, 30, 40]);
    const iterator = mapMessages(messages, failAt(9))[Symbol.asyncIterator]();
    await iterator.return?.();
    await iterator.throw?.("x");
    expect(log).toEqual(["return", "throw x"]);
  });

  it("ends with the error of a mapping, and closes the source once", async () => {
    const { log, messages } = createSource();
    const iterator = mapMessages(messages, failAt(1))[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 0 });
    await expect(iterator.next()).rejects.toThrow("bad 1");
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(log).toEqual(["return"]);
  });

  it("keeps its error where the source cannot be closed", async () => {
    const messages: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: 1 }),
        return: () => Promise.reject(new Error("never mind")),
      }),
    };
    const iterator = mapMessages(messages, failAt(1))[Symbol.asyncIterator]();
    await expect(iterator.next()).rejects.toThrow("bad 1");
    expect(iterator.throw).toBeUndefined();
  });

  it("can be closed while it waits for a message", async () => {
    let close = (): void => undefined;
    const messages: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise((resolve) => (close = () => resolve({ done: true, value: undefined }))),
        return: async () => {
          close();
          return { done: true, value: undefined };
        },
      }),
    };
    const iterator = mapMessages(messages, failAt(1))[Symbol.asyncIterator]();
    const waiting = iterator.next();
    await iterator.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });
});
