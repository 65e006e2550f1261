import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../../playground/style.css", import.meta.url), "utf8");
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(([, name, light, dark]) => [
    name as string,
    { light: light as string, dark: dark as string },
  ]),
);

/** Relative luminance of WCAG 2. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const texts = ["text", "soft", "faint", "error", "warning", "good"];
const codes = ["code-key", "code-string", "code-number", "code-literal", "code-mark"];
const marks = [...colours.keys()].filter((name) => name.startsWith("mark-"));
const pairs: readonly (readonly [text: string, ground: string])[] = [
  ...texts.flatMap((text) => ["page", "panel", "hover"].map((ground) => [text, ground] as const)),
  ...codes.map((text) => [text, "field"] as const),
  ...["code-string", "code-number", "text"].flatMap((text) => marks.map((ground) => [text, ground] as const)),
  ["accent-text", "accent"],
  ["text", "linked"],
  ["text", "selection"],
];

describe("colours of the page", () => {
  it("are there for both themes", () => {
    expect(colours.size).toBeGreaterThan(25);
    expect(marks).toHaveLength(6);
  });

  for (const theme of ["light", "dark"] as const) {
    it.each(pairs)(`can be read in the ${theme} theme: %s on %s`, (text, ground) => {
      const ratio = contrast(colours.get(text)?.[theme] as string, colours.get(ground)?.[theme] as string);
      expect(ratio).toBeGreaterThanOrEqual(4.5);
    });
  }
});
