import type { ListValue, Struct, Value } from "@bufbuild/protobuf/wkt";
import { NumberRule, numberToJson, stringToJson } from "../base/numerals.js";
import { isPlainObject, setOwn } from "../base/own.js";
import { isWellFormed } from "../base/utf8.js";
import type { Scalar } from "../hint/facts.js";
import { type HintNode, itemNode, memberNode } from "../hint/node.js";
import type { Conversion } from "./conversion.js";
import { errNotUtf8, errTooDeep, errTooManyValues, errUnsupported } from "./conversion-errors.js";
import { type Frame, type JsonTree, noteRaw } from "./json-tree.js";
import { selectNode } from "./select-node.js";

type Fields = Record<string, Value>;
type Source = Fields | readonly Value[];
type Target = JsonTree[] | Record<string, JsonTree>;

/** Convert a `google.protobuf.Struct` message to a JSON object. */
export function structMessageToJson(conversion: Conversion, message: Struct, text: boolean): JsonTree {
  const node = conversion.context.root;
  if (!isObject(message) || !isMap(message.fields))
    throw errNotMessage(conversion.at(undefined, undefined, node, node));
  return walk(conversion, message.fields, node, text);
}

/** Convert a `google.protobuf.Value` message to a JSON value. */
export function valueMessageToJson(conversion: Conversion, message: Value, text: boolean): JsonTree {
  const node = conversion.context.root;
  if (!isObject(message)) throw errNotMessage(conversion.at(undefined, undefined, node, node));
  const kind = message.kind;
  if (kind?.case === "structValue" || kind?.case === "listValue") {
    const source = containerOf(kind);
    if (source === undefined) throw errNotMessage(conversion.at(undefined, undefined, node, node));
    return walk(conversion, source, node, text);
  }
  return scalarToJson(conversion.at(undefined, undefined, node, node), message, node, text);
}

// hot: bench "toJson/medium"
function walk(conversion: Conversion, root: Source, rootNode: HintNode, text: boolean): JsonTree {
  const { rules, options } = conversion.context;
  const { numberOut, stringOut } = rules;
  const { depth: deepest, values: mostValues } = options.limits;
  let frame: Frame<Source, Target> | undefined;
  let depth = 1;
  let source = root;
  let names: readonly string[] | undefined = Array.isArray(root) ? undefined : Object.keys(root);
  let length = names === undefined ? (root as readonly Value[]).length : names.length;
  let target: Target = names === undefined ? [] : {};
  let node = names === undefined ? rootNode : selectByFields(rootNode, root as Fields);
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
    let value: Value;
    if (names === undefined) {
      value = (source as readonly Value[])[index] as Value;
      child = itemNode(node, index);
    } else {
      key = names[index] as string;
      value = (source as Fields)[key] as Value;
      if (node.memberNames[guess] === key) child = node.memberNodes[guess++] as HintNode;
      else child = memberNode(node, key);
      if (text && !isWellFormed(key)) throw errNotUtf8(conversion.at(frame, key, node, child), "key");
    }
    index++;
    const kind = value?.kind;
    let json: JsonTree;
    switch (kind?.case) {
      case "numberValue": {
        const number = kind.value;
        const rule = numberOut[child.position];
        if (rule === NumberRule.integer && Number.isSafeInteger(number)) json = number + 0;
        else if (rule === NumberRule.shortest && Number.isFinite(number) && (number !== 0 || !text)) json = number;
        else json = scalarToJson(conversion.at(frame, key, node, child), value, child, text);
        break;
      }
      case "stringValue":
        if (stringOut[child.position] === 0 && typeof kind.value === "string" && isWellFormed(kind.value))
          json = kind.value;
        else json = scalarToJson(conversion.at(frame, key, node, child), value, child, text);
        break;
      case "structValue":
      case "listValue": {
        const inner = containerOf(kind);
        if (inner === undefined) throw errNotMessage(conversion.at(frame, key, node, child));
        if (depth === deepest) throw errTooDeep(conversion.at(frame, key, node, child));
        const innerNames = Array.isArray(inner) ? undefined : Object.keys(inner);
        const innerTarget: Target = innerNames === undefined ? [] : {};
        if (names === undefined) (target as JsonTree[]).push(innerTarget as JsonTree);
        else setOwn(target as Record<string, JsonTree>, key as string, innerTarget as JsonTree);
        frame = { parent: frame, key, node, names, source, target, index, length, guess };
        node = innerNames === undefined ? child : selectByFields(child, inner as Fields);
        source = inner;
        names = innerNames;
        length = innerNames === undefined ? (inner as readonly Value[]).length : innerNames.length;
        values += length;
        if (values > mostValues) throw errTooManyValues(conversion);
        target = innerTarget;
        index = 0;
        guess = 0;
        depth++;
        continue;
      }
      default:
        json = scalarToJson(conversion.at(frame, key, node, child), value, child, text);
    }
    if (names === undefined) (target as JsonTree[]).push(json);
    else setOwn(target as Record<string, JsonTree>, key as string, json);
  }
}

/** Everything that is not a container, with every check; the walk takes the common cases itself. */
function scalarToJson(conversion: Conversion, message: Value, node: HintNode, text: boolean): JsonTree {
  const { rules, options } = conversion.context;
  const kind = isObject(message) ? message.kind : undefined;
  switch (kind?.case) {
    case "nullValue":
      return null;
    case "boolValue":
      if (typeof kind.value === "boolean") return kind.value;
      throw errNotMessage(conversion);
    case "numberValue":
      if (typeof kind.value === "number")
        return noteRaw(conversion, numberToJson(rules, node.position, kind.value, text, conversion));
      throw errNotMessage(conversion);
    case "stringValue":
      if (typeof kind.value !== "string") throw errNotMessage(conversion);
      if (text && !isWellFormed(kind.value)) throw errNotUtf8(conversion, "string");
      return noteRaw(conversion, stringToJson(rules, node.position, kind.value, text, conversion));
    default:
      if (!isObject(message)) throw errNotMessage(conversion);
      if (options.unsetValue === "null") return null;
      throw conversion.fail("unset_value", "Value has no kind");
  }
}

/** protobuf-es keeps a map of proto as a plain object; a Map would read as one without members. */
function isMap(fields: unknown): fields is Fields {
  return isObject(fields) && isPlainObject(fields);
}

function containerOf(kind: Value["kind"]): Source | undefined {
  if (kind.case === "structValue") {
    const fields = (kind.value as Struct | undefined)?.fields;
    return isMap(fields) ? fields : undefined;
  }
  const values = (kind.value as ListValue | undefined)?.values;
  return Array.isArray(values) ? values : undefined;
}

/** The node of a message by what its own fields hold. */
export function selectByFields(node: HintNode, fields: Fields): HintNode {
  if (node.selection === undefined) return node;
  return selectNode(node, (key) => (Object.hasOwn(fields, key) ? scalarOf(fields[key]) : undefined));
}

function scalarOf(message: Value | undefined): Scalar | undefined {
  const kind = message?.kind;
  switch (kind?.case) {
    case "nullValue":
      return null;
    case "boolValue":
    case "numberValue":
    case "stringValue":
      return kind.value;
    default:
      return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function errNotMessage(conversion: Conversion): Error {
  return errUnsupported(conversion, "not a message of protobuf-es");
}
