import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { runCommand } from "../runtimes/run-command.js";
import { memoryCases } from "./memory-cases.js";

// npm run memory [-- WORDS]: what dense, hostile and large documents take beyond what they are. Each conversion has a process of
// its own; the peak is the highest resident size beyond that before it, the heap the highest that V8 had in use.

interface Measured {
  readonly outcome: string;
  readonly length?: number;
  readonly peak: number;
  readonly heap: number;
  readonly seconds: number;
}

/** A process that died of it has no more to say. */
const outOfMemory: Measured = { outcome: "out of memory", peak: Number.NaN, heap: 0, seconds: Number.NaN };

/** Between bytes, a document of many small values takes no more than so many times what comes out. */
const mostTimes = 4;

const words = process.argv.slice(2).join(" ");
const folder = await mkdtemp(join(tmpdir(), "memory-"));
try {
  const script = await bundle();
  for (const { name, make, methods } of memoryCases.filter((found) => found.name.includes(words))) {
    const file = join(folder, "document");
    await writeFile(file, make());
    console.log(`\n${name}`);
    for (const method of methods) {
      const measured = await measure([script, name, method, file]);
      console.log(`  ${method.padEnd(19)} ${describe(measured)}`);
      checkHuge(name, method, measured);
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function bundle(): Promise<string> {
  const outfile = join(folder, "measure-one.mjs");
  const entry = fileURLToPath(new URL("measure-one.ts", import.meta.url));
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node", target: "es2022" });
  return outfile;
}

async function measure(args: readonly string[]): Promise<Measured> {
  const { ok, stdout, log } = await runCommand(process.execPath, ["--trace-gc", ...args]);
  if (!ok && !log.includes("heap out of memory")) throw new Error(log.slice(-2000));
  const lines = stdout.trimEnd().split("\n");
  const report = lines.findLast((line) => line.startsWith("{"));
  const measured: Measured = report === undefined ? outOfMemory : JSON.parse(report);
  // "Scavenge 118.3 (130.0) -> 95.2 (131.0) MB": what is in use before a collection is a peak.
  const peaks = lines.map((line) => Number(/ (\d+\.\d) \(\d+\.\d\) -> /.exec(line)?.[1] ?? 0) * 1024 * 1024);
  return { ...measured, heap: Math.max(measured.heap, ...peaks) };
}

function describe({ outcome, length, peak, heap, seconds }: Measured): string {
  const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
  const times = length === undefined ? "" : `, ${(peak / length).toFixed(1)} times the output`;
  return `${outcome.padEnd(16)} peak ${mib(peak)}${times}; heap ${mib(heap)}; ${seconds.toFixed(1)} s`;
}

function checkHuge(name: string, method: string, { peak, length = 0 }: Measured): void {
  if (!name.startsWith("the huge") || method !== "binaryToJsonBytes" || peak <= mostTimes * length) return;
  console.error(`that is more than ${mostTimes} times the output`);
  process.exitCode = 1;
}
