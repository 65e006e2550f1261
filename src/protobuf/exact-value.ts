import type { Value } from "@bufbuild/protobuf/wkt";
import type { IntegerLiteral } from "../base/integer-literal.js";
import { setOwn } from "../base/own.js";
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
  if (depth > deepest) throw malformed;
  if (Array.isArray(message.values)) return message.values.map((value) => readValue(found, value, depth));
  if (typeof message.fields === "object") return readFields(found, message.fields ?? {}, depth);
  return readValue(found, message, depth);
}

function readFields(found: Found, fields: object, depth: number): ExactJsonObject {
  const json: ExactJsonObject = {};
  for (const [key, value] of Object.entries(fields)) setOwn(json, key, readValue(found, value, depth));
  return json;
}

function readValue(found: Found, message: unknown, depth: number): ExactJson {
  const kind = (message as Partial<Value> | undefined)?.kind;
  switch (kind?.case) {
    case "numberValue":
      return readNumber(found, kind.value);
    case "structValue":
    case "listValue":
      return readMessage(found, kind.value as object as Readonly<Record<string, unknown>>, depth + 1);
    case "nullValue":
      return null;
    case "boolValue":
    case "stringValue":
      return kind.value;
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
