// Patterns come from strangers, so they never run in a backtracking engine. What can be decided in linear time is turned
// into a finite automaton once: literals, anchors, classes, groups, alternation, `* + ? {m,n}`. The rest is undecidable.

/** Longest pattern that is read. The longest `patternProperties` key seen in real schemas is below 100. */
const longestPattern = 1000;
/** Most states of either automaton; repeats are copied, so that a short pattern can ask for many. */
const mostStates = 1000;
/** Most transitions looked at while making one automaton deterministic. */
const mostWork = 300_000;
/** Deepest nesting of groups; the parser recurses. */
const deepestGroup = 30;
const lastCodePoint = 0x10ffff;

/**
 * Compile a regular expression to a test in linear time, or undefined where it is not decidable that way. `take` takes steps
 * from a budget that many patterns share, and tells whether there were as many.
 */
export function compilePattern(
  pattern: string,
  take: (steps: number) => boolean = () => true,
): ((text: string) => boolean) | undefined {
  if (pattern.length > longestPattern) return undefined;
  // What every key matches needs no automaton.
  if (pattern === "" || pattern === "^.*$" || pattern === "^(.*)$" || pattern === ".*") return () => true;
  const parser = new PatternParser(pattern);
  const start = parser.parse();
  if (start === undefined || !take(parser.states.length)) return undefined;
  return determinize(parser.states, start, take);
}

/** The names that a pattern lists and nothing else (`^name$`, `^(one|two)$`), or undefined where it is more than a list. */
export function listPatternNames(pattern: string): readonly string[] | undefined {
  const [, grouped, single] = /^\^(?:\((?:\?:)?([\w\- |]*)\)|([\w\- ]*))\$$/.exec(pattern) ?? [];
  if (grouped !== undefined) return grouped.split("|");
  return single === undefined ? undefined : [single];
}

/** A state of the nondeterministic automaton: one step over a set of characters, or steps without one. */
interface State {
  /** Sorted, disjoint, inclusive ranges of code points; empty where the state takes no character. */
  ranges: readonly Range[];
  to: number;
  free: number[];
  /** "start" and "end" are passed only there. */
  assertion: "start" | "end" | undefined;
  accepting: boolean;
}

type Range = readonly [first: number, last: number];

/** A piece of automaton under construction; `out` is a state without a way on yet. */
interface Fragment {
  readonly start: number;
  readonly out: number;
}

/** Thrown inside the parser where the pattern cannot be decided; `parse` turns it into undefined. */
class Undecidable extends Error {}

class PatternParser {
  readonly states: State[] = [];
  #at = 0;
  #depth = 0;
  readonly #chars: readonly string[];

  constructor(pattern: string) {
    this.#chars = Array.from(pattern);
  }

  parse(): number | undefined {
    try {
      const whole = this.#alternatives();
      if (this.#at < this.#chars.length) return undefined;
      (this.states[whole.out] as State).accepting = true;
      return whole.start;
    } catch (error) {
      if (error instanceof Undecidable) return undefined;
      throw error;
    }
  }

  #add(ranges: readonly Range[] = []): number {
    if (this.states.length >= mostStates) throw new Undecidable();
    this.states.push({ ranges, to: -1, free: [], assertion: undefined, accepting: false });
    return this.states.length - 1;
  }

