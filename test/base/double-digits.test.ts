import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDecimal, writeHundredths, writeInteger, writeShortest } from "../../src/base/double-digits.js";
import { runs } from "../support/arbitraries.js";

const count = Number(process.env.TEST_RUNS ?? 150) * 100;
const bytes = new Uint8Array(64);
const view = new DataView(bytes.buffer);

function textTo(end: number): string {
  return String.fromCharCode(...bytes.subarray(0, end));
}

describe("digits as the engine prints them", () => {
  const edges = Array.from({ length: 16 }, (_, power) => 10 ** power).flatMap((power) => [power - 1, power, power + 1]);

  it("integers", () => {
    const check = (value: number): void => {
      expect(textTo(writeInteger(value, view, 0))).toBe(String(value));
    };
    for (let value = 0; value <= 11_000; value++) check(value);
    for (const value of [...edges, Number.MAX_SAFE_INTEGER]) {
      check(value);
      if (value > 0) check(-value);
    }
    fc.assert(fc.property(fc.maxSafeInteger(), check), runs(count));
  });

  it("whole numbers of hundredths", () => {
    for (let hundredths = 1; hundredths < 30_000; hundredths++) {
      const value = hundredths / 100;
      if (!Number.isInteger(value)) expect(textTo(writeHundredths(value, view, 0))).toBe(String(value));
    }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000_000_000 }), fc.constantFrom(100, 1000), (numerator, denominator) => {
        const value = numerator / denominator;
        const end = writeHundredths(value, view, 0);
        if (Number.isInteger(value)) return;
        if (end < 0) expect(value >= 2e7 || Math.round(value * 100) / 100 !== value).toBe(true);
        else expect(textTo(end)).toBe(String(value));
      }),
      runs(count),
    );
  });

  it("shortest digits, or none", () => {
    let declined = 0;
    fc.assert(
      fc.property(fc.double({ min: 1e-5, max: 2 ** 52, noNaN: true }), (value) => {
        const end = Number.isInteger(value) ? -1 : writeShortest(value, view, 0);
        if (end >= 0) expect(textTo(end)).toBe(String(value));
        else if (!Number.isInteger(value)) declined++;
      }),
      runs(count),
    );
    expect(declined).toBeLessThan(count / 20);
  });
});

describe("decimals read as the engine reads them", () => {
  it("up to 17 digits, or not at all", () => {
    let declined = 0;
    const digits = fc.tuple(
      fc.integer({ min: 1, max: 999_999_999_999_999 }),
      fc.integer({ min: 0, max: 2 }),
      fc.nat(99),
      fc.integer({ min: 1, max: 22 }),
    );
    fc.assert(
      fc.property(digits, ([leading, moreDigits, seed, scale]) => {
        const more = seed % 10 ** moreDigits;
        const text = `${leading}${moreDigits === 0 ? "" : String(more).padStart(moreDigits, "0")}e-${scale}`;
        const value = readDecimal(leading, more, moreDigits, scale);
        if (Number.isNaN(value)) declined++;
        else expect(value).toBe(Number(text));
      }),
      runs(count),
    );
    expect(declined).toBeLessThan(count / 20);
  });
});
