import type { DescMessage } from "@bufbuild/protobuf";
import { encodeBinary } from "./encode-message.js";
import { type MessageWriteOptions, resolveMessageOptions } from "./message-options.js";
import { MessageRun } from "./message-run.js";
import { writeTree } from "./write-tree.js";

/**
 * Convert the wire bytes of a message to JSON text. The Structs in it are transcoded without being decoded: members are in wire
 * order, and depth is limited by `limits.depth`, not by what protobuf-es reads.
 */
export function binaryToJsonString(desc: DescMessage, bytes: Uint8Array, options?: MessageWriteOptions): string {
  const resolved = resolveMessageOptions(options);
  const run = new MessageRun(resolved.hints, "encode", `cannot encode ${desc.typeName} to JSON`, resolved);
  const { es, prettySpaces } = resolved;
  const tree = encodeBinary(run, desc, bytes, { write: es, read: es, textSpaces: prettySpaces });
  const text = writeTree(run, tree, prettySpaces);
  run.finish();
  return text;
}
