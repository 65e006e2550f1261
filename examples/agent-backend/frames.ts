import { PassThrough, type Readable } from "node:stream";

/** Remembers what came over the wire last, so that the example can show it character by character. */
export class Frames {
  #lastCall = "";

  /** Take a message as it came. */
  take(text: string): void {
    if (text.includes('"tools/call"')) this.#lastCall = text;
  }

  /** Pass on a stream of lines, and take them. */
  watch(input: Readable): Readable {
    let rest = "";
    input.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString("latin1")).split("\n");
      rest = lines.pop() as string;
      for (const line of lines) this.take(Buffer.from(line, "latin1").toString());
    });
    return input.pipe(new PassThrough());
  }

  /** The text of the arguments of the last call. */
  get received(): string {
    const start = this.#lastCall.indexOf('"arguments":') + '"arguments":'.length;
    const [text] = /^\{(?:"(?:[^"\\]|\\.)*"|[^"{}])*\}/.exec(this.#lastCall.slice(start)) ?? ["none"];
    return text;
  }
}
