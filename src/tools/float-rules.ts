import type { Keywords } from "./field-rules.js";

type Rounding = (value: number | bigint) => number;

/** Bounds, and how each is rounded so that nothing that fits is refused. */
const boundRoundings: readonly (readonly [keyword: string, round: Rounding])[] = [
  ["minimum", doubleBelow],
  ["exclusiveMinimum", doubleBelow],
  ["maximum", doubleAbove],
  ["exclusiveMaximum", doubleAbove],
];

/**
 * The rules of a 64-bit integer for where it is a number of JSON, which readers take for a double. Undefined where only
 * values are allowed that no double is.
 */
export function doubleRules(rules: Keywords): Keywords | undefined {
  const found: Record<string, unknown> = {};
  for (const [keyword, round] of boundRoundings) {
    const bound = rules[keyword] as number | bigint | undefined;
    if (bound !== undefined) found[keyword] = round(bound);
  }
  if (rules.const !== undefined) {
    if (!isDouble(rules.const)) return undefined;
    found.const = Number(rules.const);
  }
  if (rules.enum !== undefined) {
    found.enum = (rules.enum as unknown[]).filter(isDouble).map(Number);
    if ((found.enum as unknown[]).length === 0) return undefined;
  }
  const excluded = ((rules.not as { enum: unknown[] } | undefined)?.enum ?? []).filter(isDouble).map(Number);
  return excluded.length > 0 ? { ...found, not: { enum: excluded } } : found;
}

function isDouble(value: unknown): boolean {
  return typeof value !== "bigint" || BigInt(Number(value)) === value;
}

/** The largest double that is not above a value, or one near it. */
function doubleBelow(value: number | bigint): number {
  if (typeof value === "number") return value;
  for (let step = 0n; ; step = step === 0n ? 1n : step * 2n) {
    const double = Number(value - step);
    if (BigInt(double) <= value) return double;
  }
}

function doubleAbove(value: number | bigint): number {
  return typeof value === "number" ? value : -doubleBelow(-value);
}

/** What ProtoJSON has names for, since JSON has no numbers for it. */
const specialNames = ["NaN", "Infinity", "-Infinity"];

/**
 * The schema of a float or double under its rules, with the names of those values that are no numbers of JSON. With `isSingle` it
 * is that of a float of 32 bits, which is taken in both of its spellings: protobuf-es prints what came off the wire as a double,
 * 0.1 as 0.10000000149011612, and what was set as it was set; everybody else writes 0.1.
 */
export function floatSchema(rules: Keywords, isSingle: boolean): Keywords {
  const names = specialNames.filter((name) => isAllowed(Number(name), rules));
  const number = numberRules(rules, isSingle);
  return anyBranch([
    ...(number === undefined ? [] : [{ type: "number", ...number }]),
    ...(names.length > 0 ? [{ type: "string", enum: names }] : []),
  ]);
}

/** Whether a value that is no number of JSON fits the rules. */
function isAllowed(value: number, rules: Keywords): boolean {
  if (rules.finite === true) return false;
  if (rules.const !== undefined && !Object.is(rules.const, value)) return false;
  if (rules.enum !== undefined && !(rules.enum as number[]).includes(value)) return false;
  if ((rules.not as { enum: number[] } | undefined)?.enum.includes(value)) return false;
  const bounds = boundRoundings.filter(([keyword]) => isBound(rules[keyword]));
  return bounds.every(([keyword]) => isWithin(value, keyword, rules[keyword] as number));
}

/** NaN as a bound excludes nothing. */
function isBound(value: unknown): boolean {
  return value !== undefined && !Number.isNaN(value);
}

function isWithin(value: number, keyword: string, bound: number): boolean {
  switch (keyword) {
    case "minimum":
      return value >= bound;
    case "maximum":
      return value <= bound;
    case "exclusiveMinimum":
      return value > bound;
    default:
      return value < bound;
  }
}

/** The rules for numbers of JSON, or undefined where none fits. */
function numberRules(rules: Keywords, isSingle: boolean): Keywords | undefined {
  const found: Record<string, unknown> = {};
  for (const [keyword] of boundRoundings) {
    const bound = rules[keyword] as number | undefined;
    if (bound === undefined || Number.isNaN(bound)) continue;
    if (Number.isFinite(bound)) found[keyword] = isSingle ? bothSpelled(bound, keyword) : bound;
    // Every number is on one side of an infinite bound.
    else if (!isWithin(0, keyword, bound)) return undefined;
  }
  const spellings = (values: unknown): number[] =>
    (values as number[]).filter(Number.isFinite).flatMap((value) => (isSingle ? [...spellingsOf(value)] : [value]));
  const listed = rules.const === undefined ? rules.enum : [rules.const];
  if (listed !== undefined) {
    const values = spellings(listed);
    if (values.length === 0) return undefined;
    Object.assign(found, rules.const !== undefined && values.length === 1 ? { const: values[0] } : { enum: values });
  }
  const excluded = spellings((rules.not as { enum: unknown } | undefined)?.enum ?? []);
  return excluded.length > 0 ? { ...found, not: { enum: excluded } } : found;
}

/** A bound that treats both spellings of its float alike: all others that fit are spelled on the same side of both. */
function bothSpelled(bound: number, keyword: string): number {
  const spellings = [...spellingsOf(bound)];
  const takesLeast = keyword === "minimum" || keyword === "exclusiveMaximum";
  return takesLeast ? Math.min(...spellings) : Math.max(...spellings);
}

const digitCounts = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** A float of 32 bits as a double, and as the shortest digits that are read as the same float. */
function spellingsOf(value: number): ReadonlySet<number> {
  const shortened = digitCounts.map((count) => Number(value.toPrecision(count)));
  return new Set([value, shortened.find((short) => Math.fround(short) === value) ?? value]);
}

/** A schema that takes what one of these does; of no branches, nothing. */
export function anyBranch(branches: readonly Keywords[]): Keywords {
  if (branches.length === 0) return { not: {} };
  return branches.length === 1 ? (branches[0] as Keywords) : { anyOf: branches };
}
