import type { DescField } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { MessagePlan, PlannedField, Planner } from "./message-plan.js";
import type { StructKind } from "./struct-kind.js";

/** Thrown where bytes are not as a writer of protobuf makes them; protobuf-es then reads them itself, or says what is wrong. */
export class UnusualWire extends Error {}

/** Puts other bytes in the place of those of a Struct, a Value or a ListValue. */
export type RewriteContent = (kind: StructKind, content: Uint8Array) => Uint8Array;

/**
 * Copy a message with other bytes for each of its Structs, wherever it is nested; everything else stays, byte for byte but for the
 * lengths of what is around a Struct. What is in an Any or an extension is not looked at. Throws `UnusualWire` or an error
 * of protobuf-es where the bytes are not well-formed, or messages nested more than `deepest`.
 */
export function rewriteWire(
  planner: Planner,
  plan: MessagePlan,
  bytes: Uint8Array,
  deepest: number,
  rewrite: RewriteContent,
): Uint8Array {
  const reader = new BinaryReader(bytes);
  const writer = new BinaryWriter();
  rewriteMessage({ planner, bytes, reader, writer, rewrite }, plan, bytes.length, deepest);
  return writer.finish();
}

interface Walk {
  readonly planner: Planner;
  readonly bytes: Uint8Array;
  readonly reader: BinaryReader;
  readonly writer: BinaryWriter;
  readonly rewrite: RewriteContent;
}

/** Rewrite the fields of a message up to its end, or of a group up to the tag that closes it, which is copied too. */
function rewriteMessage(walk: Walk, plan: MessagePlan, end: number, deepest: number, group?: number): void {
  const { reader, writer, bytes } = walk;
  if (deepest <= 0) throw new UnusualWire();
  // Runs of bytes that stay are copied at once.
  let copied = reader.pos;
  while (reader.pos < end) {
    const start = reader.pos;
    const [fieldNumber, type] = reader.tag();
    if (type === WireType.EndGroup) {
      if (fieldNumber !== group) throw new UnusualWire();
      writer.raw(bytes.subarray(copied, reader.pos));
      return;
    }
    const planned = plan.byNumber.get(fieldNumber);
    if (planned === undefined || planned.content === "any") {
      reader.skip(type, fieldNumber);
      continue;
    }
    writer.raw(bytes.subarray(copied, start));
    rewriteField(walk, planned, type, end, deepest);
    copied = reader.pos;
  }
  if (reader.pos !== end || group !== undefined) throw new UnusualWire();
  writer.raw(bytes.subarray(copied, end));
}

function rewriteField(walk: Walk, planned: PlannedField, type: WireType, end: number, deepest: number): void {
  const { number, fieldKind, delimitedEncoding } = planned.field as DescField & { delimitedEncoding?: boolean };
  if (type !== (delimitedEncoding ? WireType.StartGroup : WireType.LengthDelimited)) throw new UnusualWire();
  walk.writer.tag(number, type);
  if (delimitedEncoding) rewriteGroup(walk, planned, end, deepest);
  else if (fieldKind === "map")
    rewriteDelimited(walk, end, (entryEnd) => rewriteEntry(walk, planned, entryEnd, deepest));
  else rewriteValue(walk, planned, end, deepest);
}

function rewriteValue(walk: Walk, { content, message }: PlannedField, end: number, deepest: number): void {
  if (content === "message") {
    const plan = walk.planner.plan(message);
    rewriteDelimited(walk, end, (messageEnd) => rewriteMessage(walk, plan, messageEnd, deepest - 1));
  } else {
    walk.writer.bytes(walk.rewrite(content as StructKind, walk.reader.bytes()));
  }
}

function rewriteDelimited({ reader, writer }: Walk, end: number, rewrite: (end: number) => void): void {
  const length = reader.uint32();
  if (length > end - reader.pos) throw new UnusualWire();
  writer.fork();
  rewrite(reader.pos + length);
  writer.join();
}

/** An entry of a map: the key is field 1, the value field 2. */
function rewriteEntry(walk: Walk, planned: PlannedField, end: number, deepest: number): void {
  const { reader, writer, bytes } = walk;
  while (reader.pos < end) {
    const start = reader.pos;
    const [fieldNumber, type] = reader.tag();
    if (fieldNumber !== 2) {
      reader.skip(type, fieldNumber);
      writer.raw(bytes.subarray(start, reader.pos));
    } else if (type === WireType.LengthDelimited) {
      writer.tag(2, type);
      rewriteValue(walk, planned, end, deepest);
    } else {
      throw new UnusualWire();
    }
  }
  if (reader.pos !== end) throw new UnusualWire();
}

function rewriteGroup(walk: Walk, { field, content, message }: PlannedField, end: number, deepest: number): void {
  const { reader, writer } = walk;
  if (content === "message") {
    rewriteMessage(walk, walk.planner.plan(message), end, deepest - 1, field.number);
    return;
  }
  const group = reader.skip(WireType.StartGroup, field.number, deepest);
  const closing = new BinaryWriter().tag(field.number, WireType.EndGroup).finish();
  writer.raw(walk.rewrite(content as StructKind, group.subarray(0, group.length - closing.length)));
  writer.raw(closing);
}
