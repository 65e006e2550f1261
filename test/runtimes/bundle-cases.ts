import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

/** How the case table is made one file. */
export interface CaseBundle {
  /** Where it goes: cases.mjs or cases.cjs, and run.mjs or run.cjs, which prints the report of it. */
  readonly folder: string;
  readonly format: "esm" | "cjs";
  /** Whether the codec comes out of an installed package, under its name, rather than from `src`. */
  readonly isPackaged?: boolean;
}

/** Write the case table and its runner to one file that any runtime can load. Gives the file that prints the report. */
export async function bundleCases({ folder, format, isPackaged = false }: CaseBundle): Promise<string> {
  const ending = format === "esm" ? "mjs" : "cjs";
  await build({
    entryPoints: [fileURLToPath(new URL("case-table.ts", import.meta.url))],
    outfile: join(folder, `cases.${ending}`),
    bundle: true,
    format,
    platform: "node",
    target: "es2022",
    logLevel: "warning",
    external: isPackaged ? ["@bufbuild/protobuf"] : [],
    plugins: [withoutRunner, ...(isPackaged ? [fromPackage] : [])],
  });
  const script = join(folder, `run.${ending}`);
  const load = format === "esm" ? "import { runCaseTable } from" : "const { runCaseTable } = require(";
  const rest = format === "esm" ? ";" : ");";
  const print = "runCaseTable().then((report) => console.log(JSON.stringify(report)));";
  await writeFile(script, `${load} "./cases.${ending}"${rest}\n${print}\n`);
  return script;
}

/** Tests are collected by our own `describe`, `it` and `expect`. */
const withoutRunner: Plugin = {
  name: "without-runner",
  setup({ onResolve }) {
    onResolve({ filter: /^vitest$/ }, () => ({ path: fileURLToPath(new URL("collect-tests.ts", import.meta.url)) }));
  },
};

/** What is imported from a door of `src` is imported from the package. */
const fromPackage: Plugin = {
  name: "from-package",
  setup({ onResolve }) {
    onResolve({ filter: /\/src\// }, ({ path }) => {
      const [, door] = /^(?:\.\.\/)+src\/(\w+)\.js$/.exec(path) ?? [];
      if (door === undefined) return { errors: [{ text: `${path} is no door of the package` }] };
      return { path: `protobuf-struct-codec${door === "index" ? "" : `/${door}`}`, external: true };
    });
  },
};
