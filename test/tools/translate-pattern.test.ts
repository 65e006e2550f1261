import { describe, expect, it } from "vitest";
import { translatePattern } from "../../src/tools/translate-pattern.js";

describe("translatePattern", () => {
  it.each<[pattern: string, translated: string | undefined]>([
    ["^[a-z]+$", "^[a-z]+$"],
    ["^(?:a|b)*?\\.\\/\\\\$", "^(?:a|b)*?\\.\\/\\\\$"],
    ["a{2,3}", "a{2,3}"],
    ["a.b", "a[^\\n]b"],
    ["[.]", "[.]"],
    ["\\s[\\s\\d]\\S", "[\\t\\n\\f\\r ][\\t\\n\\f\\r \\d][^\\t\\n\\f\\r ]"],
    ["\\Aab\\z", "^ab$"],
    ["(?P<year>[0-9]{4})-\\d", "(?:[0-9]{4})-\\d"],
    ["\\pL\\PN\\p{Lu}", "\\p{L}\\P{N}\\p{Lu}"],
    ["\\-\\_\\@", "-_@"],
    ["[a\\-z]", "[a\\-z]"],
    // A brace or bracket that begins or ends nothing is itself.
    ["a{,5}x{]", "a\\{,5\\}x\\{\\]"],
    ["\u{1f600}+", "\u{1f600}+"],
    ["(?i)abc", undefined],
    ["(?i:abc)", undefined],
    ["(?s).", undefined],
    ["(?=a)", undefined],
    ["(?<!a)b", undefined],
    ["[[:alpha:]]", undefined],
    ["[]a]", undefined],
    ["[^\\S]", undefined],
    ["\\p{Greek}", undefined],
    ["\\p{^L}", undefined],
    ["\\Qa.b\\E", undefined],
    ["\\C", undefined],
    ["\\123", undefined],
    ["\\x41", undefined],
    ["\\k", undefined],
    ["a**", undefined],
    ["[a", undefined],
    ["(a", undefined],
    ["\\", undefined],
  ])("writes %s as %s", (pattern, translated) => {
    expect(translatePattern(pattern)).toBe(translated);
  });
});
