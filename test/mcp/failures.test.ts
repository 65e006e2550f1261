import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { StructCodecError } from "../../src/index.js";
import {
  createMcpBridge,
  ExactStdioClientTransport,
  exactHttp,
  exactInMemory,
  McpDataError,
  type McpTransport,
} from "../../src/mcp.js";
import { createClosing } from "./support/closing.js";
import { listen } from "./support/listen.js";
import { type Answer, ScriptedTransport } from "./support/scripted-transport.js";
import { sdks, type TestClient } from "./support/sdks.js";
import { TypedServer } from "./support/typed-server.js";

const closing = createClosing();
const script = fileURLToPath(new URL("support/faulty-stdio.ts", import.meta.url));
const field = { id: 5 };
const received = [{ type: "text", text: 'received {"id":5}' }];

function openFaulty(maxBufferSize?: number): ExactStdioClientTransport {
  return new ExactStdioClientTransport({ command: process.execPath, args: ["--import", "tsx", script], maxBufferSize });
}

function connectAgain(client: TestClient, transport: McpTransport): Promise<void> {
  return (client as unknown as { connect(transport: McpTransport): Promise<void> }).connect(transport);
}

/** What the SDKs throw where a connection ends under a request. */
const connectionClosed: Readonly<Record<string, object>> = { v1: { code: -32000 }, v2: { code: "CONNECTION_CLOSED" } };

describe.each(sdks.map((sdk) => [sdk.name, sdk] as const))("with a client of SDK %s,", (version, sdk) => {
  it("a server that dies is the SDK's own error, and the next one is called", async () => {
    const client = closing(await sdk.connect(openFaulty()));
    const bridge = closing(createMcpBridge(client));
    await expect(bridge.callTool("die", { field })).rejects.toMatchObject(connectionClosed[version] as object);
    await expect(bridge.callTool("echo", { field })).rejects.toThrow();
    await connectAgain(client, openFaulty());
    expect((await bridge.callTool("echo", { field })).content).toEqual(received);
  });

  it("lines that are no messages are passed over", async () => {
    const transport = openFaulty();
    const client = closing(await sdk.connect(transport));
    const errors: Error[] = [];
    const report = transport.onerror;
    transport.onerror = (error) => {
      errors.push(error);
      report?.(error);
    };
    const bridge = closing(createMcpBridge(client));
    expect((await bridge.callTool("babble", { field })).content).toEqual(received);
    expect(errors.filter((error) => error instanceof SyntaxError)).toHaveLength(3);
    expect((await bridge.callTool("echo", { field })).content).toEqual(received);
  });

  it("a message that is too long ends the connection", async () => {
    const transport = openFaulty(50_000);
    const client = closing(await sdk.connect(transport));
    const bridge = closing(createMcpBridge(client));
    await expect(bridge.callTool("flood", { field })).rejects.toMatchObject(connectionClosed[version] as object);
    expect(transport.pid).toBeNull();
  });

  it("a call that is given up does not hold up the next", async () => {
    const bridge = closing(createMcpBridge(closing(await sdk.connect(openFaulty()))));
    await bridge.callTool("echo", { field });
    const controller = new AbortController();
    const call = bridge.callTool("hang", { field }, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("given up")), 20);
    await expect(call).rejects.toThrow("given up");
    await expect(bridge.callTool("hang", { field }, { timeout: 20 })).rejects.toThrow("timed out");
    expect((await bridge.callTool("echo", { field })).content).toEqual(received);
  });

  it("an HTTP server that breaks off is an error, and the next call works", async () => {
    const typed = new TypedServer('[{"name":"echo","inputSchema":{"type":"object"}}]');
    const faults = ["cut", "garbage", "garbage events", "status"];
    const { url } = closing(
      await listen(async (request, response) => {
        if (request.method !== "POST") return void response.writeHead(405).end();
        let line = "";
        for await (const chunk of request) line += chunk;
        const fault = line.includes('"tools/call"') ? faults.shift() : undefined;
        if (fault === "cut")
          return void response
            .writeHead(200, { "content-type": "application/json" })
            .write('{"js', () => response.destroy());
        if (fault === "garbage")
          return void response.writeHead(200, { "content-type": "application/json" }).end('{"id":9007199254740993');
        if (fault === "garbage events") {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write('data: {"id":9007199254740993\n\nevent: message\ndata: 9007199254740993\n\n');
          return void response.end(`data: ${typed.answer(line)}\n\n`);
        }
        if (fault === "status") return void response.writeHead(503).end("out of order, 9007199254740993");
        const answer = typed.answer(line);
        response.writeHead(answer === undefined ? 202 : 200, { "content-type": "application/json" }).end(answer);
      }),
    );
    const bridge = closing(createMcpBridge(closing(await sdk.connect(exactHttp((fetch) => sdk.http(url, fetch))))));
    await expect(bridge.callTool("echo", { field })).rejects.toThrow();
    await expect(bridge.callTool("echo", { field })).rejects.toThrow();
    expect((await bridge.callTool("echo", { field })).content).toEqual(received);
    await expect(bridge.callTool("echo", { field })).rejects.toThrow(/out of order/);
    expect((await bridge.callTool("echo", { field })).content).toEqual(received);
  });

  it("arguments that cannot be converted are -32602, with the place", async () => {
    const transport = new ScriptedTransport(() => ({ result: { tools: [] } }));
    const bridge = closing(createMcpBridge(closing(await sdk.connect(exactInMemory(transport)))));
    const error = await bridge.callTool("t", { field: { a: [Number.NaN] } }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(McpDataError);
    expect(error).toMatchObject({ code: -32602, data: { reason: "not_finite", pointer: "/a/0" } });
    expect((error as McpDataError).message).toBe("cannot encode google.protobuf.Struct to JSON: number is NaN at /*/0");
    expect((error as McpDataError).cause).toBeInstanceOf(StructCodecError);
    await expect(bridge.callTool("t", { binary: Uint8Array.of(0xff) })).rejects.toMatchObject({ code: -32602 });
    expect(transport.count("tools/call")).toBe(0);
  });

  it("a result that is no Struct is -32603, with the place", async () => {
    const results: Answer[] = [
      { result: { content: [], structuredContent: JSON.parse(`{"a":${"[".repeat(200)}${"]".repeat(200)}}`) } },
      { result: { content: [], structuredContent: { a: 5 } } },
    ];
    const transport = new ScriptedTransport(({ method }) =>
      method === "tools/list" ? { result: { tools: [] } } : (results.shift() as Answer),
    );
    const bridge = closing(createMcpBridge(closing(await sdk.connect(exactInMemory(transport)))));
    const { structured } = await bridge.callTool("t", { field });
    const data = { reason: "depth_exceeded", pointer: expect.stringMatching(/^\/a(?:\/0)+$/) };
    expect(() => structured?.toField()).toThrow(expect.objectContaining({ code: -32603, data }));
    expect(() => structured?.toBinary()).toThrow(McpDataError);
    expect((await bridge.callTool("t", { field })).structured?.toField()).toEqual({ a: 5 });
  });

  it("strictness that was asked for is kept", async () => {
    const transport = new ScriptedTransport(() => ({ result: { tools: [], content: [] } }));
    const client = closing(await sdk.connect(exactInMemory(transport)));
    const bridge = closing(createMcpBridge(client, { strict: ["no_schema"] }));
    await expect(bridge.callTool("t", { field })).rejects.toMatchObject({
      code: -32602,
      data: { reason: "no_schema" },
    });
  });
});

