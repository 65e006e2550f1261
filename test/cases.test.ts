import { describe, expect, it } from "vitest";
import { allCases } from "./cases/all.js";
import type { Case } from "./support/case.js";
import { runCase } from "./support/run-case.js";

it("holds more than 300 rows, each named once in its group", () => {
  const rows = Object.values(allCases).flat();
  expect(rows.length).toBeGreaterThan(300);
  for (const [group, cases] of Object.entries(allCases)) {
    const names = cases.map((row) => row.name);
    expect(
      names.filter((name, i) => names.indexOf(name) !== i),
      group,
    ).toEqual([]);
  }
});

for (const [group, cases] of Object.entries(allCases)) {
  describe(group, () => {
    for (const row of cases as readonly Case[]) {
      describe(row.name, () => runCase(row));
    }
  });
}
