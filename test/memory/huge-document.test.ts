import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStructCodec } from "../../src/index.js";
import { memoryCases } from "./memory-cases.js";

/** MiB for objects that live on. Bytes lie elsewhere; the values of the document would take more than ten times as much. */
const heap = 16;

/** Input and output are two; the rest is for buffers that grow. */
const mostTimes = 4;

describe("the huge document of the bench", () => {
  const folder = mkdtempSync(join(tmpdir(), "huge-"));
  const script = join(folder, "measure-one.mjs");
  const { name, make } = memoryCases.find((found) => found.name.startsWith("the huge")) as (typeof memoryCases)[number];
  const wire = join(folder, "wire");
  const text = join(folder, "text");

  beforeAll(async () => {
    const entryPoints = [fileURLToPath(new URL("measure-one.ts", import.meta.url))];
    await build({ entryPoints, outfile: script, bundle: true, format: "esm", platform: "node", target: "es2022" });
    const document = make();
    writeFileSync(wire, document);
    writeFileSync(text, createStructCodec().binaryToJsonBytes(document));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ["binaryToJsonBytes", wire],
    ["jsonBytesToBinary", text],
  ])("takes no object for each value, and a few times its size: %s", async (method, file) => {
    const args = [`--max-old-space-size=${heap}`, script, name, method, file];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { length, peak } = JSON.parse(stdout) as { length: number; peak: number };
    expect(length).toBeGreaterThan(15 * 1024 * 1024);
    expect(peak).toBeLessThan(mostTimes * length);
  });

  it("would not fit where it is made an object", async () => {
    const args = [`--max-old-space-size=${heap}`, script, name, "binaryToJson", wire];
    await expect(promisify(execFile)(process.execPath, args)).rejects.toThrow();
  });
});
