import type { DescMessage } from "@bufbuild/protobuf";
import { convertText } from "./convert-text.js";
import { decodeToBinary } from "./decode-message.js";
import type { MessageReadOptions } from "./message-options.js";

/**
 * Convert the JSON text of a message to wire bytes. The Structs in it are transcoded without becoming objects: members are in the
 * order of the text.
 */
export function jsonStringToBinary(desc: DescMessage, text: string, options?: MessageReadOptions): Uint8Array {
  return convertText(desc, text, options, (run, source, { es }) => decodeToBinary(run, desc, source, es));
}
