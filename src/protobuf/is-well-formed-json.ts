import { isWellFormed } from "../base/utf8.js";
import type { ExactJson } from "../codec/exact-json.js";

/** Whether the strings and keys of a JSON value have no half of a surrogate pair, which UTF-8 cannot spell. */
export function isWellFormedJson(json: ExactJson): boolean {
  const rest: unknown[] = [json];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === "string" && !isWellFormed(value)) return false;
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value) && !Object.keys(value).every(isWellFormed)) return false;
    for (const child of Object.values(value)) rest.push(child);
  }
  return true;
}