describe("ExactStdioClientTransport", () => {
  it("says that there is no such command", async () => {
    const transport = new ExactStdioClientTransport({ command: "/no/such/command" });
    let closes = 0;
    transport.onclose = () => void closes++;
    await expect(transport.start()).rejects.toMatchObject({ code: "ENOENT" });
    await expect(transport.send({})).rejects.toThrow("Not connected");
    expect(closes).toBe(1);
  });

  it("gives the error output of the server where it is asked to, and starts once", async () => {
    const args = ["-e", "console.error(process.env.SECRET, process.env.GIVEN); process.stdin.resume()"];
    process.env.SECRET = "a secret of this process";
    const transport = new ExactStdioClientTransport({
      command: process.execPath,
      args,
      stderr: "pipe",
      env: { GIVEN: "given" },
    });
    const { stderr } = transport;
    let output = "";
    stderr?.on("data", (chunk) => {
      output += chunk;
    });
    await transport.start();
    expect(() => transport.start()).toThrow("ExactStdioClientTransport has been started");
    expect(transport.pid).toBeGreaterThan(0);
    await new Promise((resolve) => stderr?.once("data", resolve));
    expect(output).toBe("undefined given\n");
    await transport.close();
    expect(transport.pid).toBeNull();
  });

  it("ends a server that does not leave by itself", async () => {
    const args = ["-e", "process.on('SIGTERM', () => {}); process.stdin.resume(); setInterval(() => {}, 1000)"];
    const transport = new ExactStdioClientTransport({ command: process.execPath, args });
    await transport.start();
    const { pid } = transport;
    await transport.close();
    await expect.poll(() => isRunning(pid as number)).toBe(false);
  });

  it("refuses a limit that is none", () => {
    expect(() => new ExactStdioClientTransport({ command: "x", maxBufferSize: Number.NaN })).toThrow(RangeError);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
