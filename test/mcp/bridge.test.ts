import { fileURLToPath } from "node:url";
import { toBinary } from "@bufbuild/protobuf";
import { type Struct, StructSchema } from "@bufbuild/protobuf/wkt";
import { InMemoryTransport as MemoryV2 } from "@modelcontextprotocol/client";
import { InMemoryTransport as MemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { describe, expect, it } from "vitest";
import { createStructCodec, type Issue } from "../../src/index.js";
import { createMcpBridge, ExactStdioClientTransport, exactHttp, type McpTransport } from "../../src/mcp.js";
import { createClosing } from "./support/closing.js";
import { type Sdk, sdks, type TestClient } from "./support/sdks.js";
import { structText } from "./support/struct-text.js";
import { listenTyped } from "./support/typed-http.js";
import { TypedServer } from "./support/typed-server.js";
import { field, resultField, schemaText, text } from "./support/values.js";

const closing = createClosing();

/** Whether the SDKs' own transports write literals: in Node.js 22 and later. */
const writesLiterals = "rawJSON" in JSON;

const stdioArgs = ["--import", "tsx", fileURLToPath(new URL("support/typed-stdio.ts", import.meta.url))];
const tool = (name: string): string => `{"name":"${name}","inputSchema":${schemaText},"outputSchema":${schemaText}}`;

async function listen(answerAs: "json" | "events"): Promise<URL> {
  const server = new TypedServer(`[${tool("echo")},${tool("twin")}]`);
  return closing(await listenTyped(server, answerAs)).url;
}

async function openHttp({ http }: Sdk, answerAs: "json" | "events"): Promise<McpTransport> {
  const url = await listen(answerAs);
  return exactHttp((fetch) => http(url, fetch));
}

type Open = (sdk: Sdk) => Promise<McpTransport>;

/** Transports of this package: every digit gets through both ways, whatever the runtime. */
const exactTransports: readonly (readonly [name: string, open: Open])[] = [
  ["stdio", async () => new ExactStdioClientTransport({ command: process.execPath, args: stdioArgs })],
  ["HTTP with one body", (sdk) => openHttp(sdk, "json")],
  ["HTTP with events", (sdk) => openHttp(sdk, "events")],
];

/** The SDKs' own. */
const stockTransports: readonly (readonly [name: string, open: Open])[] = [
  ["stdio", async ({ stdio }) => stdio(process.execPath, stdioArgs)],
  ["HTTP", async ({ http }) => http(await listen("events"))],
];

async function connect(sdk: Sdk, open: Open): Promise<TestClient> {
  return closing(await sdk.connect(await open(sdk)));
}

const byName = sdks.map((sdk) => [sdk.name, sdk] as const);

describe.each(byName)("a bridge over a client of SDK %s", (_, sdk) => {
  describe.each(exactTransports)("and exact %s", (_name, open) => {
    it("sends what it shows, and gives the result with every digit", async () => {
      const bridge = closing(createMcpBridge(await connect(sdk, open)));
      const call = await bridge.prepare("echo", { field });
      expect(call).toEqual({ name: "echo", text });
      const { isError, content, structured } = await bridge.call(call);
      expect(isError).toBe(false);
      expect(content).toEqual([{ type: "text", text: `received ${text}` }]);
      expect(structText(structured?.toField())).toBe(structText(resultField));
    });

    it("takes and gives messages and bytes as well", async () => {
      const codec = createStructCodec();
      const bridge = closing(createMcpBridge(await connect(sdk, open)));
      const message: Struct = codec.fromJsonString('{"above":"9007199254740993"}');
      const sent = 'received {"above":9007199254740993}';
      const fromMessage = await bridge.callTool("echo", { message });
      expect(fromMessage.content[0]?.text).toBe(sent);
      expect(codec.toJsonString(fromMessage.structured?.toMessage() as Struct)).toBe('{"above":"9007199254740993"}');
      const fromBinary = await bridge.callTool("echo", { binary: toBinary(StructSchema, message) });
      expect(fromBinary.content[0]?.text).toBe(sent);
      expect(fromBinary.structured?.toBinary()).toEqual(toBinary(StructSchema, message));
    });

    it("keeps calls apart that are under way together", async () => {
      const bridge = closing(createMcpBridge(await connect(sdk, open)));
      const ids = Array.from({ length: 20 }, (_unused, i) => String(9007199254740993n + BigInt(i)));
      const results = await Promise.all(ids.map((above) => bridge.callTool("echo", { field: { above } })));
      expect(results.map(({ structured }) => structured?.toField().above)).toEqual(ids);
    });
  });

  describe.each(stockTransports)("and the SDK's own %s", (_name, open) => {
    it.runIf(writesLiterals)("sends what it shows, and takes the digits of the result from its text", async () => {
      const bridge = closing(createMcpBridge(await connect(sdk, open)));
      const call = await bridge.prepare("twin", { field });
      expect(call.text).toBe(text);
      const { content, structured } = await bridge.call(call);
      expect(content).toEqual([{ type: "text", text }]);
      expect(structText(structured?.toField())).toBe(structText(resultField));
    });

    it.runIf(writesLiterals)("tells that a result has lost digits where nothing repeats it", async () => {
      const issues: Issue[] = [];
      const bridge = closing(
        createMcpBridge(await connect(sdk, open), { onIssues: (found) => void issues.push(...found) }),
      );
      const { structured } = await bridge.callTool("echo", { field: { above: "9007199254740993" } });
      expect(structured?.toField()).toEqual({ above: 9007199254740992 });
      expect(issues.map(({ code, pointer }) => `${code} at ${pointer}`)).toEqual(["inexact at /above"]);
    });

    it.runIf(!writesLiterals)("is refused before there is any call", async () => {
      const client = await connect(sdk, open);
      expect(() => createMcpBridge(client)).toThrow(
        new TypeError(
          "this transport cannot carry integers beyond ±(2^53−1) in this runtime: use ExactStdioClientTransport, exactHttp or exactInMemory",
        ),
      );
    });
  });

  it("is refused where the client is not connected", async () => {
    const client = await connect(sdk, (it) => openHttp(it, "json"));
    await client.close();
    expect(() => createMcpBridge(client)).toThrow(new TypeError("the client is not connected"));
  });

  it("is refused where the transport does not use the fetch that it was given", async () => {
    const url = await listen("json");
    const client = await connect(sdk, async ({ http }) => exactHttp(() => http(url)));
    expect(() => createMcpBridge(client)).toThrow(/cannot carry integers/);
  });
});

it.each([
  ["v1", MemoryV1],
  ["v2", MemoryV2],
])("refuses an in-memory transport of SDK %s, which writes no text", (_, Memory) => {
  const [transport] = Memory.createLinkedPair();
  const client = { transport } as unknown as TestClient;
  expect(() => createMcpBridge(client)).toThrow(/cannot carry integers/);
});
