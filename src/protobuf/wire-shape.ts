import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";

/** How writers put a field on the wire. Readers of protobuf-es do not look whether it is so. */
export interface WireShape {
  /** The wire type of a value; of an entry where the field is a map. */
  readonly type: WireType;
  /** Set where values may also be packed: the wire type of each. */
  readonly packed: WireType | undefined;
  /** Set where the field is a map: the wire type of its keys. */
  readonly key: WireType | undefined;
  /** Whether a writer writes it no more than once. */
  readonly isSingular: boolean;
}

export function wireShapeOf(field: DescField): WireShape {
  if (field.fieldKind === "map") {
    return { type: WireType.LengthDelimited, packed: undefined, key: wireTypeOf(field.mapKey), isSingular: false };
  }
  const type = field.message === undefined ? wireTypeOf(field.scalar) : messageTypeOf(field);
  const isPackable = field.fieldKind === "list" && type !== WireType.LengthDelimited && type !== WireType.StartGroup;
  return { type, packed: isPackable ? type : undefined, key: undefined, isSingular: field.fieldKind !== "list" };
}

function messageTypeOf(field: DescField): WireType {
  const { delimitedEncoding } = field as { delimitedEncoding?: boolean };
  return delimitedEncoding === true ? WireType.StartGroup : WireType.LengthDelimited;
}

/** An enum, which is no scalar, is a varint. */
function wireTypeOf(scalar: ScalarType | undefined): WireType {
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}

/** Whether packed values end where their bytes do. */
export function isWholePacked(type: WireType, bytes: Uint8Array, start: number, end: number): boolean {
  if (type === WireType.Varint) return start === end || (bytes[end - 1] as number) < 0x80;
  return (end - start) % (type === WireType.Bit64 ? 8 : 4) === 0;
}
