/** Puts wire bytes together out of pieces, which are copied once, at the end. */
export class WireJoiner {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;
  /** For each length that is open: its place among the pieces, and what came before it. */
  readonly #open: { readonly place: number; readonly before: number }[] = [];

  raw(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** Write bytes behind their length. */
  delimited(bytes: Uint8Array): void {
    this.raw(varint(bytes.length));
    this.raw(bytes);
  }

  /** Leave a place for the length of what is written up to `close`. */
  open(): void {
    this.#open.push({ place: this.#pieces.length, before: this.#length });
    this.#pieces.push(empty);
  }

  close(): void {
    const { place, before } = this.#open.pop() as { place: number; before: number };
    const length = varint(this.#length - before);
    this.#pieces[place] = length;
    this.#length += length.length;
  }

  finish(): Uint8Array {
    const joined = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  }
}

const empty = new Uint8Array();
/** Lengths that take one byte. */
const shortLengths: readonly Uint8Array[] = Array.from({ length: 0x80 }, (_, length) => Uint8Array.of(length));

function varint(value: number): Uint8Array {
  const short = shortLengths[value];
  if (short !== undefined) return short;
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
