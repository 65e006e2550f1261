import type { DescField } from "@bufbuild/protobuf";

// While protobufjs reads or writes a message, placeholders stand for its Structs, which are converted apart from it. A placeholder
// is a Struct, Value or ListValue with the number of the part that it stands for, as a key or as text.

type StructName = "google.protobuf.Struct" | "google.protobuf.Value" | "google.protobuf.ListValue";

function structName({ message }: DescField): StructName {
  return message?.typeName as StructName;
}

/** The placeholder of a part in an object. */
export function placeholderObject(field: DescField, part: number): object {
  const struct = { fields: { [String(part)]: { nullValue: 0 } } };
  switch (structName(field)) {
    case "google.protobuf.Struct":
      return struct;
    case "google.protobuf.Value":
      return { structValue: struct };
    default:
      return { values: [{ stringValue: String(part) }] };
  }
}

/** The part that a placeholder in an object stands for; NaN where there is none. */
export function partOfObject(field: DescField, value: unknown): number {
  switch (structName(field)) {
    case "google.protobuf.Struct":
      return Number(Object.keys(member(value, "fields"))[0] ?? Number.NaN);
    case "google.protobuf.Value":
      return Number(Object.keys(member(member(value, "structValue"), "fields"))[0] ?? Number.NaN);
    default:
      return Number((member(value, "values") as { stringValue?: unknown }[])[0]?.stringValue ?? Number.NaN);
  }
}

function member(value: unknown, name: string): object {
  const found = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof found === "object" && found !== null ? found : {};
}

/** The placeholder of a part in bytes. */
export function placeholderBytes(field: DescField, part: number): Uint8Array {
  const digits = Array.from(String(part), (digit) => digit.charCodeAt(0));
  const struct = delimited(1, [...delimited(1, digits), ...delimited(2, [8, 0])]);
  switch (structName(field)) {
    case "google.protobuf.Struct":
      return Uint8Array.from(struct);
    case "google.protobuf.Value":
      return Uint8Array.from(delimited(5, struct));
    default:
      return Uint8Array.from(delimited(1, delimited(3, digits)));
  }
}

/** All of these are shorter than 128 bytes. */
function delimited(fieldNumber: number, content: readonly number[]): number[] {
  return [fieldNumber * 8 + 2, content.length, ...content];
}

/** The part that a placeholder in bytes stands for; NaN where there is none. */
export function partOfBytes(field: DescField, bytes: Uint8Array): number {
  const at = structName(field) === "google.protobuf.Value" ? 5 : 3;
  const digits = bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0));
  return digits.length === 0 ? Number.NaN : Number(String.fromCharCode(...digits));
}
