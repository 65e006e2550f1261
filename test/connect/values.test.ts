import { createClient, type Transport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import {
  type BatchToolsRequest,
  type CallToolRequest,
  type ConverseRequest,
  ToolService,
  type WatchToolRequest,
} from "../../gen/structcodec/test/v1/agent_pb.js";
import { createClientStructInterceptor, createServerStructInterceptor } from "../../src/connect.js";
import { createStructCodec } from "../../src/index.js";
import { peers } from "./support/peers.js";
import { careless, exactText, schema, structSide } from "./support/values.js";

const hints = {
  "structcodec.test.v1.CallToolRequest.arguments": schema,
  "structcodec.test.v1.CallToolResponse.structured_content": schema,
  "structcodec.test.v1.BatchToolsResponse.by_call_id": schema,
};
const codec = createStructCodec(schema, { int64: "schema" });

/** Handlers that answer what they should not, and tell what they were given. */
function createService(received: unknown[]) {
  const result = () => ({ structuredContent: careless() });
  return {
    async callTool(request: CallToolRequest) {
      received.push(request.arguments);
      return result();
    },
    async *watchTool({ call }: WatchToolRequest) {
      received.push(call?.arguments);
      yield { event: { case: "progress" as const, value: { detail: careless() } } };
      yield { event: { case: "result" as const, value: result() } };
    },
    async batchTools(requests: AsyncIterable<BatchToolsRequest>) {
      for await (const { call } of requests) received.push(call?.arguments);
      return { results: [result(), result()], byCallId: { "7": careless() } };
    },
    async *converse(requests: AsyncIterable<ConverseRequest>) {
      for await (const { message } of requests) {
        received.push(message.case === "call" ? message.value.arguments : message.value);
        yield { message: { case: "notice" as const, value: careless() } };
      }
    },
  };
}

describe.each(peers)("over $name", ({ connect, isJson, hasBidi }) => {
  const received: unknown[] = [];
  const expected = structSide(isJson);

  async function start() {
    received.length = 0;
    const transport: Transport = await connect({
      routes: (router) => void router.service(ToolService, createService(received)),
      client: [createClientStructInterceptor({ hints })],
      server: [createServerStructInterceptor({ hints })],
    });
    return createClient(ToolService, transport);
  }

  it("keeps every digit in a unary call", async () => {
    const client = await start();
    const request = { name: "pay", arguments: careless() };
    const { structuredContent } = await client.callTool(request);
    expect(received).toStrictEqual([expected]);
    expect(structuredContent).toStrictEqual(expected);
    expect(codec.fieldToJsonString(structuredContent as never)).toBe(exactText(isJson));
    expect(request.arguments).toStrictEqual(careless());
  });

  it("keeps every digit where a server streams", async () => {
    const client = await start();
    const values: unknown[] = [];
    for await (const { event } of client.watchTool({ call: { arguments: careless() } })) {
      values.push(event.case === "result" ? event.value.structuredContent : event.value?.detail);
    }
    expect(received).toStrictEqual([expected]);
    expect(values).toStrictEqual([expected, expected]);
  });

  it("keeps every digit where a client streams", async () => {
    const client = await start();
    const request = () => ({ call: { arguments: careless() } });
    const { results, byCallId } = await client.batchTools(
      (async function* () {
        for (let i = 0; i < 3; i++) yield request();
      })(),
    );
    expect(received).toStrictEqual([expected, expected, expected]);
    expect(results.map(({ structuredContent }) => structuredContent)).toStrictEqual([expected, expected]);
    expect(byCallId).toStrictEqual({ "7": expected });
  });

  it.runIf(hasBidi)("keeps every digit where both stream", async () => {
    const client = await start();
    const values: unknown[] = [];
    const requests = (async function* () {
      yield { message: { case: "call" as const, value: { arguments: careless() } } };
      // The second request is made of the first answer: neither side waits for the other's end.
      while (values.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      yield { message: { case: "call" as const, value: { arguments: careless() } } };
    })();
    for await (const { message } of client.converse(requests)) values.push(message.value);
    expect(received).toStrictEqual([expected, expected]);
    expect(values).toStrictEqual([expected, expected]);
  });
});

describe("without an interceptor", () => {
  it("protobuf-es makes null of a bigint and says nothing", async () => {
    const received: unknown[] = [];
    const transport = await peers[0]!.connect({
      routes: (router) => void router.service(ToolService, createService(received)),
    });
    const { structuredContent } = await createClient(ToolService, transport).callTool({ arguments: careless() });
    expect(received).toMatchObject([{ above: null, highest: null, whole: 5 }]);
    expect(structuredContent).toMatchObject({ above: null, gone: null });
  });
});
