import * as v2 from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { FetchLike as FetchV1, Transport as TransportV1 } from "@modelcontextprotocol/sdk/shared/transport.js";
import { Server as ServerV2 } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import {
  ExactStdioClientTransport,
  ExactStdioServerTransport,
  exactHttp,
  exactInMemory,
  type FetchLike,
  type McpClient,
} from "../../src/mcp.js";

// The compiler is what tests here: nothing is cast.
it("fits the types of both SDKs", () => {
  const identity = { name: "test", version: "1.0.0" };
  const clients: McpClient[] = [new ClientV1(identity), new v2.Client(identity)];
  const stdio = new ExactStdioClientTransport({ command: "none" });
  const server = new ExactStdioServerTransport();
  const transportsV1: TransportV1[] = [stdio, server];
  const transportsV2: v2.Transport[] = [stdio, server];
  const [end]: [v2.InMemoryTransport, v2.InMemoryTransport] = v2.InMemoryTransport.createLinkedPair();
  const memory: v2.InMemoryTransport = exactInMemory(end);
  const fetchV1: FetchV1 = fetch satisfies FetchLike;
  const http: v2.StreamableHTTPClientTransport = exactHttp(
    (exact) => new v2.StreamableHTTPClientTransport(new URL("http://127.0.0.1/"), { fetch: exact }),
    fetchV1,
  );
  const connect: (transport: typeof server) => Promise<void> = (transport) => new ServerV2(identity).connect(transport);
  expect([clients.length, transportsV1.length, transportsV2.length]).toEqual([2, 2, 2]);
  expect([memory, typeof http.send, typeof connect]).toEqual([end, "function", "function"]);
});
