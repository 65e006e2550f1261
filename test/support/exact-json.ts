import { type ExactJson, IntegerLiteral } from "../../src/index.js";

/** A JSON text as a tree that keeps every token: key order, repeated keys and digits are what the text says. */
export type Tree =
  | { readonly kind: "object"; readonly members: readonly (readonly [key: string, rawKey: string, value: Tree])[] }
  | { readonly kind: "array"; readonly items: readonly Tree[] }
  | { readonly kind: "scalar"; readonly raw: string };

const TOKEN = /\s*([{}[\],:]|"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null)\s*/y;

/** Read JSON text that is known to be valid. Keeps its own stack, so depth is no matter. */
export function readTree(text: string): Tree {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) {
      throw new Error(`the test's own JSON reader stopped at ${at}`);
    }
    tokens.push(match[1] as string);
  }
  let at = 0;
  type Open = { members?: [string, string, Tree][]; items?: Tree[]; key?: string };
  const stack: Open[] = [];
  for (;;) {
    const token = tokens[at++] as string;
    let done: Tree;
    if (token === "{" && tokens[at] !== "}") {
      const key = tokens[at] as string;
      stack.push({ members: [], key });
      at += 2;
      continue;
    }
    if (token === "[" && tokens[at] !== "]") {
      stack.push({ items: [] });
      continue;
    }
    if (token === "{") {
      at++;
      done = { kind: "object", members: [] };
    } else if (token === "[") {
      at++;
      done = { kind: "array", items: [] };
    } else {
      done = { kind: "scalar", raw: token };
    }
    for (;;) {
      const open = stack.at(-1);
      if (open === undefined) {
        return done;
      }
      const next = tokens[at++];
      if (open.members !== undefined) {
        const raw = open.key as string;
        open.members.push([JSON.parse(raw) as string, raw, done]);
        if (next === ",") {
          open.key = tokens[at] as string;
          at += 2;
          break;
        }
        done = { kind: "object", members: open.members };
      } else {
        (open.items as Tree[]).push(done);
        if (next === ",") {
          break;
        }
        done = { kind: "array", items: open.items as Tree[] };
      }
      stack.pop();
    }
  }
}

const INDEX_KEY = /^(?:0|[1-9][0-9]{0,9})$/;

function isIndexKey(key: string): boolean {
  return INDEX_KEY.test(key) && Number(key) < 2 ** 32 - 1;
}

function writeTree(tree: Tree): string {
  switch (tree.kind) {
    case "scalar":
      return tree.raw;
    case "array":
      return `[${tree.items.map(writeTree).join(",")}]`;
    case "object": {
      const index = tree.members.filter(([key]) => isIndexKey(key)).sort((a, b) => Number(a[0]) - Number(b[0]));
      const others = tree.members.filter(([key]) => !isIndexKey(key));
      return `{${[...index, ...others].map(([, raw, value]) => `${raw}:${writeTree(value)}`).join(",")}}`;
    }
  }
}

/** The text as it comes out when a JS object was in between: array-index keys first, in ascending order. */
export function inObjectOrder(text: string): string {
  const tree = readTree(text);
  return hasIndexKey(tree) ? writeTree(tree) : text;
}

function hasIndexKey(tree: Tree): boolean {
  switch (tree.kind) {
    case "scalar":
      return false;
    case "array":
      return tree.items.some(hasIndexKey);
    case "object":
      return tree.members.some(([key, , value]) => isIndexKey(key) || hasIndexKey(value));
  }
}

/**
 * How an integer token beyond the safe range becomes a JSON value. "output": digits are a literal, and what has an exponent
 * or a point was written for a double.
 */
export type BigForm = "literal" | "bigint" | "output";

const DIGITS = /^-?(?:0|[1-9][0-9]*)$/;

/**
 * The JSON value that says the same as a text, or undefined where a JS value cannot say it: an integer beyond the safe
 * range spelled with a point or an exponent, a fraction with more digits than a double has, a number beyond doubles, a
 * repeated key.
 */
export function toExact(tree: Tree, big: BigForm): ExactJson | undefined {
  switch (tree.kind) {
    case "scalar":
      return scalarToExact(tree.raw, big);
    case "array": {
      const items: ExactJson[] = [];
      for (const item of tree.items) {
        const value = toExact(item, big);
        if (value === undefined) {
          return undefined;
        }
        items.push(value);
      }
      return items;
    }
    case "object": {
      const object: { [key: string]: ExactJson } = {};
      for (const [key, , member] of tree.members) {
        const value = toExact(member, big);
        if (value === undefined || Object.hasOwn(object, key)) {
          return undefined;
        }
        own(object, key, value);
      }
      return object;
    }
  }
}

