/** Random choices that are the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(((this.#bits() >>> 0) / 0x1_0000_0000) * end);
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** A small number, the smaller the likelier. */
  few(): number {
    let count = 1;
    while (count < 12 && this.once(2)) count++;
    return count;
  }

  #bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return bits ^ (bits >>> 14);
  }
}
