import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileHint, type Explanation } from "../../src/index.js";

const text = readFileSync(new URL("../../docs/generators.md", import.meta.url), "utf8");

/** Rows of the tables: what a generator writes, and what the page says of it. A bar within a cell is escaped. */
const rows = text.split("\n").flatMap((line) => {
  const [, name, code, says] = /^\| (.*?) \| `(\{.*\})` \| (.*?) \|$/.exec(line) ?? [];
  return says === undefined ? [] : [{ name: name as string, schema: (code as string).replaceAll("\\|", "|"), says }];
});

/** An explanation in the words of the page. */
function describeAnswers({ number, width, string }: Explanation): string {
  const numbers = number === "integer" ? [`${width} integer`] : number === "number" ? ["number"] : [];
  const strings = string === "text" ? ["text"] : string === "decimal" ? ["digits"] : [];
  return [...numbers, ...strings].join(" or ") || "nothing about numbers";
}

describe("schemas as generators write them", () => {
  it("are listed", () => {
    expect(rows.length).toBeGreaterThan(45);
  });

  for (const { name, schema, says } of rows) {
    it(`${name}: ${schema}`, () => {
      const hint = compileHint(schema);
      expect(hint.schemaIssues).toEqual([]);
      expect(describeAnswers(hint.explain(""))).toBe(says);
    });
  }
});
