import { expect, it } from "vitest";
import { createStructCodec, createValueCodec } from "../src/index.js";
import { hasPath, paths } from "./paths.js";

it("names every method of the table once", () => {
  expect(new Set(paths.map((path) => path.method)).size).toBe(14);
});

for (const [name, codec] of [
  ["createStructCodec", createStructCodec()],
  ["createValueCodec", createValueCodec()],
] as const) {
  it(`${name} has every conversion (the missing ones are skipped in all other tests)`, () => {
    expect(paths.filter((path) => !hasPath(codec, path)).map((path) => path.method)).toEqual([]);
  });
}
