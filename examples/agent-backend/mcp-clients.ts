import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Client as ClientV2, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ExactStdioClientTransport, exactHttp, type McpClient } from "../../src/mcp.js";
import type { PlainClient } from "./backend.js";

/** A connected client of either SDK. */
export type AnyClient = McpClient & PlainClient & { close(): Promise<void> };

/** A server that was started, with a client to its standard streams. */
export interface StartedServer {
  readonly client: AnyClient;
  /** Where it listens as well. */
  readonly url: URL;
}

const identity = { name: "agent-backend", version: "1.0.0" };
const script = fileURLToPath(new URL("mcp-server.ts", import.meta.url));

/** A machine that is busy may take its time to start a database. */
const patience = { timeout: 300_000 };

/** How to start a server, with flags for Node.js beside those that this process has. */
function parametersWith(flags: readonly string[]) {
  return { command: process.execPath, args: [...process.execArgv, ...flags, script] };
}

/** Start a server, and speak to it over its standard streams with the exact transport. The client is of SDK v1. */
export async function startExactServer(flags: readonly string[]): Promise<AnyClient> {
  const client = new ClientV1(identity);
  await client.connect(new ExactStdioClientTransport(parametersWith(flags)), patience);
  return client as AnyClient;
}

/** Start a server that listens on loopback too, and speak to it with the SDK's own transport. The client is of SDK v1. */
export async function startPlainServer(flags: readonly string[]): Promise<StartedServer> {
  const client = new ClientV1(identity);
  const { command, args } = parametersWith(flags);
  const transport = new StdioClientTransport({ command, args: [...args, "--http"], stderr: "pipe" });
  const said = once(transport.stderr as Readable, "data");
  await client.connect(transport, patience);
  return { client: client as AnyClient, url: new URL(String(await said).trim()) };
}

/** Connect to a server over Streamable HTTP, with the exact transport or with the SDK's own. The client is of SDK v2. */
export async function connectHttp(url: URL, isExact: boolean): Promise<AnyClient> {
  const client = new ClientV2(identity);
  const transport = isExact
    ? exactHttp((fetch) => new StreamableHTTPClientTransport(url, { fetch }))
    : new StreamableHTTPClientTransport(url);
  // The SDK's own transport does not fit its own interface under exactOptionalPropertyTypes.
  await client.connect(transport as Transport);
  return client as AnyClient;
}
