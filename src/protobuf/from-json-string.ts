import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { decodeMessage } from "./decode-message.js";
import { type MessageReadOptions, resolveMessageOptions } from "./message-options.js";
import { MessageRun } from "./message-run.js";
import { readText } from "./read-json-source.js";

/**
 * Read a message from JSON text, as `fromJsonString` of protobuf-es does, with its Structs, Values and ListValues as their hints
 * say: integers in them keep all digits of the text.
 */
export function fromJsonString<Desc extends DescMessage>(
  desc: Desc,
  text: string,
  options?: MessageReadOptions,
): MessageShape<Desc> {
  const resolved = resolveMessageOptions(options);
  const run = new MessageRun(resolved.hints, "decode", `cannot decode ${desc.typeName} from JSON`, resolved);
  const message = decodeMessage(run, desc, readText(run, desc, text, resolved), resolved.es);
  run.finish();
  return message as MessageShape<Desc>;
}
