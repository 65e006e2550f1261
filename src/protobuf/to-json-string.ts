import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { encodeMessage } from "./encode-message.js";
import { type MessageWriteOptions, resolveMessageOptions } from "./message-options.js";
import { MessageRun } from "./message-run.js";
import { writeTree } from "./write-tree.js";

/**
 * Convert a message to JSON text, as `toJsonString` of protobuf-es does, with its Structs, Values and ListValues as their hints
 * say.
 */
export function toJsonString<Desc extends DescMessage>(
  desc: Desc,
  message: MessageShape<Desc>,
  options?: MessageWriteOptions,
): string {
  const resolved = resolveMessageOptions(options);
  const run = new MessageRun(resolved.hints, "encode", `cannot encode ${desc.typeName} to JSON`, resolved);
  const { es, prettySpaces } = resolved;
  const text = writeTree(
    run,
    encodeMessage(run, desc, message, { write: es, read: {}, textSpaces: prettySpaces }),
    prettySpaces,
  );
  run.finish();
  return text;
}
