import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const benchFolder = fileURLToPath(new URL(".", import.meta.url));

// Peers that are CommonJS ask for modules of Node.
const banner =
  'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);';

/**
 * Write a script of this folder and all it imports to one file that every runtime can run. `source` is the `src` folder to
 * measure in place of the one beside this folder.
 */
export async function bundle(entry: string, outfile: string, source?: string): Promise<void> {
  const { build } = await import("esbuild");
  await build({
    entryPoints: [join(benchFolder, entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "es2022",
    external: ["esbuild"],
    banner: { js: banner },
    logLevel: "warning",
    plugins: source === undefined ? [] : [{ name: "source", setup: (bundler) => redirectSource(bundler, source) }],
  });
}

function redirectSource({ onResolve }: import("esbuild").PluginBuild, source: string): void {
  onResolve({ filter: /^\.\.\/src\// }, ({ path }) => ({
    path: join(source, path.slice("../src/".length).replace(/\.js$/, ".ts")),
  }));
}

/** Whether the file runs as it is in the repository. tsx puts a call around every function that has a name, which is slow. */
export function isSource(url: string): boolean {
  return url.endsWith(".ts");
}

/** Bundle a script of this folder and run it with the same Node; gives its exit code. */
export async function runBundled(entry: string, args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    const outfile = join(folder, `${entry}.mjs`);
    await bundle(`${entry}.ts`, outfile);
    const { status } = spawnSync(process.execPath, ["--expose-gc", outfile, ...args], { stdio: "inherit" });
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As a command: make the file that the other runtimes run. */
const [script, outfile] = process.argv.slice(1);
if (script !== undefined && isSource(import.meta.url) && resolve(script) === fileURLToPath(import.meta.url)) {
  if (outfile === undefined) throw new Error("usage: node --import tsx bench/bundle.ts FILE.mjs");
  await bundle("bench.ts", resolve(outfile));
}
