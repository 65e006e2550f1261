import { createMark } from "./raw-json.js";

/**
 * Parse JSON text as `JSON.parse` does, but give numbers of which it would lose something to `revive`, as they are spelled:
 * those that would be written otherwise, and integers beyond ±(2^53−1), of which a JS number cannot say that they are exact.
 * Depth is no matter. Throws what `JSON.parse` throws.
 */
export function parseExact(text: string, revive: (numeral: string) => unknown): unknown {
  const plain: unknown = JSON.parse(text);
  if (!mayLoseDigits(text)) return plain;
  const mark = createMark();
  const marked = markNumbers(text, mark);
  return marked === text ? plain : reviveMarked(JSON.parse(marked), mark, revive);
}

/** Whether a number may be in text that `JSON.parse` loses something of: many digits, an exponent, or a zero with a sign. */
export function mayLoseDigits(text: string): boolean {
  return /[\d.]{16}|\d[eE]|-0/.test(text);
}

/** A reviver: integers beyond ±(2^53−1) as `bigint`, everything else as `JSON.parse` has it. */
export function bigintOf(numeral: string): number | bigint {
  const value = Number(numeral);
  return /^-?\d+$/.test(numeral) && !Number.isSafeInteger(value) ? BigInt(numeral) : value;
}

/** Make marked strings of the numbers that `JSON.parse` would lose something of. The text is known to be JSON. */
function markNumbers(text: string, mark: string): string {
  let marked = "";
  let from = 0;
  for (;;) {
    const quote = text.indexOf('"', from);
    const between = quote < 0 ? text.slice(from) : text.slice(from, quote);
    marked += between.replace(/-?\d[-+.\deE]*/g, (numeral) => (losesDigits(numeral) ? `"${mark}${numeral}"` : numeral));
    if (quote < 0) return marked;
    from = stringEnd(text, quote);
    marked += text.slice(quote, from);
  }
}

function losesDigits(numeral: string): boolean {
  if (numeral.length < 16 && !numeral.startsWith("-0") && !/[eE]/.test(numeral)) return false;
  const value = Number(numeral);
  return (Number.isInteger(value) && !Number.isSafeInteger(value)) || JSON.stringify(value) !== numeral;
}

/** Offset after the closing quote. */
function stringEnd(text: string, open: number): number {
  for (let quote = text.indexOf('"', open + 1); ; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === "\\") before--;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
}

/** A reviver would recurse; text of a stranger must not end on the stack. */
function reviveMarked(parsed: unknown, mark: string, revive: (numeral: string) => unknown): unknown {
  const root = { value: parsed };
  const pending: object[] = [root];
  for (let container = pending.pop(); container !== undefined; container = pending.pop()) {
    for (const [key, value] of Object.entries(container)) {
      if (typeof value === "string" && value.startsWith(mark))
        replace(container, key, revive(value.slice(mark.length)));
      else if (typeof value === "object" && value !== null) pending.push(value);
    }
  }
  return root.value;
}

/** Not an assignment, which the key "__proto__" would turn into another; and no descriptor that inherits anything. */
function replace(container: object, key: string, value: unknown): void {
  const descriptor: PropertyDescriptor = Object.create(null);
  descriptor.value = value;
  Object.defineProperty(container, key, descriptor);
}
