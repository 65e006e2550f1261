import type { Reporter, SerializedError, TestModule, TestSuite } from "vitest/node";

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A run that ends before it reports, with an error in the configuration say, has failed. */
const UNFINISHED: Counts = { passed: 0, failed: 1, skipped: 0 };

/**
 * Prints `N passed, N failed` as the last line of the output, with `, N skipped` where there are any. A file or a suite
 * that cannot be run and an error outside of all tests count as failed. A run in which no test ran is a failure.
 */
export class SummaryReporter implements Reporter {
  #counts: Counts = UNFINISHED;

  onInit(): void {
    // Other reporters still print after the run; at the exit nobody does.
    process.once("exit", (code) => {
      const { passed, failed, skipped } = this.#counts;
      if (code === 0 && (failed > 0 || passed === 0)) process.exitCode = 1;
      process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    this.#counts = countTests(modules, unhandledErrors.length);
  }
}

function countTests(modules: readonly TestModule[], unhandledErrors: number): Counts {
  let passed = 0;
  let failed = unhandledErrors;
  let skipped = 0;
  for (const module of modules) {
    if (hasOwnErrors(module)) failed++;
    for (const suite of module.children.allSuites()) {
      if (hasOwnErrors(suite)) failed++;
    }
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === "passed") passed++;
      else if (state === "skipped") skipped++;
      else failed++;
    }
  }
  return { passed, failed, skipped };
}

/** Whether a file or suite failed by itself: on loading, or in a hook around its tests. */
function hasOwnErrors(owner: TestModule | TestSuite): boolean {
  return owner.errors().length > 0;
}
