import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** Numbers that look random and are the same in every run (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A double within [0, 1) with all of its 53 bits in use. */
  double(): number {
    return (this.#bits() * 0x200000 + (this.#bits() >>> 11)) / 0x20000000000000;
  }

  integer(end: number): number {
    return Math.floor(this.double() * end);
  }

  digits(length: number): string {
    let text = String(1 + this.integer(9));
    while (text.length < length) text += this.integer(10);
    return text;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer(items.length)]!;
  }

  text(words: readonly string[], count: number): string {
    return Array.from({ length: count }, () => this.pick(words)).join(" ");
  }

  #bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return (bits ^ (bits >>> 14)) >>> 0;
  }
}

export function repeat<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

const words = "the order is ready for review after a failed deploy on branch main with new limits and old tests".split(
  " ",
);
const cities = ["Berlin", "São Paulo", "Kraków", "Tokyo", "Austin", "Zürich", "Oslo", "Quito"];
const states = ["open", "closed", "pending", "merged"];
const codeLines = [
  "import { readFile } from 'node:fs/promises';\n",
  'const name = options["name"] ?? "unnamed";\n',
  "\tif (!/^\\d+\\.\\d+$/.test(version)) {\n",
  '\t\tthrow new Error("bad version: \\"" + version);\n\t}\n',
  "  return items.map((item) => item.id).join(',');\r\n",
];
const han = "我们需要检查订单是否已经完成并且发送给客户所有的日志都保存在服务器上请在部署之前运行测试";
const kana = "これはテストです。サーバーのログを確認してください、";
const emoji = ["😀", "🚀", "🎉", "👩‍💻", "🇯🇵", "❤️", "🔥", "👍🏽"];

export function makeSmall(): JsonObject {
  return { line: 5, column: 1, filePath: "server.go" };
}

export function makeMedium(): JsonObject {
  const random = new Random(2);
  return {
    repository: "octo-org/billing-service",
    pullRequestId: random.digits(19),
    dryRun: false,
    baseRevision: random.digits(18),
    maxResults: 250,
    threshold: 0.875,
    cursor: null,
    filters: [
      { field: "author_id", op: "in", values: repeat(6, () => random.digits(19)) },
      { field: "state", op: "eq", values: ["open", "draft"] },
      { field: "label", op: "any", values: ["needs-review", "backend", "priority/high"] },
    ],
    lineNumbers: repeat(24, () => random.integer(4000)),
    weights: repeat(10, () => random.integer(1000) / 100),
    edits: repeat(6, (index) => makeEdit(random, index)),
    options: { encoding: "utf-8", createMissing: true, backup: false, timeoutSeconds: 30, retries: 3 },
  };
}

function makeEdit(random: Random, index: number): JsonObject {
  return {
    path: `src/${random.pick(["handlers", "models", "routes"])}/file_${index}.ts`,
    startLine: 10 * index + 1,
    endLine: 10 * index + 4,
    oldText: `\tconst total = items[${index}].price * 1.19;\n`,
    newText: `\tconst rate = rates["vat"] ?? 0.19;\n\tconst total = items[${index}].price * (1 + rate);\n`,
    note: random.text(words, 12),
    confirmed: index % 2 === 0,
  };
}

export function makeRecords(random: Random, count: number): JsonObject[] {
  return repeat(count, (index) => ({
    id: 100000 + index,
    name: random.text(words, 3),
    email: `user${random.integer(100000)}@example.com`,
    amount: random.integer(1000000) / 100,
    active: random.integer(2) === 0,
    parent: random.integer(3) === 0 ? null : random.integer(90000),
    address: {
      city: random.pick(cities),
      zip: random.digits(5),
      geo: [random.integer(180), random.integer(9000) / 100],
    },
    tags: repeat(random.integer(4), () => random.pick(states)),
  }));
}

export function makeLarge(): JsonObject {
  return { records: makeRecords(new Random(3), 1000) };
}

/** Four kinds of numbers; the seed makes a set that shares few digits with the others. */
export function makeNumeric(seed: number): JsonObject {
  const random = new Random(seed);
  return {
    integers: repeat(4000, () => random.integer(100000)),
    prices: repeat(3000, () => random.integer(1000000) / 100),
    doubles: repeat(2000, () => random.double() * 1000),
    stamps: repeat(1000, () => 1.6e12 + random.integer(2e11)),
  };
}

export function makeDoubles(seed: number): JsonObject {
  const random = new Random(seed);
  return { values: repeat(4000, () => random.double() * 1000) };
}

export function makeDecimals(seed: number): JsonObject {
  const random = new Random(seed);
  return { values: repeat(10000, () => random.integer(10000000) / 100) };
}

export function makeIntegers(seed: number): JsonObject {
  const random = new Random(seed);
  return { values: repeat(15000, () => random.integer(1000000)) };
}

export function makeStrings(seed: number): JsonObject {
  const random = new Random(seed);
  return {
    plain: fill(49000, () => random.text(words, 10 + random.integer(200))),
    code: fill(49000, () => repeat(2 + random.integer(40), () => random.pick(codeLines)).join("")),
    cjk: fill(49000, () => repeat(30 + random.integer(400), () => random.pick([...han, ...kana])).join("")),
    emoji: fill(49000, () =>
      repeat(10 + random.integer(60), () => `${random.pick(emoji)}${random.pick(words)}`).join(" "),
    ),
  };
}

/** Strings until their UTF-8 has about that many bytes. */
function fill(bytes: number, make: () => string): string[] {
  const strings: string[] = [];
  for (let rest = bytes; rest > 0; ) {
    const text = make();
    strings.push(text);
    rest -= new TextEncoder().encode(JSON.stringify(text)).length;
  }
  return strings;
}

export function makeHuge(): JsonObject {
  const value: Record<string, JsonValue> = { records: makeRecords(new Random(5), 85000) };
  for (const part of ["first", "second", "third", "fourth"]) value[part] = makeStrings(part.length);
  return value;
}
