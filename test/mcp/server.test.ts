import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { InMemoryTransport as MemoryV2 } from "@modelcontextprotocol/client";
import { InMemoryTransport as MemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { beforeAll, describe, expect, it } from "vitest";
import {
  createMcpBridge,
  ExactStdioClientTransport,
  exactHttp,
  exactInMemory,
  type McpTransport,
} from "../../src/mcp.js";
import { createClosingAtEnd } from "./support/closing.js";
import { exactListeners } from "./support/exact-http.js";
import { exactServers } from "./support/exact-servers.js";
import { listen } from "./support/listen.js";
import { type Sdk, sdk2026, sdks, type TestClient } from "./support/sdks.js";
import { structText } from "./support/struct-text.js";
import { field, resultField } from "./support/values.js";

const stdioScript = fileURLToPath(new URL("support/exact-stdio.ts", import.meta.url));

type Closing = ReturnType<typeof createClosingAtEnd>;
type Open = (sdk: Sdk, closing: Closing) => Promise<McpTransport>;

const overStdio =
  (server: string): Open =>
  async () =>
    new ExactStdioClientTransport({ command: process.execPath, args: ["--import", "tsx", stdioScript, server] });

const inMemory =
  (server: string): Open =>
  async ({ name }, closing) => {
    const [clientEnd, serverEnd] = (name === "v1" ? MemoryV1 : MemoryV2).createLinkedPair();
    await closing(exactServers[server]!()).connect(serverEnd as never);
    return exactInMemory(clientEnd);
  };

const overHttp =
  (listener: string): Open =>
  async ({ http }, closing) => {
    const { url } = closing(await listen(exactListeners[listener]!()));
    return exactHttp((fetch) => http(url, fetch));
  };

const places: readonly (readonly [name: string, open: Open])[] = [
  ...[...Object.keys(exactServers), "v2 serveStdio"].map((name) => [`${name} over stdio`, overStdio(name)] as const),
  ...Object.keys(exactServers).map((name) => [`${name} in memory`, inMemory(name)] as const),
  ...Object.keys(exactListeners).map((name) => [`HTTP, ${name}`, overHttp(name)] as const),
];

/** The SDKs drop a member "__proto__" at the top of arguments before any handler sees them. */
const { ["__proto__"]: _, ...seen } = resultField;

describe.each([...sdks, sdk2026].map((sdk) => [sdk.name, sdk] as const))(
  "called by a client of SDK %s,",
  (_name, sdk) => {
    describe.each(places)("%s", (_place, open) => {
      const closing = createClosingAtEnd();
      let client: TestClient;
      beforeAll(async () => {
        client = closing(await sdk.connect(await open(sdk, closing)));
      });

      it.each([
        ["rewritten", "9007199254740993n"],
        ["original", "9007199254740993n"],
        ["original-text", "'9007199254740993'"],
      ])("hands exact integers to a tool that is %s, and gives them back", async (name, received) => {
        const bridge = createMcpBridge(client);
        const { isError, content, structured } = await bridge.callTool(name, { field });
        expect(isError, content[0]?.text).toBe(false);
        expect(structText(structured?.toField())).toBe(structText({ ...seen, received }));
      });

      it("says where arguments are wrong, and goes on", async () => {
        const rounded = { name: "rewritten", arguments: { list: [1], above: 2 ** 53 } };
        // The high-level server makes a result of every error, the others have the SDK answer with -32602.
        const answer = await client.callTool(rounded as never).catch((error: unknown) => error);
        expect(inspect(answer)).toMatch(/integer is beyond .* and must come as a string of its digits at \/above/);
        if (answer instanceof Error) {
          const data = { reason: "unsafe_integer", pointer: "/above", schemaPointer: "/properties/above" };
          expect(answer).toMatchObject({ code: -32602, data });
        }
        const right = { name: "rewritten", arguments: { above: "9007199254740993" } };
        expect(await client.callTool(right as never)).toMatchObject({
          structuredContent: { above: "9007199254740993", received: "9007199254740993n" },
        });
      });
    });
  },
);
