import type { Report } from "./collect-tests.js";

/** What came of one way to load the package, or why it was not tried. */
export type Outcome = Report | string;

/** A runtime and what came of it: by import, by require, and with both copies in one process. */
export interface Row {
  readonly name: string;
  readonly version: string;
  /** As many as were tried, or one reason for all. */
  readonly outcomes: readonly Outcome[];
}

/** Print what was found as a table in Markdown. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(({ name, version, outcomes }) => {
    const [byImport = "", byRequire = byImport, byBoth = ""] = outcomes.map(formatOutcome);
    return `| ${name} | ${version} | ${byImport} | ${byRequire} | ${byBoth} |`;
  });
  return ["| runtime | version | `import` | `require` | both |", "|---|---|---|---|---|", ...lines].join("\n");
}

function formatOutcome(outcome: Outcome): string {
  if (typeof outcome === "string") return `not tried: ${outcome}`;
  const { passed, skipped, failures } = outcome;
  if (failures.length > 0) return `**${failures.length} failed** of ${count(passed + skipped + failures.length)}`;
  return `${count(passed)} passed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function count(n: number): string {
  return n.toLocaleString("en-US");
}
