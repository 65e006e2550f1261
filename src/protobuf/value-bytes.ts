import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** The members of the oneof in google.protobuf.Value that are messages. */
const fieldNumbers = { struct: 5, list: 6 } as const;

/** Write a Struct or a ListValue as the Value that holds it. */
export function wrapKind(kind: "struct" | "list", bytes: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(fieldNumbers[kind], WireType.LengthDelimited).bytes(bytes).finish();
}

/** The Struct or ListValue of a Value that holds nothing else, undefined for every other Value. */
export function unwrapKind(kind: "struct" | "list", bytes: Uint8Array): Uint8Array | undefined {
  if (bytes[0] !== fieldNumbers[kind] * 8 + WireType.LengthDelimited) return undefined;
  const reader = new BinaryReader(bytes);
  reader.pos = 1;
  try {
    const inner = reader.bytes();
    return reader.pos === reader.len ? inner : undefined;
  } catch {
    // Cut off; whoever reads the Value says so.
    return undefined;
  }
}

/** How many bytes `wrapKind` puts before others: a tag and a length. */
export function kindHeaderLength(bytes: Uint8Array): number {
  return 1 + new BinaryWriter().uint32(bytes.length).finish().length;
}
