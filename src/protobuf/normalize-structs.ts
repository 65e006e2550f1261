import type { DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import type { ExactJson } from "../codec/exact-json.js";
import { exactJsonOf } from "./exact-value.js";
import { mapStructsFast, type StructMapper } from "./fast-structs.js";
import type { FieldCodec, FieldValue } from "./field-codec.js";
import { findSites } from "./find-sites.js";
import { isWellFormedJson } from "./is-well-formed-json.js";
import { type Hints, type MessageHints, requireHints } from "./message-hints.js";
import { MessageRun } from "./message-run.js";
import { getSlot, setSlot } from "./site.js";

/**
 * Bring what is in the Struct fields of a message to what a Struct can hold, as `jsonToField` does: `bigint` and `IntegerLiteral`
 * become numbers or digits, `undefined` members go. Gives a copy where something changes and leaves the message as it is. What
 * cannot be sent, NaN, a Date or half a surrogate pair, is a `StructCodecError` with its pointer from the root of the message.
 * Values and ListValues are messages and are checked; where they hold `bigint` or `IntegerLiteral` as a number, against their type,
 * that is repaired too. What is packed in an Any is bytes already.
 */
export function normalizeStructs<Desc extends DescMessage>(
  desc: Desc,
  message: MessageShape<Desc>,
  hints: MessageHints,
): MessageShape<Desc> {
  const compiled = requireHints(hints);
  const walk = { hints: compiled, planner: compiled.plannerFor(undefined), isOpen: false, map: normalizeFast };
  return (mapStructsFast(walk, desc, message) ?? normalizeCarefully(compiled, desc, message)) as MessageShape<Desc>;
}

const normalizeFast: StructMapper = (codec, value) => {
  if (codec.keeps("decode", value)) return value;
  if (codec.kind === "struct") return codec.fromJson(value as ExactJson);
  checkMessage(codec, value);
  return value;
};

function normalizeCarefully(hints: Hints, desc: DescMessage, message: Message): Message {
  const { onIssues } = hints.options;
  const run = new MessageRun(hints, "decode", `cannot write ${desc.typeName}`, { onIssues });
  const { sites, close } = findSites(run.siteOptions(true), desc, message);
  for (const site of sites) {
    const codec = run.find(site);
    const value = getSlot(site.holder, site.key) as FieldValue;
    setSlot(
      site.holder,
      site.key,
      run.convert(site.crumb, () => normalizeValue(codec, value)),
    );
  }
  run.finish();
  return close();
}

function normalizeValue(codec: FieldCodec, value: FieldValue): FieldValue {
  if (codec.kind === "struct") return codec.fromJson(value as ExactJson);
  const json = exactJsonOf(value);
  if (json !== undefined) return codec.fromJson(json);
  checkMessage(codec, value);
  return value;
}

/** A Value, a ListValue or a Struct that is no field stays as it is. */
function checkMessage(codec: FieldCodec, value: FieldValue): void {
  const json = codec.toJson(value);
  // A JSON value may hold half a surrogate pair, where protobuf-es would write another character. This says where it is.
  if (!isWellFormedJson(json)) codec.fromJson(json);
}
