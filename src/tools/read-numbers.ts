import { ScalarType } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { RawValue } from "./read-options.js";

/**
 * The numbers that a value holds, alone or packed, as a field of this type would have them: JS numbers where these are exact.
 * Malformed bytes end a packed list.
 */
export function readNumbers(value: RawValue, scalar: ScalarType): (number | bigint)[] {
  if (typeof value === "bigint") return [decode(value, scalar)];
  const reader = new BinaryReader(value);
  const values: (number | bigint)[] = [];
  try {
    while (reader.pos < reader.len) values.push(decode(readBits(reader, scalar), scalar));
  } catch {
    // What was read before still counts.
    return values;
  }
  return values;
}

function readBits(reader: BinaryReader, scalar: ScalarType): bigint {
  switch (scalar) {
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return BigInt(reader.fixed32());
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return BigInt(reader.fixed64());
    default:
      return BigInt(reader.uint64());
  }
}

function decode(bits: bigint, scalar: ScalarType): number | bigint {
  switch (scalar) {
    case ScalarType.FLOAT:
      return new Float32Array(Uint32Array.of(Number(BigInt.asUintN(32, bits))).buffer)[0] as number;
    case ScalarType.DOUBLE:
      return new Float64Array(BigUint64Array.of(bits).buffer)[0] as number;
    case ScalarType.INT32:
    case ScalarType.SFIXED32:
      return Number(BigInt.asIntN(32, bits));
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return Number(BigInt.asUintN(32, bits));
    case ScalarType.SINT32:
      return Number(BigInt.asIntN(32, unzigzag(BigInt.asUintN(32, bits))));
    case ScalarType.SINT64:
      return shorten(unzigzag(bits));
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return shorten(bits);
    default:
      return shorten(BigInt.asIntN(64, bits));
  }
}

function unzigzag(bits: bigint): bigint {
  return (bits >> 1n) ^ -(bits & 1n);
}

function shorten(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
