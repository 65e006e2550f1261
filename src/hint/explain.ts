import { parsePointer } from "../base/pointer.js";
import { type PositionAnswers, unpackPosition } from "../base/position.js";
import { ANY, type HintNode, memberNode } from "./node.js";

/** What a hint says about a place in the data. */
export interface Explanation {
  readonly pointer: string;
  /** Numbers here. "any" is no information. */
  readonly number: PositionAnswers["number"];
  /** How wide an integer there may be. */
  readonly width: PositionAnswers["width"];
  /** Strings here. "decimal" is an integer written as text, and nothing else. "any" is no information. */
  readonly string: PositionAnswers["string"];
  /** The format's range, where a wide integer has one. */
  readonly range?: "int64" | "uint64";
  /** Members whose values choose between branches that disagree, on the way or here; then this is all branches merged. */
  readonly selectedBy?: readonly string[];
  /** The schemas that hold there. */
  readonly schemaPointers: readonly string[];
  /** All of it in one line. */
  readonly summary: string;
}

/** Explain a place in the data below a node. Where objects disagree by their members, the branches are merged. */
export function explainNode(root: HintNode, pointer: string): Explanation {
  const tokens = parsePointer(pointer);
  if (tokens === undefined) throw new TypeError("explain takes a JSON Pointer");
  const selectedBy = new Set<string>();
  let node = root;
  for (const token of tokens) {
    for (const key of node.selection?.keys ?? []) selectedBy.add(key);
    node = childNode(node, token);
  }
  for (const key of node.selection?.keys ?? []) selectedBy.add(key);
  const { range, ...answers } = unpackPosition(node.position);
  const { schemaPointers } = node;
  const keys = [...selectedBy];
  return {
    pointer,
    ...answers,
    ...(range !== "any" && { range }),
    ...(keys.length > 0 && { selectedBy: keys }),
    schemaPointers,
    summary: summarize(unpackPosition(node.position), keys, schemaPointers),
  };
}

/** A token that looks like an index may be the key of an object; a declared member is meant first. */
function childNode(node: HintNode, token: string): HintNode {
  if (!node.members.has(token) && /^(?:0|[1-9][0-9]*)$/.test(token)) {
    const item = node.prefixItems[Number(token)] ?? node.otherItems;
    if (item !== ANY) return item;
  }
  return memberNode(node, token);
}

function summarize(answers: PositionAnswers, keys: readonly string[], pointers: readonly string[]): string {
  const range = answers.range === "any" ? "" : ` (${answers.range})`;
  const width = answers.width === "unknown" ? ", of unknown width" : `, ${answers.width}${range}`;
  const number = answers.number === "integer" ? `integer${width}` : answers.number;
  const string = answers.number !== "integer" && answers.string === "decimal" ? `decimal${width}` : answers.string;
  const chosen = keys.length === 0 ? "" : `; chosen by ${keys.join(", ")}`;
  const from = pointers.length === 0 ? "no schema" : pointers.map((pointer) => pointer || "/").join(", ");
  return `numbers: ${number}; strings: ${string}${chosen}; from ${from}`;
}
