import { bytes as concat, varint } from "../support/wire.js";
import type { Random } from "./random.js";

/** Bytes that mean something on the wire or in JSON: tags, group tags, ends of varints, quotes, malformed UTF-8. */
const telling = [
  ...[0x00, 0x01, 0x02, 0x7f, 0x80, 0x81, 0xff, 0x08, 0x0a, 0x0b, 0x0c, 0x0d, 0x10, 0x11, 0x12, 0x18, 0x1a, 0x20, 0x22],
  ...[0x2a, 0x2b, 0x2c, 0x30, 0x32, 0x3a, 0x3b, 0x3c, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0xc0, 0xc3, 0xe2, 0xed, 0xef, 0xf4],
];

/** Change bytes as they come, without knowing what they mean. */
export function mutateBytes(random: Random, bytes: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
  let changed = bytes;
  for (let left = random.few(); left > 0; left--) changed = mutateOnce(random, changed, others);
  return changed;
}

function mutateOnce(random: Random, bytes: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
  const at = random.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + random.pick([1, 1, 2, 8, random.below(64)]));
  const [before, cut, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  switch (random.below(8)) {
    case 0:
      return concat(before, Uint8Array.of(random.pick(telling)), after);
    case 1:
      return concat(before, Uint8Array.of(random.below(256)), bytes.subarray(Math.min(at + 1, bytes.length)));
    case 2:
      return concat(before, after);
    case 3:
      return concat(before, cut, cut, after);
    case 4:
      return before;
    case 5: {
      const other = random.pick(others);
      const from = random.below(other.length);
      return concat(before, other.subarray(from, from + random.below(64)), after);
    }
    case 6:
      return concat(before, overlong(random), after);
    default:
      return flipBit(random, bytes);
  }
}

function flipBit(random: Random, bytes: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(bytes);
  const at = random.below(bytes.length);
  if (bytes.length > 0) changed[at] = (changed[at] as number) ^ (1 << random.below(8));
  return changed;
}

/** A varint with more bytes than its value needs, or a value beyond 32 or 64 bits. */
function overlong(random: Random): Uint8Array {
  const bytes = [...varint(random.pick([0, 1, 127, 128, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 35, 2 ** 53]))];
  bytes.push((bytes.pop() as number) | 0x80, ...Array.from({ length: random.below(11) }, () => 0x80), random.below(3));
  return Uint8Array.from(bytes);
}
