import { compareWith, findFastestPeer, findRow, type Verdict } from "./bars.js";
import { payloadNames } from "./fixtures.js";
import { median, type Row, type ScenarioResult, speedRatio } from "./harness.js";
import type { CorpusResult } from "./measure-corpus.js";
import { referenceName } from "./peers.js";
import { directions, hintedName } from "./scenarios.js";

/** One scenario as lines of text: a row for each candidate, and what its time is in terms of the others. */
export function formatScenario(result: ScenarioResult): string {
  const { scenario, jsonBytes, wireBytes, sets } = result;
  const size = `${jsonBytes.toLocaleString("en")} B of JSON, ${wireBytes.toLocaleString("en")} B on the wire`;
  const native = findNative(result);
  const header = ["", "one call", "x B", ...(native ? [`x ${native.candidate}`] : []), "x peer", "spread"];
  const lines = result.rows.map((row) => [
    row.candidate,
    formatTime(median(row.rounds)),
    formatRatio(row, findRow(result, referenceName)),
    ...(native ? [formatRatio(row, native)] : []),
    formatRatio(row, findFastestPeer(result)),
    formatSpread(row),
  ]);
  return `${scenario}  (${size}${sets > 1 ? `, ${sets} sets in turn` : ""})\n${formatTable([header, ...lines])}`;
}

export function formatCorpus({ scenario, entries }: CorpusResult): string {
  const at = (part: number) => formatTime(entries[Math.floor((entries.length - 1) * part)]?.time ?? 0);
  const slowest = entries.slice(0, 5).map(({ name, time, jsonBytes }) => [name, formatTime(time), `${jsonBytes} B`]);
  const summary = `  (${entries.length} measured; median ${at(0.5)}, 99th percentile ${at(0.01)}, slowest:)`;
  return `${scenario}${entries.length > 1 ? summary : ""}\n${formatTable([["", "one call", "size"], ...slowest])}`;
}

export function formatVerdicts(verdicts: readonly Verdict[]): string {
  const lines = verdicts.map(({ scenario, what, least, measured, reached }) => [
    scenario,
    what,
    least,
    measured,
    reached ? "reached" : "NOT REACHED",
  ]);
  const count = verdicts.filter(({ reached }) => reached).length;
  return `Bars: ${count} of ${verdicts.length} reached\n${formatTable([["", "against", "bar", "measured", ""], ...lines])}`;
}

/** The table of the README: times as fast as protobuf-es, and as native JSON in brackets. */
export function formatMarkdown(results: readonly ScenarioResult[], corpus: readonly CorpusResult[]): string {
  const columns = payloadNames.filter((payload) => results.some((result) => result.payload === payload));
  const rows = directions.filter((direction) => results.some((result) => result.direction === direction));
  const lines = [
    `| | ${columns.join(" | ")} |`,
    `|---|${columns.map(() => "---|").join("")}`,
    ...rows.map((direction) => {
      const cells = columns.map((payload) =>
        formatCell(results.find((result) => result.direction === direction && result.payload === payload)),
      );
      return `| \`${direction}\` | ${cells.join(" | ")} |`;
    }),
  ];
  return [...(rows.length > 0 ? [lines.join("\n")] : []), ...corpus.map(formatCorpusLine)].join("\n\n");
}

function formatCorpusLine({ scenario, entries }: CorpusResult): string {
  const name = `\`${scenario.split("/")[0]}\``;
  const [slowest] = entries;
  if (entries.length === 1) return `${name}, ${slowest?.name} as published: ${formatTime(slowest?.time ?? 0)}.`;
  const what = scenario === "compileHint/corpus" ? "schemas of published tools" : "published tools";
  const bounds = `median ${formatTime(median(entries.map(({ time }) => time)))}, slowest ${formatTime(slowest?.time ?? 0)}`;
  return `${name}, ${entries.length} ${what}: ${bounds}.`;
}

function formatCell(result: ScenarioResult | undefined): string {
  if (result === undefined) return "";
  const reference = compareWith(result, "protobuf-es");
  const native = compareWith(result, "JSON.stringify") ?? compareWith(result, "JSON.parse");
  const cell = reference === undefined ? "" : `**${round(reference)}×**`;
  return native === undefined ? cell : `${cell} (${round(native)}×)`;
}

/** The anchor of the direction: writing or reading the plain value. */
export function findNative(result: ScenarioResult): Row | undefined {
  return result.rows.find(({ role }) => role === "native");
}

/** Three digits. */
export function round(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}

export function formatTime(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${round(nanoseconds)} ns`;
  if (nanoseconds < 1e6) return `${round(nanoseconds / 1e3)} us`;
  return `${round(nanoseconds / 1e6)} ms`;
}

function formatRatio(row: Row, other: Row | undefined): string {
  return other === undefined ? "" : round(speedRatio(row, other));
}

/** How far the middle half of the rounds lies apart. */
function formatSpread({ rounds }: Row): string {
  const sorted = [...rounds].sort((left, right) => left - right);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)]!;
  return `${Math.round(((at(0.75) - at(0.25)) / at(0.5)) * 100)} %`;
}

function formatTable(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!);
  return lines.map((line) => `  ${line.map(pad).join("  ")}`.trimEnd()).join("\n");
}

/** Extra time for the schema in percent, for reports. */
export function readHintCost(result: ScenarioResult): number | undefined {
  const ratio = findRow(result, hintedName) === undefined ? undefined : compareWith(result, "schema");
  return ratio === undefined ? undefined : (1 / ratio - 1) * 100;
}
