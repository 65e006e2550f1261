import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { ListValue, Struct, Value } from "@bufbuild/protobuf/wkt";
import { type JsonScalar, NumberRule, numberToJson, RawNumeral, stringToJson } from "../base/numerals.js";
import { setOwn } from "../base/own.js";
import { isWellFormed } from "../base/utf8.js";
import { type ByteGraph, type ByteNode, countValues, namedNode, tooMany } from "./byte-node.js";
import type { ExactJson, ExactJsonObject } from "./exact-json.js";
import { selectByMembers } from "./field-to-json.js";
import { selectByFields } from "./message-to-json.js";
import { Decline } from "./transcoder.js";
import { isPolluted, refuseUnusual } from "./usual-object.js";

// Messages and fields to JSON values by plain recursion, for as long as nothing is unusual or wrong. What is, is declined by a
// throw, and the careful walk, which has a stack of its own and knows every error, begins again.
//
// Half a surrogate pair is no matter here: a JS string can hold it, and to look for it costs a third of the time. Text and
// wire cannot, so where text is asked for it is looked for.

const declined = new Decline("left to the careful way");

/**
 * Run a fast conversion with the state of the graph as its own; undefined where the document is not for it. A getter of the
 * document may use the same codec, so the state of a conversion that is under way is kept and put back. Throws `tooMany`
 * beyond the limit of values.
 */
