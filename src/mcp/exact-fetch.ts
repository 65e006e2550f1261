import { changeEvents } from "./event-stream.js";
import type { FetchLike } from "./mcp-transport.js";
import { attachToReply } from "./read-message.js";
import { rewriteMessages } from "./write-message.js";

/** Longest reply or event whose digits are looked at; 64 MiB of text, as for documents. */
const longestText = 64 * 1024 * 1024;

/**
 * A `fetch` for the HTTP transports of the SDKs, around another one. It writes the exact integers of calls into the text of
 * requests, and keeps the exact text of structured results, which the SDKs round.
 */
export function exactFetch(next: FetchLike = fetch): FetchLike {
  return async (url, init) => {
    const { body } = init ?? {};
    const response = await next(url, typeof body === "string" ? { ...init, body: rewriteMessages(body) } : init);
    return changeResponse(response, attachToReply);
  };
}

/**
 * Change the JSON texts in a response, its only one or those of its events. Any other response is passed on, and so is what
 * `change` gives no text for.
 */
export async function changeResponse(
  response: Response,
  change: (text: string) => string | undefined,
): Promise<Response> {
  const type = response.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (response.body === null) return response;
  if (type === "text/event-stream") return replaceBody(response, changeEvents(response.body, change, longestText));
  if (type !== "application/json") return response;
  const text = await response.text();
  return replaceBody(response, text.length > longestText ? text : (change(text) ?? text));
}

function replaceBody(response: Response, body: ReadableStream<Uint8Array> | string): Response {
  const headers = new Headers(response.headers);
  // They were about bytes that nobody sees any more.
  for (const name of ["content-length", "content-encoding"]) headers.delete(name);
  const replaced = new Response(body, { status: response.status, statusText: response.statusText, headers });
  // Whoever follows redirects asks a response where it is from.
  return Object.defineProperty(replaced, "url", { value: response.url });
}
