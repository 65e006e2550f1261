import type { DescMessage } from "@bufbuild/protobuf";
import { decodeToBinary } from "./decode-message.js";
import { type MessageReadOptions, resolveMessageOptions } from "./message-options.js";
import { MessageRun } from "./message-run.js";
import { readText } from "./read-json-source.js";

/**
 * Convert the JSON text of a message to wire bytes. The Structs in it are transcoded without becoming objects: members are in the
 * order of the text.
 */
export function jsonStringToBinary(desc: DescMessage, text: string, options?: MessageReadOptions): Uint8Array {
  const resolved = resolveMessageOptions(options);
  const run = new MessageRun(resolved.hints, "decode", `cannot decode ${desc.typeName} from JSON`, resolved);
  const bytes = decodeToBinary(run, desc, readText(run, desc, text, resolved), resolved.es);
  run.finish();
  return bytes;
}
