/** Q1: what numbers a position holds. "any" is no information. */
export type NumberAnswer = "any" | "number" | "integer" | "none";
/** Q2: how wide an integer there may be: "small" is proven within ±(2^53−1), "wide" is declared beyond it. */
export type WidthAnswer = "unknown" | "small" | "wide";
/** Q3: what strings a position holds. "decimal" is an integer written as text. "any" is no information. */
export type StringAnswer = "any" | "text" | "decimal" | "none";
/** The values that a wide integer format names. */
export type RangeAnswer = "any" | "int64" | "uint64";

/** What a hint says about one position: the three answers, and a range where a format names one. */
export interface PositionAnswers {
  readonly number: NumberAnswer;
  readonly width: WidthAnswer;
  readonly string: StringAnswer;
  readonly range: RangeAnswer;
}

/** The answers packed into one small number, an index into a table of rules. 0 is no information at all. */
export type Position = number;

/** How many positions there are. */
export const positionCount = 256;

const numberAnswers: readonly NumberAnswer[] = ["any", "number", "integer", "none"];
const widthAnswers: readonly WidthAnswer[] = ["unknown", "small", "wide"];
const stringAnswers: readonly StringAnswer[] = ["any", "text", "decimal", "none"];
const rangeAnswers: readonly RangeAnswer[] = ["any", "int64", "uint64"];

export function packPosition(answers: PositionAnswers): Position {
  return (
    numberAnswers.indexOf(answers.number) |
    (widthAnswers.indexOf(answers.width) << 2) |
    (stringAnswers.indexOf(answers.string) << 4) |
    (rangeAnswers.indexOf(answers.range) << 6)
  );
}

export function unpackPosition(position: Position): PositionAnswers {
  return {
    number: numberAnswers[position & 3] ?? "any",
    width: widthAnswers[(position >> 2) & 3] ?? "unknown",
    string: stringAnswers[(position >> 4) & 3] ?? "any",
    range: rangeAnswers[(position >> 6) & 3] ?? "any",
  };
}
