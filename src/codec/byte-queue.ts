/** Bytes that arrive in chunks and leave in records. Appending is linear, however small the chunks are. */
export class ByteQueue {
  #bytes = new Uint8Array(64 * 1024);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  append(chunk: Uint8Array): void {
    const needed = this.length + chunk.length;
    if (this.#end + chunk.length > this.#bytes.length) {
      const target =
        needed > this.#bytes.length ? new Uint8Array(Math.max(needed, this.#bytes.length * 2)) : this.#bytes;
      target.set(this.#bytes.subarray(this.#start, this.#end));
      this.#bytes = target;
      this.#end -= this.#start;
      this.#start = 0;
    }
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  at(index: number): number {
    return this.#bytes[this.#start + index] as number;
  }

  /** Index of a byte from an index on, or -1. */
  indexOf(byte: number, from: number): number {
    const at = this.#bytes.subarray(0, this.#end).indexOf(byte, this.#start + from);
    return at < 0 ? -1 : at - this.#start;
  }

  /** The first bytes, as a view that is good until the next call. */
  peek(length: number): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#start + length);
  }

  drop(length: number): void {
    this.#start += Math.min(length, this.length);
  }
}
