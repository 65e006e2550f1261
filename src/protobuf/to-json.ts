import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { ExactJson } from "../codec/exact-json.js";
import { encodeMessage } from "./encode-message.js";
import { type MessageWriteOptions, resolveMessageOptions } from "./message-options.js";
import { MessageRun } from "./message-run.js";

/**
 * Convert a message to a JSON value, as `toJson` of protobuf-es does, with its Structs, Values and ListValues as their hints say.
 * Under `int64: "schema"` and `"bigint"` the value may hold `IntegerLiteral` and `bigint`.
 */
export function toJson<Desc extends DescMessage>(
  desc: Desc,
  message: MessageShape<Desc>,
  options?: MessageWriteOptions,
): ExactJson {
  const resolved = resolveMessageOptions(options);
  const run = new MessageRun(resolved.hints, "encode", `cannot encode ${desc.typeName} to JSON`, resolved);
  const json = encodeMessage(run, desc, message, { write: resolved.es, read: {}, textSpaces: undefined });
  run.finish();
  // Numerals that are only text are in it only where text was asked for.
  return json as ExactJson;
}
