import type { DescField } from "@bufbuild/protobuf";
import { type ExactJson, StructCodecError } from "../index.js";

/** Objects nested deeper are an error; protobufjs itself goes no deeper. */
const deepest = 100;

/** Read a value in the shape of protobufjs, `{ fields: { a: { numberValue: 1 } } }`, as a plain value. */
export function readOldShape({ message }: DescField, value: unknown): ExactJson {
  switch (message?.typeName) {
    case "google.protobuf.Struct":
      return readStruct(value, "", 1);
    case "google.protobuf.ListValue":
      return readList(value, "", 1);
    default:
      return readValue(value, "", 0);
  }
}

function readStruct(value: unknown, pointer: string, depth: number): ExactJson {
  const { fields = {} } = requireObject(value, pointer) as { fields?: unknown };
  if (depth > deepest) throw errAt("depth_exceeded", "nested too deep", pointer);
  const json: { [key: string]: ExactJson } = {};
  for (const [key, member] of Object.entries(requireObject(fields ?? {}, pointer))) {
    const read = readValue(member, childPointer(pointer, key), depth);
    Object.defineProperty(json, key, { value: read, enumerable: true, configurable: true, writable: true });
  }
  return json;
}

function readList(value: unknown, pointer: string, depth: number): ExactJson {
  const { values = [] } = requireObject(value, pointer) as { values?: unknown };
  if (!Array.isArray(values)) throw errAt("unexpected_type", "expected the items of a ListValue", pointer);
  if (depth > deepest) throw errAt("depth_exceeded", "nested too deep", pointer);
  return values.map((item, i) => readValue(item, childPointer(pointer, i), depth));
}

const kinds = ["nullValue", "numberValue", "stringValue", "boolValue", "structValue", "listValue"];

function readValue(value: unknown, pointer: string, depth: number): ExactJson {
  const members = requireObject(value, pointer) as Record<string, unknown>;
  const given = kinds.filter((kind) => Object.hasOwn(members, kind) && (members[kind] ?? undefined) !== undefined);
  const [kind, another] = given;
  if (kind === undefined) throw errAt("unset_value", "value has no kind", pointer);
  if (another !== undefined) throw errAt("unexpected_type", "value has several kinds", pointer);
  const content = members[kind];
  switch (kind) {
    case "nullValue":
      return null;
    case "structValue":
      return readStruct(content, pointer, depth + 1);
    case "listValue":
      return readList(content, pointer, depth + 1);
    default:
      // Whether it is of that kind protobufjs does not look at either; a codec knows what a Struct can hold.
      return content as ExactJson;
  }
}

function requireObject(value: unknown, pointer: string): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw errAt("unexpected_type", "expected a value in the shape of protobufjs", pointer);
}

function childPointer(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function errAt(code: "unexpected_type" | "unset_value" | "depth_exceeded", reason: string, pointer: string): Error {
  // Keys are data, and data stays out of messages.
  const shown = pointer.replace(/[^/]+/g, "*");
  return new StructCodecError(code, "decode", `: ${reason}${shown === "" ? "" : ` at ${shown}`}`, { pointer });
}
