import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Value } from "@bufbuild/protobuf/wkt";
import { numberToStruct } from "../base/numerals.js";
import { setOwn } from "../base/own.js";
import { isWellFormed } from "../base/utf8.js";
import { type ByteNode, countValues, namedNode } from "./byte-node.js";
import { selectByJson } from "./json-to-struct.js";
import { Decline } from "./transcoder.js";
import { refuseUnusual } from "./usual-object.js";

// JSON values to messages and fields by plain recursion, for as long as nothing is unusual or wrong; see fast-to-json.ts.

const declined = new Decline("left to the careful way");

// hot: bench "fromJson/medium"
export function fastFields(object: object, declared: ByteNode, depth: number): Record<string, Value> {
  const { graph } = declared;
  if (depth > graph.deepest) throw declined;
  refuseUnusual(object);
  const node = declared.hint.selection === undefined ? declared : graph.of(selectByJson(declared.hint, object));
  const { names, children } = node;
  const fields: Record<string, Value> = {};
  let count = 0;
  let guess = 0;
  for (const key in object) {
    count++;
    const json = (object as Record<string, unknown>)[key];
    let child = node.other;
    if (guess < names.length && names[guess] === key) child = children[guess++] as ByteNode;
    else {
      if (node !== graph.any) child = namedNode(node, key);
      if (!isWellFormed(key)) throw declined;
    }
    if (json === undefined) continue;
    const value = fastMessage(json, child, depth);
    if (key === "__proto__") setOwn(fields, key, value);
    else fields[key] = value;
  }
  countValues(graph, count);
  graph.members += count;
  return fields;
}

export function fastMessage(json: unknown, node: ByteNode, depth: number): Value {
  if (typeof json === "string") {
    if (node.stringIn !== 0 || !isWellFormed(json)) throw declined;
    return { $typeName: "google.protobuf.Value", kind: { case: "stringValue", value: json } };
  }
  if (typeof json === "number") {
    const number = node.numberIn <= 1 && Number.isSafeInteger(json) ? json : hintedNumber(json, node);
    if (typeof number === "string") {
      return { $typeName: "google.protobuf.Value", kind: { case: "stringValue", value: number } };
    }
    return { $typeName: "google.protobuf.Value", kind: { case: "numberValue", value: number } };
  }
  if (typeof json === "boolean") {
    return { $typeName: "google.protobuf.Value", kind: { case: "boolValue", value: json } };
  }
  if (json === null) return { $typeName: "google.protobuf.Value", kind: { case: "nullValue", value: 0 } };
  if (typeof json !== "object") throw declined;
  if (!Array.isArray(json)) {
    const fields = fastFields(json, node, depth + 1);
    const value = { $typeName: "google.protobuf.Struct", fields } as const;
    return { $typeName: "google.protobuf.Value", kind: { case: "structValue", value } };
  }
  const { graph, prefixItems, otherItems } = node;
  if (depth >= graph.deepest) throw declined;
  countValues(graph, json.length);
  const values: Value[] = [];
  for (let i = 0; i < json.length; i++) {
    const child = i < prefixItems.length ? (prefixItems[i] as ByteNode) : otherItems;
    values.push(fastMessage(json[i], child, depth + 1));
  }
  const value = { $typeName: "google.protobuf.ListValue", values } as const;
  return { $typeName: "google.protobuf.Value", kind: { case: "listValue", value } };
}

// hot: bench "jsonToField/medium"
export function fastObject(object: object, declared: ByteNode, depth: number): JsonObject {
  const { graph } = declared;
  if (depth > graph.deepest) throw declined;
  refuseUnusual(object);
  const node = declared.hint.selection === undefined ? declared : graph.of(selectByJson(declared.hint, object));
  const { names, children } = node;
  const field: JsonObject = {};
  let count = 0;
  let guess = 0;
  for (const key in object) {
    count++;
    const json = (object as Record<string, unknown>)[key];
    let child = node.other;
    if (guess < names.length && names[guess] === key) child = children[guess++] as ByteNode;
    else {
      if (node !== graph.any) child = namedNode(node, key);
      if (!isWellFormed(key)) throw declined;
    }
    if (json === undefined) continue;
    const value = fastField(json, child, depth);
    if (key === "__proto__") setOwn(field, key, value);
    else field[key] = value;
  }
  countValues(graph, count);
  graph.members += count;
  return field;
}

export function fastField(json: unknown, node: ByteNode, depth: number): JsonValue {
  if (typeof json === "string") {
    if (node.stringIn !== 0 || !isWellFormed(json)) throw declined;
    return json;
  }
  if (typeof json === "number") {
    // JSON.stringify writes -0 as 0.
    if (node.numberIn <= 1 && Number.isSafeInteger(json) && (json !== 0 || !node.graph.text)) return json;
    return hintedNumber(json, node);
  }
  if (json === null || typeof json === "boolean") return json;
  if (typeof json !== "object") throw declined;
  if (!Array.isArray(json)) {
    return fastObject(json, node, depth + 1);
  }
  const { graph, prefixItems, otherItems } = node;
  if (depth >= graph.deepest) throw declined;
  countValues(graph, json.length);
  const items: JsonValue[] = [];
  for (let i = 0; i < json.length; i++) {
    const child = i < prefixItems.length ? (prefixItems[i] as ByteNode) : otherItems;
    items.push(fastField(json[i], child, depth + 1));
  }
  return items;
}

function hintedNumber(json: number, node: ByteNode): number | string {
  const { rules, decliner, text } = node.graph;
  const number = numberToStruct(rules, node.hint.position, json, decliner);
  if (text && Object.is(number, -0)) throw declined;
  return number;
}
