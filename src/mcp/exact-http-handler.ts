import { changeResponse } from "./exact-fetch.js";
import { BodyTooLargeError, type ExactBodyOptions, readExactBody } from "./read-exact-body.js";
import { rewriteMessages } from "./write-message.js";

/** A handler of web requests, as both SDKs have them: `createMcpHandler(…).fetch`, or `handleRequest` of a transport. */
export type WebHandler<Options> = (request: Request, options?: Options) => Promise<Response>;

/**
 * Put exact text around a handler of web requests. Integers of any size in the arguments of calls reach it as `bigint`,
 * and those of results leave as digits, in every runtime. Too long a body is answered with 413.
 */
export function exactHttpHandler<Options extends { parsedBody?: unknown }>(
  handle: WebHandler<Options>,
  bodyOptions?: ExactBodyOptions,
): WebHandler<Options> {
  return async (request, options) => {
    const response = await answer(handle, request, options, bodyOptions);
    return changeResponse(response, rewriteMessages);
  };
}

async function answer<Options extends { parsedBody?: unknown }>(
  handle: WebHandler<Options>,
  request: Request,
  options: Options | undefined,
  bodyOptions: ExactBodyOptions | undefined,
): Promise<Response> {
  if (request.body === null || options?.parsedBody !== undefined) return handle(request, options);
  try {
    const parsedBody = await readExactBody(chunksOf(request.body), bodyOptions);
    return await handle(request, { ...options, parsedBody } as Options);
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    const { status, message } = error;
    return Response.json({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }, { status });
  }
}

/** Not every runtime can iterate a web stream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
