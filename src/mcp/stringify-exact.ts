import { IntegerLiteral } from "../index.js";
import { RawJson } from "./raw-json.js";

/**
 * Write a value as `JSON.stringify` does, but `bigint` and `IntegerLiteral` as bare digits and raw JSON as it stands, in
 * every runtime. Throws RangeError where the value is nested too deep for the stack, or contains itself.
 */
export function stringifyExact(value: unknown): string {
  return write(value, "") ?? "null";
}

/** Undefined for what JSON leaves out. */
function write(value: unknown, key: string): string | undefined {
  const exact = exactText(value);
  if (exact !== undefined) return exact;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return write(toJSON.call(value, key), key);
  if (Array.isArray(value)) return `[${Array.from(value, (item, i) => write(item, String(i)) ?? "null").join(",")}]`;
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return JSON.stringify(value);
  let members = "";
  for (const name of Object.keys(value)) {
    const text = write((value as Record<string, unknown>)[name], name);
    if (text !== undefined) members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${text}`;
  }
  return `{${members}}`;
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
