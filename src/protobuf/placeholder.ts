import { create, type JsonObject } from "@bufbuild/protobuf";
import { type ListValue, ListValueSchema, type Struct, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { FieldValue } from "./field-codec.js";
import type { StructKind } from "./struct-kind.js";

// While protobuf-es reads or writes a message, small placeholders stand for its Structs, which are converted apart from it. A
// placeholder says which part it stands for, in a form that protobuf-es merges as it would merge the Structs themselves: a
// Struct with the part's number as a key, a Value that holds such a Struct, a ListValue with the number as an item. So the
// merged placeholders of a field that occurs several times name its parts in their order.

/** The placeholder of a part in wire bytes. */
export function placeholderBytes(kind: StructKind, part: number): Uint8Array {
  const digits = String(part);
  const { length } = digits;
  // All of these are shorter than 128 bytes, so that a length is one byte.
  const head =
    kind === "list"
      ? [tag(1), length + 2, tag(3), length]
      : [...(kind === "value" ? [tag(5), length + 8] : []), tag(1), length + 6, tag(1), length];
  const bytes = new Uint8Array(head.length + length + (kind === "list" ? 0 : nullEntry.length));
  bytes.set(head);
  for (let i = 0; i < length; i++) bytes[head.length + i] = digits.charCodeAt(i);
  if (kind !== "list") bytes.set(nullEntry, head.length + length);
  return bytes;
}

function tag(fieldNumber: number): number {
  return fieldNumber * 8 + 2;
}

/** The value of an entry: a Value that is null. */
const nullEntry = [tag(2), 2, 8, 0];

/** The placeholder of a part in JSON. */
export function placeholderJson(kind: StructKind, part: number): JsonObject | string[] {
  return kind === "list" ? [String(part)] : { [String(part)]: null };
}

/** The parts that a placeholder names, as protobuf-es keeps it in a message. */
export function partsOfValue(kind: StructKind, value: FieldValue): number[] {
  switch (kind) {
    case "struct":
      return Object.keys(value).map(Number);
    case "root":
      return Object.keys((value as Struct).fields).map(Number);
    case "list":
      return (value as ListValue).values.map((item) => Number(item.kind.value));
    default: {
      const held = (value as Value).kind;
      return held.case === "structValue" ? partsOfValue("root", held.value) : [];
    }
  }
}

/** The part that the bytes of one placeholder name; NaN where the bytes are none. */
export function partOfBytes(kind: StructKind, bytes: Uint8Array): number {
  const at = kind === "value" ? 5 : 3;
  const digits = bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0));
  return digits.length === 0 ? Number.NaN : Number(String.fromCharCode(...digits));
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