function scalarToExact(raw: string, big: BigForm): ExactJson | undefined {
  if (!/^[-0-9]/.test(raw)) {
    return JSON.parse(raw) as string | boolean | null;
  }
  const number = Number(raw);
  if (!Number.isFinite(number)) {
    return undefined;
  }
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    if (!DIGITS.test(raw)) {
      return big === "output" ? number : undefined;
    }
    return big === "bigint" ? BigInt(raw) : new IntegerLiteral(raw);
  }
  const digits = raw
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "");
  const isRounded = integerDigits(raw) === undefined && (Number.isInteger(number) || digits.length > 17);
  return isRounded && big !== "output" ? undefined : number;
}

/** Write a member without ever meeting a setter. */
export function own(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** The first difference between two JSON values of either side, or undefined. Exact: -0, bigint, IntegerLiteral, key order. */
export function difference(actual: unknown, expected: unknown, at = ""): string | undefined {
  if (expected instanceof IntegerLiteral) {
    return actual instanceof IntegerLiteral && actual.digits === expected.digits
      ? undefined
      : `${at || "root"}: expected the literal ${expected.digits}, got ${describe(actual)}`;
  }
  if (typeof expected !== "object" || expected === null) {
    return Object.is(actual, expected)
      ? undefined
      : `${at || "root"}: expected ${describe(expected)}, got ${describe(actual)}`;
  }
  if (typeof actual !== "object" || actual === null || actual instanceof IntegerLiteral) {
    return `${at || "root"}: expected a container, got ${describe(actual)}`;
  }
  if (Array.isArray(expected) !== Array.isArray(actual)) {
    return `${at || "root"}: array against object`;
  }
  const actualKeys = Object.keys(actual);
  const expectedKeys = Object.keys(expected);
  if (actualKeys.length !== expectedKeys.length || actualKeys.some((key, i) => key !== expectedKeys[i])) {
    return `${at || "root"}: expected keys ${JSON.stringify(expectedKeys)}, got ${JSON.stringify(actualKeys)}`;
  }
  for (const key of expectedKeys) {
    const below = difference(
      (actual as Record<string, unknown>)[key],
      (expected as Record<string, unknown>)[key],
      `${at}/${key}`,
    );
    if (below !== undefined) {
      return below;
    }
  }
  return undefined;
}

function describe(value: unknown): string {
  if (value instanceof IntegerLiteral) {
    return `the literal ${value.digits}`;
  }
  if (Object.is(value, -0)) {
    return "number -0";
  }
  return `${typeof value} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`;
}

/** One canonical spelling of a JSON value in which integers are told apart by their digits and members are sorted. */
export function canonical(tree: Tree): string {
  switch (tree.kind) {
    case "scalar":
      return /^[-0-9]/.test(tree.raw) ? canonicalNumber(tree.raw) : JSON.stringify(JSON.parse(tree.raw));
    case "array":
      return `[${tree.items.map(canonical).join(",")}]`;
    case "object":
      return `{${tree.members
        .map(([key, , value]) => `${JSON.stringify(key)}:${canonical(value)}`)
        .sort()
        .join(",")}}`;
  }
}

/** Integers as all their digits, others as the nearest double. */
export function canonicalNumber(raw: string): string {
  return integerDigits(raw) ?? String(Number(raw));
}

/** The digits of a number token that is an integer, fraction and exponent worked in on the text; else undefined. */
export function integerDigits(raw: string): string | undefined {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(raw);
  if (match === null) {
    return undefined;
  }
  const [, sign, whole, fraction = "", exponent = "0"] = match as unknown as [string, string, string, string?, string?];
  const significant = `${whole}${fraction}`.replace(/^0+/, "");
  const trimmed = significant.replace(/0+$/, "");
  if (trimmed === "") {
    return "0";
  }
  const scale = Number(exponent) - fraction.length + (significant.length - trimmed.length);
  if (scale < 0 || scale > 400) {
    return undefined;
  }
  return `${sign}${trimmed}${"0".repeat(scale)}`;
}
