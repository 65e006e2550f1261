import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "../playground/find-chromium.js";
import { bundleCases } from "./bundle-cases.js";
import type { Report } from "./collect-tests.js";
import { installPackages } from "./install-packages.js";
import { packHead } from "./pack-head.js";
import { runCommand } from "./run-command.js";
import { runInChromium, versionOfChromium } from "./run-in-chromium.js";
import { runInRunner, runners } from "./run-in-runner.js";
import { installRuntime, runtimes } from "./runtime.js";
import { formatTable, type Outcome, type Row } from "./runtime-table.js";

// npm run test:runtimes: the case table in every runtime that can be had, from the packed tarball of what is committed.

const document = fileURLToPath(new URL("../../docs/runtimes.md", import.meta.url));
const manifest = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
const formats = ["esm", "cjs"] as const;

const folder = await mkdtemp(join(tmpdir(), "runtimes-"));
try {
  const app = await prepareApp(process.argv[2] ?? (await packHead(folder)));
  const rows: Row[] = [];
  for (const test of [testRuntimes, testChromium, testRunners]) {
    for await (const row of test(app)) {
      rows.push(row);
      console.log(formatTable([row]).split("\n").at(-1));
    }
  }
  await replaceTable(formatTable(rows));
  if (rows.some(({ outcomes }) => outcomes.some(isFailure))) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A project that uses the package, with the case table beside it once for import and once for require, and both in one. */
async function prepareApp(tarball: string): Promise<string> {
  const app = join(folder, "app");
  const peer = `@bufbuild/protobuf@${manifest.devDependencies["@bufbuild/protobuf"]}`;
  const installed = await installPackages(app, [tarball, peer]);
  if (!installed.ok) throw new Error(`the tarball cannot be installed:\n${installed.log}`);
  for (const format of formats) await bundleCases({ folder: app, format, isPackaged: true });
  await copyFile(new URL("two-copies.mjs", import.meta.url), join(app, "two-copies.mjs"));
  return app;
}

async function* testRuntimes(app: string): AsyncGenerator<Row> {
  for (const runtime of runtimes) {
    const home = join(folder, runtime.name.replaceAll(/\W+/g, "-"));
    const found = await installRuntime(runtime, home);
    if (typeof found === "string") {
      yield { name: runtime.name, version: "", outcomes: [found] };
      continue;
    }
    const outcomes: Outcome[] = [];
    for (const script of ["run.mjs", "run.cjs", "two-copies.mjs"]) {
      outcomes.push(await attempt(() => runScript(found.program, [...runtime.args, join(app, script)], app)));
    }
    yield { name: runtime.name, version: found.version, outcomes };
    // A runtime takes a hundred megabytes.
    await rm(home, { recursive: true, force: true });
  }
}

async function* testChromium(app: string): AsyncGenerator<Row> {
  const program = findChromium();
  const version = program && (await versionOfChromium(program));
  if (program === undefined || version === undefined) {
    yield { name: "Chromium", version: "", outcomes: ["none is installed that starts"] };
    return;
  }
  const outcomes: Outcome[] = [];
  for (const format of formats) outcomes.push(await attempt(() => runInChromium(program, app, format)));
  yield { name: "Chromium", version, outcomes };
}

async function* testRunners(app: string): AsyncGenerator<Row> {
  for (const runner of runners) {
    const spec = `${runner.packageName}@${manifest.devDependencies[runner.packageName] ?? "latest"}`;
    const installed = await installPackages(app, [spec]);
    if (!installed.ok) {
      yield { name: runner.name, version: "", outcomes: ["the registry has none for this system"] };
      continue;
    }
    const about = await readFile(join(app, "node_modules", runner.packageName, "package.json"), "utf8");
    const outcomes: Outcome[] = [];
    for (const format of formats) outcomes.push(await attempt(() => runInRunner(runner, app, format)));
    yield { name: runner.name, version: JSON.parse(about).version, outcomes };
  }
}

async function runScript(program: string, args: readonly string[], cwd: string): Promise<Report> {
  const { ok, stdout, log } = await runCommand(program, args, { cwd });
  if (!ok) throw new Error(log);
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Report;
}

/** What went wrong is for whoever runs this, not for the table. */
async function attempt(run: () => Promise<Report>): Promise<Outcome> {
  try {
    const report = await run();
    for (const failure of report.failures.slice(0, 5)) console.error(failure);
    return report;
  } catch (error) {
    console.error(error instanceof Error ? error.message.slice(0, 4000) : error);
    return { passed: 0, skipped: 0, failures: ["the cases did not run to their end"] };
  }
}

function isFailure(outcome: Outcome): boolean {
  return typeof outcome !== "string" && outcome.failures.length > 0;
}

async function replaceTable(table: string): Promise<void> {
  const text = await readFile(document, "utf8");
  await writeFile(document, text.replace(/^\| runtime \|(?:.*\n)+?(?=\n)/m, `${table}\n`));
}
