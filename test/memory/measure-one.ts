import { readFileSync } from "node:fs";
import { type MemoryMethod, memoryCases, runMethod } from "./memory-cases.js";

// A process that does one thing and says how much memory that took. Its heap is told by --trace-gc.

const [name, method, file] = process.argv.slice(2) as [string, MemoryMethod, string];
const { schema } = memoryCases.find((found) => found.name === name) ?? {};
const document = new Uint8Array(readFileSync(file));

const before = process.memoryUsage().rss;
const start = process.cpuUsage().user;
let outcome: string;
let length: number | undefined;
try {
  length = runMethod(method, schema, document);
  outcome = length === undefined ? "an object" : `${(length / 2 ** 20).toFixed(1)} MiB`;
} catch (error) {
  outcome = (error as { code?: string }).code ?? `${(error as Error).name}: ${(error as Error).message}`;
}
const seconds = (process.cpuUsage().user - start) / 1e6;
const peak = process.resourceUsage().maxRSS * 1024 - before;
console.log(JSON.stringify({ outcome, length, peak, seconds, heap: process.memoryUsage().heapUsed }));
