import { readTree, type Tree } from "../support/exact-json.js";

/**
 * A text as what it says beyond spelling: numbers and the decimal strings that stand for them by their double, members in
 * one order. A schema may change a spelling, and nothing of this.
 */
export function looseText(text: string): string {
  return loose(readTree(text));
}

function loose(tree: Tree): string {
  switch (tree.kind) {
    case "scalar": {
      if (/^[-0-9]/.test(tree.raw)) return number(tree.raw);
      if (!tree.raw.startsWith('"')) return tree.raw;
      const text = JSON.parse(tree.raw) as string;
      return isDecimal(text) ? number(text) : JSON.stringify(text);
    }
    case "array":
      return `[${tree.items.map(loose).join()}]`;
    case "object":
      return `{${tree.members
        .map(([key, , value]) => `${JSON.stringify(key)}:${loose(value)}`)
        .sort()
        .join()}}`;
  }
}

function isDecimal(text: string): boolean {
  return /^(?:0|-?[1-9][0-9]*)$/.test(text) && Number.isFinite(Number(text));
}

function number(digits: string): string {
  // -0 and 0 are one number, spelled by position.
  return String(Number(digits) + 0);
}
