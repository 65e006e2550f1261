/** Where an offset of a text is, for people: lines and columns from 1, and how many bytes of UTF-8 come before it. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
  readonly bytes: number;
}

/**
 * Counts lines, columns and bytes of a text. It goes on from where it was asked before, so that a hundred places of a long
 * text cost one pass over it.
 */
export class LineCounter {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;
  #bytes = 0;

  constructor(text: string) {
    this.#text = text;
  }

  place(offset: number): TextPlace {
    if (offset < this.#at) this.#rewind();
    const text = this.#text;
    const end = Math.min(offset, text.length);
    for (let at = this.#at; at < end; at++) {
      const unit = text.charCodeAt(at);
      this.#bytes += unit < 0x80 ? 1 : unit < 0x800 || isHalf(unit) ? 2 : 3;
      // "\r\n" ends one line, at its second half.
      if (unit === 0x0a || (unit === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
        this.#line++;
        this.#lineStart = at + 1;
      }
    }
    this.#at = end;
    return { line: this.#line, column: offset - this.#lineStart + 1, bytes: this.#bytes };
  }

  #rewind(): void {
    this.#at = 0;
    this.#line = 1;
    this.#lineStart = 0;
    this.#bytes = 0;
  }
}

/** Half of a surrogate pair: the pair has four bytes. */
function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
