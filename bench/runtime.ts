import { availableParallelism, cpus, loadavg } from "node:os";

export interface Runtime {
  /** As in "Node 20.20.2". */
  readonly name: string;
  /** The major version of Node, undefined elsewhere: the bars are set for Node. */
  readonly nodeMajor: number | undefined;
  readonly clock: "CPU time" | "wall time";
  /** Nanoseconds of that clock. */
  now(): number;
  collectGarbage(): void;
}

interface OtherRuntimes {
  readonly Bun?: { readonly version: string; gc(force: boolean): void };
  readonly Deno?: { readonly version: { readonly deno: string } };
  readonly gc?: () => void;
}

export const runtime: Runtime = detectRuntime(globalThis as OtherRuntimes);

function detectRuntime({ Bun, Deno, gc }: OtherRuntimes): Runtime {
  const wall = { nodeMajor: undefined, clock: "wall time", now: () => performance.now() * 1e6 } as const;
  if (Bun !== undefined) return { name: `Bun ${Bun.version}`, ...wall, collectGarbage: () => Bun.gc(true) };
  const collectGarbage = () => gc?.();
  if (Deno !== undefined) return { name: `Deno ${Deno.version.deno}`, ...wall, collectGarbage };
  return {
    name: `Node ${process.versions.node}`,
    nodeMajor: Number.parseInt(process.versions.node, 10),
    clock: "CPU time",
    now: readCpuTime,
    collectGarbage,
  };
}

/** Time of the whole process, helper threads for garbage and compiling included; what others run is not in it. */
function readCpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

export const coreCount: number = availableParallelism();

export function readLoad(): number {
  return loadavg()[0] ?? 0;
}

export function describeMachine(): string {
  return `${cpus()[0]?.model.trim() ?? "unknown processor"}, ${coreCount} cores, load ${readLoad().toFixed(2)}`;
}
