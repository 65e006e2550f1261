import { writeJsonText } from "../text/writer.js";
import type { Conversion } from "./conversion.js";
import { errTooLong } from "./conversion-errors.js";
import type { JsonTree } from "./json-tree.js";
import { isPolluted } from "./usual-object.js";
import type { OrderedJsonTree } from "./wire-tree-to-json.js";

/** Depth up to which the native writer, which recurses, is safe to call. */
const shallow = 500;

/** Write an ordered tree as JSON text. */
export function orderedTreeToText(conversion: Conversion, tree: OrderedJsonTree): string {
  const { prettySpaces, limits } = conversion.context.options;
  return checkLength(conversion, writeJsonText(tree, prettySpaces, limits.outputBytes));
}

/** Write what a walk built as JSON text. The native writer does it wherever it would spell every numeral right. */
export function treeToText(conversion: Conversion, tree: JsonTree): string {
  const { prettySpaces, limits } = conversion.context.options;
  const text =
    conversion.hasRawNumerals || limits.depth > shallow || isPolluted()
      ? writeJsonText(tree, prettySpaces, limits.outputBytes)
      : stringify(tree, prettySpaces, limits.outputBytes);
  return checkLength(conversion, text);
}

function checkLength(conversion: Conversion, text: string | undefined): string {
  const { limits } = conversion.context.options;
  if (text !== undefined && !exceeds(text, limits.outputBytes)) return text;
  throw errTooLong(conversion.atRoot(), "output");
}

function stringify(tree: JsonTree, spaces: number, longest: number): string | undefined {
  try {
    return JSON.stringify(tree, null, spaces);
  } catch {
    // A RangeError: the text is longer than a string can be, or the caller has left no stack. Neither stops the own writer.
    return writeJsonText(tree, spaces, longest);
  }
}

/** Whether the text has more UTF-8 bytes than allowed; each of its characters has between one and three. */
function exceeds(text: string, mostBytes: number): boolean {
  if (text.length * 3 <= mostBytes) return false;
  return text.length > mostBytes || new TextEncoder().encode(text).length > mostBytes;
}
