import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { ExactJson } from "../codec/exact-json.js";
import type { FieldValue } from "./field-codec.js";
import { findSites, getSlot, setSlot } from "./find-sites.js";
import { type MessageHints, requireHints } from "./message-hints.js";
import { MessageRun } from "./message-run.js";

/**
 * Bring what is in the Struct fields of a message to what a Struct can hold, as `jsonToField` does: `bigint` and `IntegerLiteral`
 * become numbers or digits, `undefined` members go. Gives a copy where there are Structs and leaves the message as it is. What
 * cannot be sent, NaN or a Date, is a `StructCodecError` with its pointer from the root of the message. Values and
 * ListValues, which are messages, can only hold what can be sent, and are checked; what is packed in an Any is sent already.
 */
export function normalizeStructs<Desc extends DescMessage>(
  desc: Desc,
  message: MessageShape<Desc>,
  hints: MessageHints,
): MessageShape<Desc> {
  const run = new MessageRun(requireHints(hints), "decode", `cannot write ${desc.typeName}`);
  const found = findSites({ ...run.siteOptions, copy: true }, desc, message);
  for (const site of found.sites) {
    if (site.content === "any") continue;
    const codec = run.find(site);
    const value = getSlot(site.holder, site.key);
    if (codec.kind === "struct") {
      setSlot(
        site.holder,
        site.key,
        run.convert(site.crumb, () => codec.fromJson(value as ExactJson)),
      );
    } else {
      run.convert(site.crumb, () => codec.toJson(value as FieldValue));
    }
  }
  run.finish();
  return found.message as MessageShape<Desc>;
}
