import type { Change } from "./changes.js";
import { escapeToken } from "./json-places.js";
import { describeDouble, type StructNode } from "./struct-node.js";

/** List the scalars of a message that are others in a second one, or of another kind. */
export function compareMessages(before: StructNode, after: StructNode): Change[] {
  const scalars = listScalars(after);
  return [...listScalars(before)]
    .map(([pointer, was]) => ({ pointer, before: was, after: scalars.get(pointer) ?? "nothing" }))
    .filter((change) => change.before !== change.after);
}

function listScalars(root: StructNode): Map<string, string> {
  const scalars = new Map<string, string>();
  const visit = (node: StructNode, pointer: string): void => {
    if (node.kind === "struct") {
      for (const [key, value] of node.members) visit(value, `${pointer}/${escapeToken(key)}`);
    } else if (node.kind === "list") {
      for (const [i, item] of node.items.entries()) visit(item, `${pointer}/${i}`);
    } else scalars.set(pointer, describeScalar(node));
  };
  visit(root, "");
  return scalars;
}

/** A scalar with its kind, so that 5 and "5" are two. */
export function describeScalar(node: StructNode): string {
  switch (node.kind) {
    case "number":
      return `number ${describeDouble(node.value)}`;
    case "string":
      return `text ${JSON.stringify(node.value)}`;
    case "bool":
      return String(node.value);
    default:
      return node.kind === "unset" ? "no kind" : node.kind;
  }
}
