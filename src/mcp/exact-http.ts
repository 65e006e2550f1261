import { exactFetch } from "./exact-fetch.js";
import { type FetchLike, type McpTransport, markExact } from "./mcp-transport.js";
import { packMessage } from "./write-message.js";

/**
 * Create an HTTP client transport of either SDK with a `fetch` that keeps integers exact both ways, in every runtime:
 * `exactHttp((fetch) => new StreamableHTTPClientTransport(url, { fetch }))`. Around that fetch there may be others.
 */
export function exactHttp<T extends McpTransport>(create: (fetch: FetchLike) => T, next?: FetchLike): T {
  let isInUse = false;
  const exact = exactFetch(next);
  const transport = create(async (url, init) => {
    isInUse = true;
    return exact(url, init);
  });
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => send(packMessage(message) as never, options);
  return markExact(transport, () => isInUse);
}
