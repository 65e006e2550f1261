import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterEach, describe, expect, it } from "vitest";
import { auditTools } from "../../src/schema.js";
import { bookingId, createStoryServer } from "./story/story-server.js";

type Version = "old" | "new";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function connectStdio(version: Version): Promise<Client> {
  const script = fileURLToPath(new URL("story/stdio-server.ts", import.meta.url));
  return connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["--import", "tsx", script, version],
      stderr: "ignore",
    }),
  );
}

async function connectHttp(version: Version): Promise<Client> {
  const http = createServer(async (request, response) => {
    // Without sessions each request has a server of its own.
    const transport = new StreamableHTTPServerTransport({});
    await createStoryServer(version).connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => http.close(resolve)));
  const { port } = http.address() as AddressInfo;
  return connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/`)) as Transport);
}

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  closing.push(() => client.close());
  return client;
}

const id = "1955516024755728386";

/** What a model sends that read the schema: text where it says text, else a number, rounded. */
function argumentsFor(tools: readonly { readonly inputSchema: object }[]): Record<string, unknown> {
  const isText = JSON.stringify(tools[0]?.inputSchema).includes('"materialId":{"type":"string"');
  return { form: { lines: [{ materialId: isText ? id : Number(id), quantity: 2 }] } };
}

describe.each<[name: string, connect: (version: Version) => Promise<Client>]>([
  ["stdio", connectStdio],
  ["Streamable HTTP", connectHttp],
])("a 19-digit id over %s", (_, connectTo) => {
  it("is rounded by the deployed but old instance, and the audit of what it serves says so", async () => {
    const client = await connectTo("old");
    const { tools } = await client.listTools();
    expect(auditTools(tools).map(({ code, schemaPointer }) => [code, schemaPointer])).toEqual([
      ["unproven_id", "/inputSchema/properties/form/properties/lines/items/properties/materialId"],
      ["unproven_id", "/outputSchema/properties/bookingId"],
      ["unproven_integer", "/inputSchema/properties/form/properties/lines/items/properties/quantity"],
    ]);
    const { structuredContent } = await client.callTool({ name: "book", arguments: argumentsFor(tools) });
    const { received, bookingId: rounded } = structuredContent as { received: string; bookingId: number };
    expect(received).not.toContain(id);
    expect(String(rounded)).not.toBe(bookingId);
  });

  it("reaches the backend as the exact literal where the rewritten tool is served, and comes back as text", async () => {
    const client = await connectTo("new");
    const { tools } = await client.listTools();
    expect(auditTools(tools).filter(({ severity }) => severity !== "info")).toEqual([]);
    const { structuredContent } = await client.callTool({ name: "book", arguments: argumentsFor(tools) });
    expect(structuredContent).toEqual({
      bookingId,
      received: `{"form":{"lines":[{"materialId":${id},"quantity":2}]}}`,
    });
  });

  it("is an error of the call where a client sends the rounded number all the same", async () => {
    const client = await connectTo("new");
    const rounded = { form: { lines: [{ materialId: Number(id) }] } };
    await expect(client.callTool({ name: "book", arguments: rounded })).rejects.toThrow(
      /integer is beyond .* at \/form\/lines\/0\/materialId/,
    );
  });
});
