import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { convertText } from "./convert-text.js";
import { decodeMessage } from "./decode-message.js";
import type { MessageReadOptions } from "./message-options.js";

/**
 * Read a message from JSON text, as `fromJsonString` of protobuf-es does, with its Structs, Values and ListValues as their hints
 * say: integers in them keep all digits of the text.
 */
export function fromJsonString<Desc extends DescMessage>(
  desc: Desc,
  text: string,
  options?: MessageReadOptions,
): MessageShape<Desc> {
  return convertText(desc, text, options, (run, source, { es }) =>
    decodeMessage(run, desc, source, es),
  ) as MessageShape<Desc>;
}
