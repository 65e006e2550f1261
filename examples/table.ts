/** A line of the tables: what it is about, and both texts. */
export type Row = readonly [subject: string, before: string, after: string, verdict: string];

let checked = 0;
let wrong = 0;

/** Compare texts with what they must be, character by character; pairs of actual and expected. */
export function check(...pairs: readonly (readonly [actual: string, expected: string])[]): string {
  const failed = pairs.filter(([actual, expected]) => actual !== expected);
  checked++;
  if (failed.length === 0) return "ok";
  wrong++;
  return `WRONG, must be ${failed.map(([, expected]) => expected).join(" and ")}`;
}

/** Print rows as a table. */
export function printTable(title: string, heads: readonly [string, string], rows: readonly Row[]): void {
  const table: readonly Row[] = [["", ...heads, ""], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => (row[column] as string).length)));
  console.log(`\n${title}\n`);
  for (const row of table) {
    console.log(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd());
  }
}

/** Say how many were right, and have the process fail if one was not. */
export function printVerdict(): void {
  console.log(`\n${checked - wrong} of ${checked} are as they must be`);
  if (wrong > 0) process.exitCode = 1;
}
