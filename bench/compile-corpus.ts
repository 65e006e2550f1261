import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compileHint, type JsonSchema } from "../src/index.js";
import { median } from "./harness.js";
import { runtime } from "./runtime.js";

export const compileScenario = "compileHint/corpus";

export interface CompileResult {
  readonly scenario: typeof compileScenario;
  /** Median nanoseconds of each schema, the slowest first. */
  readonly schemas: readonly CompiledSchema[];
}

export interface CompiledSchema {
  readonly name: string;
  readonly jsonBytes: number;
  readonly rounds: readonly number[];
  /** The median of the rounds. */
  readonly time: number;
}

interface ToolSchema {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Where the schemas of published tools are: beside the repository, not part of it. */
const corpusFolder = resolve("../shared/corpus/tool-schemas");

export function hasCorpus(): boolean {
  return existsSync(corpusFolder);
}

/** Compile every schema of the corpus, each by itself; undefined where there is no corpus. */
export function measureCompile(rounds: number): CompileResult | undefined {
  if (!hasCorpus()) return undefined;
  const schemas = readToolSchemas(corpusFolder);
  for (let pass = 0; pass < 10; pass++) for (const { schema } of schemas) compileHint(schema);
  runtime.collectGarbage();
  const results = schemas.map(({ name, schema }): CompiledSchema => {
    const times = timeCompile(schema, rounds);
    return { name, jsonBytes: Buffer.byteLength(JSON.stringify(schema)), rounds: times, time: median(times) };
  });
  return { scenario: compileScenario, schemas: results.sort((left, right) => right.time - left.time) };
}

function timeCompile(schema: JsonSchema, rounds: number): number[] {
  const count = 5;
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = runtime.now();
    for (let done = 0; done < count; done++) compileHint(schema);
    times.push((runtime.now() - start) / count);
  }
  return times;
}

function readToolSchemas(folder: string): ToolSchema[] {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((file) => file.endsWith(".json")).sort();
  return files.flatMap((file) => {
    const tool = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const sides = ["inputSchema", "outputSchema"].filter((side) => tool[side] !== undefined);
    return sides.map((side) => ({ name: `${file}#${side}`, schema: tool[side] as JsonSchema }));
  });
}
