import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { mapStructsFast, type StructMapper } from "./fast-structs.js";
import type { FieldValue } from "./field-codec.js";
import { findSites } from "./find-sites.js";
import { type MessageHints, requireHints } from "./message-hints.js";
import { MessageRun } from "./message-run.js";
import { getSlot } from "./site.js";
import { WireParts } from "./wire-parts.js";

/**
 * Look over the Structs, Values and ListValues of a message that was received, as if they were converted to JSON: what could not
 * be, NaN or under `strict` a fraction where the schema says integer, is a `StructCodecError` with its pointer from the root of
 * the message; issues go to `onIssues`. With a registry, what is packed in an Any and in extensions is looked at too. A hint is
 * no validator: what the schema forbids otherwise passes.
 */
export function checkStructs<Desc extends DescMessage>(
  desc: Desc,
  message: MessageShape<Desc>,
  hints: MessageHints,
): void {
  const compiled = requireHints(hints);
  const { registry } = compiled.options;
  const walk = {
    hints: compiled,
    planner: compiled.plannerFor(registry),
    isOpen: registry !== undefined,
    map: checkFast,
  };
  if (mapStructsFast(walk, desc, message) !== undefined) return;
  const run = new MessageRun(compiled, "encode", `cannot read ${desc.typeName}`, compiled.options);
  const parts = new WireParts(run.planner, {});
  // Only what is opened to be looked at is copied.
  const embedding = registry === undefined ? undefined : parts.embedding(registry);
  const { sites } = findSites(run.siteOptions(false, embedding), desc, message);
  for (const site of sites) {
    const codec = run.find(site);
    const check = site.embedded
      ? () => codec.binaryToJson(parts.at(site) as Uint8Array)
      : () => codec.toJson(getSlot(site.holder, site.key) as FieldValue);
    run.convert(site.crumb, check);
  }
  run.finish();
}

const checkFast: StructMapper = (codec, value) => {
  if (!codec.keeps("encode", value)) codec.toJson(value);
  return value;
};
