import { writeJsonText } from "../text/writer.js";
import { copyPlain } from "./copy-plain.js";
import { findCycle } from "./find-cycle.js";

/**
 * Print a schema, a finding, or anything that holds them as JSON text: `JSON.stringify` for what may have a `bigint` in it,
 * which is written as a number. `spaces` defaults to 0 and indents as there. Throws `TypeError` for what contains itself.
 */
export function printSchemaText(value: unknown, spaces = 0): string {
  const cycle = findCycle(value);
  if (cycle !== undefined) throw new TypeError(`value contains itself at ${cycle}`);
  // It is never too long, so it is text.
  return writeJsonText(
    copyPlain(value, (number) => number),
    spaces,
    Number.POSITIVE_INFINITY,
  ) as string;
}
