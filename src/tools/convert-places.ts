import { getOwn, isPlainObject, setOwn } from "../base/own.js";
import type { Conversion, Crumb } from "../codec/conversion.js";
import { errTooDeep, errTooManyValues, errUnsupported } from "../codec/conversion-errors.js";
import type { ExactJson, ExactJsonObject } from "../codec/exact-json.js";
import { rawTextOf, scalarOfJson } from "../codec/json-scalar.js";
import { selectNode } from "../codec/select-node.js";
import { ANY, type HintNode, itemNode, memberNode } from "../hint/node.js";

/** Converts one value at a place that was rewritten; the conversion knows where that is. */
export type PlaceConverter = (value: ExactJson, conversion: Conversion, node: HintNode) => ExactJson;

type Container = ExactJson[] | ExactJsonObject;

/** A container that the walk is inside of. */
interface Frame extends Crumb {
  readonly parent: Frame | undefined;
  readonly source: Container;
  readonly target: Container;
  readonly names: readonly string[] | undefined;
  readonly node: HintNode;
  key: string | number;
  index: number;
}

/** How many values walks may still look at. Walks over the parts of one document share it. */
export interface ValueBudget {
  left: number;
}

/**
 * Convert the values at some places of a document and nothing else. The input is left alone; what stays is shared. A value
 * that is met twice counts twice, so that the limit on values holds for data that shares objects, too.
 */
export function convertPlaces(
  conversion: Conversion,
  root: ExactJson,
  rootNode: HintNode,
  places: Pick<ReadonlySet<HintNode>, "has" | "size">,
  convert: PlaceConverter,
  budget: ValueBudget = { left: conversion.context.options.limits.values },
): ExactJson {
  if (places.size === 0) return root;
  const inside = new Set<Container>();
  const count = (values: number): void => {
    budget.left -= values;
    if (budget.left < 0) throw errTooManyValues(conversion);
  };
  let frame: Frame | undefined;
  const open = (value: ExactJson, node: HintNode): ExactJson => {
    if (!isContainer(value) || node === ANY) return places.has(node) ? convert(value, conversion, node) : value;
    if (inside.has(value)) throw errUnsupported(conversion, "value contains itself");
    if (inside.size >= conversion.context.options.limits.depth) throw errTooDeep(conversion);
    inside.add(value);
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    count(names === undefined ? (value as ExactJson[]).length : names.length);
    const target: Container = names === undefined ? [] : {};
    const chosen = names === undefined ? node : selectMember(node, value as ExactJsonObject);
    frame = { parent: frame, source: value, target, names, node: chosen, key: "", index: 0 };
    return target;
  };
  conversion.at(undefined, undefined, rootNode, rootNode);
  count(1);
  const converted = open(root, rootNode);
  while (frame !== undefined) {
    const { source, target, names, node, index }: Frame = frame;
    if (index === (names ?? (source as ExactJson[])).length) {
      inside.delete(source);
      frame = frame.parent;
      continue;
    }
    const current: Frame = frame;
    current.index++;
    if (names === undefined) {
      current.key = index;
      const child = itemNode(node, index);
      conversion.at(current.parent, index, node, child);
      (target as ExactJson[]).push(open((source as ExactJson[])[index] as ExactJson, child));
    } else {
      const name = names[index] as string;
      current.key = name;
      const child = memberNode(node, name);
      conversion.at(current.parent, name, node, child);
      setOwn(target as ExactJsonObject, name, open((source as ExactJsonObject)[name] as ExactJson, child));
    }
  }
  return converted;
}

function isContainer(value: ExactJson): value is Container {
  return (
    typeof value === "object" &&
    value !== null &&
    (Array.isArray(value) || isPlainObject(value)) &&
    rawTextOf(value) === undefined
  );
}

function selectMember(node: HintNode, object: ExactJsonObject): HintNode {
  return selectNode(node, (key) => scalarOfJson(getOwn(object, key)));
}
