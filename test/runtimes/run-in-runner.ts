import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "./collect-tests.js";
import { type Ended, runCommand } from "./run-command.js";

/** A test runner, which loads code in its own way. */
export interface Runner {
  readonly name: "Jest" | "Vitest";
  /** The package, which has its program at this path. */
  readonly packageName: string;
  readonly program: string;
}

export const runners: readonly Runner[] = [
  { name: "Jest", packageName: "jest", program: "jest/bin/jest.js" },
  { name: "Vitest", packageName: "vitest", program: "vitest/vitest.mjs" },
];

const load = {
  Jest: {
    esm: 'import { writeFileSync } from "node:fs";\nimport { runCaseTable } from "../cases.mjs";',
    cjs: 'const { writeFileSync } = require("node:fs");\nconst { runCaseTable } = require("../cases.cjs");',
  },
  Vitest: {
    esm: 'import { writeFileSync } from "node:fs";\nimport { it } from "vitest";\nimport { runCaseTable } from "../cases.mjs";',
    cjs: [
      'import { writeFileSync } from "node:fs";',
      'import { createRequire } from "node:module";',
      'import { it } from "vitest";',
      'const { runCaseTable } = createRequire(import.meta.url)("../cases.cjs");',
    ].join("\n"),
  },
};

/** Run the case table as one test of a runner, in the folder where it is installed. */
export async function runInRunner({ name, program }: Runner, folder: string, format: "esm" | "cjs"): Promise<Report> {
  const place = join(folder, `${name.toLowerCase()}-${format}`);
  const report = join(place, "report.json");
  await mkdir(place, { recursive: true });
  const ending = name === "Jest" && format === "cjs" ? "cjs" : "mjs";
  const body = `it("cases", async () => writeFileSync(${JSON.stringify(report)}, JSON.stringify(await runCaseTable())), 300_000);`;
  await writeFile(join(place, `cases.test.${ending}`), `${load[name][format]}\n${body}\n`);
  const ended = name === "Jest" ? await runJest(program, folder, place) : await runVitest(program, folder, place);
  if (!ended.ok) throw new Error(ended.log);
  return JSON.parse(await readFile(report, "utf8")) as Report;
}

function runJest(program: string, folder: string, place: string): Promise<Ended> {
  const options = ["--rootDir", place, "--testMatch", "**/*.test.*", "--config", '{ "transform": {} }'];
  // Without it Jest knows CommonJS only.
  const env = { NODE_OPTIONS: "--experimental-vm-modules" };
  return runCommand(process.execPath, [join(folder, "node_modules", program), ...options], { cwd: folder, env });
}

function runVitest(program: string, folder: string, place: string): Promise<Ended> {
  const options = ["run", "--root", place];
  return runCommand(process.execPath, [join(folder, "node_modules", program), ...options], { cwd: folder });
}
