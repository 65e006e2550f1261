import { parseArgs } from "node:util";
import { BytesTarget } from "./bytes-target.js";
import { type Run, runTarget } from "./run-target.js";
import { SchemaTarget } from "./schema-target.js";
import { readSeeds } from "./seeds.js";
import type { Target } from "./target.js";
import { TextTarget } from "./text-target.js";

// npm run fuzz -- MINUTES [TARGET]: mutated documents and schemas for so long, and what came of them. What it finds becomes a
// row of test/cases, or of test/hostile.test.ts where no row can say it.

const { positionals, values } = parseArgs({ allowPositionals: true, options: { seed: { type: "string" } } });
const [minutes = "1", only] = positionals;
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const seeds = readSeeds(true);
const targets = [new BytesTarget(seeds), new TextTarget(seeds), new SchemaTarget(seeds, true)].filter(
  ({ name }) => only === undefined || name === only,
);
if (!(Number(minutes) > 0) || !Number.isInteger(seed) || targets.length === 0) {
  throw new Error("usage: npm run fuzz -- MINUTES [bytes|text|schema] [--seed NUMBER]");
}

console.log(
  `seed ${seed}; ${seeds.structs.length} Structs, ${seeds.texts.length} texts, ${seeds.schemas.length} schemas`,
);
for (const target of targets) {
  const end = Date.now() + (Number(minutes) * 60_000) / targets.length;
  // Any kind of input will do, since a target is only run with its own.
  const run = runTarget(target as Target<unknown>, seed, () => Date.now() >= end);
  printRun(target, run);
  if (run.finds.length > 0) process.exitCode = 1;
}

function printRun({ name, gaps }: Pick<Target<unknown>, "name" | "gaps">, { inputs, accepted, finds }: Run): void {
  const count = (n: number): string => n.toLocaleString("en-US");
  console.log(`\n${name}: ${count(inputs)} inputs, ${count(accepted)} of them accepted, ${finds.length} finds`);
  for (const [gap, times] of [...gaps].sort()) console.log(`  known: ${gap} (${count(times)})`);
  for (const { message, input } of finds) console.log(`\nFIND ${message}\n${input}`);
}