  #link(from: number, to: number): void {
    (this.states[from] as State).free.push(to);
  }

  #alternatives(): Fragment {
    let whole = this.#sequence();
    while (this.#take("|")) {
      const other = this.#sequence();
      const start = this.#add();
      const out = this.#add();
      this.#link(start, whole.start);
      this.#link(start, other.start);
      this.#link(whole.out, out);
      this.#link(other.out, out);
      whole = { start, out };
    }
    return whole;
  }

  #sequence(): Fragment {
    const start = this.#add();
    let out = start;
    while (this.#at < this.#chars.length && this.#peek() !== "|" && this.#peek() !== ")") {
      const piece = this.#repeated();
      this.#link(out, piece.start);
      out = piece.out;
    }
    return { start, out };
  }

  #repeated(): Fragment {
    const from = this.#at;
    const atom = this.#atom();
    const [least, most] = this.#quantifier();
    if (least === 1 && most === 1) return atom;
    // A repeat is its atom copied; the atom is parsed again for each copy.
    const after = this.#at;
    const copy = (): Fragment => {
      this.#at = from;
      const fragment = this.#atom();
      this.#at = after;
      return fragment;
    };
    const start = this.#add();
    let out = start;
    for (let i = 0; i < least; i++) {
      const piece = copy();
      this.#link(out, piece.start);
      out = piece.out;
    }
    if (most === Number.POSITIVE_INFINITY) {
      const piece = copy();
      const end = this.#add();
      this.#link(out, piece.start);
      this.#link(out, end);
      this.#link(piece.out, piece.start);
      this.#link(piece.out, end);
      return { start, out: end };
    }
    const end = this.#add();
    this.#link(out, end);
    for (let i = least; i < most; i++) {
      const piece = copy();
      this.#link(out, piece.start);
      this.#link(piece.out, end);
      out = piece.out;
    }
    return { start, out: end };
  }

  #quantifier(): [least: number, most: number] {
    const [least, most] = this.#bareQuantifier();
    if (least !== 1 || most !== 1) this.#take("?");
    if ("*+?{".includes(this.#peek() || " ") && (least !== 1 || most !== 1)) throw new Undecidable();
    return [least, most];
  }

  #bareQuantifier(): [least: number, most: number] {
    if (this.#take("*")) return [0, Number.POSITIVE_INFINITY];
    if (this.#take("+")) return [1, Number.POSITIVE_INFINITY];
    if (this.#take("?")) return [0, 1];
    if (this.#peek() !== "{") return [1, 1];
    const close = this.#chars.indexOf("}", this.#at);
    const counts = /^\{(\d{1,4})(?:(,)(\d{0,4}))?\}$/.exec(this.#chars.slice(this.#at, close + 1).join(""));
    if (counts === null) throw new Undecidable();
    this.#at = close + 1;
    const least = Number(counts[1]);
    const most = counts[2] === undefined ? least : counts[3] === "" ? Number.POSITIVE_INFINITY : Number(counts[3]);
    if (most < least) throw new Undecidable();
    return [least, most];
  }

  #atom(): Fragment {
    const char = this.#next();
    switch (char) {
      case "(":
        return this.#group();
      case "^":
        return this.#asserting("start");
      case "$":
        return this.#asserting("end");
      case ".":
        return this.#step(negate(lineEnds));
      case "[":
        return this.#step(this.#class());
      case "\\":
        return this.#step(this.#escape());
      case "*":
      case "+":
      case "?":
      case "{":
      case "}":
      case "]":
      case ")":
        throw new Undecidable();
      default:
        return this.#step(single(char));
    }
  }

  #group(): Fragment {
    if (++this.#depth > deepestGroup) throw new Undecidable();
    if (this.#take("?")) {
      const named = this.#peek() === "<" && !"=!".includes(this.#chars[this.#at + 1] ?? "=");
      if (named) this.#at = this.#chars.indexOf(">", this.#at) + 1;
      // Lookaround and inline flags.
      else if (!this.#take(":")) throw new Undecidable();
    }
    const inner = this.#alternatives();
    if (!this.#take(")")) throw new Undecidable();
    this.#depth--;
    return inner;
  }

  #asserting(assertion: "start" | "end"): Fragment {
    const start = this.#add();
    const out = this.#add();
    (this.states[start] as State).assertion = assertion;
    this.#link(start, out);
    return { start, out };
  }

  #step(ranges: readonly Range[]): Fragment {
    const start = this.#add(ranges);
    const out = this.#add();
    (this.states[start] as State).to = out;
    return { start, out };
  }

  #class(): readonly Range[] {
    const negated = this.#take("^");
    const ranges: Range[] = [];
    while (!this.#take("]")) {
      const low = this.#classAtom();
      if (this.#peek() === "-" && this.#chars[this.#at + 1] !== "]") {
        this.#at++;
        ranges.push(...span(low, this.#classAtom()));
      } else {
        ranges.push(...low);
      }
    }
    const merged = merge(ranges);
    return negated ? negate(merged) : merged;
  }

  #classAtom(): readonly Range[] {
    const char = this.#next();
    if (char !== "\\") return single(char);
    return this.#take("b") ? [[8, 8]] : this.#escape();
  }

  #escape(): readonly Range[] {
    const char = this.#next();
    const known = escapes.get(char);
    if (known !== undefined) return known;
    if (char === "x") return this.#hex(2);
    if (char === "u") return this.#take("{") ? this.#braced() : this.#hex(4);
    // Letters and digits are references, boundaries, properties or errors; punctuation stands for itself.
    if (/[\p{L}\p{N}]/u.test(char)) throw new Undecidable();
    return single(char);
  }

  #hex(length: number): readonly Range[] {
    const digits = this.#chars.slice(this.#at, this.#at + length).join("");
    if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length !== length) throw new Undecidable();
    this.#at += length;
    const point = Number.parseInt(digits, 16);
    // Half of a surrogate pair is no code point of its own.
    if (point >= 0xd800 && point <= 0xdfff) throw new Undecidable();
    return [[point, point]];
  }

  #braced(): readonly Range[] {
    const close = this.#chars.indexOf("}", this.#at);
    const digits = this.#chars.slice(this.#at, close).join("");
    if (close < 0 || !/^[0-9a-fA-F]{1,6}$/.test(digits)) throw new Undecidable();
    this.#at = close + 1;
    const point = Number.parseInt(digits, 16);
    if (point > lastCodePoint) throw new Undecidable();
    return [[point, point]];
  }

  #peek(): string | undefined {
    return this.#chars[this.#at];
  }

  #take(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #next(): string {
    const char = this.#chars[this.#at++];
    if (char === undefined) throw new Undecidable();
    return char;
  }
}

