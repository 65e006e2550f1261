import type { Position } from "../base/position.js";
import { ANY, createNode, type HintNode, type HintNodeDraft } from "./node.js";

/** Copy a graph with other answers at its positions. Where it leads, and what chooses between nodes, stays. */
export function copyGraph(root: HintNode, positionOf: (node: HintNode) => Position): HintNode {
  const copies = new Map<HintNode, HintNode>([[ANY, ANY]]);
  const pending: [source: HintNode, target: HintNodeDraft][] = [];
  const copy = (node: HintNode): HintNode => {
    const known = copies.get(node);
    if (known !== undefined) return known;
    const target = createNode(positionOf(node), ANY);
    copies.set(node, target);
    pending.push([node, target]);
    return target;
  };
  const copied = copy(root);
  for (const [source, target] of pending) fill(source, target, copy);
  return copied;
}

function fill(source: HintNode, target: HintNodeDraft, copy: (node: HintNode) => HintNode): void {
  const { patterns, selection } = source;
  target.memberNames = source.memberNames;
  target.memberNodes = source.memberNodes.map(copy);
  target.members = new Map([...source.members].map(([name, node]) => [name, copy(node)]));
  target.otherMembers = copy(source.otherMembers);
  target.prefixItems = source.prefixItems.map(copy);
  target.otherItems = copy(source.otherItems);
  target.schemaPointers = source.schemaPointers;
  if (patterns !== undefined) {
    target.patterns = { ...patterns, nodes: new Map([...patterns.nodes].map(([mask, node]) => [mask, copy(node)])) };
  }
  if (selection !== undefined) target.selection = { ...selection, nodes: selection.nodes.map(copy) };
}
