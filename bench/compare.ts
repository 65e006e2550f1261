import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findRow } from "./bars.js";
import { bundle } from "./bundle.js";
import { median, type ScenarioResult } from "./harness.js";
import { referenceName } from "./peers.js";
import { round } from "./report.js";
import { coreCount, readLoad } from "./runtime.js";
import { codecName, hintedName } from "./scenarios.js";

const usage = `usage: npm run compare -- REVISION [REGEX] [--pairs 5]

  REVISION     a commit to hold the working tree against
  REGEX        which scenarios; all but those of 18 MB without`;

/** Below that, a median of a few processes shows nothing. */
const shownDifference = 0.03;

/** The time of every conversion, in terms of what protobuf-es needs for it in the same process. */
type Times = ReadonlyMap<string, number>;

/** Measure `src` of a revision and of the working tree with the bench of the working tree. */
async function compare(revision: string, selected: string, pairs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "compare-"));
  const tree = join(folder, "tree");
  try {
    execFileSync("git", ["worktree", "add", "--detach", tree, revision], { stdio: ["ignore", "ignore", "inherit"] });
    symlinkSync(resolve("node_modules"), join(tree, "node_modules"));
    const before = join(folder, "before.mjs");
    const after = join(folder, "after.mjs");
    await bundle("bench.ts", before, join(tree, "src"));
    await bundle("bench.ts", after);
    const loads = [readLoad()];
    const runs: [Times, Times][] = [];
    for (let pair = 0; pair < pairs; pair++) {
      // Every second pair runs the other way round, so that what drifts favours neither.
      const first = runChild(pair % 2 === 0 ? before : after, selected, folder);
      const second = runChild(pair % 2 === 0 ? after : before, selected, folder);
      runs.push(pair % 2 === 0 ? [first, second] : [second, first]);
      loads.push(readLoad());
      console.error(`pair ${pair + 1} of ${pairs}, load ${readLoad().toFixed(2)}`);
    }
    printComparison(runs, Math.max(...loads) <= coreCount);
  } finally {
    execFileSync("git", ["worktree", "remove", "--force", tree]);
    rmSync(folder, { recursive: true, force: true });
  }
}

function runChild(file: string, selected: string, folder: string): Times {
  const json = join(folder, "result.json");
  const only = [codecName, hintedName, referenceName].join();
  const args = ["--expose-gc", file, selected, "--quick", "--only", only, "--json", json];
  execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const { results } = JSON.parse(readFileSync(json, "utf8")) as { results: ScenarioResult[] };
  return new Map(results.flatMap(readTimes));
}

function readTimes(result: ScenarioResult): [string, number][] {
  const reference = findRow(result, referenceName);
  return [codecName, hintedName].flatMap((name): [string, number][] => {
    const row = findRow(result, name);
    if (row === undefined || reference === undefined) return [];
    return [[`${result.scenario}, ${name}`, median(row.rounds.map((time, index) => time / reference.rounds[index]!))]];
  });
}

function printComparison(runs: readonly [before: Times, after: Times][], isQuiet: boolean): void {
  const [first] = runs;
  const names = [...(first?.[0].keys() ?? [])].filter((name) => first?.[1].has(name));
  console.log("How many times as fast the working tree is (median; lowest and highest pair)\n");
  const width = Math.max(0, ...names.map((name) => name.length));
  for (const name of names) {
    const ratios = runs.map(([before, after]) => before.get(name)! / after.get(name)!);
    const bounds = `${round(Math.min(...ratios))} to ${round(Math.max(...ratios))}`;
    const verdict = isQuiet ? `  ${conclude(ratios)}` : "";
    console.log(`  ${name.padEnd(width)}  ${round(median(ratios)).padStart(5)}  ${bounds}${verdict}`);
  }
  if (!isQuiet)
    console.log(
      `\nNo conclusion: the load was above ${coreCount}, the number of cores. Run it again when others are done.`,
    );
}

/** Faster or slower only where all pairs agree. */
function conclude(ratios: readonly number[]): string {
  const middle = median(ratios);
  if (middle > 1 + shownDifference && ratios.every((ratio) => ratio > 1)) return "faster";
  if (middle < 1 - shownDifference && ratios.every((ratio) => ratio < 1)) return "slower";
  return "no difference shown";
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: "string", default: "5" } },
});
const [revision, selected = "/"] = positionals;
if (revision === undefined) console.log(usage);
else await compare(revision, selected, Number(values.pairs));
