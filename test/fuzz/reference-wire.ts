/** A value as a Struct holds it. Maps, so that any key may stand in any place. */
export type Held = null | boolean | number | string | Held[] | Map<string, Held> | typeof unset;

/** A Value without a kind. */
export const unset: unique symbol = Symbol("unset");

/** What protobuf says about bytes: malformed, or a value, with what another reader may stumble over on the way to it. */
export type Reference =
  | { readonly kind: "malformed"; readonly reason: string }
  | {
      readonly kind: "value";
      readonly value: Held;
      /** Containers nested in each other, and unknown groups. */
      readonly depth: number;
      readonly groups: number;
      /** A known field came with another wire type, and was skipped. */
      readonly hasForeignTypes: boolean;
    };

/**
 * Read a Struct or Value as the specification of protobuf has it, in the plainest way and with bigint for varints. Knows
 * nothing of the code under test.
 */
export function readReference(bytes: Uint8Array, root: "struct" | "value"): Reference {
  const reader = new ReferenceReader(bytes);
  try {
    const value = root === "struct" ? reader.struct(bytes.length, new Map(), 1) : reader.value(bytes.length, unset, 0);
    return { kind: "value", value, ...reader.seen };
  } catch (error) {
    if (error instanceof Malformed) return { kind: "malformed", reason: error.message };
    throw error;
  }
}

class Malformed extends Error {}

class ReferenceReader {
  readonly seen = { depth: 0, groups: 0, hasForeignTypes: false };
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  struct(end: number, members: Map<string, Held>, depth: number): Map<string, Held> {
    this.seen.depth = Math.max(this.seen.depth, depth);
    this.#fields(end, { 1: 2 }, (_, inner) => {
      let key = "";
      let value: Held = unset;
      this.#fields(inner, { 1: 2, 2: 2 }, (field, last) => {
        if (field === 1) key = this.#string(last);
        else value = this.value(last, value, depth);
      });
      members.set(key, value);
    });
    return members;
  }

  value(end: number, before: Held, depth: number): Held {
    let value = before;
    this.#fields(end, { 1: 0, 2: 1, 3: 2, 4: 0, 5: 2, 6: 2 }, (field, inner) => {
      if (field === 1) {
        this.#varint(inner, 10);
        value = null;
      } else if (field === 2) value = this.#double(inner);
      else if (field === 3) value = this.#string(inner);
      else if (field === 4) value = this.#varint(inner, 10) !== 0n;
      else if (field === 5) value = this.struct(inner, value instanceof Map ? value : new Map(), depth + 1);
      else value = this.#list(inner, Array.isArray(value) ? value : [], depth + 1);
    });
    return value;
  }

  #list(end: number, items: Held[], depth: number): Held[] {
    this.seen.depth = Math.max(this.seen.depth, depth);
    this.#fields(end, { 1: 2 }, (_, inner) => items.push(this.value(inner, unset, depth)));
    return items;
  }

  /** Visit the known fields up to an end, each with its own end; skip the others. */
  #fields(end: number, known: { [field: number]: number }, visit: (field: number, end: number) => void): void {
    while (this.#at < end) {
      const { field, type } = this.#tag(end);
      if (known[field] !== type) {
        this.seen.hasForeignTypes ||= known[field] !== undefined;
        this.#skip(end, field, type, 0);
        continue;
      }
      const inner = type === 2 ? this.#length(end) : end;
      visit(field, inner);
      if (type === 2 && this.#at !== inner) throw new Malformed("a field does not end where it should");
    }
    if (this.#at !== end) throw new Malformed("a field goes past the end of its message");
  }

  #tag(end: number): { field: number; type: number } {
    const tag = this.#varint(end, 5);
    const [field, type] = [Number(tag >> 3n), Number(tag & 7n)];
    if (tag > 0xffff_ffffn || field === 0 || type > 5) throw new Malformed("there is no such tag");
    return { field, type };
  }

  #skip(end: number, field: number, type: number, depth: number): void {
    if (type === 0) this.#varint(end, 10);
    else if (type === 1) this.#take(end, 8);
    else if (type === 2) this.#at = this.#length(end);
    else if (type === 5) this.#take(end, 4);
    else if (type === 4) throw new Malformed("a group ends that did not begin");
    else {
      this.seen.groups = Math.max(this.seen.groups, depth + 1);
      for (;;) {
        const inner = this.#tag(end);
        if (inner.type === 4 && inner.field === field) return;
        this.#skip(end, inner.field, inner.type, depth + 1);
      }
    }
  }

  /** Where what follows ends. */
  #length(end: number): number {
    const length = this.#varint(end, 10);
    if (length > BigInt(end - this.#at)) throw new Malformed("a length goes past the end");
    return this.#at + Number(length);
  }

  #varint(end: number, most: number): bigint {
    let value = 0n;
    for (let i = 0; i < most; i++) {
      const byte = BigInt(this.#take(end, 1)[0] as number);
      value |= (byte & 0x7fn) << BigInt(7 * i);
      if (byte < 0x80n) {
        if (value >= 1n << 64n) break;
        return value;
      }
    }
    throw new Malformed("a varint is too long");
  }

  #double(end: number): number {
    const bytes = this.#take(end, 8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  }

  #string(end: number): string {
    const bytes = this.#take(end, end - this.#at);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new Malformed("a string is no UTF-8");
    }
  }

  #take(end: number, count: number): Uint8Array {
    if (count > end - this.#at) throw new Malformed("the bytes end too early");
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}

/** The JSON text of a value without a schema, or undefined where JSON has none for it: unset kinds, NaN and infinities. */
export function textOfHeld(value: Held): string | undefined {
  if (value === unset) return undefined;
  if (typeof value === "number") {
    if (Object.is(value, -0)) return "-0";
    return Number.isFinite(value) ? String(value) : undefined;
  }
  if (typeof value === "string" || typeof value === "boolean" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const items = value.map(textOfHeld);
    return items.includes(undefined) ? undefined : `[${items.join()}]`;
  }
  const members = [...value].map(([key, member]) => [JSON.stringify(key), textOfHeld(member)] as const);
  if (members.some(([, text]) => text === undefined)) return undefined;
  return `{${members.map(([key, text]) => `${key}:${text}`).join()}}`;
}
