import * as v2 from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as TransportV1 } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { FetchLike, McpClient, McpTransport } from "../../../src/mcp.js";

/** A client of either SDK, as much of it as tests use. */
export interface TestClient extends McpClient {
  close(): Promise<void>;
}

/** What differs between the clients of the SDKs. */
export interface Sdk {
  readonly name: "v1" | "v2" | "v2 (2026)";
  connect(transport: McpTransport): Promise<TestClient>;
  /** The SDK's own transports. */
  http(url: URL, fetch?: FetchLike): McpTransport;
  stdio(command: string, args: string[]): McpTransport;
}

const identity = { name: "test", version: "1.0.0" };

export const sdks: readonly Sdk[] = [
  {
    name: "v1",
    connect: async (transport) => {
      const client = new ClientV1(identity);
      await client.connect(transport as TransportV1);
      return client;
    },
    http: (url, fetch) => new HttpV1(url, { ...(fetch && { fetch }) }),
    stdio: (command, args) => new StdioV1({ command, args, stderr: "ignore" }),
  },
  {
    name: "v2",
    connect: async (transport) => {
      const client = new v2.Client(identity);
      await client.connect(transport as v2.Transport);
      return client;
    },
    http: (url, fetch) => new v2.StreamableHTTPClientTransport(url, { ...(fetch && { fetch }) }),
    stdio: (command, args) => new StdioV2({ command, args, stderr: "ignore" }),
  },
];

/** SDK v2 with the revision of 2026, of servers that have it. */
export const sdk2026: Sdk = {
  ...(sdks[1] as Sdk),
  name: "v2 (2026)",
  connect: async (transport) => {
    const client = new v2.Client(identity, { versionNegotiation: { mode: "auto" } });
    await client.connect(transport as v2.Transport);
    return client;
  },
};
