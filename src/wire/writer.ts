/** Members as an object or, where their order must not change, as a Map. */
type Members = Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>;

/** A container that is not written to its beginning. Ends are counted from the end of the message. */
interface Frame {
  readonly names: readonly string[] | undefined;
  readonly source: readonly unknown[] | Members;
  /** Children still to be written, last one first. */
  left: number;
  readonly end: number;
  /** Where the child being written ends. */
  childEnd: number;
}

/** Tags of the fields of Struct, its entries, Value and ListValue. */
export const Tag = {
  entry: 0x0a,
  key: 0x0a,
  value: 0x12,
  item: 0x0a,
  null: 0x08,
  number: 0x11,
  string: 0x1a,
  bool: 0x20,
  struct: 0x2a,
  list: 0x32,
} as const;

/**
 * Encode plain values as a Struct or Value. Written from the end to the beginning, so that every length is known when its
 * turn comes, and with a stack of its own. Undefined once there are more than `mostBytes`.
 */
export function writeWireTree(tree: unknown, root: "struct" | "value", mostBytes: number): Uint8Array | undefined {
  const writer = new BackwardWriter();
  const frames: Frame[] = [];
  const open = (value: unknown): void => {
    if (typeof value !== "object" || value === null) {
      writer.scalar(value as null | boolean | number | string);
      return;
    }
    const names = Array.isArray(value) ? undefined : value instanceof Map ? [...value.keys()] : Object.keys(value);
    const left = names?.length ?? (value as unknown[]).length;
    frames.push({ names, source: value as Frame["source"], left, end: writer.written, childEnd: 0 });
  };
  open(tree);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (writer.written > mostBytes) return undefined;
    if (frame.left > 0) {
      frame.left--;
      frame.childEnd = writer.written;
      open(childOf(frame));
      // A scalar is complete at once, a container when its own frame is.
      if (frames.at(-1) === frame) closeChild(writer, frame);
      continue;
    }
    frames.pop();
    const parent = frames.at(-1);
    if (parent === undefined && root === "struct") break;
    writer.length(writer.written - frame.end);
    writer.byte(frame.names === undefined ? Tag.list : Tag.struct);
    if (parent !== undefined) closeChild(writer, parent);
  }
  return writer.written > mostBytes ? undefined : writer.finish();
}

function childOf({ names, source, left }: Frame): unknown {
  if (names === undefined) return (source as readonly unknown[])[left];
  const name = names[left] as string;
  return source instanceof Map ? source.get(name) : (source as Readonly<Record<string, unknown>>)[name];
}

/** Write what goes before a child: its length, and for a member its key and the length of the entry. */
function closeChild(writer: BackwardWriter, frame: Frame): void {
  writer.length(writer.written - frame.childEnd);
  if (frame.names === undefined) {
    writer.byte(Tag.item);
    return;
  }
  writer.byte(Tag.value);
  writer.string(frame.names[frame.left] as string);
  writer.byte(Tag.key);
  writer.length(writer.written - frame.childEnd);
  writer.byte(Tag.entry);
}

const encoder = new TextEncoder();

/** Bytes that grow towards the front. */
class BackwardWriter {
  written = 0;
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);

  scalar(value: null | boolean | number | string): void {
    if (typeof value === "string") {
      this.string(value);
      this.byte(Tag.string);
    } else if (typeof value === "number") {
      // Making room may replace the view.
      const start = this.#reserve(8);
      this.#view.setFloat64(start, value, true);
      this.byte(Tag.number);
    } else {
      this.byte(value === true ? 1 : 0);
      this.byte(value === null ? Tag.null : Tag.bool);
    }
  }

  /** A string after its length. */
  string(value: string): void {
    const utf8 = encoder.encode(value);
    const start = this.#reserve(utf8.length);
    this.#bytes.set(utf8, start);
    this.length(utf8.length);
  }

  byte(byte: number): void {
    const start = this.#reserve(1);
    this.#bytes[start] = byte;
  }

  /** A varint; its bytes are known from the last to the first only once there are all. */
  length(length: number): void {
    const size = varintSize(length);
    let at = this.#reserve(size);
    let rest = length;
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) this.#bytes[at++] = (rest % 128) | 0x80;
    this.#bytes[at] = rest;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(this.#bytes.length - this.written);
  }

  /** Make room for so many bytes at the front. Gives where they begin. */
  #reserve(count: number): number {
    const needed = this.written + count;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(this.#bytes.length - this.written), grown.length - this.written);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    this.written = needed;
    return this.#bytes.length - needed;
  }
}

/** How many bytes the varint of a length takes. */
export function varintSize(length: number): number {
  let size = 1;
  for (let rest = length; rest >= 0x80; rest = Math.floor(rest / 128)) size++;
  return size;
}
