import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { NumberRule, numberToJson, stringToJson } from "../base/numerals.js";
import { isPlainObject, setOwn } from "../base/own.js";
import { isWellFormed } from "../base/utf8.js";
import { isScalar, type Scalar } from "../hint/facts.js";
import { type HintNode, itemNode, memberNode } from "../hint/node.js";
import type { Conversion } from "./conversion.js";
import { errNotUtf8, errTooDeep, errTooManyValues, errUnexpectedType, errUnsupported } from "./conversion-errors.js";
import { type Frame, findCycle, type JsonTree, noteRaw, typeName } from "./json-tree.js";
import { selectNode } from "./select-node.js";

type Source = JsonObject | readonly JsonValue[];
type Target = JsonTree[] | Record<string, JsonTree>;

/** Convert what a generated message keeps in a field: for a Struct a JSON object, for a Value any plain JSON value. */
export function fieldToJson(conversion: Conversion, field: JsonValue, text: boolean): JsonTree {
  const node = conversion.context.root;
  conversion.at(undefined, undefined, node, node);
  const isStruct = conversion.context.typeName === "google.protobuf.Struct";
  if (isStruct && (typeof field !== "object" || field === null || Array.isArray(field))) {
    throw errUnexpectedType(conversion, "object", typeName(field));
  }
  return isContainer(conversion, field)
    ? walk(conversion, field, node, text)
    : scalarToJson(conversion, field, node, text);
}

// hot: bench "fieldToJson/medium"
function walk(conversion: Conversion, root: Source, rootNode: HintNode, text: boolean): JsonTree {
  const { rules, options } = conversion.context;
  const { numberOut, stringOut } = rules;
  const { depth: deepest, values: mostValues } = options.limits;
  let frame: Frame<Source, Target> | undefined;
  let depth = 1;
  let source = root;
  let names: readonly string[] | undefined = Array.isArray(root) ? undefined : Object.keys(root);
  let length = names === undefined ? (root as readonly JsonValue[]).length : names.length;
  let target: Target = names === undefined ? [] : {};
  let node = names === undefined ? rootNode : selectByMembers(rootNode, root as JsonObject);
  let index = 0;
  let guess = 0;
  let values = length + 1;
  if (values > mostValues) throw errTooManyValues(conversion);
  if (depth > deepest) throw errTooDeep(conversion.at(undefined, undefined, node, node));
  for (;;) {
    if (index === length) {
      if (frame === undefined) return target as JsonTree;
      ({ names, source, target, index, length, guess, node } = frame);
      frame = frame.parent;
      depth--;
      continue;
    }
    let key: string | number = index;
    let child: HintNode;
    let value: JsonValue;
    if (names === undefined) {
      value = (source as readonly JsonValue[])[index] as JsonValue;
      child = itemNode(node, index);
    } else {
      key = names[index] as string;
      value = (source as JsonObject)[key] as JsonValue;
      if (node.memberNames[guess] === key) child = node.memberNodes[guess++] as HintNode;
      else child = memberNode(node, key);
      if (text && !isWellFormed(key)) throw errNotUtf8(conversion.at(frame, key, node, child), "key");
    }
    index++;
    let json: JsonTree;
    const rule = numberOut[child.position];
    if (typeof value === "string" && stringOut[child.position] === 0 && (!text || isWellFormed(value))) {
      json = value;
    } else if (typeof value === "number" && rule === NumberRule.integer && Number.isSafeInteger(value)) {
      json = value + 0;
    } else if (
      typeof value === "number" &&
      rule === NumberRule.shortest &&
      Number.isFinite(value) &&
      (value !== 0 || !text)
    ) {
      json = value;
    } else if (value === null || typeof value === "boolean") {
      json = value;
    } else if (typeof value === "object" && isContainer(conversion.at(frame, key, node, child), value)) {
      if (depth === deepest) throw errTooDeepOrCyclic(conversion, frame, source, value);
      const innerNames = Array.isArray(value) ? undefined : Object.keys(value);
      const innerTarget: Target = innerNames === undefined ? [] : {};
      if (names === undefined) (target as JsonTree[]).push(innerTarget as JsonTree);
      else setOwn(target as Record<string, JsonTree>, key as string, innerTarget as JsonTree);
      frame = { parent: frame, key, node, names, source, target, index, length, guess };
      node = innerNames === undefined ? child : selectByMembers(child, value as JsonObject);
      source = value;
      names = innerNames;
      length = innerNames === undefined ? (value as readonly JsonValue[]).length : innerNames.length;
      values += length;
      if (values > mostValues) throw errTooManyValues(conversion);
      target = innerTarget;
      index = 0;
      guess = 0;
      depth++;
      continue;
    } else {
      json = scalarToJson(conversion.at(frame, key, node, child), value, child, text);
    }
    if (names === undefined) (target as JsonTree[]).push(json);
    else setOwn(target as Record<string, JsonTree>, key as string, json);
  }
}

function errTooDeepOrCyclic(
  conversion: Conversion,
  frame: Frame<Source, Target> | undefined,
  source: Source,
  entered: Source,
): Error {
  const cycle = findCycle(frame, source, entered);
  if (cycle === undefined) return errTooDeep(conversion);
  if (cycle.at !== undefined) conversion.at(cycle.at.parent, cycle.at.key, cycle.at.node, cycle.at.node);
  return errUnsupported(conversion, "value contains itself");
}

function scalarToJson(conversion: Conversion, value: JsonValue, node: HintNode, text: boolean): JsonTree {
  if (value === null || typeof value === "boolean") return value;
  const { rules } = conversion.context;
  if (typeof value === "number")
    return noteRaw(conversion, numberToJson(rules, node.position, value, text, conversion));
  if (typeof value !== "string") throw errUnsupported(conversion, `a field cannot hold ${typeof value}`);
  if (text && !isWellFormed(value)) throw errNotUtf8(conversion, "string");
  return noteRaw(conversion, stringToJson(rules, node.position, value, text, conversion));
}

function isContainer(conversion: Conversion, value: unknown): value is Source {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value) || isPlainObject(value)) return true;
  throw errUnsupported(conversion, "a field cannot hold a class instance");
}

/** The node of an object by what its own members hold. */
export function selectByMembers(node: HintNode, object: JsonObject): HintNode {
  if (node.selection === undefined) return node;
  return selectNode(node, (key): Scalar | undefined => {
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    return isScalar(value) ? value : undefined;
  });
}
