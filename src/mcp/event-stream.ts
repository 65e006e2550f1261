/**
 * Pass on a stream of server-sent events, the data of each changed by `change` or, where that gives undefined, as it came.
 * An event leaves when it is complete. Comments, and a rest without an end, leave as they came.
 */
export function changeEvents(
  source: ReadableStream<Uint8Array>,
  change: (data: string) => string | undefined,
  longestEvent: number,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();
  const buffer = new EventBuffer(longestEvent);
  const pass = (text: string): string => {
    let out = "";
    for (const event of buffer.take(text)) out += changeEvent(event, change);
    return out;
  };
  return source.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const out = pass(decoder.decode(chunk, { stream: true }));
        if (out !== "") controller.enqueue(encoder.encode(out));
      },
      flush(controller) {
        const out = pass(decoder.decode()) + buffer.rest;
        if (out !== "") controller.enqueue(encoder.encode(out));
      },
    }),
  );
}

/** Cuts text into events, each with the blank line at its end. */
class EventBuffer {
  readonly #longest: number;
  #pieces: string[] = [];
  #held = 0;
  /** As much of what is held as may begin the end of the event. */
  #seam = "";

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** What has come of an event that has not ended. */
  get rest(): string {
    return this.#pieces.join("");
  }

  *take(text: string): Generator<string> {
    if (endOfEvent(this.#seam + text) < 0) {
      this.#hold(text);
      return;
    }
    let rest = this.rest + text;
    this.#pieces = [];
    this.#held = 0;
    this.#seam = "";
    for (let end = endOfEvent(rest); end > 0; end = endOfEvent(rest)) {
      yield rest.slice(0, end);
      rest = rest.slice(end);
    }
    this.#hold(rest);
  }

  #hold(text: string): void {
    this.#pieces.push(text);
    this.#held += text.length;
    this.#seam = (this.#seam + text).slice(-3);
    if (this.#held > this.#longest) throw new Error(`an event is longer than ${this.#longest} characters`);
  }
}

/** Offset after the blank line that ends the first event, or -1. A carriage return at the very end may be half a line end. */
function endOfEvent(text: string): number {
  const found = /(?:\r\n|\r(?!\n|$)|\n){2}/.exec(text);
  return found === null ? -1 : found.index + found[0].length;
}

/** The data of an event is spread over its lines of data; what was changed is one line. */
function changeEvent(event: string, change: (data: string) => string | undefined): string {
  const lines = event.split(/\r\n|\r|\n/);
  const isData = (line: string): boolean => line === "data" || line.startsWith("data:");
  const data = lines.filter(isData).map((line) => line.slice("data:".length).replace(/^ /, ""));
  const changed = data.length === 0 ? undefined : change(data.join("\n"));
  if (changed === undefined) return event;
  const first = lines.findIndex(isData);
  const kept = lines.map((line, i) => (i === first ? `data: ${changed}` : line));
  return kept.filter((line, i) => i === first || !isData(line)).join("\n");
}
