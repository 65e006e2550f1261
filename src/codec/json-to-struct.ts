import { IntegerLiteral } from "../base/integer-literal.js";
import { checkStringToStruct, numberToStruct, numeralToStruct } from "../base/numerals.js";
import { getOwn, isPlainObject } from "../base/own.js";
import { isWellFormed } from "../base/utf8.js";
import { type HintNode, itemNode, memberNode } from "../hint/node.js";
import type { Conversion } from "./conversion.js";
import {
  errNotUtf8,
  errNumberTooLong,
  errTooDeep,
  errTooManyValues,
  errUnexpectedType,
  errUnsupported,
} from "./conversion-errors.js";
import type { ExactJson } from "./exact-json.js";
import { rawTextOf, scalarOfJson } from "./json-scalar.js";
import { type Frame, findCycle, typeName } from "./json-tree.js";
import { selectNode } from "./select-node.js";
import {
  createMembers,
  listValue,
  numberValue,
  objectValue,
  type StructForm,
  type StructItems,
  type StructMembers,
  type StructValue,
  scalarValue,
  setMember,
  stringValue,
} from "./struct-values.js";

type Source = Record<string, unknown> | readonly unknown[];
type Target = StructMembers | StructItems;

/** What comes out for a root: its members where it is an object, and the whole value. */
export interface StructRoot {
  readonly members: StructMembers | undefined;
  readonly value: StructValue;
}

/** Convert a JSON value to what a Struct or Value holds. */
export function jsonToStruct(conversion: Conversion, json: ExactJson, form: StructForm): StructRoot {
  const node = conversion.context.root;
  conversion.at(undefined, undefined, node, node);
  const isStruct = conversion.context.typeName === "google.protobuf.Struct";
  if (isStruct && !isObjectLike(json)) throw errUnexpectedType(conversion, "object", typeName(json));
  const source = containerOf(conversion, json);
  if (source === undefined) return { members: undefined, value: scalarToStruct(conversion, json, node, form) };
  const target = walk(conversion, source, node, form);
  if (Array.isArray(target)) return { members: undefined, value: listValue(form, target) };
  return { members: target, value: objectValue(form, target) };
}

