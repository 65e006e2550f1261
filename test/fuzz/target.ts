import type { Random } from "./random.js";

/** One thing to fuzz: how inputs are made, what must hold of each, and how one is made smaller. */
export interface Target<Input> {
  readonly name: "bytes" | "text" | "schema";
  make(random: Random): Input;
  /** Throws a Complaint. Gives whether the input is worth mutating further. */
  check(input: Input): boolean;
  /** An input that got further than most, to begin with later. */
  keep(input: Input): void;
  /** Smaller inputs that might show the same, the smallest first. */
  shrink(input: Input): Iterable<Input>;
  /** The input as text to paste. */
  show(input: Input): string;
  /** How often protobuf-es differed in a way that is known, by the name of the gap. */
  readonly gaps: Map<string, number>;
}

/** Inputs to begin with: the seeds, and some of those that were accepted. */
export class Pool<Input> {
  readonly items: Input[];
  readonly #seeds: number;
  #next = 0;

  constructor(seeds: readonly Input[]) {
    this.items = [...seeds];
    this.#seeds = seeds.length;
  }

  /** Seeds stay; of what comes later the newest thousand do. */
  add(input: Input): void {
    this.items[this.#seeds + (this.#next++ % 1000)] = input;
  }
}

/** Parts of a sequence left out, the longest parts first. */
export function* cutLengths(length: number): Generator<readonly [start: number, end: number]> {
  for (let size = Math.ceil(length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < length; start += size) yield [start, Math.min(length, start + size)];
  }
}
