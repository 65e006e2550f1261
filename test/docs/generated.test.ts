import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { generatedFiles } from "../../docs/generate/generated-files.js";

describe("generated documentation", () => {
  it.each(generatedFiles().map((file) => [basename(file.path), file] as const))(
    "%s is what npm run docs makes",
    (_, { path, text }) => {
      // Not toBe: the difference of two long files would be printed whole.
      expect(readFileSync(path, "utf8") === text, "run npm run docs and commit what it writes").toBe(true);
    },
  );
});
