import type { RequestListener } from "node:http";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { checkHeaderIntegers } from "../../src/mcp/header-integers.js";
import { createExactTool, createMcpBridge, exactHttp, exactHttpHandler, type McpBridge } from "../../src/mcp.js";
import { createClosing } from "./support/closing.js";
import { listen } from "./support/listen.js";

const closing = createClosing();

/** A tool whose region goes into a header (SEP-2243), and whose id does not. */
const tool = createExactTool(
  {
    name: "move",
    inputSchema: {
      type: "object",
      properties: { region: { type: "integer", "x-mcp-header": "Region" }, id: { type: "integer", format: "int64" } },
    },
  },
  { advertise: "original", exact: "declared" },
);

/** A bridge to a server of the revision that has such headers, and the headers of all requests. */
async function open(): Promise<{ bridge: McpBridge; headers: (string | undefined)[] }> {
  const server = createMcpHandler(() => {
    const mcp = new McpServer({ name: "test", version: "1.0.0" });
    mcp.registerTool("move", { inputSchema: tool.inputSchema }, (args) => ({ ...tool.writeResult(args) }));
    return mcp;
  });
  const handle = toNodeHandler({ fetch: exactHttpHandler(server.fetch) }) as RequestListener;
  const headers: (string | undefined)[] = [];
  const { url } = closing(
    await listen((request, response) => {
      if (request.headers["mcp-method"] === "tools/call")
        headers.push(request.headers["mcp-param-region"] as string | undefined);
      handle(request, response);
    }),
  );
  const client = closing(new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } }));
  await client.connect(exactHttp((fetch) => new StreamableHTTPClientTransport(url, { fetch })) as Transport);
  expect(client.getProtocolEra()).toBe("modern");
  return { bridge: closing(createMcpBridge(client, { exact: "declared" })), headers };
}

describe("a tool with x-mcp-header, over HTTP and the revision of 2026", () => {
  it("gets the header, and every digit of what is in none", async () => {
    const { bridge, headers } = await open();
    const field = { region: 7, id: "9007199254740993" };
    const { structured } = await bridge.callTool("move", { field });
    expect(structured?.toField()).toEqual(field);
    expect(headers).toEqual(["7"]);
  });

  it("is not called with an integer that no header takes", async () => {
    const { bridge, headers } = await open();
    await expect(bridge.prepare("move", { field: { region: "9007199254740993" } })).rejects.toMatchObject({
      code: -32602,
      message:
        "cannot encode tool arguments to JSON: integer is beyond ±(2^53−1), and the header Mcp-Param-Region takes none such at /region",
      data: { reason: "unsafe_integer", pointer: "/region", schemaPointer: "/properties/region" },
    });
    await bridge.callTool("move", { field: { region: 9007199254740991 } });
    expect(headers).toEqual(["9007199254740991"]);
  });
});

describe("checkHeaderIntegers", () => {
  const schema = { properties: { "a/b": { properties: { id: { type: "integer", "x-mcp-header": "Id" } } } } };

  it("finds a place at any depth", () => {
    expect(() => checkHeaderIntegers(schema, { "a/b": { id: 2n ** 53n } })).toThrow(
      expect.objectContaining({ pointer: "/a~1b/id", schemaPointer: "/properties/a~1b/properties/id" }),
    );
    expect(() => checkHeaderIntegers(schema, { "a/b": { id: 1e21 } })).toThrow();
  });

  it.each([
    [{}],
    [{ "a/b": 5 }],
    [{ "a/b": { id: null } }],
    [{ "a/b": { id: "9007199254740993" } }],
    [{ "a/b": { id: -9007199254740991 } }],
    [[]],
  ])("takes %j", (args) => {
    expect(() => checkHeaderIntegers(schema, args)).not.toThrow();
  });

  it("gets through schemas that are none or contain themselves", () => {
    const circular: { properties: Record<string, unknown> } = { properties: {} };
    circular.properties.self = circular;
    for (const none of [circular, undefined, 5, { properties: [1] }, { properties: { a: true } }]) {
      expect(() => checkHeaderIntegers(none, { self: { self: 2 ** 60 } })).not.toThrow();
    }
  });
});
