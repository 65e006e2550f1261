import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, type ScenarioResult } from "./harness.js";
import type { CorpusResult } from "./measure-corpus.js";

export interface Measured {
  readonly results: readonly ScenarioResult[];
  readonly corpus: readonly CorpusResult[];
}

/**
 * Measure in several processes and put their rounds together. V8 decides once per process where the results of a function are
 * allocated, and the other decision makes it several times slower.
 */
export function measureInProcesses(count: number, args: readonly string[]): Measured {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    return Array.from({ length: count }, (_, index) => measureInProcess(join(folder, `${index}.json`), args)).reduce(
      merge,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measureInProcess(file: string, args: readonly string[]): Measured {
  const command = [...process.execArgv, process.argv[1]!, ...args, "--json", file];
  const { status } = spawnSync(process.execPath, command, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`a process of the bench ended with ${status}`);
  return JSON.parse(readFileSync(file, "utf8")) as Measured;
}

function merge(first: Measured, second: Measured): Measured {
  const results = first.results.map((result, index) => mergeScenarios(result, second.results[index]!));
  return { results, corpus: first.corpus.map((result, index) => mergeCorpus(result, second.corpus[index]!)) };
}

function mergeScenarios(first: ScenarioResult, second: ScenarioResult): ScenarioResult {
  const rows = first.rows.map((row, index) => ({ ...row, rounds: [...row.rounds, ...second.rows[index]!.rounds] }));
  return { ...first, rows };
}

function mergeCorpus(first: CorpusResult, second: CorpusResult): CorpusResult {
  const times = new Map(second.entries.map(({ name, rounds }) => [name, rounds]));
  const entries = first.entries.map((entry) => {
    const rounds = [...entry.rounds, ...(times.get(entry.name) ?? [])];
    return { ...entry, rounds, time: median(rounds) };
  });
  return { ...first, entries: entries.sort((left, right) => right.time - left.time) };
}
