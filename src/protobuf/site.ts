import type { DescExtension, DescField, DescMessage, Message, Registry } from "@bufbuild/protobuf";
import { setOwn } from "../base/own.js";
import type { FieldValue } from "./field-codec.js";
import type { MessagePlan, Planner } from "./message-plan.js";
import type { Crumb } from "./place.js";
import { partOfBytes, partOfValue } from "./placeholder.js";
import type { StructKind } from "./struct-kind.js";

/** The field that a Struct belongs to. */
export interface SiteField {
  /** Full name, by which hints are found; of the type, where there is no field. */
  readonly name: string;
  readonly field: DescField | DescExtension | undefined;
  /** The message that has the field, for functions of a hint table. */
  readonly message: Message;
}

/** A place in a message where a Struct, a Value or a ListValue is. */
export interface Site extends SiteField {
  readonly kind: StructKind;
  /** What holds the value, and as what: a message, a list, a map, the object of a oneof. */
  readonly holder: object;
  readonly key: string | number;
  readonly crumb: Crumb | undefined;
  /** Whether it is in the bytes of an Any or an extension. What is held is a placeholder then. */
  readonly embedded: boolean;
}

/** How a walk goes. */
export interface SiteOptions {
  readonly planner: Planner;
  /** Members of the pointer have the names of the proto file instead of those of JSON. */
  readonly useProtoFieldName: boolean;
  /** The walk copies whatever leads to a site, so that what is at the sites may be replaced. */
  readonly copy: boolean;
  /** How bytes in an Any and in extensions are opened; without it they are left alone. */
  readonly embedding?: Embedding | undefined;
  /** Builds the error for messages that are nested too deep. */
  readonly tooDeep: (crumb: Crumb | undefined) => Error;
}

/** How the bytes in an Any and in extensions are opened, so that placeholders stand for the Structs in them, and closed. */
export interface Embedding {
  readonly registry: Registry;
  /** Read a message. Undefined where it cannot be read; protobuf-es will say so. */
  open(desc: DescMessage, bytes: Uint8Array): Message | undefined;
  close(desc: DescMessage, message: Message): Uint8Array;
  /** Take the bytes of a Struct, a Value or a ListValue. Gives its placeholder. */
  openContent(kind: StructKind, bytes: Uint8Array): Uint8Array;
  closeContent(kind: StructKind, placeholder: Uint8Array): Uint8Array;
}

/** A walk in progress. */
export interface SiteWalk extends SiteOptions {
  readonly embedded: boolean;
  readonly sites: Site[];
  /** Close again what was opened on the way, the innermost first. */
  readonly closings: (() => void)[];
  /** Visit a message that may hold Structs. Gives it, or its copy. */
  visitMessage(walk: SiteWalk, plan: MessagePlan, message: Message, crumb: Crumb | undefined, depth: number): Message;
}

/** Messages nested deeper are an error: whoever writes them recurses. */
export const deepestMessage = 500;

/** What is at a site. */
export function getSlot(holder: object, key: string | number): unknown {
  return (holder as Record<string | number, unknown>)[key];
}

/** Put something at a site. */
export function setSlot(holder: object, key: string | number, value: unknown): void {
  // To assign to what is there already is faster than to define it.
  if (typeof key === "number" || Object.hasOwn(holder, key)) (holder as Record<string | number, unknown>)[key] = value;
  else setOwn(holder as Record<string, unknown>, key, value);
}

/** The part that the placeholder at a site stands for; NaN where there is none. */
export function partAt({ kind, holder, key }: Site): number {
  const held = getSlot(holder, key);
  return held instanceof Uint8Array ? partOfBytes(kind, held, 0, held.length) : partOfValue(kind, held as FieldValue);
}
