import type { RequestListener } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { exactHttpHandler, readExactBody } from "../../../src/mcp.js";
import { createMcpServer, exactServers } from "./exact-servers.js";

/** The ways to serve over HTTP with either SDK. Each request has a server of its own. */
export const exactListeners: { readonly [name: string]: () => RequestListener } = {
  "v1, web requests": () => {
    const fetch = exactHttpHandler<{ parsedBody?: unknown }>(async (request, options) => {
      const transport = new WebStandardStreamableHTTPServerTransport({});
      await exactServers["v1 Server"]?.().connect(transport as never);
      return transport.handleRequest(request, options);
    });
    return toNodeHandler({ fetch }) as RequestListener;
  },
  "v1, Node.js requests": () => async (request, response) => {
    const transport = new StreamableHTTPServerTransport({});
    await exactServers["v1 Server"]?.().connect(transport as never);
    await transport.handleRequest(request, response, await readExactBody(request));
  },
  v2: () =>
    toNodeHandler({ fetch: exactHttpHandler(createMcpHandler(() => createMcpServer()).fetch) }) as RequestListener,
};
