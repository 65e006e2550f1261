/** What takes the place of a piece of wire bytes. */
export interface Replacements {
  size(number: number): number;
  write(number: number, target: Uint8Array, at: number): void;
}

/** Numbers kept for each edit: where its length and its content begin, where that ends, its new length, and its replacement. */
const width = 5;
/** Instead of a replacement: a message in which there are other edits. */
const none = -1;

/**
 * Changes to wire bytes, gathered in the order of the bytes and made in one copy: contents that are replaced, and the lengths of the
 * messages around them.
 */
export class WireEdits {
  readonly #replacements: Replacements;
  readonly #marks: number[] = [];
  /** By how much the bytes are longer now. */
  #grown = 0;

  constructor(replacements: Replacements) {
    this.#replacements = replacements;
  }

  /** Replace a content behind its length. In a group, which has no length, both begin at one place. */
  replace(lengthAt: number, contentAt: number, end: number, replacement: number): void {
    const size = this.#replacements.size(replacement);
    this.#marks.push(lengthAt, contentAt, end, size, replacement);
    this.#grown += size - (end - contentAt) + lengthSize(size, lengthAt, contentAt) - (contentAt - lengthAt);
  }

  /** Begin a message behind its length. Gives what `close` takes. */
  open(lengthAt: number, contentAt: number): { readonly mark: number; readonly grown: number } {
    const mark = this.#marks.length;
    this.#marks.push(lengthAt, contentAt, 0, 0, none);
    return { mark, grown: this.#grown };
  }

  close({ mark, grown }: { readonly mark: number; readonly grown: number }, end: number): void {
    const marks = this.#marks;
    if (marks.length === mark + width) {
      // Nothing changed in it.
      marks.length = mark;
      return;
    }
    const [lengthAt, contentAt] = [marks[mark] as number, marks[mark + 1] as number];
    const length = end - contentAt + this.#grown - grown;
    marks[mark + 3] = length;
    this.#grown += lengthSize(length, lengthAt, contentAt) - (contentAt - lengthAt);
  }

  /** Make the changes. */
  apply(bytes: Uint8Array): Uint8Array {
    if (this.#marks.length === 0) return bytes;
    const marks = this.#marks;
    const target = new Uint8Array(bytes.length + this.#grown);
    let at = 0;
    let copied = 0;
    for (let i = 0; i < marks.length; i += width) {
      const lengthAt = marks[i] as number;
      const contentAt = marks[i + 1] as number;
      const length = marks[i + 3] as number;
      const replacement = marks[i + 4] as number;
      at = copyBytes(bytes, copied, lengthAt, target, at);
      if (contentAt > lengthAt) at = writeVarint(length, target, at);
      copied = contentAt;
      if (replacement === none) continue;
      this.#replacements.write(replacement, target, at);
      at += length;
      copied = marks[i + 2] as number;
    }
    copyBytes(bytes, copied, bytes.length, target, at);
    return target;
  }
}

/** Bytes of a new length, which is there only where there was one. */
function lengthSize(length: number, lengthAt: number, contentAt: number): number {
  if (lengthAt === contentAt) return 0;
  let size = 1;
  for (let rest = length; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

function writeVarint(value: number, target: Uint8Array, from: number): number {
  let at = from;
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) target[at++] = (rest % 0x80) | 0x80;
  target[at++] = rest;
  return at;
}

/** Shorter runs are copied by hand: to make a view of them costs more. */
const shortestRun = 32;

function copyBytes(source: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
  if (end - start >= shortestRun) target.set(source.subarray(start, end), at);
  else for (let i = start; i < end; i++) target[at + i - start] = source[i] as number;
  return at + end - start;
}
