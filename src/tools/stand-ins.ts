import { integerDigits } from "../base/decimal.js";
import { StructSchemaError } from "../base/errors.js";
import type { IntegerLiteral } from "../base/integer-literal.js";
import type { NumberCopier } from "./copy-plain.js";

// Validators know doubles only, and 9007199254740993 is none. So each integer beyond ±(2^53−1), of the schema and of the data,
// is given a stand-in: another double beyond ±(2^53−1) that compares with all others as the integer itself does. Between two
// neighbouring constants of the schema there is room for billions of integers of the data, and no keyword asks which of those
// is larger. `multipleOf` alone looks at more than the order; which steps divide an integer is told by where its stand-in lies.

/** A value of `multipleOf`, as a fraction. */
export interface Step {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Where the stand-ins of the multiples of a step lie. */
export type StandInRange = readonly [lowest: number, highest: number];

type Integer = number | bigint | IntegerLiteral;

/** Doubles of one block: integers that no constant of the schema and no step tells apart. */
const blockSize = 2n ** 32n;
/** Blocks of one sign. With steps each may become a branch of the schema that the validator sees. */
const mostBlocks = 2 ** 20;
const mostSteppedBlocks = 2 ** 14;

/** The exact value of an integer beyond ±(2^53−1), undefined for every other number. */
export function exactUnsafe(value: Integer): bigint | undefined {
  if (typeof value === "number") {
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : undefined;
  }
  const exact = typeof value === "bigint" ? value : value.toBigInt();
  return Number.isSafeInteger(Number(exact)) ? undefined : exact;
}

/** Stand-ins for the integers of one schema and the data that is checked against it. */
export class StandIns {
  /** Steps that divide some integers and others not. */
  readonly #steps: readonly Step[];
  readonly #constants: Record<Sign, readonly bigint[]>;
  /** Constants that came as doubles, by their own spelling, which names the same double. */
  readonly #spelled: ReadonlyMap<bigint, bigint>;

  /** Throws `StructSchemaError` where there are too many constants and steps to tell all of them apart. */
  constructor(constants: Iterable<Integer>, steps: Iterable<Step>) {
    const exact = new Set<bigint>();
    const spelled = new Map<bigint, bigint>();
    for (const constant of constants) {
      const value = exactUnsafe(constant);
      if (value === undefined) continue;
      exact.add(value);
      if (typeof constant === "number") spelled.set(spellingOf(constant), value);
    }
    const listed = [...exact];
    this.#spelled = spelled;
    this.#constants = {
      1: sort(listed.filter((value) => value > 0n)),
      [-1]: sort(listed.filter((value) => value < 0n)),
    };
    this.#steps = distinct([...steps].filter(({ denominator, numerator }) => denominator % numerator !== 0n));
    const blocks = 2 ** this.#steps.length * Math.max(...signs.map((sign) => this.#regions(sign)));
    if (blocks > (this.#steps.length > 0 ? mostSteppedBlocks : mostBlocks)) {
      throw new StructSchemaError("too_large", "schema has too many multipleOf and constants beyond ±(2^53−1)");
    }
  }

  /** The stand-ins of one document. Equal integers have equal ones; what is no integer beyond ±(2^53−1) stands for itself. */
  createCopier(): NumberCopier {
    const known = new Map<bigint, number>();
    return (value) => {
      const exact = exactUnsafe(value);
      if (exact === undefined) return Number(value);
      const constant = this.#constantFor(exact, value);
      let standIn = known.get(constant);
      if (standIn === undefined) {
        standIn = this.#place(constant, known.size);
        known.set(constant, standIn);
      }
      return standIn;
    };
  }

