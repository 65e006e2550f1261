import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

/** How the case table is made one file. */
export interface CaseBundle {
  readonly outfile: string;
  readonly format: "esm" | "cjs";
  /** Whether the codec comes out of an installed package, under its name, rather than from `src`. */
  readonly isPackaged?: boolean;
  /** Code before everything else. */
  readonly banner?: string;
}

/** Write the case table and its runner to one file that prints a report; see print-report.ts. */
export async function bundleCases({ outfile, format, isPackaged = false, banner = "" }: CaseBundle): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL("print-report.ts", import.meta.url))],
    outfile,
    bundle: true,
    format,
    platform: "node",
    target: "es2022",
    banner: { js: banner },
    logLevel: "warning",
    external: isPackaged ? ["@bufbuild/protobuf"] : [],
    plugins: [withoutRunner, ...(isPackaged ? [fromPackage] : [])],
  });
}

/** Tests are collected by our own `describe`, `it` and `expect`. */
export const withoutRunner: Plugin = {
  name: "without-runner",
  setup({ onResolve }) {
    onResolve({ filter: /^vitest$/ }, () => ({ path: fileURLToPath(new URL("collect-tests.ts", import.meta.url)) }));
  },
};

/** What is imported from a door of `src` is imported from the package. */
export const fromPackage: Plugin = {
  name: "from-package",
  setup({ onResolve }) {
    onResolve({ filter: /\/src\// }, ({ path }) => {
      const [, door] = /^(?:\.\.\/)+src\/(\w+)\.js$/.exec(path) ?? [];
      if (door === undefined) return { errors: [{ text: `${path} is no door of the package` }] };
      return { path: `protobuf-struct-codec${door === "index" ? "" : `/${door}`}`, external: true };
    });
  },
};
