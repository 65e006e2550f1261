import { allCases } from "../cases/all.js";
import type { Case } from "../support/case.js";
import { runCase } from "../support/run-case.js";
import { describe, it, type Report, runTests } from "./collect-tests.js";
import { describeDoors } from "./door-cases.js";

/** Run every row of the case table, and what it does not reach, without a test runner. */
export function runCaseTable(): Promise<Report> {
  for (const [group, rows] of Object.entries(allCases)) {
    describe(group, () => {
      for (const row of rows) describe(row.name, () => prepareCase(row));
    });
  }
  describeDoors();
  return runTests();
}

/** A few rows are nested so deep that protobuf-es, which prepares them, does not get there on a small stack. */
function prepareCase(row: Case): void {
  try {
    runCase(row);
  } catch (error) {
    if (!/maximum call stack|too much recursion/i.test(String(error))) throw error;
    it("is prepared", (context) => context.skip("there is not enough stack for protobuf-es"));
  }
}
