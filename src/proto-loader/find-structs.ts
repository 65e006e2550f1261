import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { StructCodecError } from "../index.js";
import type { MessageConversion, MessagePlace } from "../protobuf.js";
import type { ChosenFields } from "./choose-fields.js";

/** A plain object as what it is: its members by name. */
type Members = Record<string, unknown>;

/** A place in an object where a chosen field has a value. */
export interface Site {
  readonly field: DescField;
  /** The object that has the field, for functions of a hint table; on a walk that copies the one that was copied. */
  readonly message: object;
  readonly holder: object;
  readonly key: string | number;
  readonly place: MessagePlace;
}

/** How a walk goes. */
export interface SiteWalk {
  readonly chosen: ChosenFields;
  readonly conversion: MessageConversion;
  /** The walk copies whatever leads to a site. */
  readonly copy: boolean;
  readonly sites: Site[];
}

/** protobufjs itself goes no deeper. */
const deepest = 100;

/** Find the values of chosen fields in an object. Gives the object, or its copy. */
export function findStructs(
  walk: SiteWalk,
  desc: DescMessage,
  object: object,
  place: MessagePlace | undefined,
  depth = 1,
): object {
  if (depth > deepest && place !== undefined) throw errTooDeep(walk, place);
  const copy = (walk.copy ? { ...object } : object) as Members;
  for (const field of desc.fields) {
    const { message, name } = field;
    if (message === undefined || !(walk.chosen.fields.has(field) || walk.chosen.holders.has(message))) continue;
    const value = copy[name];
    if (typeof value !== "object" && !(walk.chosen.fields.has(field) && value !== undefined)) continue;
    // Under `defaults` protobufjs has null for a field that is absent. Only for who writes a Value is null a value.
    if (value === null && !(walk.copy && message.typeName === "google.protobuf.Value")) continue;
    visitField(walk, field, object, copy, { parent: place, key: name, isData: false }, depth);
  }
  return copy;
}

function visitField(
  walk: SiteWalk,
  field: DescField,
  object: object,
  copy: Members,
  place: MessagePlace,
  depth: number,
): void {
  const value = copy[field.name];
  if (field.fieldKind === "list") {
    if (!Array.isArray(value)) return;
    const list: unknown[] = walk.copy ? [...value] : value;
    copy[field.name] = list;
    for (let key = 0; key < list.length; key++) {
      visitValue(walk, field, object, list, key, { parent: place, key, isData: false }, depth);
    }
  } else if (field.fieldKind === "map") {
    if (typeof value !== "object" || value === null) return;
    const map: object = walk.copy ? { ...value } : value;
    copy[field.name] = map;
    for (const key of Object.keys(map))
      visitValue(walk, field, object, map, key, { parent: place, key, isData: true }, depth);
  } else {
    visitValue(walk, field, object, copy, field.name, place, depth);
  }
}

function visitValue(
  walk: SiteWalk,
  field: DescField,
  message: object,
  holder: object,
  key: string | number,
  place: MessagePlace,
  depth: number,
): void {
  if (walk.chosen.fields.has(field)) {
    walk.sites.push({ field, message, holder, key, place });
    return;
  }
  const value = getSlot(holder, key);
  if (typeof value !== "object" || value === null) return;
  const visited = findStructs(walk, field.message as DescMessage, value, place, depth + 1);
  if (walk.copy) setSlot(holder, key, visited);
}

function errTooDeep({ conversion }: SiteWalk, place: MessagePlace): unknown {
  try {
    return conversion.convert(place, () => {
      throw new StructCodecError("depth_exceeded", "decode", ": messages are nested too deep", { pointer: "" });
    });
  } catch (error) {
    return error;
  }
}

/** What is at a site. */
export function getSlot(holder: object, key: string | number): unknown {
  return (holder as Record<string | number, unknown>)[key];
}

/** Put something at a site; a key of a map may be "__proto__". */
export function setSlot(holder: object, key: string | number, value: unknown): void {
  const descriptor: PropertyDescriptor = Object.create(null);
  Object.assign(descriptor, { value, enumerable: true, configurable: true, writable: true });
  Object.defineProperty(holder, key, descriptor);
}
