import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { installPackages } from "./install-packages.js";
import { runCommand } from "./run-command.js";

/** A runtime that the registry has, and how a script is run with it. */
export interface Runtime {
  readonly name: string;
  /** What is installed for it. */
  readonly spec: string;
  /** Folders below `node_modules` in which its program may be, and the program there. */
  readonly program: readonly [folder: string, file: string];
  readonly args: readonly string[];
}

const system = process.platform === "win32" ? "win" : process.platform;

/** The Node.js releases that are tried, from the oldest that is supported. */
const nodeVersions = [20, 22, 24, 26];

const bareEnvironment = new URL("bare-environment.mjs", import.meta.url).href;

export const runtimes: readonly Runtime[] = [
  ...nodeVersions.map((version) => nodeOf(version, `Node.js ${version}`, [])),
  nodeOf(24, "Node.js 24, bare", ["--disable-proto=delete", "--import", bareEnvironment]),
  { name: "Bun", spec: "bun@1", program: ["@oven", "bin/bun"], args: ["run"] },
  { name: "Deno", spec: "deno@2", program: ["@deno", "deno"], args: ["run", "--allow-all", "--no-lock"] },
];

function nodeOf(version: number, name: string, args: readonly string[]): Runtime {
  return {
    name,
    spec: `node-${version}@npm:node-${system}-${process.arch}@${version}`,
    program: [`node-${version}`, "bin/node"],
    args,
  };
}

/** A program that runs here, with its version. */
export interface FoundRuntime {
  readonly program: string;
  readonly version: string;
}

/** Install a runtime into a folder; where that cannot be done, a reason. */
export async function installRuntime(runtime: Runtime, folder: string): Promise<FoundRuntime | string> {
  const installed = await installPackages(folder, [runtime.spec]);
  if (!installed.ok) return "the registry has none for this system";
  for (const program of await listPrograms(folder, runtime.program)) {
    const { ok, stdout } = await runCommand(program, ["--version"]);
    if (ok) return { program, version: /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? stdout.trim() };
  }
  return "its program does not run on this system";
}

/** Bun and Deno come as one package for each system, below a common scope. */
async function listPrograms(folder: string, [place, file]: Runtime["program"]): Promise<string[]> {
  const below = join(folder, "node_modules", place);
  if (!place.startsWith("@")) return [join(below, file)];
  const names = await readdir(below).catch(() => []);
  return names.map((name) => join(below, name, file));
}
