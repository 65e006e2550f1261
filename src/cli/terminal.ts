import type { Writable } from "node:stream";

/**
 * Write to a stream and wait until it has taken all of it: what reads slowly slows the tool down. The stream must have a
 * listener for errors, which come as events too; see `silenceErrors`.
 */
export function writeTo(stream: Writable, chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

/** Keep a stream's error event from ending the process. Whoever writes hears of the error from `writeTo`. */
export function silenceErrors(stream: Writable): void {
  stream.on("error", () => undefined);
}

/** Write lines for people. Where nobody listens there is nobody to tell. */
export async function writeLines(stream: Writable, text: string): Promise<void> {
  await writeTo(stream, `${text.split("\n").map(escapeControls).join("\n")}\n`).catch(() => undefined);
}

/** Whether the other end of a pipe was closed. */
export function isClosedPipe(error: unknown): boolean {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code === "EPIPE" || code === "ECONNRESET" || code === "ERR_STREAM_DESTROYED";
}

/** Make text from outside harmless in a terminal. What it makes of JSON text is the same JSON. */
export function escapeControls(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udfff]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Say in a few words why a file cannot be used. */
export function explainSystemError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /^E[A-Z0-9]+: ([^,]+)/.exec(message)?.[1] ?? message;
}
