import { IntegerLiteral } from "../index.js";
import { createMark, RawJson } from "./raw-json.js";

/**
 * Write a value as `JSON.stringify` does, but `bigint` and `IntegerLiteral` as bare digits and raw JSON as it stands, in
 * every runtime.
 */
export function stringifyExact(value: unknown): string {
  const mark = createMark();
  const texts: string[] = [];
  const marked = JSON.stringify(value, function (this: Record<string, unknown>, key: string, current: unknown) {
    // What toJSON made of it is not wanted; the holder has the value itself.
    const text = exactText(this[key]);
    return text === undefined ? current : mark + (texts.push(text) - 1);
  });
  return texts.length === 0 ? marked : marked.replace(new RegExp(`"${mark}(\\d+)"`, "g"), (_, i) => texts[i] as string);
}

/** Whether a value holds something that `JSON.stringify` cannot write, or not in every runtime. */
export function holdsExact(root: unknown): boolean {
  const pending: unknown[] = [root];
  const seen = new Set<object>();
  while (pending.length > 0) {
    const value = pending.pop();
    if (exactText(value) !== undefined) return true;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    // What contains itself is for JSON.stringify to refuse.
    seen.add(value);
    for (const child of Object.values(value)) pending.push(child);
  }
  return false;
}

const isRawJson = (JSON as { isRawJSON?: (value: unknown) => boolean }).isRawJSON;

function exactText(value: unknown): string | undefined {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof RawJson) return value.text;
  if (value instanceof IntegerLiteral) return value.digits;
  return isRawJson?.(value) === true ? (value as { rawJSON: string }).rawJSON : undefined;
}
