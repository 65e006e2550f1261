import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleCases } from "./bundle-cases.js";
import type { Report } from "./collect-tests.js";

/** A process that lacks what a program should not need, and code that fails where it does not lack it. */
interface Environment {
  readonly flags: readonly string[];
  readonly prelude: string;
  /** Rows that protobuf-es, which prepares them, does not get through. */
  readonly mostSkipped: number;
}

const environments: { readonly [name: string]: Environment } = {
  "where code generation is forbidden, intrinsics are frozen and __proto__ throws": {
    flags: ["--disallow-code-generation-from-strings", "--frozen-intrinsics", "--disable-proto=throw"],
    prelude: `
      mustThrow(() => new Function("return 1"));
      mustThrow(() => ({}).__proto__);
      if (!Object.isFrozen(Object.prototype)) throw new Error("intrinsics are not frozen");`,
    mostSkipped: 0,
  },
  "without __proto__, Buffer, JSON.rawJSON and WebAssembly": {
    flags: ["--disable-proto=delete"],
    prelude: `import ${JSON.stringify(new URL("bare-environment.mjs", import.meta.url).href)};`,
    mostSkipped: 0,
  },
  "on a tenth of the usual stack": {
    flags: ["--stack-size=100"],
    prelude: `
      const dive = (depth) => (depth === 0 ? 0 : 1 + dive(depth - 1));
      mustThrow(() => dive(4000));`,
    mostSkipped: 10,
  },
};

const mustThrow = `function mustThrow(run) {
  try { run(); } catch { return; }
  throw new Error(run + " did not throw");
}`;

// Nobody needs a process to be fast here, but more of them than cores help no one.
describe.concurrent("the case table", () => {
  const folder = mkdtempSync(join(tmpdir(), "cases-"));
  const bundle = join(folder, "run.mjs");

  beforeAll(() => bundleCases({ folder, format: "esm" }));
  afterAll(() => rmSync(folder, { recursive: true }));

  let count = 0;
  for (const [name, { flags, prelude, mostSkipped }] of Object.entries(environments)) {
    const file = join(folder, `prelude-${count++}.mjs`);
    it(`passes ${name}`, async () => {
      writeFileSync(file, `${mustThrow}\n${prelude}\n`);
      const report = await run([...flags, "--import", pathToFileURL(file).href, bundle]);
      expect(report.failures).toEqual([]);
      expect(report.skipped).toBeLessThanOrEqual(mostSkipped);
      expect(report.passed).toBeGreaterThan(10_000);
    });
  }
});

function run(args: readonly string[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const line = stdout.trimEnd().split("\n").at(-1);
      if (error !== null || line === undefined) reject(new Error(`${error?.message}\n${stderr}`));
      else resolve(JSON.parse(line) as Report);
    });
  });
}
