import { create, type JsonObject } from "@bufbuild/protobuf";
import { type ListValue, type Struct, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { type Direction, StructCodecError } from "../base/errors.js";
import { isPlainObject } from "../base/own.js";
import type { ExactJson } from "../codec/exact-json.js";
import { fieldKeeperOf } from "../codec/field-keeper.js";
import type { StructCodec, ValueCodec } from "../codec/struct-codec.js";
import type { CompiledHint } from "../hint/compile-hint.js";
import type { StructKind } from "./struct-kind.js";
import { kindHeaderLength, unwrapKind, wrapKind } from "./value-bytes.js";

/** What a generated message keeps in a field: a JSON object for a Struct, else a message, as is a Struct that is no field. */
export type FieldValue = JsonObject | Value | ListValue | Struct;

/** Converts what one field holds, whichever of the types it has. */
export interface FieldCodec {
  readonly kind: StructKind;
  /** What its schema was compiled to. */
  readonly hint: CompiledHint;
  /**
   * "decode": whether `fromJson` would give a value as it is. "encode": whether `toJson` would convert it without an error or an issue.
   * Nothing is made to find out, and no may be answered where it is so.
   */
  keeps(direction: Direction, value: unknown): boolean;
  /** What a message keeps in the field, to JSON. */
  toJson(value: FieldValue): ExactJson;
  toJsonString(value: FieldValue): string;
  /** JSON to what a message keeps in the field. */
  fromJson(json: ExactJson): FieldValue;
  fromJsonString(text: string): FieldValue;
  /** The bytes of the Struct, Value or ListValue, without those of the message around it. */
  binaryToJson(bytes: Uint8Array): ExactJson;
  binaryToJsonString(bytes: Uint8Array): string;
  jsonStringToBinary(text: string): Uint8Array;
  jsonToBinary(json: ExactJson): Uint8Array;
  /** How many bytes the codec sees before these, by which offsets in its errors are too large. */
  headerLength(bytes: Uint8Array): number;
}

/** Whether a value is a codec, of this copy of the package or another. */
export function isCodec(value: unknown): value is StructCodec | ValueCodec {
  if (typeof value !== "object" || value === null) return false;
  const { fieldToJson, jsonStringToBinary } = value as Partial<StructCodec>;
  return typeof fieldToJson === "function" && typeof jsonStringToBinary === "function";
}

/** Whether a codec is one of Structs: only one of Values takes a root that is no object. */
export function isStructCodec(codec: StructCodec | ValueCodec): codec is StructCodec {
  try {
    (codec as ValueCodec).fieldToJson(null);
    return false;
  } catch {
    return true;
  }
}

/** A field of type Struct. */
export function structFieldCodec(codec: StructCodec | ValueCodec): FieldCodec {
  // Both keep the same plain objects for an object; only the types of what else they take differ.
  const fields = codec as StructCodec;
  const keeper = fieldKeeperOf(codec);
  return {
    kind: "struct",
    hint: codec.hint,
    keeps: (direction, value) => isObjectLike(value) && keeper(direction, value),
    toJson: (value) => fields.fieldToJson(value as JsonObject),
    toJsonString: (value) => fields.fieldToJsonString(value as JsonObject),
    fromJson: (json) => requireObject(fields.jsonToField(json)),
    fromJsonString: (text) => requireObject(fields.jsonStringToField(text)),
    ...structBytesCodec(codec),
  };
}

/** A Struct that is no field. */
export function structRootCodec(codec: StructCodec | ValueCodec): FieldCodec {
  if (isStructCodec(codec)) {
    return {
      kind: "root",
      hint: codec.hint,
      keeps: () => false,
      toJson: (value) => codec.toJson(value as Struct),
      toJsonString: (value) => codec.toJsonString(value as Struct),
      fromJson: (json) => codec.fromJson(json),
      fromJsonString: (text) => codec.fromJsonString(text),
      ...structBytesCodec(codec),
    };
  }
  return {
    kind: "root",
    hint: codec.hint,
    keeps: () => false,
    toJson: (value) => codec.toJson(structAsValue(value as Struct)),
    toJsonString: (value) => codec.toJsonString(structAsValue(value as Struct)),
    fromJson: (json) => requireStruct(codec.fromJson(json)),
    fromJsonString: (text) => requireStruct(codec.fromJsonString(text)),
    ...structBytesCodec(codec),
  };
}

type BytesCodec = Pick<
  FieldCodec,
  "binaryToJson" | "binaryToJsonString" | "jsonStringToBinary" | "jsonToBinary" | "headerLength"
>;

function structBytesCodec(codec: StructCodec | ValueCodec): BytesCodec {
  if (isStructCodec(codec)) {
    return {
      binaryToJson: (bytes) => codec.binaryToJson(bytes),
      binaryToJsonString: (bytes) => codec.binaryToJsonString(bytes),
      jsonStringToBinary: (text) => codec.jsonStringToBinary(text),
      jsonToBinary: (json) => codec.jsonToBinary(json),
      headerLength: () => 0,
    };
  }
  return {
    headerLength: kindHeaderLength,
    binaryToJson: (bytes) => codec.binaryToJson(wrapKind("struct", bytes)),
    binaryToJsonString: (bytes) => codec.binaryToJsonString(wrapKind("struct", bytes)),
    jsonStringToBinary: (text) => requireKind("struct", codec.jsonStringToBinary(text)),
    jsonToBinary: (json) => requireKind("struct", codec.jsonToBinary(json)),
  };
}

/** A field of type ListValue. */
export function listFieldCodec(codec: ValueCodec): FieldCodec {
  return {
    kind: "list",
    hint: codec.hint,
    keeps: () => false,
    toJson: (value) => codec.toJson(listAsValue(value as ListValue)),
    toJsonString: (value) => codec.toJsonString(listAsValue(value as ListValue)),
    fromJson: (json) => requireList(codec.fromJson(json)),
    fromJsonString: (text) => requireList(codec.fromJsonString(text)),
    binaryToJson: (bytes) => codec.binaryToJson(wrapKind("list", bytes)),
    binaryToJsonString: (bytes) => codec.binaryToJsonString(wrapKind("list", bytes)),
    jsonStringToBinary: (text) => requireKind("list", codec.jsonStringToBinary(text)),
    jsonToBinary: (json) => requireKind("list", codec.jsonToBinary(json)),
    headerLength: kindHeaderLength,
  };
}

/** A field of type Value. */
export function valueFieldCodec(codec: ValueCodec): FieldCodec {
  return {
    kind: "value",
    hint: codec.hint,
    keeps: () => false,
    toJson: (value) => codec.toJson(value as Value),
    toJsonString: (value) => codec.toJsonString(value as Value),
    fromJson: (json) => codec.fromJson(json),
    fromJsonString: (text) => codec.fromJsonString(text),
    binaryToJson: (bytes) => codec.binaryToJson(bytes),
    binaryToJsonString: (bytes) => codec.binaryToJsonString(bytes),
    jsonStringToBinary: (text) => codec.jsonStringToBinary(text),
    jsonToBinary: (json) => codec.jsonToBinary(json),
    headerLength: () => 0,
  };
}

/** A field of type Value with a codec of Structs, as tools have: it speaks about objects, `others` about all other values. */
export function objectValueFieldCodec(codec: StructCodec, others: ValueCodec): FieldCodec {
  const isObjectText = (text: string): boolean => /^[\t\n\r ]*\{/.test(text);
  return {
    kind: "value",
    hint: codec.hint,
    keeps: () => false,
    toJson: (value) => {
      const struct = structIn(value as Value);
      return struct === undefined ? others.toJson(value as Value) : codec.toJson(struct);
    },
    toJsonString: (value) => {
      const struct = structIn(value as Value);
      return struct === undefined ? others.toJsonString(value as Value) : codec.toJsonString(struct);
    },
    fromJson: (json) => (isObject(json) ? structAsValue(codec.fromJson(json)) : others.fromJson(json)),
    fromJsonString: (text) =>
      isObjectText(text) ? structAsValue(codec.fromJsonString(text)) : others.fromJsonString(text),
    binaryToJson: (bytes) => {
      const struct = unwrapKind("struct", bytes);
      return struct === undefined ? others.binaryToJson(bytes) : codec.binaryToJson(struct);
    },
    binaryToJsonString: (bytes) => {
      const struct = unwrapKind("struct", bytes);
      return struct === undefined ? others.binaryToJsonString(bytes) : codec.binaryToJsonString(struct);
    },
    jsonStringToBinary: (text) =>
      isObjectText(text) ? wrapKind("struct", codec.jsonStringToBinary(text)) : others.jsonStringToBinary(text),
    jsonToBinary: (json) => (isObject(json) ? wrapKind("struct", codec.jsonToBinary(json)) : others.jsonToBinary(json)),
    headerLength: (bytes) => (unwrapKind("struct", bytes)?.length ?? bytes.length) - bytes.length,
  };
}

function structIn({ kind }: Value): Struct | undefined {
  return kind.case === "structValue" ? kind.value : undefined;
}

function structAsValue(value: Struct): Value {
  return create(ValueSchema, { kind: { case: "structValue", value } });
}

function listAsValue(value: ListValue): Value {
  return create(ValueSchema, { kind: { case: "listValue", value } });
}

function isObject(json: unknown): boolean {
  return typeof json === "object" && json !== null && isPlainObject(json);
}

/** Of whatever class; the keeper looks closer. */
function isObjectLike(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function requireObject(value: unknown): JsonObject {
  if (isObject(value)) return value as JsonObject;
  throw errExpected("google.protobuf.Struct", "object");
}

function requireStruct(value: Value): Struct {
  const struct = structIn(value);
  if (struct !== undefined) return struct;
  throw errExpected("google.protobuf.Struct", "object");
}

function requireList({ kind }: Value): ListValue {
  if (kind.case === "listValue") return kind.value;
  throw errExpected("google.protobuf.ListValue", "array");
}

function requireKind(kind: "struct" | "list", bytes: Uint8Array): Uint8Array {
  const inner = unwrapKind(kind, bytes);
  if (inner !== undefined) return inner;
  throw kind === "struct"
    ? errExpected("google.protobuf.Struct", "object")
    : errExpected("google.protobuf.ListValue", "array");
}

/** What the codec of a Value takes and a Struct or ListValue does not. */
function errExpected(typeName: string, expected: string): Error {
  const message = `cannot decode ${typeName} from JSON: expected ${expected}, got another value`;
  return new StructCodecError("unexpected_type", "decode", message, { pointer: "" });
}
