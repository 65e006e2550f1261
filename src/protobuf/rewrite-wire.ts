import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import type { MessagePlan, Planner, WireField } from "./message-plan.js";
import type { StructKind } from "./struct-kind.js";
import { WireJoiner } from "./wire-joiner.js";
import { isWholePacked } from "./wire-shape.js";

/** Thrown where bytes are not as a writer of protobuf makes them; protobuf-es then reads them itself, or says what is wrong. */
export class UnusualWire extends Error {}

/** Puts other bytes in the place of those of a Struct, a Value or a ListValue. */
export type RewriteContent = (kind: StructKind, content: Uint8Array, field: DescField) => Uint8Array;

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
  const walk = { planner, bytes, reader: new BinaryReader(bytes), writer: new WireJoiner(), rewrite };
  rewriteMessage(walk, plan, bytes.length, deepest);
  return walk.writer.finish();
}

interface Walk {
  readonly planner: Planner;
  readonly bytes: Uint8Array;
  readonly reader: BinaryReader;
  readonly writer: WireJoiner;
  readonly rewrite: RewriteContent;
}

/** Rewrite the fields of a message up to its end, or of a group up to the tag that closes it, which is copied too. */
function rewriteMessage(walk: Walk, plan: MessagePlan, end: number, deepest: number, group?: number): void {
  const { reader, writer, bytes } = walk;
  if (deepest <= 0) throw new UnusualWire();
  // Runs of bytes that stay are copied at once.
  let copied = reader.pos;
  while (reader.pos < end) {
    const [fieldNumber, type] = reader.tag();
    if (type === WireType.EndGroup) {
      if (fieldNumber !== group) throw new UnusualWire();
      writer.raw(bytes.subarray(copied, reader.pos));
      return;
    }
    const field = plan.byNumber.get(fieldNumber);
    if (field?.content === undefined) {
      skipField(reader, field, type, fieldNumber);
      continue;
    }
    if (type !== field.type) throw new UnusualWire();
    // The tag stays too.
    writer.raw(bytes.subarray(copied, reader.pos));
    rewriteField(walk, field, end, deepest);
    copied = reader.pos;
  }
  if (reader.pos !== end || group !== undefined) throw new UnusualWire();
  writer.raw(bytes.subarray(copied, end));
}

/** Pass over a field without content, if a reader that goes by the type of the field would end at the same place. */
function skipField(reader: BinaryReader, field: WireField | undefined, type: WireType, fieldNumber: number): void {
  if (field === undefined || type === field.type) {
    reader.skip(type, fieldNumber);
  } else {
    if (field.packed === undefined || type !== WireType.LengthDelimited) throw new UnusualWire();
    if (!isWholePacked(field.packed, reader.bytes())) throw new UnusualWire();
  }
}

function rewriteField(walk: Walk, field: WireField, end: number, deepest: number): void {
  if (field.type === WireType.StartGroup) rewriteGroup(walk, field, end, deepest);
  else if (field.key === undefined) rewriteValue(walk, field, end, deepest);
  else rewriteDelimited(walk, end, (entryEnd) => rewriteEntry(walk, field, entryEnd, deepest));
}

function rewriteValue(walk: Walk, { field, content }: WireField, end: number, deepest: number): void {
  if (content === "message") {
    const plan = walk.planner.plan(field.message as DescMessage);
    rewriteDelimited(walk, end, (messageEnd) => rewriteMessage(walk, plan, messageEnd, deepest - 1));
  } else {
    walk.writer.delimited(walk.rewrite(content as StructKind, walk.reader.bytes(), field));
  }
}

function rewriteDelimited({ reader, writer }: Walk, end: number, rewrite: (end: number) => void): void {
  const length = reader.uint32();
  if (length > end - reader.pos) throw new UnusualWire();
  writer.open();
  rewrite(reader.pos + length);
  writer.close();
}

/** An entry of a map: the key is field 1, the value field 2. */
function rewriteEntry(walk: Walk, field: WireField, end: number, deepest: number): void {
  const { reader, writer, bytes } = walk;
  while (reader.pos < end) {
    const start = reader.pos;
    const [fieldNumber, type] = reader.tag();
    if (fieldNumber === 2) {
      if (type !== WireType.LengthDelimited) throw new UnusualWire();
      writer.raw(bytes.subarray(start, reader.pos));
      rewriteValue(walk, field, end, deepest);
    } else {
      if (fieldNumber === 1 && type !== field.key) throw new UnusualWire();
      reader.skip(type, fieldNumber);
      writer.raw(bytes.subarray(start, reader.pos));
    }
  }
  if (reader.pos !== end) throw new UnusualWire();
}

function rewriteGroup(walk: Walk, { field, content }: WireField, outerEnd: number, deepest: number): void {
  const { reader, writer } = walk;
  if (content === "message") {
    rewriteMessage(walk, walk.planner.plan(field.message as DescMessage), outerEnd, deepest - 1, field.number);
    return;
  }
  const group = reader.skip(WireType.StartGroup, field.number, deepest);
  const end = group.length - tagLength(field.number);
  const [closed] = new BinaryReader(group.subarray(end)).tag();
  if (closed !== field.number) throw new UnusualWire();
  writer.raw(walk.rewrite(content as StructKind, group.subarray(0, end), field));
  writer.raw(group.subarray(end));
}

/** Bytes of the tag that closes a group, as a writer makes it. */
function tagLength(fieldNumber: number): number {
  return fieldNumber < 16 ? 1 : fieldNumber < 2048 ? 2 : fieldNumber < 262_144 ? 3 : fieldNumber < 33_554_432 ? 4 : 5;
}