export function attemptFast<T>(graph: ByteGraph, text: boolean, convert: (graph: ByteGraph) => T): T | undefined {
  if (isPolluted()) return undefined;
  const { text: outerText, rawNumerals, values, members } = graph;
  graph.text = text;
  graph.rawNumerals = 0;
  graph.values = 1;
  graph.members = 0;
  try {
    return convert(graph);
  } catch (error) {
    if (error === tooMany) throw error;
    // A TypeError is a message that is none, a RangeError a caller that has left no stack.
    if (error instanceof Decline || error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  } finally {
    graph.text = outerText;
    graph.rawNumerals = rawNumerals;
    graph.values = values;
    graph.members = members;
  }
}

// hot: bench "toJson/medium"
export function fastStructToJson(fields: Record<string, Value>, declared: ByteNode, depth: number): ExactJsonObject {
  const { graph } = declared;
  if (depth > graph.deepest) throw declined;
  refuseUnusual(fields);
  const node = declared.hint.selection === undefined ? declared : graph.of(selectByFields(declared.hint, fields));
  const { names, children } = node;
  const json: ExactJsonObject = {};
  let count = 0;
  let guess = 0;
  for (const key in fields) {
    count++;
    let child = node.other;
    if (guess < names.length && names[guess] === key) child = children[guess++] as ByteNode;
    else if (node !== graph.any) child = namedNode(node, key);
    const value = fastValueToJson(fields[key] as Value, child, depth);
    if (graph.text && !isWellFormed(key)) throw declined;
    if (key === "__proto__") setOwn(json, key, value);
    else json[key] = value;
  }
  countValues(graph, count);
  return json;
}

export function fastListToJson(values: readonly Value[], node: ByteNode, depth: number): ExactJson[] {
  const { graph, prefixItems, otherItems } = node;
  if (depth > graph.deepest || !Array.isArray(values)) throw declined;
  countValues(graph, values.length);
  // Pushed and not sized beforehand: JSON.stringify is several times slower on arrays that may have holes.
  const json: ExactJson[] = [];
  for (let i = 0; i < values.length; i++) {
    const child = i < prefixItems.length ? (prefixItems[i] as ByteNode) : otherItems;
    json.push(fastValueToJson(values[i] as Value, child, depth));
  }
  return json;
}

export function fastValueToJson(message: Value, node: ByteNode, depth: number): ExactJson {
  const { kind } = message;
  // Read once: what has been looked at is what is kept, also where it comes from a getter.
  const { value } = kind;
  switch (kind.case) {
    case "stringValue":
      if (node.stringOut === 0 && typeof value === "string" && !node.graph.text) return value;
      return hintedString(value as string, node);
    case "numberValue":
      // JSON.stringify writes -0 as 0.
      if (node.numberOut === NumberRule.shortest && Number.isFinite(value) && (value !== 0 || !node.graph.text)) {
        return value as number;
      }
      if (node.numberOut === NumberRule.integer && Number.isSafeInteger(value)) return (value as number) + 0;
      return hintedNumber(value as number, node);
    case "structValue":
      return fastStructToJson((value as Struct).fields, node, depth + 1);
    case "listValue":
      return fastListToJson((value as ListValue).values, node, depth + 1);
    case "boolValue":
      if (typeof value !== "boolean") throw declined;
      return value;
    case "nullValue":
      return null;
    default:
      throw declined;
  }
}

// hot: bench "fieldToJson/medium"
export function fastObjectToJson(object: JsonObject, declared: ByteNode, depth: number): ExactJsonObject {
  const { graph } = declared;
  if (depth > graph.deepest) throw declined;
  refuseUnusual(object);
  const node = declared.hint.selection === undefined ? declared : graph.of(selectByMembers(declared.hint, object));
  const { names, children } = node;
  const json: ExactJsonObject = {};
  let count = 0;
  let guess = 0;
  for (const key in object) {
    count++;
    let child = node.other;
    if (guess < names.length && names[guess] === key) child = children[guess++] as ByteNode;
    else if (node !== graph.any) child = namedNode(node, key);
    const value = fastFieldToJson(object[key] as JsonValue, child, depth);
    if (graph.text && !isWellFormed(key)) throw declined;
    if (key === "__proto__") setOwn(json, key, value);
    else json[key] = value;
  }
  countValues(graph, count);
  return json;
}

export function fastFieldToJson(value: JsonValue, node: ByteNode, depth: number): ExactJson {
  if (typeof value === "string") {
    return node.stringOut === 0 && !node.graph.text ? value : hintedString(value, node);
  }
  if (typeof value === "number") {
    if (node.numberOut === NumberRule.shortest && Number.isFinite(value) && (value !== 0 || !node.graph.text))
      return value;
    if (node.numberOut === NumberRule.integer && Number.isSafeInteger(value)) return value + 0;
    return hintedNumber(value, node);
  }
  if (value === null || typeof value === "boolean") return value;
  if (!Array.isArray(value)) {
    if (typeof value !== "object") throw declined;
    return fastObjectToJson(value, node, depth + 1);
  }
  const { graph, prefixItems, otherItems } = node;
  if (depth >= graph.deepest) throw declined;
  countValues(graph, value.length);
  const json: ExactJson[] = [];
  for (let i = 0; i < value.length; i++) {
    const child = i < prefixItems.length ? (prefixItems[i] as ByteNode) : otherItems;
    json.push(fastFieldToJson(value[i] as JsonValue, child, depth + 1));
  }
  return json;
}

function hintedNumber(value: number, node: ByteNode): ExactJson {
  if (typeof value !== "number") throw declined;
  const { rules, decliner, text } = node.graph;
  return markRaw(node.graph, numberToJson(rules, node.hint.position, value, text, decliner));
}

function hintedString(value: string, node: ByteNode): ExactJson {
  const { rules, decliner, text } = node.graph;
  if (typeof value !== "string" || (text && !isWellFormed(value))) throw declined;
  if (node.stringOut === 0) return value;
  return markRaw(node.graph, stringToJson(rules, node.hint.position, value, text, decliner));
}

/** Numerals that only text can spell stand in the tree as marked strings; they are made only where text is asked for. */
function markRaw(graph: ByteGraph, scalar: JsonScalar): ExactJson {
  if (!(scalar instanceof RawNumeral)) return scalar as ExactJson;
  graph.rawNumerals++;
  return numeralMark + scalar.text;
}

const numeralMark = "\0";
/** How `JSON.stringify` begins a string with the mark. */
const quotedMark = '"\\u0000';

/**
 * Take marks and quotes off the numerals in a text that `JSON.stringify` made, which is several times as fast as any writer of our
 * own. Undefined where the data holds what looks like a marked numeral.
 */
export function bareNumerals(text: string, count: number): string | undefined {
  const parts = text.split(quotedMark);
  if (parts.length !== count + 1) return undefined;
  const pieces = [parts[0] as string];
  for (let i = 1; i <= count; i++) {
    const part = parts[i] as string;
    const end = part.indexOf('"');
    pieces.push(part.slice(0, end), part.slice(end + 1));
  }
  return pieces.join("");
}
