import { create, type JsonObject } from "@bufbuild/protobuf";
import { type ListValue, ListValueSchema, type Struct, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { FieldValue } from "./field-codec.js";
import type { StructKind } from "./struct-kind.js";

// While protobuf-es reads or writes a message, small placeholders stand for its Structs, which are converted apart from it. A
// placeholder says which part it stands for: a Struct with the part's number as a member, a Value that holds such a Struct, a
// ListValue with the number as an item. All Structs have the same key, and it is no index, so that they are small and alike.

const key = "p";

/** In wire bytes, what is in front of the number, whose tag is the last of it. A Value, a number is nine bytes with its tag. */
const structFrame = [0x0a, 14, 0x0a, 1, key.charCodeAt(0), 0x12, 9, 0x11];
const frames: Readonly<Record<StructKind, readonly number[]>> = {
  struct: structFrame,
  root: structFrame,
  value: [0x2a, 16, ...structFrame],
  list: [0x0a, 9, 0x11],
};

/** For numbers as bytes. */
const view = new DataView(new ArrayBuffer(8));
const viewBytes = new Uint8Array(view.buffer);

/** The placeholder of a part in wire bytes. */
export function placeholderBytes(kind: StructKind, part: number): Uint8Array {
  const bytes = new Uint8Array(placeholderSize(kind));
  writePlaceholder(kind, part, bytes, 0);
  return bytes;
}

/** How many bytes a placeholder has. */
export function placeholderSize(kind: StructKind): number {
  return frames[kind].length + 8;
}

/** Write a placeholder into wire bytes. */
export function writePlaceholder(kind: StructKind, part: number, target: Uint8Array, from: number): void {
  const frame = frames[kind];
  for (let i = 0; i < frame.length; i++) target[from + i] = frame[i] as number;
  view.setFloat64(0, part, true);
  const at = from + frame.length;
  for (let i = 0; i < 8; i++) target[at + i] = viewBytes[i] as number;
}

/** The part that a placeholder between two offsets names; NaN where there is none. */
export function partOfBytes(kind: StructKind, bytes: Uint8Array, start: number, end: number): number {
  const frame = frames[kind];
  const at = start + frame.length;
  if (at + 8 !== end || frame.some((byte, i) => bytes[start + i] !== byte)) return Number.NaN;
  for (let i = 0; i < 8; i++) viewBytes[i] = bytes[at + i] as number;
  return view.getFloat64(0, true);
}

/** The placeholder of a part in JSON. */
export function placeholderJson(kind: StructKind, part: number): JsonObject | number[] {
  return kind === "list" ? [part] : { [key]: part };
}

/** The same as JSON text. */
export function placeholderText(kind: StructKind, part: number): string {
  return kind === "list" ? `[${part}]` : `{"${key}":${part}}`;
}

/** The part that a placeholder names, as protobuf-es keeps it in a message; NaN where it is none. */
export function partOfValue(kind: StructKind, value: FieldValue): number {
  switch (kind) {
    case "struct":
      return asPart((value as JsonObject)[key]);
    case "root":
      return asPart((value as Struct).fields[key]?.kind.value);
    case "list":
      return asPart((value as ListValue).values[0]?.kind.value);
    default: {
      const held = (value as Value).kind;
      return held.case === "structValue" ? partOfValue("root", held.value) : Number.NaN;
    }
  }
}

function asPart(held: unknown): number {
  return typeof held === "number" ? held : Number.NaN;
}

/** What a message keeps in the place of a Struct that is converted apart from it. */
export function emptyValue(kind: StructKind): FieldValue {
  switch (kind) {
    case "list":
      return create(ListValueSchema);
    case "value":
      return create(ValueSchema, { kind: { case: "nullValue", value: 0 } });
    default:
      return {};
  }
}
