import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import type { MessagePlan, PlannedField } from "./message-plan.js";
import type { Crumb } from "./place.js";
import {
  deepestMessage,
  getSlot,
  type Site,
  type SiteField,
  type SiteOptions,
  type SiteWalk,
  setSlot,
} from "./site.js";
import { rootKindOf } from "./struct-kind.js";
import { visitAny, visitExtensions } from "./visit-embedded.js";

/** The sites of a message, in the order of its fields. */
export interface Sites {
  readonly sites: readonly Site[];
  /** Close what was opened, with what the sites hold now. Gives the message, or its copy. */
  close(): Message;
}

/** Find the sites of a message. */
export function findSites(options: SiteOptions, desc: DescMessage, message: Message): Sites {
  const walk: SiteWalk = { ...options, embedded: false, sites: [], closings: [], visitMessage };
  const holder = { message };
  visitRoot(walk, desc, holder);
  const close = (): Message => {
    for (const closing of walk.closings) closing();
    return holder.message;
  };
  return { sites: walk.sites, close };
}

function visitRoot(walk: SiteWalk, desc: DescMessage, holder: { message: Message }): void {
  const root: SiteField = { name: desc.typeName, field: undefined, message: holder.message };
  const kind = rootKindOf(desc);
  const plan = walk.planner.plan(desc);
  if (kind !== undefined) {
    walk.sites.push({ ...root, kind, holder, key: "message", crumb: undefined, embedded: false });
  } else if (desc.typeName === "google.protobuf.Any") {
    visitAny(walk, root, holder, "message", undefined, 1);
  } else if (plan.holdsStructs) {
    holder.message = visitMessage(walk, plan, holder.message, undefined, 1);
  }
}

/** A message as what it is: its members by name. */
type Members = Message & Record<string, unknown>;

function visitMessage(
  walk: SiteWalk,
  plan: MessagePlan,
  message: Message,
  crumb: Crumb | undefined,
  depth: number,
): Message {
  if (depth > deepestMessage) throw walk.tooDeep(crumb);
  const members = (walk.copy ? copyMessage(message) : message) as Members;
  for (const planned of plan.fields) visitField(walk, planned, members, crumb, depth);
  if (members.$unknown !== undefined) visitExtensions(walk, plan, members, crumb, depth);
  return members;
}

/** A copy has the prototype too, which is where protobuf-es keeps default values of fields that are not set. */
function copyMessage(message: Message): Message {
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message);
}

function visitField(walk: SiteWalk, planned: PlannedField, members: Members, parent: Crumb | undefined, depth: number) {
  const { field } = planned;
  const { localName, oneof } = field;
  const name = oneof === undefined ? localName : oneof.localName;
  const value = members[name];
  if (value === undefined || value === null) return;
  if (oneof !== undefined) {
    const choice = value as { readonly case?: string; readonly value?: unknown };
    if (choice.case !== localName || choice.value === undefined) return;
    const holder = takeContainer(walk, members, name, choice, () => ({ ...choice }));
    visitValue(walk, planned, members, holder, "value", createCrumb(walk, field, parent), depth);
  } else if (field.fieldKind === "message") {
    visitValue(walk, planned, members, members, localName, createCrumb(walk, field, parent), depth);
  } else if (field.fieldKind === "list") {
    // What is not what a message keeps there is left to protobuf-es, whose error it is.
    if (Array.isArray(value) && value.length > 0) visitList(walk, planned, members, value, parent, depth);
  } else if (typeof value === "object") {
    visitMap(walk, planned, members, value, parent, depth);
  }
}

function createCrumb({ useProtoFieldName }: SiteWalk, field: DescField, parent: Crumb | undefined): Crumb {
  return { parent, key: useProtoFieldName ? field.name : field.jsonName, isData: false };
}

function visitList(
  walk: SiteWalk,
  planned: PlannedField,
  members: Members,
  list: unknown[],
  outer: Crumb | undefined,
  depth: number,
): void {
  const parent = createCrumb(walk, planned.field, outer);
  const holder = takeContainer(walk, members, planned.field.localName, list, () => [...list]);
  for (let key = 0; key < holder.length; key++) {
    visitValue(walk, planned, members, holder, key, { parent, key, isData: false }, depth);
  }
}

function visitMap(
  walk: SiteWalk,
  planned: PlannedField,
  members: Members,
  map: object,
  outer: Crumb | undefined,
  depth: number,
): void {
  const keys = Object.keys(map);
  if (keys.length === 0) return;
  const parent = createCrumb(walk, planned.field, outer);
  const holder = takeContainer(walk, members, planned.field.localName, map, () => ({ ...map }));
  for (const key of keys) {
    visitValue(walk, planned, members, holder, key, { parent, key, isData: true }, depth);
  }
}

/** Take a container of a message: on a walk that copies, its copy; on one that does not, it may be frozen. */
function takeContainer<T>({ copy }: SiteWalk, members: Members, localName: string, container: T, copyOf: () => T): T {
  if (!copy) return container;
  const copied = copyOf();
  (members as Record<string, unknown>)[localName] = copied;
  return copied;
}

function visitValue(
  walk: SiteWalk,
  { field, name, content, message }: PlannedField,
  members: Members,
  holder: object,
  key: string | number,
  crumb: Crumb,
  depth: number,
): void {
  const value = getSlot(holder, key);
  const isObject = typeof value === "object" && value !== null;
  if (content === "struct" || (content !== "any" && content !== "message" && isObject)) {
    // protobuf-es takes whatever is no object for an empty Struct.
    walk.sites.push({ name, field, message: members, kind: content, holder, key, crumb, embedded: walk.embedded });
  } else if (content === "any" && isObject) {
    visitAny(walk, { name, field, message: members }, holder, key, crumb, depth);
  } else if (content === "message" && isObject) {
    const visited = visitMessage(walk, walk.planner.plan(message), value as Message, crumb, depth + 1);
    if (walk.copy) setSlot(holder, key, visited);
  }
}
