import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { ExactJson } from "../codec/exact-json.js";
import { cutJson } from "./cut-json.js";
import { cutOptions } from "./cut-options.js";
import { decodeMessage } from "./decode-message.js";
import { type MessageReadOptions, resolveMessageOptions } from "./message-options.js";
import { MessageRun } from "./message-run.js";

/**
 * Read a message from a JSON value, as `fromJson` of protobuf-es does, with its Structs, Values and ListValues as their hints say.
 * There the value may hold `bigint` and `IntegerLiteral`.
 */
export function fromJson<Desc extends DescMessage>(
  desc: Desc,
  json: ExactJson,
  options?: MessageReadOptions,
): MessageShape<Desc> {
  const resolved = resolveMessageOptions(options);
  const run = new MessageRun(resolved.hints, "decode", `cannot decode ${desc.typeName} from JSON`, resolved);
  const source = cutJson(cutOptions(run, resolved, false), desc, json);
  const message = decodeMessage(run, desc, source, resolved.es);
  run.finish();
  return message as MessageShape<Desc>;
}
