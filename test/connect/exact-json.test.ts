import { createServer } from "node:http";
import { fromJsonString } from "@bufbuild/protobuf";
import { type ConnectRouter, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { type CallToolRequest, CallToolRequestSchema, ToolService } from "../../gen/structcodec/test/v1/agent_pb.js";
import { createServerStructInterceptor, exactJsonOptions } from "../../src/connect.js";
import { serveHttp1 } from "./support/peers.js";

const numbers =
  '{"above":9007199254740993,"lowest":-9223372036854775808,"highest":18446744073709551615,"own":9007199254740992,' +
  '"text":"9007199254740993","big":1e21,"zero":-0,"whole":5.0,"fraction":0.1,"nothing":null,"list":[9007199254740993],"__proto__":9007199254740993}';
const structSide = JSON.parse(
  '{"above":"9007199254740993","lowest":"-9223372036854775808","highest":"18446744073709551615","own":9007199254740992,' +
    '"text":"9007199254740993","big":1e21,"zero":-0,"whole":5,"fraction":0.1,"nothing":null,"list":["9007199254740993"],"__proto__":"9007199254740993"}',
);

function decode(text: string): string {
  return exactJsonOptions().textDecoder.decode(new TextEncoder().encode(text));
}

describe("exactJsonOptions", () => {
  async function start(jsonOptions?: ReturnType<typeof exactJsonOptions>) {
    const received: CallToolRequest[] = [];
    const routes = (router: ConnectRouter) =>
      void router.service(ToolService, {
        callTool(request) {
          received.push(request);
          return { callId: request.callId, ...(request.arguments && { structuredContent: request.arguments }) };
        },
        async *watchTool({ call }) {
          if (call !== undefined) received.push(call);
          yield {};
        },
      });
    const server = [createServerStructInterceptor()];
    const url = await serveHttp1({ routes, server, ...(jsonOptions && { jsonOptions }) });
    const post = (method: string, type: string, body: string | Uint8Array) =>
      fetch(`${url}/structcodec.test.v1.ToolService/${method}`, {
        method: "POST",
        headers: { "content-type": type },
        body: body as string,
      });
    return { received, url, post };
  }

  it("keep the digits of a request in JSON, which are rounded without", async () => {
    const exact = await start(exactJsonOptions());
    const body = `{"callId":18446744073709551615,"parentCallId":"-9007199254740993","arguments":${numbers}}`;
    const response = await exact.post("CallTool", "application/json", body);
    expect(exact.received).toMatchObject([{ callId: 18446744073709551615n, parentCallId: -9007199254740993n }]);
    expect(exact.received[0]?.arguments).toStrictEqual(structSide);
    expect(await response.json()).toMatchObject({ structuredContent: { above: "9007199254740993", own: 2 ** 53 } });
    const rounding = await start();
    await rounding.post("CallTool", "application/json", body.replace("18446744073709551615,", "9007199254740993,"));
    expect(rounding.received).toMatchObject([{ callId: 9007199254740992n, arguments: { above: 9007199254740992 } }]);
  });

  it("keep the digits of a stream in JSON", async () => {
    const { received, post } = await start(exactJsonOptions());
    const body = new TextEncoder().encode(`{"call":{"arguments":${numbers}}}`);
    const frame = new Uint8Array([0, 0, 0, body.length >> 8, body.length & 255, ...body]);
    const response = await post("WatchTool", "application/connect+json", frame);
    expect(await response.text()).not.toContain("error");
    expect(received[0]?.arguments).toStrictEqual(structSide);
  });

  it("keep the digits of a response in JSON", async () => {
    const http = createServer((request, response) => {
      request.resume().on("end", () => {
        response.setHeader("content-type", "application/json");
        response.end(`{"callId":9007199254740993,"structuredContent":${numbers}}`);
      });
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = http.address() as { port: number };
      const baseUrl = `http://127.0.0.1:${port}`;
      const jsonOptions = exactJsonOptions();
      const transport = createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false, jsonOptions });
      const response = await createClient(ToolService, transport).callTool({});
      expect(response.callId).toBe(9007199254740993n);
      expect(response.structuredContent).toStrictEqual(structSide);
    } finally {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    }
  });

  it("say where a text is wrong that has such integers", async () => {
    const { post } = await start(exactJsonOptions());
    const response = await post("CallTool", "application/json", '{"arguments":{"a":9007199254740993,"b":1e400}}');
    expect(response.status).toBe(400);
    const { code, message, details } = (await response.json()) as { code: string; message: string; details: unknown };
    expect([code, message]).toEqual([
      "invalid_argument",
      "cannot decode google.protobuf.Value from JSON: number is beyond the range of doubles at /*/* (line 1, column 40)",
    ]);
    expect(details).toMatchObject([
      { type: "google.rpc.ErrorInfo", debug: { reason: "OUT_OF_RANGE", metadata: { pointer: "/arguments/b" } } },
      { type: "google.rpc.BadRequest", debug: { fieldViolations: [{ field: "/arguments/b" }] } },
    ]);
  });

  it("leave a text without such integers alone, right or wrong", () => {
    for (const text of ['{ "a": 1.50, "a": -0 }', '{"a":', '{"a":123456789012345}', "", '"\\ud800"']) {
      expect(decode(text)).toBe(text);
    }
  });

  it("pass on the other options", () => {
    expect(exactJsonOptions({ alwaysEmitImplicit: true, ignoreUnknownFields: false })).toMatchObject({
      alwaysEmitImplicit: true,
      ignoreUnknownFields: false,
    });
  });

  it("read everything else as protobuf-es does", () => {
    const text = `{"name":"9007199254740993","timeout":"1.5s","fields":"a,b","unknown":{"x":9007199254740993},"context":{"deadline":"2024-01-01T00:00:00Z"},"callId":"1234567890123456789","arguments":{"a":"\\u0000\\"é😀","n":1.25e-7}}`;
    const read = (json: string) => fromJsonString(CallToolRequestSchema, json, { ignoreUnknownFields: true });
    expect(decode(text)).not.toBe(text);
    expect(read(decode(text))).toEqual(read(text));
  });
});
