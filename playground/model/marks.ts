import type { Explanation } from "../../src/index.js";

/** What a hint says about a place, in the few words that a page can colour. */
export type Mark = "integer" | "wide" | "unknown" | "digits" | "ambiguous" | "number";

/** Every mark with what it means, in the order of the legend. */
export const marks: readonly (readonly [mark: Mark, label: string, meaning: string])[] = [
  ["integer", "integer", "An integer that is proven to be within ±(2^53−1)."],
  ["wide", "wide", "An integer of 64 bits or more."],
  ["unknown", "unknown width", "An integer; the schema does not say how wide it may be."],
  ["digits", "digits as text", "A string that holds the digits of an integer, and nothing else."],
  ["number", "number", "Any number, whole or not."],
  ["ambiguous", "ambiguous", "Branches of the schema disagree, or a number and a string both fit."],
];

/** The mark of a place; undefined where the hint says nothing about numbers. */
export function markOf({ number, width, string, selectedBy }: Explanation): Mark | undefined {
  const isNumber = number === "integer" || number === "number";
  if (isNumber && (selectedBy !== undefined || string === "text")) return "ambiguous";
  if (number === "integer") return width === "small" ? "integer" : width;
  if (number === "number") return "number";
  return string === "decimal" ? "digits" : undefined;
}