// hot: bench "fromJson/medium"
function walk(conversion: Conversion, root: Source, rootNode: HintNode, form: StructForm): Target {
  const { rules, options } = conversion.context;
  const { numberIn, stringIn } = rules;
  const { depth: deepest, values: mostValues } = options.limits;
  let frame: Frame<Source, Target> | undefined;
  let depth = 1;
  let source = root;
  let names: readonly string[] | undefined = Array.isArray(root) ? undefined : Object.keys(root);
  let length = names === undefined ? (root as readonly unknown[]).length : names.length;
  let target: Target = names === undefined ? [] : createMembers(form);
  let node = names === undefined ? rootNode : selectByJson(rootNode, root as Record<string, unknown>);
  let index = 0;
  let guess = 0;
  let values = length + 1;
  if (values > mostValues) throw errTooManyValues(conversion);
  if (depth > deepest) throw errTooDeep(conversion);
  for (;;) {
    if (index === length) {
      if (frame === undefined) return target;
      ({ names, source, target, index, length, guess, node } = frame);
      frame = frame.parent;
      depth--;
      continue;
    }
    let key: string | number = index;
    let child: HintNode;
    let json: unknown;
    if (names === undefined) {
      json = (source as readonly unknown[])[index];
      child = itemNode(node, index);
    } else {
      key = names[index] as string;
      json = (source as Record<string, unknown>)[key];
      if (node.memberNames[guess] === key) child = node.memberNodes[guess++] as HintNode;
      else child = memberNode(node, key);
      if (!isWellFormed(key)) throw errNotUtf8(conversion.at(frame, key, node, child), "key");
    }
    index++;
    let value: StructValue;
    if (typeof json === "string" && stringIn[child.position] === 0 && isWellFormed(json)) {
      value = stringValue(form, json);
    } else if (typeof json === "number" && (numberIn[child.position] as number) <= 1 && Number.isSafeInteger(json)) {
      value = numberValue(form, json);
    } else if (typeof json === "boolean" || json === null) {
      value = scalarValue(form, json);
    } else if (json === undefined && names !== undefined) {
      // As JSON.stringify does.
      continue;
    } else {
      const inner = containerOf(conversion.at(frame, key, node, child), json);
      if (inner === undefined) {
        value = scalarToStruct(conversion, json, child, form);
      } else {
        if (depth === deepest) throw errTooDeepOrCyclic(conversion, frame, source, inner);
        const innerNames = Array.isArray(inner) ? undefined : Object.keys(inner);
        const innerTarget: Target = innerNames === undefined ? [] : createMembers(form);
        value = Array.isArray(innerTarget) ? listValue(form, innerTarget) : objectValue(form, innerTarget);
        if (names === undefined) (target as StructItems).push(value);
        else setMember(target as StructMembers, key as string, value);
        frame = { parent: frame, key, node, names, source, target, index, length, guess };
        node = innerNames === undefined ? child : selectByJson(child, inner as Record<string, unknown>);
        source = inner;
        names = innerNames;
        length = innerNames === undefined ? (inner as readonly unknown[]).length : innerNames.length;
        values += length;
        if (values > mostValues) throw errTooManyValues(conversion);
        target = innerTarget;
        index = 0;
        guess = 0;
        depth++;
        continue;
      }
    }
    if (names === undefined) (target as StructItems).push(value);
    else setMember(target as StructMembers, key as string, value);
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

/** Everything that is not a container, with every check; the walk takes the common cases itself. */
function scalarToStruct(conversion: Conversion, json: unknown, node: HintNode, form: StructForm): StructValue {
  const { rules, options } = conversion.context;
  if (json === null || typeof json === "boolean") return scalarValue(form, json);
  if (typeof json === "number") return scalarValue(form, numberToStruct(rules, node.position, json, conversion));
  if (typeof json === "string") {
    if (!isWellFormed(json)) throw errNotUtf8(conversion, "string");
    if (rules.stringIn[node.position] !== 0) checkStringToStruct(node.position, json, conversion);
    return stringValue(form, json);
  }
  const raw = rawTextOf(json);
  if (raw !== undefined && !/^-?[0-9]/.test(raw)) return scalarToStruct(conversion, JSON.parse(raw), node, form);
  const token = raw ?? tokenOf(json);
  if (token === undefined) throw errUnsupported(conversion, `JSON has no ${describe(json)}`);
  if (token.length > options.limits.numberLength) throw errNumberTooLong(conversion);
  return scalarValue(form, numeralToStruct(rules, node.position, token, conversion));
}

const largestDouble = BigInt(Number.MAX_VALUE) * 2n;

/** The text of a number that is no JS number. */
function tokenOf(json: unknown): string | undefined {
  // Printing a bigint takes longer than linear time, so its magnitude is looked at first.
  if (typeof json === "bigint") return json > largestDouble || json < -largestDouble ? "1e999" : String(json);
  return json instanceof IntegerLiteral ? json.digits : undefined;
}

function containerOf(conversion: Conversion, json: unknown): Source | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  if (Array.isArray(json)) return json;
  if (isPlainObject(json)) return rawTextOf(json) === undefined ? json : undefined;
  if (json instanceof IntegerLiteral) return undefined;
  throw errUnsupported(conversion, `JSON has no ${describe(json)}`);
}

function describe(json: unknown): string {
  if (typeof json !== "object" || json === null) return typeof json;
  return "class instance";
}

function isObjectLike(json: unknown): boolean {
  return typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof IntegerLiteral);
}

/** The node of an object by what its own members hold, exact integers among it. */
export function selectByJson(node: HintNode, object: object): HintNode {
  if (node.selection === undefined) return node;
  return selectNode(node, (key) => scalarOfJson(getOwn(object, key)));
}