/** A range in a class. Beside a class such as `\\w` the hyphen stands for itself. */
function span(low: readonly Range[], high: readonly Range[]): readonly Range[] {
  const [[first, lowEnd] = [0, -1]] = low;
  const [[highStart, last] = [0, -1]] = high;
  if (low.length !== 1 || high.length !== 1 || first !== lowEnd || highStart !== last) {
    return [...low, ...single("-"), ...high];
  }
  if (last < first) throw new Undecidable();
  return [[first, last]];
}

function single(char: string): readonly Range[] {
  const point = char.codePointAt(0) as number;
  return [[point, point]];
}

function merge(ranges: readonly Range[]): readonly Range[] {
  const merged: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

function negate(ranges: readonly Range[]): readonly Range[] {
  const rest: Range[] = [];
  let next = 0;
  for (const [first, last] of ranges) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= lastCodePoint) rest.push([next, lastCodePoint]);
  return rest;
}

const digit: readonly Range[] = [[0x30, 0x39]];
const word: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const space = merge(
  [0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]
    .map((point): Range => [point, point])
    .concat([
      [0x09, 0x0d],
      [0x2000, 0x200a],
    ]),
);
const lineEnds: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

const escapes: ReadonlyMap<string, readonly Range[]> = new Map([
  ["d", digit],
  ["D", negate(digit)],
  ["w", word],
  ["W", negate(word)],
  ["s", space],
  ["S", negate(space)],
  ["t", single("\t")],
  ["n", single("\n")],
  ["r", single("\r")],
  ["v", single("\v")],
  ["f", single("\f")],
  ["0", single("\0")],
]);

/** One state of the deterministic automaton: where each class of characters leads. */
interface Step {
  readonly next: Int32Array;
  /** Whether the text may end here, and whether a match is certain whatever follows. */
  endsHere: boolean;
  done: boolean;
}

function determinize(
  states: readonly State[],
  start: number,
  take: (steps: number) => boolean,
): ((text: string) => boolean) | undefined {
  const starts = classStarts(states);
  const automaton: Step[] = [];
  const known = new Map<string, number>();
  const sets: (readonly number[])[] = [];
  const intern = (set: readonly number[]): number => {
    const key = set.join(",");
    const existing = known.get(key);
    if (existing !== undefined) return existing;
    known.set(key, sets.length);
    sets.push(set);
    automaton.push({ next: new Int32Array(starts.length), endsHere: false, done: false });
    return sets.length - 1;
  };
  intern(close(states, [start], true));
  let work = 0;
  for (let i = 0; i < sets.length; i++) {
    const set = sets[i] as readonly number[];
    const steps = set.length * starts.length;
    work += steps;
    if (sets.length > mostStates || work > mostWork || !take(steps)) return undefined;
    const step = automaton[i] as Step;
    step.done = set.some((id) => (states[id] as State).accepting);
    step.endsHere = step.done || endClosure(states, set);
    for (let c = 0; c < starts.length; c++) {
      const point = starts[c] as number;
      const moved = set.filter((id) => takes(states[id] as State, point)).map((id) => (states[id] as State).to);
      // A pattern may match anywhere in the text, so each position is a start too.
      step.next[c] = intern(close(states, [...moved, start], false));
    }
  }
  const ascii = Uint16Array.from({ length: 128 }, (_, point) => classOf(starts, point));
  return (text) => runAutomaton(automaton, starts, ascii, text);
}

function runAutomaton(steps: readonly Step[], starts: readonly number[], ascii: Uint16Array, text: string): boolean {
  let step = steps[0] as Step;
  for (let i = 0; i < text.length && !step.done; ) {
    const point = text.codePointAt(i) as number;
    const charClass = point < 128 ? (ascii[point] as number) : classOf(starts, point);
    step = steps[step.next[charClass] as number] as Step;
    i += point > 0xffff ? 2 : 1;
  }
  return step.done || step.endsHere;
}

/** First code points of the classes of characters that no state tells apart. */
function classStarts(states: readonly State[]): readonly number[] {
  const starts = new Set([0]);
  for (const { ranges } of states) {
    for (const [first, last] of ranges) {
      starts.add(first);
      if (last < lastCodePoint) starts.add(last + 1);
    }
  }
  return [...starts].sort((a, b) => a - b);
}

function classOf(starts: readonly number[], point: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= point) low = middle;
    else high = middle - 1;
  }
  return low;
}

function takes(state: State, point: number): boolean {
  return state.ranges.some(([first, last]) => first <= point && point <= last);
}

/** States reachable without a character. "end" assertions are not passed here, but kept. */
function close(states: readonly State[], from: readonly number[], atStart: boolean): readonly number[] {
  return reach(states, from, (state) => state.assertion !== "end" && (state.assertion !== "start" || atStart));
}

/** Whether the text may end in this set: an accepting state is reachable through "end" assertions. */
function endClosure(states: readonly State[], from: readonly number[]): boolean {
  return reach(states, from, (state) => state.assertion !== "start").some((id) => (states[id] as State).accepting);
}

function reach(
  states: readonly State[],
  from: readonly number[],
  passes: (state: State) => boolean,
): readonly number[] {
  const reached = new Set<number>();
  const pending = [...from];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    const state = states[id] as State;
    if (passes(state)) pending.push(...state.free);
  }
  return [...reached].sort((a, b) => a - b);
}
