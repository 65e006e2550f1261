import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readSnippets } from "../support/snippets.js";

const snippets = readSnippets(fileURLToPath(new URL("../../docs/wire.md", import.meta.url)));
const snippet = (language: string) => snippets.find((found) => found.language === language)?.text ?? "";

/** Python without its protobuf package: what the reader asks of a Value is little. */
const harness = `
import json, re, sys

class Value:
    def __init__(self, kind, value):
        self.kind = kind
        setattr(self, kind, value)

    def WhichOneof(self, _):
        return self.kind

READER
def read(kind, value):
    try:
        return str(read_int(Value(kind, float(value) if kind == "number_value" else value)))
    except ValueError:
        return "refused"

print(json.dumps([read(kind, value) for kind, value in json.load(sys.stdin)]))
`;

const rows: readonly (readonly [kind: string, value: string, read: string])[] = [
  ["number_value", "5", "5"],
  ["number_value", "-0.0", "0"],
  ["number_value", "9007199254740991", "9007199254740991"],
  ["number_value", "9007199254740992", "refused"],
  ["number_value", "-9007199254740992", "refused"],
  ["number_value", "5.5", "refused"],
  ["number_value", "nan", "refused"],
  ["number_value", "inf", "refused"],
  ["string_value", "1955516024755728386", "1955516024755728386"],
  ["string_value", "-9223372036854775808", "-9223372036854775808"],
  ["string_value", "0", "0"],
  ["string_value", "007", "refused"],
  ["string_value", "+5", "refused"],
  ["string_value", "5.0", "refused"],
  ["string_value", "5\n", "refused"],
  ["string_value", "\u0665", "refused"],
  ["bool_value", "true", "refused"],
];

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe("readers in other languages", () => {
  it.each(["go", "java", "kotlin", "python"])("have fifteen lines at most: %s", (language) => {
    const lines = snippet(language).trim().split("\n");
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThanOrEqual(15);
  });

  if (!hasPython) it.skip("skipped: no python3 was found to run the reader in Python", () => {});

  it.skipIf(!hasPython)("read what stands in a Struct: Python", () => {
    const program = harness.replace("READER", snippet("python"));
    const input = JSON.stringify(rows.map(([kind, value]) => [kind, value]));
    const { stdout, stderr } = spawnSync("python3", ["-c", program], { input, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual(rows.map(([, , read]) => read));
  });
});
