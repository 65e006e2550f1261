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
    const valueClass = selection.classes[i]?.get(scalarKey(scalar)) ?? 0;
    state = next[state * classCount + valueClass] as number;
  }
  return selection.nodes[state] as HintNode;
}
