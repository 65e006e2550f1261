import { describe as describeForVitest, expect as expectOfVitest, it as itOfVitest } from "vitest";
import { describe, expect, it, runTests } from "./collect-tests.js";

describeForVitest("tests without a runner", () => {
  itOfVitest("are run in their order and told apart", async () => {
    describe("a", () => {
      it("passes", () => expect(1).toBe(1));
      describe("b", () => {
        it("fails", () => expect(1, "one").toBe(2));
        it("fails later", async () => {
          await Promise.resolve();
          throw new TypeError("late");
        });
        it("is skipped", (context) => context.skip("for a reason"));
      });
    });
    const { passed, skipped, failures } = await runTests();
    expectOfVitest({ passed, skipped }).toEqual({ passed: 1, skipped: 1 });
    expectOfVitest(failures.map((failure) => failure.split("\n")[0])).toEqual([
      "a > b > fails: Error: one: expected 1 to be 2",
      "a > b > fails later: TypeError: late",
    ]);
    expectOfVitest((await runTests()).passed).toBe(0);
  });

  const pairs: readonly (readonly [holds: () => void, fails: () => void])[] = [
    [() => expect(-0).toBe(-0), () => expect(-0).toBe(0)],
    [
      () => expect({ a: [1, { b: "x" }] }).toEqual({ a: [1, { b: "x" }] }),
      () => expect({ a: [1] }).toEqual({ a: [2] }),
    ],
    [() => expect([]).toEqual([]), () => expect([]).toEqual({})],
    [() => expect({ a: 1 }).toEqual({ a: 1 }), () => expect({ a: 1 }).toEqual({ a: 1, b: undefined })],
    [() => expect(null).toEqual(null), () => expect(null).toEqual({})],
    [() => expect(undefined).toBeUndefined(), () => expect(null).toBeUndefined()],
    [() => expect(new TypeError()).toBeInstanceOf(Error), () => expect({}).toBeInstanceOf(Error)],
    [() => expect([1, 2]).toContain(2), () => expect([1, 2]).toContain(3)],
    [() => expect("abc").toContain("b"), () => expect("abc").toContain("d")],
    [() => expect(2).toBeGreaterThan(1), () => expect(1).toBeGreaterThan(1)],
    [() => expect(1).toBeLessThanOrEqual(1), () => expect(2).toBeLessThanOrEqual(1)],
  ];

  itOfVitest.each(pairs)("hold what holds and nothing else: %s", (holds, fails) => {
    holds();
    expectOfVitest(fails).toThrow(/^expected /);
    expectOfVitest(() => expect.fail("no")).toThrow("no");
  });
});
