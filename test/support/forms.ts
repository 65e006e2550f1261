import { create, fromBinary, type JsonObject, type JsonValue, type Message, toBinary } from "@bufbuild/protobuf";
import {
  type ListValue,
  ListValueSchema,
  NullValue,
  type Struct,
  StructSchema,
  type Value,
  ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { own } from "./exact-json.js";

/** What protobuf-es keeps for a plain value, built with create() alone. */
export function fieldToStruct(field: JsonObject): Struct {
  const struct = create(StructSchema);
  for (const key of Object.keys(field)) {
    own(struct.fields, key, fieldToValue(field[key] as JsonValue));
  }
  return struct;
}

export function fieldToValue(field: JsonValue): Value {
  const value = create(ValueSchema);
  switch (typeof field) {
    case "number":
      value.kind = { case: "numberValue", value: field };
      break;
    case "string":
      value.kind = { case: "stringValue", value: field };
      break;
    case "boolean":
      value.kind = { case: "boolValue", value: field };
      break;
    default:
      if (field === null) {
        value.kind = { case: "nullValue", value: NullValue.NULL_VALUE };
      } else if (Array.isArray(field)) {
        const list: ListValue = create(ListValueSchema);
        list.values = field.map(fieldToValue);
        value.kind = { case: "listValue", value: list };
      } else {
        value.kind = { case: "structValue", value: fieldToStruct(field) };
      }
  }
  return value;
}

/** The plain form of a message, unset kinds as undefined. */
export function valueToField(value: Value): JsonValue | undefined {
  switch (value.kind.case) {
    case "nullValue":
      return null;
    case "numberValue":
    case "stringValue":
    case "boolValue":
      return value.kind.value;
    case "listValue":
      return value.kind.value.values.map((item) => valueToField(item) as JsonValue);
    case "structValue":
      return structToField(value.kind.value);
    default:
      return undefined;
  }
}

export function structToField(struct: Struct): JsonObject {
  const field: JsonObject = {};
  for (const key of Object.keys(struct.fields)) {
    own(field, key, valueToField(struct.fields[key] as Value));
  }
  return field;
}

export function isMessage(value: unknown, typeName: string): value is Message {
  return typeof value === "object" && value !== null && (value as Message).$typeName === typeName;
}

export function structToBinary(struct: Struct): Uint8Array {
  return toBinary(StructSchema, struct);
}
export function valueToBinary(value: Value): Uint8Array {
  return toBinary(ValueSchema, value);
}
export function structFromBinary(bytes: Uint8Array): Struct {
  return fromBinary(StructSchema, bytes);
}
export function valueFromBinary(bytes: Uint8Array): Value {
  return fromBinary(ValueSchema, bytes);
}
