/**
 * Whether two values parsed from JSON are the same, the second one after it went through an SDK: that may have lost a member
 * `__proto__` of the root, and `JSON.stringify` writes null for a number beyond the range of doubles.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  const pending: [unknown, unknown][] = [[one, other]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (a === b || (b === null && isInfinite(a))) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const names = Object.keys(a).filter((name) => !(a === one && name === "__proto__" && !Object.hasOwn(b, name)));
    if (names.length !== Object.keys(b).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(b, name)) return false;
      pending.push([(a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]]);
    }
  }
  return true;
}

function isInfinite(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}
