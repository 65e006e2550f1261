import { create, type JsonObject } from "@bufbuild/protobuf";
import { type ListValue, ListValueSchema, type Struct, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { FieldValue } from "./field-codec.js";
import type { StructKind } from "./struct-kind.js";

// While protobuf-es reads or writes a message, small placeholders stand for its Structs, which are converted apart from it. A
// placeholder says which part it stands for: a Struct with the part's number as a key, a Value that holds such a Struct, a
// ListValue with the number as an item.

/** The placeholder of a part in wire bytes. */
export function placeholderBytes(kind: StructKind, part: number): Uint8Array {
  const bytes = new Uint8Array(placeholderSize(kind, part));
  writePlaceholder(kind, part, bytes, 0);
  return bytes;
}

/** How many bytes a placeholder has. All have less than 128, so that each length in it is one byte. */
export function placeholderSize(kind: StructKind, part: number): number {
  const digits = countDigits(part);
  if (kind === "list") return digits + 4;
  return kind === "value" ? digits + 10 : digits + 8;
}

/** Write a placeholder into wire bytes. */
export function writePlaceholder(kind: StructKind, part: number, target: Uint8Array, from: number): void {
  const digits = countDigits(part);
  let at = from;
  if (kind === "value") {
    target[at++] = tag(5);
    target[at++] = digits + 8;
  }
  target[at++] = tag(1);
  target[at++] = kind === "list" ? digits + 2 : digits + 6;
  target[at++] = kind === "list" ? tag(3) : tag(1);
  target[at++] = digits;
  for (let i = digits - 1, rest = part; i >= 0; i--, rest = Math.floor(rest / 10)) target[at + i] = 0x30 + (rest % 10);
  // The value of an entry: a Value that is null.
  if (kind !== "list") target.set(nullEntry, at + digits);
}

function countDigits(part: number): number {
  let digits = 1;
  for (let rest = part; rest >= 10; rest = Math.floor(rest / 10)) digits++;
  return digits;
}

function tag(fieldNumber: number): number {
  return fieldNumber * 8 + 2;
}

const nullEntry = [tag(2), 2, 8, 0];

/** The placeholder of a part in JSON. */
export function placeholderJson(kind: StructKind, part: number): JsonObject | string[] {
  return kind === "list" ? [String(part)] : { [String(part)]: null };
}

/** The same as JSON text. */
export function placeholderText(kind: StructKind, part: number): string {
  return kind === "list" ? `["${part}"]` : `{"${part}":null}`;
}

/** The part that a placeholder names, as protobuf-es keeps it in a message; NaN where it is none. */
export function partOfValue(kind: StructKind, value: FieldValue): number {
  switch (kind) {
    case "struct":
      return partOfKeys(value);
    case "root":
      return partOfKeys((value as Struct).fields);
    case "list":
      return Number((value as ListValue).values[0]?.kind.value);
    default: {
      const held = (value as Value).kind;
      return held.case === "structValue" ? partOfKeys(held.value.fields) : Number.NaN;
    }
  }
}

function partOfKeys(members: object): number {
  const [key] = Object.keys(members);
  return key === undefined ? Number.NaN : Number(key);
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
