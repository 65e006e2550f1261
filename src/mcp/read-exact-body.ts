import { readMessages } from "./read-message.js";

/** How a request body is read. */
export interface ExactBodyOptions {
  /** Defaults to 4 MiB, as in the SDKs. Bytes of a body. */
  maxRequestBodySize?: number | undefined;
}

/** A body of more bytes than allowed; frameworks answer errors with their `status`. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
  readonly status = 413;
}

/**
 * Read the body of a request, as `parsedBody` for the HTTP transports of the SDKs: integers of any size in the arguments of
 * calls are `bigint`. The body may be a Node.js request or a web stream. What is no JSON is given as text, which the SDKs
 * refuse as they do; too long a body is a `BodyTooLargeError`.
 */
export async function readExactBody(
  body: AsyncIterable<Uint8Array>,
  { maxRequestBodySize = 4 * 1024 * 1024 }: ExactBodyOptions = {},
): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxRequestBodySize)
      throw new BodyTooLargeError(`request body is longer than ${maxRequestBodySize} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  text += decoder.decode();
  // A request without a body, such as GET, has nothing parsed either.
  return text === "" ? undefined : parse(text);
}

function parse(text: string): unknown {
  try {
    return readMessages(text);
  } catch {
    return text;
  }
}
