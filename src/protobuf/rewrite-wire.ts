import type { DescMessage } from "@bufbuild/protobuf";
import { WireReader, WireType } from "../wire/reader.js";
import type { MessagePlan, Planner, WireField } from "./message-plan.js";
import { type Replacements, WireEdits } from "./wire-edits.js";
import { isWholePacked } from "./wire-shape.js";

/** Thrown where bytes are not as a writer of protobuf makes them; protobuf-es then reads them itself, or says what is wrong. */
export class UnusualWire extends Error {}

/** Puts other bytes in the place of those of a Struct, a Value or a ListValue. */
export interface ContentRewriter extends Replacements {
  /** Take the content between two offsets. Gives the number of its replacement. */
  take(field: WireField, start: number, end: number): number;
}

/**
 * Copy a message with other bytes for each of its Structs, wherever it is nested; everything else stays, byte for byte but for the
 * lengths of what is around a Struct. What is in an Any or an extension is not looked at. Throws `UnusualWire` where the bytes
 * are not as a writer makes them, or messages nested more than `deepest`.
 */
export function rewriteWire(
  planner: Planner,
  plan: MessagePlan,
  bytes: Uint8Array,
  deepest: number,
  rewriter: ContentRewriter,
): Uint8Array {
  const reader = new WireReader(bytes, () => new UnusualWire());
  const edits = new WireEdits(rewriter);
  rewriteMessage({ planner, reader, edits, rewriter }, plan, deepest);
  return edits.apply(bytes);
}

interface Walk {
  readonly planner: Planner;
  readonly reader: WireReader;
  readonly edits: WireEdits;
  readonly rewriter: ContentRewriter;
}

/** Rewrite the fields of a message up to its end, or of a group up to the tag that closes it. */
function rewriteMessage(walk: Walk, plan: MessagePlan, deepest: number, group?: number): void {
  const { reader } = walk;
  if (deepest <= 0) throw new UnusualWire();
  let seen: Set<WireField> | undefined;
  while (reader.next()) {
    if (reader.type === WireType.endGroup) {
      if (reader.field !== group) throw new UnusualWire();
      return;
    }
    const field = plan.byNumber.get(reader.field);
    if (field?.content === undefined) {
      skipField(reader, field);
      continue;
    }
    if (reader.type !== field.type) throw new UnusualWire();
    if (field.isSingular) {
      // To merge is a matter of whoever reads the message.
      if (seen?.has(field)) throw new UnusualWire();
      seen = (seen ?? new Set()).add(field);
    }
    rewriteField(walk, field, deepest);
  }
  if (group !== undefined) throw new UnusualWire();
}

/** Levels of nested groups among fields that nobody knows. */
const deepestGroup = 100;

/** Pass over a field without content, if a reader that goes by the type of the field would end at the same place. */
function skipField(reader: WireReader, field: WireField | undefined): void {
  if (field === undefined || reader.type === field.type) {
    reader.skip(deepestGroup);
    return;
  }
  if (field.packed === undefined || reader.type !== WireType.delimited) throw new UnusualWire();
  const end = reader.length() + reader.at;
  if (!isWholePacked(field.packed, reader.bytes, reader.at, end)) throw new UnusualWire();
  reader.at = end;
}

function rewriteField(walk: Walk, field: WireField, deepest: number): void {
  if (field.type === WireType.startGroup) rewriteGroup(walk, field, deepest);
  else if (field.key === undefined) rewriteValue(walk, field, deepest);
  else rewriteDelimited(walk, () => rewriteEntry(walk, field, deepest));
}

function rewriteValue(walk: Walk, field: WireField, deepest: number): void {
  const { reader, rewriter, edits } = walk;
  if (field.content === "message") {
    const plan = walk.planner.plan(field.field.message as DescMessage);
    rewriteDelimited(walk, () => rewriteMessage(walk, plan, deepest - 1));
    return;
  }
  const lengthAt = reader.at;
  const length = reader.length();
  const contentAt = reader.at;
  const end = contentAt + length;
  edits.replace(lengthAt, contentAt, end, rewriter.take(field, contentAt, end));
  reader.at = end;
}

function rewriteDelimited({ reader, edits }: Walk, rewrite: () => void): void {
  const lengthAt = reader.at;
  const length = reader.length();
  const outerEnd = reader.end;
  reader.end = reader.at + length;
  const opened = edits.open(lengthAt, reader.at);
  rewrite();
  edits.close(opened, reader.end);
  reader.end = outerEnd;
}

/** An entry of a map: the key is field 1, the value field 2. */
function rewriteEntry(walk: Walk, field: WireField, deepest: number): void {
  const { reader } = walk;
  let hasValue = false;
  while (reader.next()) {
    if (reader.field === 2) {
      if (reader.type !== WireType.delimited || hasValue) throw new UnusualWire();
      hasValue = true;
      rewriteValue(walk, field, deepest);
    } else {
      if (reader.field === 1 && reader.type !== field.key) throw new UnusualWire();
      reader.skip(deepestGroup);
    }
  }
  // protobuf-es makes a value where there is none.
  if (!hasValue) throw new UnusualWire();
}

function rewriteGroup(walk: Walk, field: WireField, deepest: number): void {
  const { reader, rewriter, edits } = walk;
  if (field.content === "message") {
    rewriteMessage(walk, walk.planner.plan(field.field.message as DescMessage), deepest - 1, reader.field);
    return;
  }
  const contentAt = reader.at;
  reader.skip(deepest);
  // The tag that closes it was read last.
  const end = reader.tagAt;
  edits.replace(contentAt, contentAt, end, rewriter.take(field, contentAt, end));
}
