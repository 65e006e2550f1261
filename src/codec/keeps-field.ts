import type { Direction } from "../base/errors.js";
import { NumberRule, numberToJson, numberToStruct } from "../base/numerals.js";
import { isWellFormed } from "../base/utf8.js";
import { type ByteNode, countValues, namedNode } from "./byte-node.js";
import { refuseUnusual } from "./usual-object.js";

// The walks of fast-to-struct.ts and fast-to-json.ts over fields, which make nothing: to look is enough where what is there may
// stay, and that is most of what passes between two peers.

/**
 * "decode": whether `jsonToField` would give the value as it is. "encode": whether `fieldToJson` would convert the field without an
 * error or an issue that somebody hears of. Answers no, or declines by a throw, for whatever the fast ways decline.
 */
// hot: bench "connect"
export function keepsField(direction: Direction, value: unknown, node: ByteNode, depth: number): boolean {
  if (typeof value === "string") return node.stringIn === 0 && (direction === "encode" || isWellFormed(value));
  if (typeof value === "number") {
    return direction === "encode" ? isReadable(value, node) : isKept(value, node);
  }
  if (value === null || typeof value === "boolean") return true;
  if (typeof value !== "object") return false;
  if (!Array.isArray(value)) return keepsObject(direction, value, node, depth + 1);
  const { graph, prefixItems, otherItems } = node;
  if (depth >= graph.deepest) return false;
  countValues(graph, value.length);
  for (let i = 0; i < value.length; i++) {
    const child = i < prefixItems.length ? (prefixItems[i] as ByteNode) : otherItems;
    if (!keepsField(direction, value[i], child, depth + 1)) return false;
  }
  return true;
}

// hot: bench "connect"
function keepsObject(direction: Direction, object: object, node: ByteNode, depth: number): boolean {
  const { names, children, graph } = node;
  if (depth > graph.deepest || node.hint.selection !== undefined) return false;
  refuseUnusual(object);
  let count = 0;
  let guess = 0;
  for (const key in object) {
    count++;
    let child = node.other;
    if (guess < names.length && names[guess] === key) child = children[guess++] as ByteNode;
    else {
      if (node !== graph.any) child = namedNode(node, key);
      if (direction === "decode" && !isWellFormed(key)) return false;
    }
    if (!keepsField(direction, (object as Record<string, unknown>)[key], child, depth)) return false;
  }
  countValues(graph, count);
  return true;
}

function isKept(value: number, node: ByteNode): boolean {
  if (node.numberIn <= 1 && Number.isSafeInteger(value)) return true;
  const { rules, decliner } = node.graph;
  return numberToStruct(rules, node.hint.position, value, decliner) === value;
}

function isReadable(value: number, node: ByteNode): boolean {
  if (node.numberOut === NumberRule.shortest) return Number.isFinite(value);
  if (node.numberOut === NumberRule.integer && Number.isSafeInteger(value)) return true;
  const { rules, decliner } = node.graph;
  numberToJson(rules, node.hint.position, value, false, decliner);
  return true;
}
