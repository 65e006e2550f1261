import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { ExactJson } from "../codec/exact-json.js";
import type { FieldValue } from "./field-codec.js";
import { findSites } from "./find-sites.js";
import { type MessageHints, requireHints } from "./message-hints.js";
import { MessageRun } from "./message-run.js";
import { getSlot, setSlot } from "./site.js";

/**
 * Bring what is in the Struct fields of a message to what a Struct can hold, as `jsonToField` does: `bigint` and `IntegerLiteral`
 * become numbers or digits, `undefined` members go. Gives a copy where there are Structs and leaves the message as it is. What
 * cannot be sent, NaN or a Date, is a `StructCodecError` with its pointer from the root of the message. Values and ListValues are
 * messages, which can only hold what can be sent, and are checked; what is packed in an Any is bytes already.
 */
export function normalizeStructs<Desc extends DescMessage>(
  desc: Desc,
  message: MessageShape<Desc>,
  hints: MessageHints,
): MessageShape<Desc> {
  const compiled = requireHints(hints);
  const { onIssues } = compiled.options;
  const run = new MessageRun(compiled, "decode", `cannot write ${desc.typeName}`, { onIssues });
  const { sites, close } = findSites(run.siteOptions(true), desc, message);
  for (const site of sites) {
    const codec = run.find(site);
    const value = getSlot(site.holder, site.key);
    if (site.kind === "struct") {
      const field = run.convert(site.crumb, () => codec.fromJson(value as ExactJson));
      setSlot(site.holder, site.key, field);
    } else {
      run.convert(site.crumb, () => codec.toJson(value as FieldValue));
    }
  }
  run.finish();
  return close() as MessageShape<Desc>;
}
