import type { JsonValue } from "@bufbuild/protobuf";
import type { ListValue, Struct, Value } from "@bufbuild/protobuf/wkt";
import { setOwn } from "../base/own.js";

/**
 * The ways to hold what a Struct can hold: as messages of protobuf-es, as the plain values of a field, or as plain values
 * whose objects are Maps, where the order of members must not change.
 */
export type StructForm = "message" | "field" | "ordered";

/** A value on the side of the Struct, in any form. */
export type StructValue = Value | JsonValue | OrderedMembers | StructValue[];

/** Members and items under construction. */
export type StructMembers = Record<string, StructValue> | OrderedMembers;
export type StructItems = StructValue[];

export interface OrderedMembers extends Map<string, StructValue> {}

export function createMembers(form: StructForm): StructMembers {
  return form === "ordered" ? new Map() : {};
}

export function setMember(members: StructMembers, key: string, value: StructValue): void {
  if (members instanceof Map) members.set(key, value);
  else setOwn(members, key, value);
}

export function countMembers(members: StructMembers): number {
  return members instanceof Map ? members.size : Object.keys(members).length;
}

// Messages are written as literals in the shape that `create()` gives them: one hidden class for all, no descriptor asked.

export function scalarValue(form: StructForm, value: null | boolean | number | string): StructValue {
  if (form !== "message") return value;
  if (typeof value === "number") return valueMessage({ case: "numberValue", value });
  if (typeof value === "string") return valueMessage({ case: "stringValue", value });
  return value === null ? valueMessage({ case: "nullValue", value: 0 }) : valueMessage({ case: "boolValue", value });
}

export function numberValue(form: StructForm, value: number): StructValue {
  return form !== "message" ? value : valueMessage({ case: "numberValue", value });
}

export function stringValue(form: StructForm, value: string): StructValue {
  return form !== "message" ? value : valueMessage({ case: "stringValue", value });
}

export function objectValue(form: StructForm, members: StructMembers): StructValue {
  if (form !== "message") return members as StructValue;
  return valueMessage({ case: "structValue", value: structMessage(members) });
}

export function listValue(form: StructForm, items: StructItems): StructValue {
  if (form !== "message") return items;
  const value: ListValue = { $typeName: "google.protobuf.ListValue", values: items as Value[] };
  return valueMessage({ case: "listValue", value });
}

export function structMessage(members: StructMembers): Struct {
  return { $typeName: "google.protobuf.Struct", fields: members as Record<string, Value> };
}

function valueMessage(kind: Value["kind"]): Value {
  return { $typeName: "google.protobuf.Value", kind };
}
