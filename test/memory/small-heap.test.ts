import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MiB = 1024 * 1024;

/** MiB for objects that live on. Without limits the documents would take several times as much. */
const heap = 96;

describe("a process with a small heap", () => {
  const folder = mkdtempSync(join(tmpdir(), "heap-"));
  const outfile = join(folder, "small-heap.mjs");

  beforeAll(async () => {
    const entryPoints = [fileURLToPath(new URL("small-heap.ts", import.meta.url))];
    await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", target: "es2022" });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("survives dense documents under limits, and keeps nothing of schemas", async () => {
    const flags = [`--max-old-space-size=${heap}`, "--expose-gc"];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, outfile]);
    const { outcomes, grown } = JSON.parse(stdout) as { outcomes: string[]; grown: number };
    expect(outcomes.length).toBe(15);
    expect(outcomes.filter((outcome) => !/: (?:a result|too_large)$/.test(outcome))).toEqual([]);
    expect(outcomes.filter((outcome) => outcome.endsWith(": too_large")).length).toBeGreaterThan(10);
    // Kept hints of so many schemas would take ten times as much.
    expect(grown).toBeLessThan(2 * MiB);
  });
});
