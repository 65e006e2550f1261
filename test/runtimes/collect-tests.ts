/** What running a set of tests gave. */
export interface Report {
  readonly passed: number;
  readonly skipped: number;
  /** The names of those that failed, each with its reason. */
  readonly failures: readonly string[];
}

interface Test {
  readonly name: string;
  readonly run: (context: { skip(reason?: string): never }) => unknown;
}

class Skipped extends Error {}

let titles: string[] = [];
let tests: Test[] = [];

/** Stands in for `describe` of vitest where tests run without it. */
export function describe(title: string, body: () => void): void {
  titles.push(title);
  body();
  titles.pop();
}

/** Stands in for `it` of vitest. */
export function it(title: string, run: Test["run"]): void {
  tests.push({ name: [...titles, title].join(" > "), run });
}

/** Run what was described, and forget it. */
export async function runTests(): Promise<Report> {
  const collected = tests;
  titles = [];
  tests = [];
  const report = { passed: 0, skipped: 0, failures: [] as string[] };
  for (const { name, run } of collected) {
    try {
      await run({
        skip: (reason) => {
          throw new Skipped(reason);
        },
      });
      report.passed++;
    } catch (error) {
      if (error instanceof Skipped) report.skipped++;
      else report.failures.push(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  return report;
}

interface Matchers {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
  toBeUndefined(): void;
  toBeInstanceOf(expected: unknown): void;
  toContain(expected: unknown): void;
  toBeGreaterThan(expected: number): void;
  toBeLessThanOrEqual(expected: number): void;
}

/** Stands in for `expect` of vitest, as far as the runner of the cases uses it. What it lacks throws. */
export function expect(actual: unknown, label = ""): Matchers {
  const check = (holds: boolean, relation: string, expected: unknown): void => {
    if (!holds) expect.fail(`${label && `${label}: `}expected ${show(actual)} ${relation} ${show(expected)}`);
  };
  return {
    toBe: (expected) => check(Object.is(actual, expected), "to be", expected),
    toEqual: (expected) => check(isEqual(actual, expected), "to equal", expected),
    toBeUndefined: () => check(actual === undefined, "to be", undefined),
    toBeInstanceOf: (expected) => check(isInstance(actual, expected), "to be an instance of", expected),
    toContain: (expected) => check(contains(actual, expected), "to contain", expected),
    toBeGreaterThan: (expected) => check((actual as number) > expected, "to be greater than", expected),
    toBeLessThanOrEqual: (expected) => check((actual as number) <= expected, "to be at most", expected),
  };
}

expect.fail = (reason: string): never => {
  throw new Error(reason);
};

function isInstance(actual: unknown, expected: unknown): boolean {
  return typeof expected === "function" && actual instanceof expected;
}

function contains(actual: unknown, expected: unknown): boolean {
  return typeof actual === "string" ? actual.includes(expected as string) : (actual as unknown[]).includes(expected);
}

function isEqual(actual: unknown, expected: unknown): boolean {
  if (typeof actual !== "object" || typeof expected !== "object" || actual === null || expected === null) {
    return Object.is(actual, expected);
  }
  const keys = Object.keys(actual);
  return (
    Object.getPrototypeOf(actual) === Object.getPrototypeOf(expected) &&
    keys.length === Object.keys(expected).length &&
    keys.every(
      (key) =>
        Object.hasOwn(expected, key) &&
        isEqual((actual as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key]),
    )
  );
}

function show(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "string" ? JSON.stringify(value.slice(0, 200)) : String(value).slice(0, 200);
}
