import type { ListValue, Struct, Value } from "@bufbuild/protobuf/wkt";
import type { IntegerLiteral } from "../base/integer-literal.js";
import { isPlainObject, setOwn } from "../base/own.js";
import type { ExactJson, ExactJsonObject } from "../codec/exact-json.js";
import type { FieldValue } from "./field-codec.js";

/** Deeper than any Value that protobuf-es writes. */
const deepest = 200;

/** Thrown where a message is none. */
const malformed = new Error("not a message of protobuf-es");

interface Found {
  hasExact: boolean;
}

/**
 * The JSON of a Value, a ListValue or a Struct whose numbers are, against their type, `bigint`, `IntegerLiteral` or raw JSON, as a
 * codec takes it. Undefined where all numbers are numbers, and where something else is wrong, which a codec says better.
 */
export function exactJsonOf(message: FieldValue): ExactJson | undefined {
  const found: Found = { hasExact: false };
  try {
    const json = readMessage(found, message as Readonly<Record<string, unknown>>, 1);
    return found.hasExact ? json : undefined;
  } catch (error) {
    if (error !== malformed) throw error;
    return undefined;
  }
}

function readMessage(found: Found, message: Readonly<Record<string, unknown>>, depth: number): ExactJson {
  if (Array.isArray(message.values)) return readValues(found, message.values, depth);
  if (message.fields !== undefined) return readFields(found, message.fields, depth);
  return readValue(found, message, depth);
}

function readValues(found: Found, values: unknown, depth: number): ExactJson {
  if (depth > deepest || !Array.isArray(values)) throw malformed;
  // No map, which skips holes.
  return Array.from(values, (value) => readValue(found, value, depth));
}

function readFields(found: Found, fields: unknown, depth: number): ExactJsonObject {
  if (depth > deepest || typeof fields !== "object" || fields === null || !isPlainObject(fields)) throw malformed;
  const json: ExactJsonObject = {};
  for (const [key, value] of Object.entries(fields)) setOwn(json, key, readValue(found, value, depth));
  return json;
}

function readValue(found: Found, message: unknown, depth: number): ExactJson {
  const kind = (message as Partial<Value> | null | undefined)?.kind;
  // Whatever the types say, there may be anything.
  const content: unknown = kind?.value;
  switch (kind?.case) {
    case "numberValue":
      return readNumber(found, content);
    case "structValue":
      return readFields(found, (content as Partial<Struct> | null | undefined)?.fields, depth + 1);
    case "listValue":
      return readValues(found, (content as Partial<ListValue> | null | undefined)?.values, depth + 1);
    case "nullValue":
      return null;
    case "boolValue":
      if (typeof content === "boolean") return content;
      throw malformed;
    case "stringValue":
      if (typeof content === "string") return content;
      throw malformed;
    default:
      throw malformed;
  }
}

function readNumber(found: Found, number: unknown): ExactJson {
  if (typeof number === "number") return number;
  if (typeof number !== "bigint" && (typeof number !== "object" || number === null)) throw malformed;
  found.hasExact = true;
  // The codec that is to take it tells IntegerLiteral and raw JSON from all other objects.
  return number as IntegerLiteral;
}
