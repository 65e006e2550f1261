import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const playground = fileURLToPath(new URL("../../playground", import.meta.url));
const sources = readdirSync(playground, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

it("comes in through the doors of the library only, as any user", () => {
  const imported = sources.flatMap((name) =>
    [...readFileSync(join(playground, name), "utf8").matchAll(/from "((?:\.\.\/)+src\/[^"]+)"/g)].map(
      ([, path]) => path,
    ),
  );
  expect([...new Set(imported)].sort()).toEqual(["../../src/index.js", "../../src/schema.js"]);
});

it("puts no text into the page as HTML", () => {
  for (const name of sources) {
    expect(readFileSync(join(playground, name), "utf8"), name).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML/);
  }
});
