import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { FieldValue } from "./field-codec.js";
import { findSites, getSlot } from "./find-sites.js";
import { type MessageHints, requireHints } from "./message-hints.js";
import { MessageRun } from "./message-run.js";

/**
 * Look over the Structs, Values and ListValues of a message that was received, as if they were converted to JSON: what could not
 * be, NaN or under `strict` a fraction where the schema says integer, is a `StructCodecError` with its pointer from the root of
 * the message; issues go to `onIssues`. A hint is no validator: what the schema forbids otherwise passes.
 */
export function checkStructs<Desc extends DescMessage>(
  desc: Desc,
  message: MessageShape<Desc>,
  hints: MessageHints,
): void {
  const run = new MessageRun(requireHints(hints), "encode", `cannot read ${desc.typeName}`);
  const { sites } = findSites({ ...run.siteOptions, copy: false }, desc, message);
  for (const site of sites) {
    if (site.content === "any") continue;
    const codec = run.find(site);
    run.convert(site.crumb, () => codec.toJson(getSlot(site.holder, site.key) as FieldValue));
  }
  run.finish();
}
