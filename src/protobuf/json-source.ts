import type { JsonValue } from "@bufbuild/protobuf";
import type { FieldCodec, FieldValue } from "./field-codec.js";
import type { Locate } from "./place.js";

/** JSON of a message, with placeholders in the place of its Structs, which are kept apart as parts. */
export interface JsonSource {
  /** What protobuf-es reads. */
  readonly skeleton: JsonValue;
  /** Whether the end of a part was guessed: where anything fails, the text has to be taken apart again without guessing. */
  readonly isGuessed: boolean;
  /** How many Structs were taken out. */
  readonly partCount: number;
  /** Convert a part to what a message keeps. */
  toField(codec: FieldCodec, part: number): FieldValue;
  /** Convert a part to the bytes of the Struct, Value or ListValue. */
  toBinary(codec: FieldCodec, part: number): Uint8Array;
  /** Where in the whole text a place is that was found in a part. */
  locate(part: number): Locate;
}
