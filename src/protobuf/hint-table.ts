import type { StructCodec, ValueCodec } from "../codec/struct-codec.js";
import type { HintSource } from "../hint/compile-hint.js";
import { isStandardSchema } from "../json-schema/standard-schema.js";

/** What says how the numbers of a field are spelled: a schema in any form, or a codec, which also brings its own options. */
export type FieldHint = HintSource | StructCodec | ValueCodec;

/**
 * Chooses the hint for one message, by its other fields. `undefined` says that there is none: the field option is asked then,
 * and after it the content passes unhinted, with the issue `no_schema`. Answer `true` where no schema is wanted. Nobody waits for a
 * promise: have schemas at hand.
 */
// biome-ignore lint/suspicious/noExplicitAny: which message it is only the name of the field says, and no type follows from that
export type HintFunction = (message: any) => FieldHint;

/**
 * Hints by full field name (`agent.v1.CallTool.arguments`), for fields of type Struct, Value and ListValue. For a repeated field a
 * hint describes one item, for a map one value. The name of an extension is its own, and that of a field of type
 * Any means the Struct, Value or ListValue packed in it. A Struct that stands for itself has the name of its type.
 */
export interface HintTable {
  readonly [fieldName: string]: FieldHint | HintFunction;
}

/** Whether an entry has to be called. Schemas of arktype are functions too. */
export function isHintFunction(entry: unknown): entry is HintFunction {
  return typeof entry === "function" && !isStandardSchema(entry);
}
