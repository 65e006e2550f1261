import { hashBytes, sameBytes } from "../base/bytes.js";

/** A set of keys that lie in a buffer, for objects with so many that comparing each with each would not be linear. */
export class KeyTable {
  readonly #bytes: Uint8Array;
  /** Start and length of each key, two entries a slot; a start of -1 is a free slot. */
  #slots = new Int32Array(256).fill(-1);
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Add a key; false if it is there already. */
  add(start: number, length: number): boolean {
    if (this.#count * 4 >= this.#slots.length) this.#grow();
    const slot = this.#find(start, length);
    if (this.#slots[slot] !== -1) return false;
    this.#slots[slot] = start;
    this.#slots[slot + 1] = length;
    this.#count++;
    return true;
  }

  #find(start: number, length: number): number {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    let at = hashBytes(this.#bytes, start, length) & mask;
    while (slots[at * 2] !== -1) {
      if (slots[at * 2 + 1] === length && sameBytes(this.#bytes, slots[at * 2] as number, this.#bytes, start, length))
        break;
      at = (at + 1) & mask;
    }
    return at * 2;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2).fill(-1);
    for (let i = 0; i < old.length; i += 2) {
      if (old[i] === -1) continue;
      const slot = this.#find(old[i] as number, old[i + 1] as number);
      this.#slots[slot] = old[i] as number;
      this.#slots[slot + 1] = old[i + 1] as number;
    }
  }
}
