import { getOwn } from "../base/own.js";
import { ANY, type HintNode, type Selection } from "./node.js";
import type { Terms } from "./terms.js";

/** Names under which a node is reached; `undefined` where a member or the root has none. */
export type ReachedNames = ReadonlySet<string | undefined>;

/** Most names remembered for one node; beyond it the node counts as one without a name, which promises nothing. */
const mostNames = 100;

/**
 * Find the nodes that a document which fits the schema can lead to. Where every branch of a union requires the member
 * that tells the branches apart, the merged node is for documents without it, which fit no branch: it is not reached.
 */
export function reachPositions(
  root: HintNode,
  termsOf: ReadonlyMap<HintNode, Terms>,
): ReadonlyMap<HintNode, ReachedNames> {
  const reached = new Map<HintNode, Set<string | undefined>>();
  const isEntered = new Set<HintNode>();
  const pending: HintNode[] = [];
  const reach = (node: HintNode, names: Iterable<string | undefined>): void => {
    if (node === ANY) return;
    const known = reached.get(node) ?? new Set();
    const before = known.size;
    for (const name of names) known.add(known.size < mostNames ? name : undefined);
    reached.set(node, known);
    if (known.size > before) pending.push(node);
  };
  const enter = (node: HintNode): void => {
    node.memberNodes.forEach((child, i) => {
      reach(child, [node.memberNames[i]]);
    });
    reach(node.otherMembers, [undefined]);
    for (const child of node.patterns?.nodes.values() ?? []) reach(child, [undefined]);
  };
  reach(root, [undefined]);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const names = reached.get(node) as Set<string | undefined>;
    const chosen = chosenNodes(node, termsOf.get(node));
    // What is chosen stands at the same place, and the items of `ids` are ids: both take the names along.
    for (const target of chosen) if (target !== node) reach(target, names);
    for (const item of [...node.prefixItems, node.otherItems]) reach(item, names);
    if (!chosen.has(node) || isEntered.has(node)) continue;
    isEntered.add(node);
    enter(node);
  }
  return reached;
}

/** The nodes that the selection of a node can end in, or the node itself where there is none. */
export function chosenNodes(node: HintNode, terms: Terms | undefined): ReadonlySet<HintNode> {
  const { selection } = node;
  if (selection === undefined || terms === undefined) return new Set([node]);
  const chosen = new Set<HintNode>();
  for (const state of finalStates(selection, terms)) {
    const target = selection.nodes[state] as HintNode;
    // A later state that is the whole union again stands for values that fit no branch.
    if (state === 0 || target !== node) chosen.add(target);
  }
  return chosen;
}

function finalStates(selection: Selection, terms: Terms): ReadonlySet<number> {
  let states = new Set([0]);
  selection.keys.forEach((key, i) => {
    const next = selection.next[i] as Int32Array;
    const classCount = next.length / selection.nodes.length;
    const following = new Set(isRequired(terms, key) ? [] : states);
    for (const state of states) {
      for (let valueClass = 0; valueClass < classCount; valueClass++) {
        following.add(next[state * classCount + valueClass] as number);
      }
    }
    states = following;
  });
  return states;
}

/** Whether a document must have a member whatever branch it takes. */
function isRequired(terms: Terms, key: string): boolean {
  return terms.unions.some(({ branches }) =>
    branches.every((branch) =>
      branch.some(({ schema }) => {
        const required = getOwn(schema, "required");
        return Array.isArray(required) && required.includes(key);
      }),
    ),
  );
}
