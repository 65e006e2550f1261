import type { Random } from "./random.js";

const token = /"(?:[^"\\]|\\.)*"?|-?[0-9][0-9.eE+-]*|[a-z]+|[{}[\],:]|\s+|./gsu;

const numbers = [
  ...[
    "0",
    "-0",
    "5",
    "5.0",
    "-5",
    "1e21",
    "1E+21",
    "1.5e3",
    "9007199254740991",
    "9007199254740993",
    "-9223372036854775808",
  ],
  ...[
    "18446744073709551616",
    "9007199254740993.0",
    "1e400",
    "1e-400",
    "0.1",
    "123456789.125",
    "1e23",
    "5e-324",
    "01",
    "1.",
    ".5",
  ],
  ...[
    "+1",
    "1e",
    "NaN",
    "Infinity",
    "0x10",
    "1955516024755728386",
    "100000000000000000000",
    "1e308",
    "2e308",
    "0e999999",
  ],
  ...[
    "1".repeat(40),
    `0.${"0".repeat(40)}1`,
    "123456789012345678.5",
    "9".repeat(310),
    "9".repeat(1101),
    "1e99999999999",
  ],
];

const strings = [
  ...[
    '""',
    '"5"',
    '"-0"',
    '"007"',
    '"9007199254740993"',
    '"1955516024755728386"',
    '"\\u0041"',
    '"\\ud83d\\ude00"',
    '"\\ud800"',
  ],
  ...[
    '"\\udc00\\ud800"',
    '"\ud800"',
    '"😀"',
    '"\\u0000"',
    '"\u0000"',
    '"\\x"',
    '"\\u+041"',
    '"\\""',
    '"\\/"',
    '"\u2028"',
    '"\ufeff"',
  ],
  ...[
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"0"',
    '"1"',
    '"4294967295"',
    '"01"',
    '"a~b/c"',
    '"é"',
    '"e\u0301"',
    '"kind"',
  ],
];

const others = [
  "null",
  "true",
  "false",
  "nul",
  "{}",
  "[]",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  " ",
  "\n",
  "\t",
  "\u00a0",
  "\ufeff",
  "//",
  "'",
  "\r\n",
];

/** Change a JSON text by its tokens, and sometimes by its characters. */
export function mutateText(random: Random, text: string, donors: readonly string[]): string {
  let tokens: readonly string[] = text.match(token) ?? [];
  for (let left = random.few(); left > 0; left--) tokens = mutateOnce(random, tokens, donors);
  return random.once(8) ? mutateCharacters(random, tokens.join("")) : tokens.join("");
}

function mutateOnce(random: Random, tokens: readonly string[], donors: readonly string[]): readonly string[] {
  const at = random.below(tokens.length + 1);
  const end = Math.min(tokens.length, at + random.pick([1, 1, 2, 3, random.below(20)]));
  const [before, cut, after] = [tokens.slice(0, at), tokens.slice(at, end), tokens.slice(end)];
  switch (random.below(12)) {
    case 0:
      return [...before, ...after];
    case 1:
      return [...before, ...cut, ...cut, ...after];
    case 2: {
      const donor = random.pick(donors).match(token) ?? [];
      const from = random.below(donor.length);
      return [...before, ...donor.slice(from, from + random.below(20)), ...after];
    }
    case 3:
      return [...before, random.pick(others), ...after];
    case 4:
      return wrap(random, tokens);
    default:
      return replaceLike(random, tokens, at);
  }
}

/** Put another token of the same kind in the place of one, so that the text stays well-formed, mostly. */
function replaceLike(random: Random, tokens: readonly string[], from: number): readonly string[] {
  const at = tokens.findIndex((found, i) => i >= from && /^["\-0-9a-z]/.test(found));
  const isKey = tokens[at + 1] === ":";
  const choices = isKey || random.once(3) ? strings : random.once(12) ? others : numbers;
  return tokens.map((found, i) => (i === at ? random.pick(choices) : found));
}

/** Nest a text in itself: in a member, in many lists, or in a list of its own copies. */
function wrap(random: Random, tokens: readonly string[]): string[] {
  const depth = random.pick([1, 2, 48, 98, 99, 100, 101, 203]);
  const [open, close] = random.pick([
    ['{"a":', "}"],
    ["[", "]"],
    ['{"list":[', "]}"],
  ] as const);
  if (tokens.length * depth > 20_000) return [...tokens];
  return [open.repeat(depth), ...tokens, close.repeat(depth)];
}

function mutateCharacters(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const character = random.once(2)
    ? String.fromCharCode(random.below(random.pick([0x80, 0x10000])))
    : random.pick(['"', "\\", ",", "0", "e", ".", "-", "u", "\ud800"]);
  return text.slice(0, at) + character + text.slice(at + random.below(2));
}
