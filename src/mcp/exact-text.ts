import { parseExact } from "./parse-exact.js";
import { RawNumber } from "./raw-json.js";
import { isSameJson } from "./same-json.js";
import { stringifyExact } from "./stringify-exact.js";

/**
 * The member of `_meta` that holds the exact text of a call's arguments or of a structured result. Where the value itself
 * stands numbers are rounded, which is all that the SDKs and their validators know.
 */
export const exactKey = "protobuf-struct-codec/exact";

/** JSON text in the one spelling that is shown and sent: no white space, every number as it was spelled. */
export function normalizeText(text: string): string {
  if (JSON.stringify(JSON.parse(text)) === text) return text;
  return stringifyExact(parseExact(text, (numeral) => new RawNumber(numeral)));
}

/** The exact text beside a value, if it is that value's text and not something that only stands in its place. */
export function readExactText(meta: unknown, value: unknown): string | undefined {
  const text = isObject(meta) && Object.hasOwn(meta, exactKey) ? meta[exactKey] : undefined;
  return typeof text === "string" && isTextOf(text, value) ? text : undefined;
}

/** Whether text is that of a value, but for what was rounded when the value was parsed. */
export function isTextOf(text: string, value: unknown): boolean {
  try {
    return isSameJson(JSON.parse(text), value);
  } catch {
    // It is not even JSON.
    return false;
  }
}

/** An object of JSON; nothing is known of its members. */
export type Loose = { readonly [member: string]: unknown };

export function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
