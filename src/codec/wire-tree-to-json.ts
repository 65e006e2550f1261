import { numberToJson, stringToJson } from "../base/numerals.js";
import { setOwn } from "../base/own.js";
import type { Scalar } from "../hint/facts.js";
import { type HintNode, itemNode, memberNode } from "../hint/node.js";
import type { Conversion, Crumb } from "./conversion.js";
import { errUnexpectedType } from "./conversion-errors.js";
import { type JsonTree, noteRaw } from "./json-tree.js";
import { selectNode } from "./select-node.js";
import type { WireTree } from "./wire-tree.js";

/** A JSON tree whose objects are Maps, since a JS object would put keys like "1" first. */
export type OrderedJsonTree = JsonTree | OrderedJsonTree[] | Map<string, OrderedJsonTree>;

type Target = OrderedJsonTree[] | Map<string, OrderedJsonTree> | Record<string, OrderedJsonTree>;
type Container = Exclude<WireTree, { kind: "scalar" | "unset" }>;

interface Frame extends Crumb {
  readonly parent: Frame | undefined;
  readonly children: Iterator<readonly [string | number, WireTree]>;
  readonly target: Target;
}

/** Convert what was read from the wire. For text objects are Maps in wire order; for JSON values they are JS objects. */
export function wireTreeToJson(conversion: Conversion, tree: WireTree, text: boolean): OrderedJsonTree {
  const { root } = conversion.context;
  conversion.at(undefined, undefined, root, root).atOffset(tree.offset);
  if (!isContainer(tree)) {
    if (conversion.context.typeName === "google.protobuf.Struct")
      throw errUnexpectedType(conversion, "object", "value");
    return scalarToJson(conversion, tree, root, text);
  }
  let node = select(root, tree);
  let target = createTarget(tree, text);
  let children = childrenOf(tree);
  let frame: Frame | undefined;
  for (;;) {
    const next = children.next();
    if (next.done === true) {
      if (frame === undefined) return target as OrderedJsonTree;
      ({ children, target, node } = frame);
      frame = frame.parent;
      continue;
    }
    const [key, value] = next.value;
    const child = typeof key === "number" ? itemNode(node, key) : memberNode(node, key);
    if (!isContainer(value)) {
      conversion.at(frame, key, node, child).atOffset(value.offset);
      put(target, key, scalarToJson(conversion, value, child, text));
      continue;
    }
    const inner = createTarget(value, text);
    put(target, key, inner as OrderedJsonTree);
    frame = { parent: frame, key, node, children, target };
    node = select(child, value);
    target = inner;
    children = childrenOf(value);
  }
}

function scalarToJson(
  conversion: Conversion,
  tree: Exclude<WireTree, Container>,
  node: HintNode,
  text: boolean,
): JsonTree {
  const { rules, options } = conversion.context;
  if (tree.kind === "unset") {
    if (options.unsetValue === "null") return null;
    throw conversion.fail("unset_value", "Value has no kind");
  }
  const { value } = tree;
  if (typeof value === "number")
    return noteRaw(conversion, numberToJson(rules, node.position, value, text, conversion));
  if (typeof value === "string")
    return noteRaw(conversion, stringToJson(rules, node.position, value, text, conversion));
  return value;
}

function isContainer(tree: WireTree): tree is Container {
  return tree.kind === "members" || tree.kind === "items";
}

function createTarget(tree: Container, text: boolean): Target {
  if (tree.kind === "items") return [];
  return text ? new Map() : {};
}

function childrenOf(tree: Container): Iterator<readonly [string | number, WireTree]> {
  return tree.kind === "items" ? tree.items.entries() : tree.members.entries();
}

function put(target: Target, key: string | number, value: OrderedJsonTree): void {
  if (Array.isArray(target)) target.push(value);
  else if (target instanceof Map) target.set(key as string, value);
  else setOwn(target, key as string, value);
}

function select(node: HintNode, tree: Container): HintNode {
  if (node.selection === undefined || tree.kind === "items") return node;
  return selectNode(node, (key): Scalar | undefined => {
    const member = tree.members.get(key);
    return member?.kind === "scalar" ? member.value : undefined;
  });
}
