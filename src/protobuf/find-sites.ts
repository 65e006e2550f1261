import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { setOwn } from "../base/own.js";
import type { FieldContent, MessagePlan, PlannedField, Planner } from "./message-plan.js";
import type { Crumb } from "./place.js";
import { rootKindOf } from "./struct-kind.js";

/** A place in a message where a Struct, a Value, a ListValue or an Any is. */
export interface Site {
  /** Undefined where a message that stands for itself is the site. */
  readonly field: DescField | undefined;
  /** Full name, by which hints are found. */
  readonly name: string;
  readonly content: Exclude<FieldContent, "message">;
  /** The message that has the field, for functions of a hint table. */
  readonly message: Message;
  /** What holds the value, and as what: a message, a list, a map, or the object of a oneof. */
  readonly holder: object;
  readonly key: string | number;
  readonly crumb: Crumb | undefined;
}

/** How a walk goes. */
export interface SiteOptions {
  readonly planner: Planner;
  /** Members of the pointer have the names of the proto file instead of those of JSON. */
  readonly useProtoFieldName: boolean;
  /** The walk copies whatever leads to a site, so that what is at the sites may be replaced. */
  readonly copy: boolean;
  /** Builds the error for messages that are nested too deep. */
  readonly tooDeep: (crumb: Crumb | undefined) => Error;
}

/** Messages nested deeper are an error: who writes them recurses. */
const deepest = 1000;

/** The sites of a message, in the order of its fields. */
export interface Sites {
  readonly sites: readonly Site[];
  /** The message, or its copy. */
  readonly message: Message;
}

/** Find the sites of a message. */
export function findSites(options: SiteOptions, desc: DescMessage, message: Message, crumb?: Crumb): Sites {
  const kind = rootKindOf(desc);
  if (kind !== undefined) {
    const holder = { message };
    const site: Site = { field: undefined, name: desc.typeName, content: kind, message, holder, key: "message", crumb };
    return { sites: [site], message };
  }
  const plan = options.planner.plan(desc);
  if (!plan.holdsStructs) return { sites: [], message };
  const sites: Site[] = [];
  return { sites, message: visitMessage({ ...options, sites }, plan, message, crumb, 1) };
}

interface Walk extends SiteOptions {
  readonly sites: Site[];
}

/** A message as what it is: its members by name. */
type Members = Message & Record<string, unknown>;

function visitMessage(
  walk: Walk,
  plan: MessagePlan,
  message: Message,
  crumb: Crumb | undefined,
  depth: number,
): Message {
  if (depth > deepest) throw walk.tooDeep(crumb);
  const members = (walk.copy ? copyMessage(message) : message) as Members;
  for (const planned of plan.fields) visitField(walk, planned, members, crumb, depth);
  return members;
}

/** A copy has the prototype too, which is where protobuf-es keeps default values of fields that are not set. */
function copyMessage(message: Message): Message {
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message);
}

function visitField(
  walk: Walk,
  planned: PlannedField,
  members: Members,
  parent: Crumb | undefined,
  depth: number,
): void {
  const { field } = planned;
  const name = walk.useProtoFieldName ? field.name : field.jsonName;
  if (field.oneof !== undefined) {
    const choice = members[field.oneof.localName] as { case?: string; value?: unknown } | undefined;
    if (choice?.case !== field.localName || choice.value === undefined) return;
    const holder = walk.copy ? { ...choice } : choice;
    members[field.oneof.localName] = holder;
    visitValue(walk, planned, members, holder, "value", { parent, key: name, isData: false }, depth);
    return;
  }
  const value = members[field.localName];
  // What is not what a message keeps there is left to protobuf-es, whose error it is.
  if (value === undefined || value === null) return;
  const crumb = { parent, key: name, isData: false };
  if (field.fieldKind === "message") visitValue(walk, planned, members, members, field.localName, crumb, depth);
  else if (field.fieldKind === "list" && Array.isArray(value)) visitList(walk, planned, members, value, crumb, depth);
  else if (field.fieldKind === "map" && typeof value === "object")
    visitMap(walk, planned, members, value, crumb, depth);
}

function visitList(
  walk: Walk,
  planned: PlannedField,
  members: Members,
  list: unknown[],
  parent: Crumb,
  depth: number,
): void {
  const holder = walk.copy ? list.slice() : list;
  members[planned.field.localName] = holder;
  for (let key = 0; key < holder.length; key++) {
    visitValue(walk, planned, members, holder, key, { parent, key, isData: false }, depth);
  }
}

function visitMap(
  walk: Walk,
  planned: PlannedField,
  members: Members,
  map: object,
  parent: Crumb,
  depth: number,
): void {
  const holder = walk.copy ? { ...map } : map;
  members[planned.field.localName] = holder;
  for (const key of Object.keys(holder)) {
    visitValue(walk, planned, members, holder, key, { parent, key, isData: true }, depth);
  }
}

function visitValue(
  walk: Walk,
  { field, name, content, message }: PlannedField,
  members: Members,
  holder: object,
  key: string | number,
  crumb: Crumb,
  depth: number,
): void {
  if (content !== "message") {
    walk.sites.push({ field, name, content, message: members, holder, key, crumb });
    return;
  }
  const value = getSlot(holder, key);
  if (typeof value !== "object" || value === null) return;
  setSlot(holder, key, visitMessage(walk, walk.planner.plan(message), value as Message, crumb, depth + 1));
}

/** What is at a site. */
export function getSlot(holder: object, key: string | number): unknown {
  return (holder as Record<string | number, unknown>)[key];
}

/** Put something at a site. */
export function setSlot(holder: object, key: string | number, value: unknown): void {
  if (typeof key === "number") (holder as unknown[])[key] = value;
  else setOwn(holder as Record<string, unknown>, key, value);
}
