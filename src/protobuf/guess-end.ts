const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;

/** Shorter values are passed over as quickly as their end is guessed. */
const shortestGuessed = 4096;
/** What stands behind it is shorter than that: so far a value is gone back over before it is taken for the long one. */
const longestSibling = 2048;

/**
 * Guess where a long value in JSON text ends, by going backwards from the end of the text over what stands behind it: JSON can be
 * read in either direction. It is so deep inside of other containers; at each level the first value from behind that is long
 * is taken for the one it is in. Undefined where that does not work out. Whoever reads up to a wrong end finds no value there.
 */
export function guessEnd(text: string, start: number, depth: number): number | undefined {
  const length = text.length - start;
  if (length < shortestGuessed) return undefined;
  const longest = Math.min(length >> 3, longestSibling);
  let end = text.length;
  for (let level = 0; level < depth; level++) {
    end = skipSpaceBack(text, end);
    if (!isClosing(text.charCodeAt(end - 1))) return undefined;
    end = passSiblings(text, end - 1, start + longest, longest);
    if (end < 0) return undefined;
  }
  return end;
}

/** Go backwards over members or items, up to the end of one that is longer than `longest`; -1 where there is none. */
function passSiblings(text: string, from: number, least: number, longest: number): number {
  let end = from;
  for (;;) {
    end = skipSpaceBack(text, end);
    let at = valueStart(text, end, Math.max(least, end - longest));
    if (at < 0) return end;
    at = skipSpaceBack(text, at);
    if (text.charCodeAt(at - 1) === colon) {
      at = skipSpaceBack(text, stringStart(text, skipSpaceBack(text, at - 1), 0));
    }
    if (text.charCodeAt(at - 1) !== comma) return -1;
    end = at - 1;
  }
}

/** Where a value begins that ends at an offset; -1 where that is before `least`. */
function valueStart(text: string, end: number, least: number): number {
  const last = text.charCodeAt(end - 1);
  if (last === quote) return stringStart(text, end, least);
  if (isClosing(last)) return containerStart(text, end, least);
  let at = end;
  while (at > least && isScalar(text.charCodeAt(at - 1))) at--;
  return at === end ? -1 : at;
}

function containerStart(text: string, end: number, least: number): number {
  let depth = 0;
  for (let at = end; at > least; ) {
    const unit = text.charCodeAt(--at);
    if (unit === quote) {
      at = stringStart(text, at + 1, least);
      if (at < 0) return -1;
    } else if (isClosing(unit)) {
      depth++;
    } else if (isOpening(unit) && --depth === 0) {
      return at;
    }
  }
  return -1;
}

/** Where a string begins whose closing quote is before an offset: a quote with an odd number of backslashes before it is inside. */
function stringStart(text: string, end: number, least: number): number {
  for (let at = end - 2; at >= least; at--) {
    if (text.charCodeAt(at) !== quote) continue;
    let slashes = at;
    while (text.charCodeAt(slashes - 1) === backslash) slashes--;
    if ((at - slashes) % 2 === 0) return at;
    at = slashes;
  }
  return -1;
}

function skipSpaceBack(text: string, end: number): number {
  let at = end;
  while (at > 0 && text.charCodeAt(at - 1) <= 0x20) at--;
  return at;
}

// One bit is between "[" and "{", and between "]" and "}".

function isOpening(unit: number): boolean {
  return (unit | 0x20) === 0x7b;
}

function isClosing(unit: number): boolean {
  return (unit | 0x20) === 0x7d;
}

function isScalar(unit: number): boolean {
  return unit > 0x20 && unit !== comma && unit !== colon && !isOpening(unit) && !isClosing(unit);
}
