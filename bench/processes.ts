import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CompileResult } from "./compile-corpus.js";
import { median, type ScenarioResult } from "./harness.js";

export interface Measured {
  readonly results: readonly ScenarioResult[];
  readonly compile?: CompileResult | undefined;
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
  if (first.compile === undefined || second.compile === undefined) return { results };
  return { results, compile: mergeCompile(first.compile, second.compile) };
}

function mergeScenarios(first: ScenarioResult, second: ScenarioResult): ScenarioResult {
  const rows = first.rows.map((row, index) => ({ ...row, rounds: [...row.rounds, ...second.rows[index]!.rounds] }));
  return { ...first, rows };
}

function mergeCompile(first: CompileResult, second: CompileResult): CompileResult {
  const times = new Map(second.schemas.map(({ name, rounds }) => [name, rounds]));
  const schemas = first.schemas.map((schema) => {
    const rounds = [...schema.rounds, ...(times.get(schema.name) ?? [])];
    return { ...schema, rounds, time: median(rounds) };
  });
  return { ...first, schemas: schemas.sort((left, right) => right.time - left.time) };
}
