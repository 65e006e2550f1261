import type { IssueLog } from "./issue-log.js";

/** Steps of compiling one schema. The largest honest tool schema seen takes 2,550; all of it is well below a second. */
const mostSteps = 1_000_000;

/**
 * What one schema may cost to compile. Every loop whose length a schema can multiply takes its steps from here; once there are
 * none left, whatever is not compiled yet gives no hint, and there is one issue.
 */
export class StepBudget {
  readonly #log: IssueLog;
  #left = mostSteps;

  constructor(log: IssueLog) {
    this.#log = log;
  }

  /** Take so many steps; false where there are not so many left, and from then on. */
  take(count: number): boolean {
    if (this.#left < 0) return false;
    this.#left -= count;
    if (this.#left >= 0) return true;
    this.#log.add("too_large", "", `schema takes more than ${mostSteps} steps to compile`);
    return false;
  }
}
