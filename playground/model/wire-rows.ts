import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { escapeToken } from "./json-places.js";
import { describeDouble, type StructNode } from "./struct-node.js";

/** A field of the wire bytes: its tag, and its length or its value. What lies within a message has rows of its own. */
export interface WireRow {
  readonly offset: number;
  /** Up to where the bytes of this row go. */
  readonly end: number;
  readonly depth: number;
  /** Name of the field in struct.proto, or what is wrong. */
  readonly field: string;
  /** The value in words, empty for the head of a message that is a container. */
  readonly value: string;
  /** JSON Pointer of the value that the field belongs to. */
  readonly pointer: string;
  readonly isWrong?: true;
}

/** Wire bytes taken apart. */
export interface WireDissection {
  readonly rows: readonly WireRow[];
  /** More rows than are listed. */
  readonly isCut: boolean;
  /** The message; undefined where the bytes are malformed. */
  readonly root: StructNode | undefined;
}

/** Most rows: a page can show so many, and a person read far fewer. */
const mostRows = 1000;
/** Nesting beyond this is reported and not followed, so that bytes of a stranger cannot exhaust the stack. */
const deepest = 600;

/** Take the bytes of a Struct or a Value apart. Never throws: malformed bytes give the rows before the fault, and one that says it. */
export function dissectWire(bytes: Uint8Array, root: "Struct" | "Value"): WireDissection {
  const walk = new WireWalk(bytes);
  try {
    const node =
      root === "Struct" ? walk.readStruct(bytes.length, "", 0, new Map()) : walk.readValue(bytes.length, "", 0);
    return { rows: walk.rows, isCut: walk.isCut, root: node };
  } catch (error) {
    walk.addFault(error instanceof Error ? error.message : String(error));
    return { rows: walk.rows, isCut: walk.isCut, root: undefined };
  }
}

type Members = Map<string, StructNode>;

class WireWalk {
  readonly rows: WireRow[] = [];
  isCut = false;
  readonly #reader: BinaryReader;
  readonly #length: number;
  #last = 0;

  constructor(bytes: Uint8Array) {
    this.#reader = new BinaryReader(bytes, decodeStrictly);
    this.#length = bytes.length;
  }

  addFault(message: string): void {
    const offset = Math.min(this.#last, this.#length);
    this.rows.push({
      offset,
      end: this.#length,
      depth: 0,
      field: "malformed",
      value: message,
      pointer: "",
      isWrong: true,
    });
  }

  /** A map entry that comes again replaces the value in its first place; so does a Map. */
  readStruct(end: number, pointer: string, depth: number, members: Members): StructNode {
    while (this.#reader.pos < end) {
      const offset = this.#reader.pos;
      const [field, type] = this.#tag();
      if (field !== 1 || type !== WireType.LengthDelimited) {
        this.#skip(offset, field, type, depth, pointer);
        continue;
      }
      const entryEnd = this.#messageEnd(end);
      this.#add(offset, depth, "fields", "", pointer);
      const [key, value] = this.#readEntry(entryEnd, pointer, depth + 1);
      members.set(key, value);
    }
    return { kind: "struct", members };
  }

  #readEntry(end: number, pointer: string, depth: number): [string, StructNode] {
    let key = "";
    let node: StructNode = { kind: "unset" };
    // The key may come after the value; then the pointer of the value is not known yet, and the container's stands for it.
    while (this.#reader.pos < end) {
      const offset = this.#reader.pos;
      const [field, type] = this.#tag();
      if (field === 1 && type === WireType.LengthDelimited) {
        key = this.#reader.string();
        this.#add(offset, depth, "key", JSON.stringify(key), `${pointer}/${escapeToken(key)}`);
      } else if (field === 2 && type === WireType.LengthDelimited) {
        const valueEnd = this.#messageEnd(end);
        const place = `${pointer}/${escapeToken(key)}`;
        this.#add(offset, depth, "value", "", place);
        node = this.readValue(valueEnd, place, depth + 1, node);
      } else this.#skip(offset, field, type, depth, pointer);
    }
    return [key, node];
  }

  /** Of several kinds the last one counts; structs and lists that follow each other are one. */
  readValue(end: number, pointer: string, depth: number, before: StructNode = { kind: "unset" }): StructNode {
    if (depth > deepest) throw new Error(`nested deeper than this view follows`);
    let node = before;
    while (this.#reader.pos < end) {
      const offset = this.#reader.pos;
      const [field, type] = this.#tag();
      node = this.#readKind(offset, field, type, end, pointer, depth, node);
    }
    return node;
  }

  #readKind(
    offset: number,
    field: number,
    type: WireType,
    end: number,
    pointer: string,
    depth: number,
    before: StructNode,
  ): StructNode {
    const add = (name: string, value: string): void => this.#add(offset, depth, name, value, pointer);
    switch (field * 8 + type) {
      case 8: {
        const value = this.#reader.int32();
        add("null_value", value === 0 ? "null" : `null (${value})`);
        return { kind: "null" };
      }
      case 17: {
        const value = this.#reader.double();
        add("number_value", describeDouble(value));
        return { kind: "number", value };
      }
      case 26: {
        const value = this.#reader.string();
        add("string_value", JSON.stringify(value));
        return { kind: "string", value };
      }
      case 32: {
        const value = this.#reader.bool();
        add("bool_value", String(value));
        return { kind: "bool", value };
      }
      case 42: {
        const structEnd = this.#messageEnd(end);
        add("struct_value", "");
        return this.readStruct(structEnd, pointer, depth + 1, new Map(before.kind === "struct" ? before.members : []));
      }
      case 50: {
        const listEnd = this.#messageEnd(end);
        add("list_value", "");
        return this.#readList(listEnd, pointer, depth + 1, before.kind === "list" ? [...before.items] : []);
      }
      default:
        this.#skip(offset, field, type, depth, pointer);
        return before;
    }
  }

  #readList(end: number, pointer: string, depth: number, items: StructNode[]): StructNode {
    while (this.#reader.pos < end) {
      const offset = this.#reader.pos;
      const [field, type] = this.#tag();
      if (field !== 1 || type !== WireType.LengthDelimited) {
        this.#skip(offset, field, type, depth, pointer);
        continue;
      }
      const itemEnd = this.#messageEnd(end);
      const place = `${pointer}/${items.length}`;
      this.#add(offset, depth, "values", "", place);
      items.push(this.readValue(itemEnd, place, depth + 1));
    }
    return { kind: "list", items };
  }

  #tag(): [field: number, type: WireType] {
    this.#last = this.#reader.pos;
    return this.#reader.tag();
  }

  /** Where a message within one that ends at `limit` ends. */
  #messageEnd(limit: number): number {
    const length = this.#reader.uint32();
    const end = this.#reader.pos + length;
    if (end > limit) throw new Error(`a length of ${length} reaches beyond the end`);
    return end;
  }

  #skip(offset: number, field: number, type: WireType, depth: number, pointer: string): void {
    this.#reader.skip(type, field);
    this.#add(offset, depth, `field ${field}`, "unknown", pointer);
  }

  #add(offset: number, depth: number, field: string, value: string, pointer: string): void {
    if (this.rows.length >= mostRows) this.isCut = true;
    else this.rows.push({ offset, end: this.#reader.pos, depth, field, value, pointer });
  }
}

function decodeStrictly(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
