import type { DescMessage, Message } from "@bufbuild/protobuf";
import { setOwn } from "../base/own.js";
import type { FieldCodec, FieldValue } from "./field-codec.js";
import type { Hints } from "./message-hints.js";
import type { MessagePlan, PlannedField, Planner } from "./message-plan.js";
import { rootKindOf, type StructKind } from "./struct-kind.js";

/** Looks at what is in a field, and gives it or what is to take its place. */
export type StructMapper = (codec: FieldCodec, value: FieldValue) => FieldValue;

/** What a walk over a message is to do. */
export interface FastWalk {
  readonly hints: Hints;
  readonly planner: Planner;
  /** Whether what is packed in an Any and in extensions is looked at too. */
  readonly isOpen: boolean;
  readonly map: StructMapper;
}

/** Messages nested deeper are left to the careful way. */
const deepest = 100;

/** Thrown where the careful way has to look. */
const declined = new Error("left to the careful way");

/** A message, or a map, as what it is: its members by name. */
type Members = Record<string, unknown>;

/**
 * Map the Structs of a message without keeping places; what stays as it is is not copied. Undefined where something is wrong,
 * missing, packed, or an issue that somebody hears of: the careful way then begins again from the start.
 */
export function mapStructsFast(walk: FastWalk, desc: DescMessage, message: Message): Message | undefined {
  if (walk.hints.options.onIssues !== undefined) return mapHeard(walk, desc, message);
  try {
    return mapRoot(walk, desc, message);
  } catch {
    // The careful way meets it again and says where it is.
    return undefined;
  }
}

function mapHeard(walk: FastWalk, desc: DescMessage, message: Message): Message | undefined {
  const { hints } = walk;
  const outer = hints.sink;
  let hasIssues = false;
  hints.sink = () => {
    hasIssues = true;
  };
  try {
    const mapped = mapRoot(walk, desc, message);
    return hasIssues ? undefined : mapped;
  } catch {
    return undefined;
  } finally {
    hints.sink = outer;
  }
}

function mapRoot(walk: FastWalk, desc: DescMessage, message: Message): Message {
  const kind = rootKindOf(desc);
  if (kind !== undefined) return mapContent(walk, kind, desc.typeName, undefined, message, message) as Message;
  const plan = walk.planner.plan(desc);
  if (!plan.holdsStructs) return message;
  if (desc.typeName === "google.protobuf.Any") throw declined;
  return mapMessage(walk, plan, message, 1);
}

// hot: bench "connect"
function mapMessage(walk: FastWalk, plan: MessagePlan, message: Message, depth: number): Message {
  if (depth > deepest || (walk.isOpen && message.$unknown !== undefined)) throw declined;
  const members = message as Message & Members;
  let copy: (Message & Members) | undefined;
  for (let i = 0; i < plan.fields.length; i++) {
    const planned = plan.fields[i] as PlannedField;
    const { oneof, localName } = planned.field;
    const name = oneof === undefined ? localName : oneof.localName;
    const value = members[name];
    if (value === undefined || value === null) continue;
    const mapped = mapField(walk, planned, message, value, depth);
    if (mapped === value) continue;
    copy ??= copyMessage(message);
    copy[name] = mapped;
  }
  return copy ?? message;
}

function mapField(walk: FastWalk, planned: PlannedField, message: Message, value: unknown, depth: number): unknown {
  const { field } = planned;
  if (field.oneof !== undefined) {
    const choice = value as { readonly case: string | undefined; readonly value: unknown };
    if (choice.case !== field.localName) return choice;
    const mapped = mapValue(walk, planned, message, choice.value, depth);
    return mapped === choice.value ? choice : { case: choice.case, value: mapped };
  }
  switch (field.fieldKind) {
    case "list":
      return mapList(walk, planned, message, value, depth);
    case "map":
      return mapMap(walk, planned, message, value, depth);
    default:
      return mapValue(walk, planned, message, value, depth);
  }
}

function mapList(walk: FastWalk, planned: PlannedField, message: Message, list: unknown, depth: number): unknown {
  // What is no list is for protobuf-es, whose error it is.
  if (!Array.isArray(list)) return list;
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const mapped = mapValue(walk, planned, message, list[i], depth);
    if (mapped === list[i]) continue;
    copy ??= [...list];
    copy[i] = mapped;
  }
  return copy ?? list;
}

function mapMap(walk: FastWalk, planned: PlannedField, message: Message, map: unknown, depth: number): unknown {
  if (typeof map !== "object") return map;
  const entries = map as Members;
  let copy: Members | undefined;
  for (const key of Object.keys(entries)) {
    const mapped = mapValue(walk, planned, message, entries[key], depth);
    if (mapped === entries[key]) continue;
    copy ??= { ...entries };
    setOwn(copy, key, mapped);
  }
  return copy ?? entries;
}

function mapValue(walk: FastWalk, planned: PlannedField, message: Message, value: unknown, depth: number): unknown {
  if (value === undefined || value === null) return value;
  const { content } = planned;
  switch (content) {
    case "any":
      throw declined;
    case "message":
      if (typeof value !== "object") return value;
      return mapMessage(walk, walk.planner.plan(planned.message), value as Message, depth + 1);
    default:
      return mapContent(walk, content, planned.name, planned, message, value);
  }
}

function mapContent(
  walk: FastWalk,
  kind: StructKind,
  name: string,
  planned: PlannedField | undefined,
  message: Message,
  value: unknown,
): unknown {
  const { codec, missing } = walk.hints.findNamed(name, kind, planned?.field, message);
  if (missing !== undefined && hears(walk.hints)) throw declined;
  return walk.map(codec, value as FieldValue);
}

/** Whether it matters to anybody that a schema is missing. */
function hears({ options }: Hints): boolean {
  return options.onIssues !== undefined || (options.strict !== undefined && options.strict !== false);
}

/** A copy has the prototype too, which is where protobuf-es keeps default values of fields that are not set. */
function copyMessage(message: Message): Message & Members {
  const prototype = Object.getPrototypeOf(message);
  if (prototype === Object.prototype) return { ...message };
  return Object.assign(Object.create(prototype), message);
}
