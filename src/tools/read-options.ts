import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** The fields of a message whose type is not known here: numbers as 64 bits, and bytes. */
export type RawFields = ReadonlyMap<number, readonly RawValue[]>;

/** A varint or fixed value as unsigned bits, or the bytes of a length-delimited one. */
export type RawValue = bigint | Uint8Array;

interface UnknownField {
  readonly no: number;
  readonly wireType: number;
  readonly data: Uint8Array;
}

/** Read an option by its extension number, so that the package which declares it need not be there. */
export function readOption(
  options: { readonly $unknown?: readonly UnknownField[] | undefined } | undefined,
  number: number,
): readonly RawValue[] {
  const unknown = options?.$unknown ?? [];
  return unknown
    .filter(({ no }) => no === number)
    .flatMap(({ wireType, data }) => {
      try {
        return readValue(new BinaryReader(data), number, wireType) ?? [];
      } catch {
        // Malformed bytes say nothing.
        return [];
      }
    });
}

/** Read a message. Malformed bytes end it, since an option of a stranger must not fail what reads it. */
export function readFields(bytes: Uint8Array): RawFields {
  const fields = new Map<number, RawValue[]>();
  const reader = new BinaryReader(bytes);
  try {
    while (reader.pos < reader.len) {
      const [no, wireType] = reader.tag();
      const value = readValue(reader, no, wireType);
      if (value === undefined) continue;
      const known = fields.get(no);
      if (known === undefined) fields.set(no, [value]);
      else known.push(value);
    }
  } catch {
    // What was read before still counts.
    return fields;
  }
  return fields;
}

function readValue(reader: BinaryReader, no: number, wireType: number): RawValue | undefined {
  switch (wireType) {
    case WireType.Varint:
      return BigInt(reader.uint64());
    case WireType.Bit64:
      return BigInt(reader.fixed64());
    case WireType.Bit32:
      return BigInt(reader.fixed32());
    case WireType.LengthDelimited:
      return reader.bytes();
    default:
      reader.skip(wireType, no);
      return undefined;
  }
}

/** The last value of a field that holds a message. */
export function submessage(fields: RawFields, number: number): RawFields | undefined {
  const value = fields.get(number)?.at(-1);
  return value instanceof Uint8Array ? readFields(value) : undefined;
}

/** The last value of a field that holds a number. */
export function lastNumber(fields: RawFields, number: number): bigint | undefined {
  const value = fields.get(number)?.at(-1);
  return typeof value === "bigint" ? value : undefined;
}

/** The values of a field that holds texts. */
export function texts(fields: RawFields, number: number): string[] {
  const values = (fields.get(number) ?? []).filter((value) => value instanceof Uint8Array);
  return values.map((value) => new TextDecoder().decode(value));
}