  /** Where the stand-ins of a step's multiples lie. */
  rangesOf(step: Step): StandInRange[] {
    const index = this.#steps.findIndex((known) => isSame(known, step));
    return signs.flatMap((sign) => {
      const blocks = Array.from({ length: this.#regions(sign) * 2 ** this.#steps.length }, (_, block) => block);
      const taken = blocks.filter((block) => index < 0 || (block & (1 << index)) !== 0);
      return joinRuns(taken).map(([first, last]): StandInRange => {
        const ends = [doubleAt(BigInt(first) * blockSize), doubleAt(BigInt(last + 1) * blockSize - 1n)] as const;
        return sign === 1 ? ends : [-ends[1], -ends[0]];
      });
    });
  }

  /** The constant that a value of the data means: a double may be named by its exact value and by its own spelling. */
  #constantFor(exact: bigint, value: Integer): bigint {
    if (this.#isConstant(exact)) return exact;
    const named = this.#spelled.get(exact);
    if (named !== undefined) return named;
    const spelling = typeof value === "number" ? spellingOf(value) : exact;
    return this.#isConstant(spelling) ? spelling : exact;
  }

  #isConstant(value: bigint): boolean {
    return this.#region(value) % 2 === 1;
  }

  /** Gaps between constants have even numbers, constants the odd ones between them, from zero outwards. */
  #region(value: bigint): number {
    const constants = this.#constants[value < 0n ? -1 : 1];
    const magnitude = value < 0n ? -value : value;
    let low = 0;
    let high = constants.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((constants[middle] as bigint) < magnitude) low = middle + 1;
      else high = middle;
    }
    return constants[low] === magnitude ? 2 * low + 1 : 2 * low;
  }

  #regions(sign: Sign): number {
    return 2 * this.#constants[sign].length + 1;
  }

  #place(value: bigint, seen: number): number {
    const region = this.#region(value);
    const bits = this.#steps.reduce((all, step, i) => (isMultiple(value, step) ? all | (1 << i) : all), 0);
    const block = BigInt(region * 2 ** this.#steps.length + bits) * blockSize;
    const double = doubleAt(region % 2 === 1 ? block : block + BigInt(seen));
    return value < 0n ? -double : double;
  }
}

type Sign = 1 | -1;
const signs: readonly Sign[] = [1, -1];

/** Magnitudes in ascending order. */
function sort(values: readonly bigint[]): bigint[] {
  return values.map((value) => (value < 0n ? -value : value)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** What JSON text says where it holds this double, such as 1e+23 for 99999999999999991611392. */
function spellingOf(value: number): bigint {
  return BigInt(integerDigits(String(value)) as string);
}

/** Read a value of `multipleOf`, or undefined where it is none that the specification allows. */
export function readStep(value: unknown): Step | undefined {
  if (typeof value === "bigint") return value > 0n ? { numerator: value, denominator: 1n } : undefined;
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) return undefined;
  if (Number.isInteger(value)) return { numerator: BigInt(value), denominator: 1n };
  const [, whole = "", fraction = "", exponent = "0"] = /^(\d+)(?:\.(\d+))?(?:e(-?\d+))?$/.exec(String(value)) ?? [];
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length - Number(exponent)) };
}

function isMultiple(value: bigint, { numerator, denominator }: Step): boolean {
  return (value * denominator) % numerator === 0n;
}

function isSame(a: Step, b: Step): boolean {
  return a.numerator * b.denominator === b.numerator * a.denominator;
}

function distinct(steps: readonly Step[]): Step[] {
  const found: Step[] = [];
  for (const step of steps) if (!found.some((known) => isSame(known, step))) found.push(step);
  return found;
}

/** Runs of neighbouring numbers, as their first and last. */
function joinRuns(sorted: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const next of sorted) {
    const run = runs.at(-1);
    if (run !== undefined && next === run[1] + 1) run[1] = next;
    else runs.push([next, next]);
  }
  return runs;
}

const bitsOfFirst = new BigUint64Array(Float64Array.of(2 ** 53).buffer)[0] as bigint;

/** The n-th double from 2^53 on; all of them are whole numbers. */
function doubleAt(index: bigint): number {
  return new Float64Array(BigUint64Array.of(bitsOfFirst + index).buffer)[0] as number;
}
