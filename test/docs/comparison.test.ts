import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cpp } from "../../playground/model/runtimes/cpp.js";
import { go } from "../../playground/model/runtimes/go.js";
import { java } from "../../playground/model/runtimes/java.js";
import { javascript } from "../../playground/model/runtimes/javascript.js";
import { python } from "../../playground/model/runtimes/python.js";
import { rust } from "../../playground/model/runtimes/rust.js";
import { createStructCodec } from "../../src/index.js";

const text = readFileSync(new URL("../../docs/comparison.md", import.meta.url), "utf8");
const section = text.slice(text.indexOf("## Struct to JSON in other languages"));
const doubles: { readonly [name: string]: number } = {
  "5": 5,
  "10^7": 1e7,
  "2^53": 2 ** 53,
  "−2^63": -(2 ** 63),
  "10^21": 1e21,
  "−0": -0,
};
const codec = createStructCodec({ properties: { v: { type: "integer" } } });

/** The cells of a row, without the signs of code and weight. */
function cellsOf(name: string): string[] {
  const line = section.split("\n").find((row) => row.startsWith(`| ${name} |`));
  return (line ?? "")
    .split("|")
    .slice(2, -1)
    .map((cell) => cell.replace(/[`*]/g, "").trim());
}

describe("the table of what languages write", () => {
  // The rules of the runtimes are tested against recordings of theirs.
  it.each(Object.entries(doubles))("says what they write for %s", (name, value) => {
    const ours = /:(.*)}$/.exec(codec.fieldToJsonString({ v: value }))?.[1];
    const written = [go, java, python, cpp, rust, javascript].map((runtime) => runtime.numeral(value));
    expect(cellsOf(name)).toEqual([...written, ours]);
  });
});
