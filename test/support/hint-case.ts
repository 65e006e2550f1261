import type { JsonValue } from "@bufbuild/protobuf";
import type { HintOptions, HintSource } from "../../src/index.js";
import type { Case, ExpectedAnswers, ExpectedSchemaIssue } from "./case.js";

/** What the hint must say at one position. Answers left out are not asked. */
export interface HintRow extends ExpectedAnswers {
  readonly name: string;
  readonly schema: HintSource;
  readonly options?: HintOptions;
  /** Keys and indexes from the root; "v" alone unless written here. */
  readonly at?: readonly (string | number)[];
  /** Members that stand before and after the value in its object, where they select a branch. */
  readonly before?: { readonly [key: string]: JsonValue };
  readonly after?: { readonly [key: string]: JsonValue };
  /** Where the answer depends on the value, `explain` may only say so. */
  readonly isSelected?: boolean;
  readonly schemaIssues?: readonly ExpectedSchemaIssue[] | "any";
}

/** The rows of the value table that show each answer, so that an answer is never only a claim of `explain`. */
export function casesOf(row: HintRow): Case[] {
  const { name, schema, options = {}, number, width, string, range } = row;
  const path = row.at ?? ["v"];
  const shared = { schema, ...(row.schemaIssues === undefined ? {} : { schemaIssues: row.schemaIssues }) };
  const cases: Case[] = [];
  if (row.isSelected !== true) {
    const answers = Object.fromEntries(
      Object.entries({ number, width, string, range }).filter(([, answer]) => answer !== undefined),
    );
    cases.push({ ...shared, name, options, explain: { [pointerOf(path)]: answers } });
  }
  if (number !== undefined && (number !== "none" || string !== undefined)) {
    cases.push({
      ...shared,
      name: `${name}: 1e21`,
      options: { ...options, int64: "schema" },
      direction: "encode",
      // 1e21 is out of the range of int64, which may be said too.
      issues: "any",
      ...encodedAs(row, path, 1e21, text1e21(number, string)),
    });
  }
  if (string !== undefined && number !== undefined) {
    const bare = (number === "integer" || number === "number") && string === "none";
    cases.push({
      ...shared,
      name: `${name}: "12"`,
      options: { ...options, int64: "schema" },
      direction: "encode",
      ...encodedAs(row, path, "12", bare ? "12" : '"12"'),
    });
  }
  if (width !== undefined && number === "integer") {
    const read = width === "wide" ? "12" : 12;
    cases.push({
      ...shared,
      name: `${name}: 12`,
      options: { ...options, structInt64: "string" },
      direction: "decode",
      field: wrap(row, path, read) as JsonValue,
      text: wrapText(row, path, "12"),
    });
  }
  return cases;
}

function text1e21(number: string, string: string | undefined): string {
  if (number === "integer") {
    return "1000000000000000000000";
  }
  return number === "none" && string === "decimal" ? '"1000000000000000000000"' : "1e+21";
}

function encodedAs(row: HintRow, path: readonly (string | number)[], value: JsonValue, text: string) {
  return { field: wrap(row, path, value), text: wrapText(row, path, text) };
}

/** Items before the one that matters are null. */
function wrap(row: HintRow, path: readonly (string | number)[], leaf: JsonValue): JsonValue {
  return JSON.parse(wrapText(row, path, JSON.stringify(leaf))) as JsonValue;
}

function wrapText(row: HintRow, path: readonly (string | number)[], leaf: string): string {
  return path.reduceRight<string>((text, step, i) => {
    if (typeof step === "number") {
      return `[${"null,".repeat(step)}${text}]`;
    }
    const isLast = i === path.length - 1;
    const members = (of: HintRow["before"]) =>
      Object.entries(isLast ? (of ?? {}) : {}).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
    return `{${[...members(row.before), `${JSON.stringify(step)}:${text}`, ...members(row.after)].join(",")}}`;
  }, leaf);
}

export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
