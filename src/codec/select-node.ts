import { isCanonicalDecimal } from "../base/decimal.js";
import type { Scalar } from "../hint/facts.js";
import { type HintNode, scalarKey } from "../hint/node.js";

/**
 * The node that applies to an object: where the branches of a union disagree, the one that the object's own scalar
 * members select. `scalarOf` reads a member, undefined where it is absent or no scalar.
 */
export function selectNode(node: HintNode, scalarOf: (key: string) => Scalar | undefined): HintNode {
  const { selection } = node;
  if (selection === undefined) return node;
  let state = 0;
  for (let i = 0; i < selection.keys.length; i++) {
    const scalar = scalarOf(selection.keys[i] as string);
    if (scalar === undefined) continue;
    const next = selection.next[i] as Int32Array;
    const classCount = next.length / selection.nodes.length;
    state = next[state * classCount + classOf(selection.classes[i] as ReadonlyMap<string, number>, scalar)] as number;
  }
  return selection.nodes[state] as HintNode;
}

function classOf(classes: ReadonlyMap<string, number>, scalar: Scalar): number {
  const listed = classes.get(scalarKey(scalar));
  if (listed !== undefined) return listed;
  // A wide integer is listed as a number and travels in a Struct as its digits.
  if (typeof scalar !== "string" || !isCanonicalDecimal(scalar)) return 0;
  return classes.get(scalarKey(BigInt(scalar))) ?? 0;
}
