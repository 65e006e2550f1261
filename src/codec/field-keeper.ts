import type { Direction } from "../base/errors.js";
import { defineHidden } from "../base/own.js";

/**
 * "decode": whether `jsonToField` would give a value as it is. "encode": whether `fieldToJson` would convert a field without an error
 * or an issue. May answer no where it is so.
 */
export type FieldKeeper = (direction: Direction, value: unknown) => boolean;

// Out of sight: it is for the adapters of this package, and codecs of another copy may have none.
const key = Symbol.for("protobuf-struct-codec.FieldKeeper");

/** Give a codec its keeper. */
export function setFieldKeeper(codec: object, keeper: FieldKeeper): void {
  defineHidden(codec, key, keeper);
}

/** The keeper of a codec. */
export function fieldKeeperOf(codec: object): FieldKeeper {
  return (codec as Readonly<Record<symbol, FieldKeeper | undefined>>)[key] ?? keepNothing;
}

function keepNothing(): boolean {
  return false;
}
