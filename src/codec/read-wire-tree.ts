import type { CodecErrorCode } from "../base/errors.js";
import { type HintNode, itemNode, memberNode } from "../hint/node.js";
import { WireReader, WireType } from "../wire/reader.js";
import type { Conversion, Crumb } from "./conversion.js";
import { errTooManyValues } from "./conversion-errors.js";
import type { WireItems, WireMembers, WireTree } from "./wire-tree.js";

const structFields = 1;
const entryKey = 1;
const entryValue = 2;
const listValues = 1;
const valueKind = { null: 1, number: 2, string: 3, bool: 4, struct: 5, list: 6 } as const;

/** A message that is not read to its end. `end` is where the message around it ends. */
type Frame = { readonly parent: Frame | undefined; readonly end: number } & (
  | { readonly kind: "struct"; readonly into: WireMembers }
  | { readonly kind: "entry"; readonly into: WireMembers; key: string; value: WireTree | undefined }
  | { readonly kind: "list"; readonly into: WireItems }
  | { readonly kind: "value"; tree: WireTree }
);

/**
 * Read the wire bytes of a Struct or Value with every rule of protobuf: any order of fields, unknown ones, merged and
 * repeated ones, the last of repeated map keys, the last member of a oneof. Everything malformed is an error with its
 * offset. Nothing of the input is kept.
 */
export function readWireTree(conversion: Conversion, bytes: Uint8Array): WireTree {
  return new WireTreeReader(conversion, bytes).read();
}

class WireTreeReader {
  readonly #conversion: Conversion;
  readonly #reader: WireReader;
  readonly #deepest: number;
  readonly #mostValues: number;
  #frame: Frame;
  #depth = 0;
  #values = 1;

  constructor(conversion: Conversion, bytes: Uint8Array) {
    const { depth, values } = conversion.context.options.limits;
    this.#conversion = conversion;
    this.#deepest = depth;
    this.#mostValues = values;
    this.#reader = new WireReader(bytes, (code, reason, offset) => this.#fail(code, reason, offset));
    this.#frame = { kind: "value", parent: undefined, end: bytes.length, tree: { kind: "unset", offset: 0 } };
  }

  read(): WireTree {
    const root = this.#frame as Extract<Frame, { kind: "value" }>;
    if (this.#conversion.context.typeName === "google.protobuf.Struct") {
      root.tree = { kind: "members", members: new Map(), offset: 0 };
      this.#deepen(0);
      this.#frame = { kind: "struct", parent: root, end: this.#reader.end, into: root.tree };
    }
    for (;;) {
      if (this.#reader.next()) {
        this.#readField();
      } else {
        const done = this.#frame;
        if (done === root) return root.tree;
        this.#close(done);
      }
    }
  }

  #readField(): void {
    const frame = this.#frame;
    switch (frame.kind) {
      case "struct":
        if (!this.#enters(structFields)) return;
        this.#countValue();
        this.#frame = {
          kind: "entry",
          parent: frame,
          end: this.#narrow(),
          into: frame.into,
          key: "",
          value: undefined,
        };
        return;
      case "entry":
        if (this.#is(entryKey, WireType.delimited)) frame.key = this.#reader.string();
        else if (this.#enters(entryValue)) this.#openValue(frame.value);
        return;
      case "list":
        if (!this.#enters(listValues)) return;
        this.#countValue();
        this.#openValue(undefined);
        return;
      default:
        this.#readKind(frame);
    }
  }

  #readKind(frame: Extract<Frame, { kind: "value" }>): void {
    const reader = this.#reader;
    const offset = reader.tagAt;
    if (this.#is(valueKind.null, WireType.varint)) {
      reader.bool();
      frame.tree = { kind: "scalar", value: null, offset };
    } else if (this.#is(valueKind.number, WireType.fixed64)) {
      frame.tree = { kind: "scalar", value: reader.double(), offset };
    } else if (this.#is(valueKind.string, WireType.delimited)) {
      frame.tree = { kind: "scalar", value: reader.string(), offset };
    } else if (this.#is(valueKind.bool, WireType.varint)) {
      frame.tree = { kind: "scalar", value: reader.bool(), offset };
    } else if (this.#is(valueKind.struct, WireType.delimited)) {
      // A second occurrence is merged, unless another kind came in between.
      if (frame.tree.kind !== "members") frame.tree = { kind: "members", members: new Map(), offset };
      this.#deepen(offset);
      this.#frame = { kind: "struct", parent: frame, end: this.#narrow(), into: frame.tree };
    } else if (this.#is(valueKind.list, WireType.delimited)) {
      if (frame.tree.kind !== "items") frame.tree = { kind: "items", items: [], offset };
      this.#deepen(offset);
      this.#frame = { kind: "list", parent: frame, end: this.#narrow(), into: frame.tree };
    } else {
      reader.skip(this.#deepest);
    }
  }

  #countValue(): void {
    if (++this.#values > this.#mostValues) throw errTooManyValues(this.#conversion.atOffset(this.#reader.tagAt));
  }

  #openValue(tree: WireTree | undefined): void {
    const offset = this.#reader.tagAt;
    this.#frame = { kind: "value", parent: this.#frame, end: this.#narrow(), tree: tree ?? { kind: "unset", offset } };
  }

  #close(frame: Frame): void {
    const parent = frame.parent as Frame;
    this.#reader.end = frame.end;
    this.#frame = parent;
    if (frame.kind === "struct" || frame.kind === "list") {
      this.#depth--;
    } else if (frame.kind === "entry") {
      // A repeated key keeps its first place and takes its last value.
      frame.into.members.set(frame.key, frame.value ?? { kind: "unset", offset: this.#reader.at });
    } else if (parent.kind === "entry") {
      parent.value = frame.tree;
    } else if (parent.kind === "list") {
      parent.into.items.push(frame.tree);
    }
  }

  /** Whether the field is this message; a known field of another wire type is an unknown one. */
  #enters(field: number): boolean {
    if (this.#is(field, WireType.delimited)) return true;
    this.#reader.skip(this.#deepest);
    return false;
  }

  #is(field: number, type: number): boolean {
    return this.#reader.field === field && this.#reader.type === type;
  }

  /** Go into a nested message: until it is closed the reader ends where it ends. */
  #narrow(): number {
    const reader = this.#reader;
    const { end } = reader;
    const length = reader.length();
    reader.end = reader.at + length;
    return end;
  }

  #deepen(offset: number): void {
    if (++this.#depth > this.#deepest)
      throw this.#fail("depth_exceeded", `nested more than ${this.#deepest} deep`, offset);
  }

  #fail(code: CodecErrorCode, reason: string, offset: number): Error {
    return this.#here(offset).fail(code, reason);
  }

  /** The place is worked out only when it is needed: keys and indexes of the open messages, from the root. */
  #here(offset: number): Conversion {
    const keys: (string | number)[] = [];
    for (let frame: Frame | undefined = this.#frame; frame !== undefined; frame = frame.parent) {
      if (frame.kind === "entry") keys.push(frame.key);
      else if (frame.kind === "list" && frame !== this.#frame) keys.push(frame.into.items.length);
    }
    let crumb: Crumb | undefined;
    let node: HintNode = this.#conversion.context.root;
    const last = keys.shift();
    for (const key of keys.reverse()) {
      crumb = { parent: crumb, key, node };
      node = childNode(node, key);
    }
    return this.#conversion.at(crumb, last, node, last === undefined ? node : childNode(node, last)).atOffset(offset);
  }
}

function childNode(node: HintNode, key: string | number): HintNode {
  return typeof key === "number" ? itemNode(node, key) : memberNode(node, key);
}
