import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** The folder beside the repository that holds data by others. It is not part of the repository. */
const shared = fileURLToPath(new URL("../../../shared/", import.meta.url));

/** Tests over data that may be missing: on a developer's machine they are skipped aloud, in CI they fail. */
export function describeCorpus(title: string, path: string, body: (folder: string) => void): void {
  describe(title, () => {
    const found = join(shared, path);
    if (existsSync(found)) {
      body(found);
      return;
    }
    if ((process.env.CI ?? "") === "") {
      it.skip(`skipped: ../shared/${path} is not there`, () => {});
      return;
    }
    it(`finds ../shared/${path}`, () => {
      expect.fail("the corpus is missing, and a run in CI must not pass without it");
    });
  });
}

/** The .json files below a folder, by their paths relative to it, sorted. */
export function jsonFiles(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => name.endsWith(".json") && statSync(join(folder, name)).isFile())
    .sort();
}

export function readText(folder: string, name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

export function readJson<T>(folder: string, name: string): T {
  return JSON.parse(readText(folder, name)) as T;
}
