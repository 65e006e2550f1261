import type { JsonValue } from "@bufbuild/protobuf";
import type { ListValue, Struct, Value } from "@bufbuild/protobuf/wkt";

/** The two ways to hold what a Struct can hold: as messages of protobuf-es, or as the plain values of a field. */
export type StructForm = "message" | "field";

/** A value on the side of the Struct, in either form. */
export type StructValue = Value | JsonValue;

/** Members and items under construction. */
export type StructMembers = Record<string, StructValue>;
export type StructItems = StructValue[];

// Messages are written as literals in the shape that `create()` gives them: one hidden class for all, no descriptor asked.

export function scalarValue(form: StructForm, value: null | boolean | number | string): StructValue {
  if (form === "field") return value;
  if (typeof value === "number") return valueMessage({ case: "numberValue", value });
  if (typeof value === "string") return valueMessage({ case: "stringValue", value });
  return value === null ? valueMessage({ case: "nullValue", value: 0 }) : valueMessage({ case: "boolValue", value });
}

export function numberValue(form: StructForm, value: number): StructValue {
  return form === "field" ? value : valueMessage({ case: "numberValue", value });
}

export function stringValue(form: StructForm, value: string): StructValue {
  return form === "field" ? value : valueMessage({ case: "stringValue", value });
}

export function objectValue(form: StructForm, members: StructMembers): StructValue {
  if (form === "field") return members as JsonValue;
  return valueMessage({ case: "structValue", value: structMessage(members) });
}

export function listValue(form: StructForm, items: StructItems): StructValue {
  if (form === "field") return items as JsonValue;
  const value: ListValue = { $typeName: "google.protobuf.ListValue", values: items as Value[] };
  return valueMessage({ case: "listValue", value });
}

export function structMessage(members: StructMembers): Struct {
  return { $typeName: "google.protobuf.Struct", fields: members as Record<string, Value> };
}

function valueMessage(kind: Value["kind"]): Value {
  return { $typeName: "google.protobuf.Value", kind };
}
