import { RawNumeral } from "../base/numerals.js";
import type { JsonTree } from "../codec/json-tree.js";
import { defaultLimits } from "../codec/options.js";
import { writeJsonText } from "../text/writer.js";
import type { MessageRun } from "./message-run.js";

/** Write what a conversion made, in which Structs are pieces of text. */
export function writeTree(run: MessageRun, tree: JsonTree, spaces: number): string {
  if (tree instanceof RawNumeral) return tree.text;
  const { outputBytes = defaultLimits.outputBytes } = run.hints.options.limits ?? {};
  const text = writeJsonText(tree, spaces, outputBytes);
  if (text !== undefined) return text;
  throw run.fail("too_large", `output has more than ${outputBytes} bytes`, undefined);
}
