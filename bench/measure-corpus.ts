import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compileHint, type JsonSchema } from "../src/index.js";
import { auditTools, rewriteSchema } from "../src/schema.js";
import { median } from "./harness.js";
import { runtime } from "./runtime.js";

/** What is done with the tools of the corpus: with each schema, with each tool, with all of them at once. */
export const corpusScenarios = ["compileHint/corpus", "rewriteSchema/corpus", "auditTools/corpus"] as const;
export type CorpusScenario = (typeof corpusScenarios)[number];

export interface CorpusResult {
  readonly scenario: CorpusScenario;
  /** What was measured by itself, the slowest first. */
  readonly entries: readonly CorpusEntry[];
}

export interface CorpusEntry {
  readonly name: string;
  readonly jsonBytes: number;
  /** Nanoseconds of one call. */
  readonly rounds: readonly number[];
  /** The median of the rounds. */
  readonly time: number;
}

interface Tool {
  readonly file: string;
  readonly tool: { readonly name: string; readonly inputSchema?: JsonSchema; readonly outputSchema?: JsonSchema };
}

interface Work {
  readonly name: string;
  readonly input: unknown;
  readonly run: () => unknown;
}

/** Where the published tools are: beside the repository, not part of it. */
const corpusFolder = resolve("../shared/corpus/tool-schemas");

export function hasCorpus(): boolean {
  return existsSync(corpusFolder);
}

/** Measure a scenario over the corpus; undefined where there is none. */
export function measureCorpus(scenario: CorpusScenario, rounds: number): CorpusResult | undefined {
  if (!hasCorpus()) return undefined;
  const works = listWorks(scenario, readTools(corpusFolder));
  for (let pass = 0; pass < 10; pass++) for (const { run } of works) run();
  runtime.collectGarbage();
  // A single piece of work is long enough to be timed by itself.
  const count = works.length === 1 ? 1 : 5;
  const entries = works.map(({ name, input, run }): CorpusEntry => {
    const times = Array.from({ length: rounds }, () => timeRuns(run, count));
    return { name, jsonBytes: Buffer.byteLength(JSON.stringify(input)), rounds: times, time: median(times) };
  });
  return { scenario, entries: entries.sort((left, right) => right.time - left.time) };
}

function listWorks(scenario: CorpusScenario, tools: readonly Tool[]): Work[] {
  switch (scenario) {
    case "compileHint/corpus":
      return tools.flatMap((tool) =>
        schemasOf(tool).map(([name, schema]) => ({ name, input: schema, run: () => compileHint(schema) })),
      );
    case "rewriteSchema/corpus":
      return tools.map((tool) => {
        const schemas = schemasOf(tool).map(([, schema]) => schema);
        return { name: tool.file, input: tool.tool, run: () => schemas.map((schema) => rewriteSchema(schema)) };
      });
    case "auditTools/corpus": {
      const all = tools.map(({ tool }) => tool);
      return [{ name: `${all.length} tools`, input: all, run: () => auditTools(all) }];
    }
    default:
      throw new Error(`no work for ${scenario satisfies never}`);
  }
}

function timeRuns(run: () => unknown, count: number): number {
  const start = runtime.now();
  for (let done = 0; done < count; done++) run();
  return (runtime.now() - start) / count;
}

function readTools(folder: string): Tool[] {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((file) => file.endsWith(".json")).sort();
  return files
    .map((file): Tool => ({ file, tool: JSON.parse(readFileSync(join(folder, file), "utf8")) }))
    .filter(({ tool }) => tool.inputSchema !== undefined);
}

function schemasOf({ file, tool }: Tool): [name: string, schema: JsonSchema][] {
  return (["inputSchema", "outputSchema"] as const).flatMap((side): [string, JsonSchema][] => {
    const schema = tool[side];
    return schema === undefined ? [] : [[`${file}#${side}`, schema]];
  });
}
