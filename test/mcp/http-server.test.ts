import { beforeAll, describe, expect, it } from "vitest";
import { BodyTooLargeError, exactHttpHandler, readExactBody } from "../../src/mcp.js";
import { createClosingAtEnd } from "./support/closing.js";
import { exactListeners } from "./support/exact-http.js";
import { listen } from "./support/listen.js";

const closing = createClosingAtEnd();
const writesLiterals = "rawJSON" in JSON;
const exactKey = "protobuf-struct-codec/exact";

function callText(args: string): string {
  return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"original","arguments":${args}}}`;
}

/** What a client in another language does: text out, text in. */
async function post(url: URL, body: string): Promise<{ status: number; text: string }> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const response = await fetch(url, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
}

describe.each(Object.keys(exactListeners))("over HTTP, %s, for a client in another language", (name) => {
  let url: URL;
  beforeAll(async () => {
    ({ url } = closing(await listen(exactListeners[name]!())));
  });

  it("integers come as digits and leave as digits", async () => {
    const { status, text } = await post(url, callText('{"above":9007199254740993,"whole":5.0}'));
    expect(status).toBe(200);
    // The HTTP transport of SDK v1 for Node.js has no place to put digits into what it writes.
    const digits = writesLiterals || name !== "v1, Node.js requests" ? "9007199254740993" : "9007199254740992";
    expect(text).toContain(`"structuredContent":{"above":${digits},"whole":5,"received":"9007199254740993n"}`);
    expect(text).toContain(
      JSON.stringify({ [exactKey]: '{"above":9007199254740993,"whole":5,"received":"9007199254740993n"}' }),
    );
  });

  it("text that is no JSON is refused by the SDK, and the next call works", async () => {
    for (const body of ['{"jsonrpc":"2.0",', '{"a":9007199254740993}', "9007199254740993", "null", ""]) {
      const { status, text } = await post(url, body);
      expect(status).toBe(400);
      expect(text).toMatch(/"code":-32(?:700|600)/);
    }
    expect((await post(url, callText("{}"))).status).toBe(200);
  });
});

describe("exactHttpHandler", () => {
  const request = (body: string, headers = {}): Request =>
    new Request("http://127.0.0.1/", { method: "POST", body, headers });

  it("answers too long a body by itself", async () => {
    const handle = exactHttpHandler(async () => new Response("not reached"), { maxRequestBodySize: 10 });
    const response = await handle(request("12345678901"));
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      error: { code: -32000, message: "request body is longer than 10 bytes" },
      id: null,
    });
  });

  it("passes on what is parsed already, what has no body, and what the handler answers", async () => {
    const seen: unknown[] = [];
    const handle = exactHttpHandler<{ parsedBody?: unknown; other?: number }>(async (_, options) => {
      seen.push(options);
      return new Response(`${exactKey} as text`, { status: 418, headers: { "content-type": "text/plain" } });
    });
    await handle(request("{}"), { parsedBody: 5 });
    await handle(new Request("http://127.0.0.1/"));
    const response = await handle(request('{"n":1}'), { other: 1 });
    expect(seen).toEqual([{ parsedBody: 5 }, undefined, { other: 1, parsedBody: { n: 1 } }]);
    expect([response.status, await response.text()]).toEqual([418, `${exactKey} as text`]);
  });

  it("lets the handler's errors through", async () => {
    const handle = exactHttpHandler(async () => {
      throw new Error("out of order");
    });
    await expect(handle(request("{}"))).rejects.toThrow("out of order");
  });
});

describe("readExactBody", () => {
  const chunks = async function* (text: string): AsyncGenerator<Uint8Array> {
    for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte);
  };

  it("reads integers of a call as bigint, wherever the pieces end", async () => {
    const { params } = (await readExactBody(chunks(callText('{"é😀":9007199254740993}')))) as { params: object };
    expect(params).toEqual({ name: "original", arguments: { "é😀": 9007199254740993n } });
  });

  it("gives nothing for no body, and text for no JSON", async () => {
    expect(await readExactBody(chunks(""))).toBeUndefined();
    expect(await readExactBody(chunks("{"))).toBe("{");
  });

  it("stops at the limit", async () => {
    const read = readExactBody(chunks("12345678901"), { maxRequestBodySize: 10 });
    await expect(read).rejects.toThrow(BodyTooLargeError);
    await expect(read).rejects.toMatchObject({ status: 413 });
  });
});
