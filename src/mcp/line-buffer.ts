const newline = 0x0a;

/** Cuts bytes into lines of UTF-8 text. */
export class LineBuffer {
  readonly #longest: number;
  #pieces: Uint8Array[] = [];
  #held = 0;

  /** A line of more bytes is an error. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Take bytes, and give the lines that they complete, without their ends. */
  *take(chunk: Uint8Array): Generator<string> {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#hold(chunk.subarray(from, end));
      from = end + 1;
      yield this.#takeLine();
    }
    this.#hold(chunk.subarray(from));
  }

  #hold(piece: Uint8Array): void {
    this.#held += piece.length;
    if (this.#held > this.#longest) {
      this.#clear();
      throw new RangeError(`a message is longer than ${this.#longest} bytes`);
    }
    if (piece.length > 0) this.#pieces.push(piece);
  }

  #takeLine(): string {
    const line = new Uint8Array(this.#held);
    let at = 0;
    for (const piece of this.#pieces) {
      line.set(piece, at);
      at += piece.length;
    }
    this.#clear();
    return new TextDecoder().decode(line).replace(/\r$/, "");
  }

  #clear(): void {
    this.#pieces = [];
    this.#held = 0;
  }
}
