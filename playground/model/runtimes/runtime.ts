import type { StructNode } from "../struct-node.js";

/** How a protobuf runtime of another language writes a Struct as JSON, as rules. */
export interface Runtime {
  readonly name: string;
  /** The function that writes, as its users call it. */
  readonly writer: string;
  /** What the rules cannot say, such as an order of members that is not fixed. */
  readonly note?: string;
  readonly numeral: (value: number) => string;
  /** What stands for NaN and the infinities; undefined is an error. */
  readonly notFinite: ((value: number) => string) | undefined;
  readonly quote: (value: string) => string;
  /** What a Value without a kind is written as: the word, `"absent"` for nothing at all; undefined is an error. */
  readonly unset: "null" | "absent" | undefined;
  readonly sortsKeys: boolean;
  readonly comma: string;
  readonly colon: string;
  /** Most messages within each other that it reads, not counting the outermost, and most JSON levels that it writes. */
  readonly deepest: { readonly messages: number; readonly levels?: number };
}

/** The text that a runtime writes, or what it says instead. */
export type Written = { readonly text: string } | { readonly error: string };

class RuntimeRefusal extends Error {}

/** What a runtime writes for a message. */
export function writeAs(runtime: Runtime, root: StructNode): Written {
  if (isTooDeep(runtime, root)) return { error: "nested too deeply for it" };
  try {
    return { text: write(runtime, root) };
  } catch (error) {
    if (error instanceof RuntimeRefusal) return { error: error.message };
    throw error;
  }
}

function write(runtime: Runtime, node: StructNode): string {
  switch (node.kind) {
    case "unset":
      if (runtime.unset === undefined) throw new RuntimeRefusal("refuses a Value without a kind");
      return "null";
    case "null":
      return "null";
    case "bool":
      return String(node.value);
    case "number":
      return writeNumber(runtime, node.value);
    case "string":
      return runtime.quote(node.value);
    case "list":
      return `[${node.items
        .filter((item) => isWritten(runtime, item))
        .map((item) => write(runtime, item))
        .join(runtime.comma)}]`;
    case "struct":
      return `{${writeMembers(runtime, [...node.members])}}`;
  }
}

function writeMembers(runtime: Runtime, members: [string, StructNode][]): string {
  if (runtime.sortsKeys) members.sort(([a], [b]) => compareCodePoints(a, b));
  return members
    .filter(([, value]) => isWritten(runtime, value))
    .map(([key, value]) => `${runtime.quote(key)}${runtime.colon}${write(runtime, value)}`)
    .join(runtime.comma);
}

function isWritten(runtime: Runtime, node: StructNode): boolean {
  return node.kind !== "unset" || runtime.unset !== "absent";
}

function writeNumber(runtime: Runtime, value: number): string {
  if (Number.isFinite(value)) return runtime.numeral(value);
  if (runtime.notFinite === undefined) throw new RuntimeRefusal("refuses a number that is not finite");
  return runtime.notFinite(value);
}

/** UTF-8 sorts as code points do, UTF-16 does not. */
function compareCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((char, i) => char !== right[i]);
  if (at === -1) return left.length - right.length;
  return (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1);
}

/**
 * Readers count messages within messages, not JSON levels. A member of an object is two deeper than the Struct, its entry and
 * its Value; an item of a list one deeper than the ListValue; and a container one deeper than its Value.
 */
function isTooDeep({ deepest: { messages, levels = Number.POSITIVE_INFINITY } }: Runtime, root: StructNode): boolean {
  const visit = (node: StructNode, depth: number, level: number): boolean => {
    if (depth > messages || level > levels) return true;
    if (node.kind === "struct") return [...node.members.values()].some((value) => visitValue(value, depth + 2, level));
    return node.kind === "list" && node.items.some((item) => visitValue(item, depth + 1, level));
  };
  const visitValue = (node: StructNode, depth: number, level: number): boolean => {
    const isContainer = node.kind === "struct" || node.kind === "list";
    return depth > messages || (isContainer && visit(node, depth + 1, level + 1));
  };
  return visit(root, 0, 1);
}
