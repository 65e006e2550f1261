/** Chosen anew in each process, so that nobody can prepare keys that collide. */
const seed = Math.floor(Math.random() * 0x7fffffff);

/** FNV-1a over some bytes of a buffer. */
export function hashBytes(bytes: Uint8Array, start: number, length: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = start; i < start + length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Whether two places in two buffers hold the same bytes. */
export function sameBytes(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (a[aStart + i] !== b[bStart + i]) return false;
  return true;
}
