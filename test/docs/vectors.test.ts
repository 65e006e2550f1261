import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Vector } from "../../docs/generate/vectors.js";
import {
  createStructCodec,
  createValueCodec,
  type HintSource,
  type Issue,
  StructCodecError,
  type StructCodecOptions,
} from "../../src/index.js";
import { hex, toHex } from "../support/wire.js";

const file = JSON.parse(readFileSync(new URL("../../docs/vectors.json", import.meta.url), "utf8")) as {
  readonly version: number;
  readonly rows: readonly Vector[];
};

/** What a row gives in one direction, from nothing but what stands in the file. */
function run(row: Vector, direction: "encode" | "decode"): Pick<Vector, "text" | "wire" | "issues" | "error"> {
  const issues: Issue[] = [];
  const options: StructCodecOptions = { ...row.options, onIssues: (found) => void issues.push(...found) };
  const create = row.root === "Value" ? createValueCodec : createStructCodec;
  const codec = create(row.schema as HintSource, options);
  try {
    const output =
      direction === "encode"
        ? { text: codec.binaryToJsonString(hex(row.wire as string)) }
        : { wire: toHex(codec.jsonStringToBinary(row.text as string)) };
    return { ...output, issues: sortIssues(issues) };
  } catch (error) {
    if (!(error instanceof StructCodecError)) throw error;
    return { error: { codes: [error.code], pointer: error.pointer } };
  }
}

function sortIssues(issues: readonly { code: string; pointer: string }[]): NonNullable<Vector["issues"]> {
  const plain = issues.map(({ code, pointer }) => ({ code, pointer }));
  return plain.sort((a, b) => (`${a.code} ${a.pointer}` < `${b.code} ${b.pointer}` ? -1 : 1));
}

describe("vectors.json", () => {
  it("holds rows of both directions, with results and with errors", () => {
    expect(file.version).toBe(1);
    for (const direction of ["encode", "decode"]) {
      const rows = file.rows.filter((row) => row.direction === direction);
      expect(rows.filter((row) => row.error === undefined).length).toBeGreaterThan(100);
      expect(rows.filter((row) => row.error !== undefined).length).toBeGreaterThan(20);
    }
  });

  it("names each row once within its subject", () => {
    const names = file.rows.map((row) => `${row.subject}: ${row.name} ${row.direction}`);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  const directions = (row: Vector) => (row.direction === "both" ? (["encode", "decode"] as const) : [row.direction]);
  for (const row of file.rows) {
    for (const direction of directions(row)) {
      it(`${row.subject}: ${row.name} (${direction})`, () => {
        const { error, ...output } = run(row, direction);
        if (row.error !== undefined) {
          expect(row.error.codes).toContain(error?.codes[0]);
          if (row.error.pointer !== undefined) expect(error?.pointer).toBe(row.error.pointer);
          return;
        }
        const expected = direction === "encode" ? { text: row.text } : { wire: row.wire };
        expect({ ...output, error }).toEqual({ ...expected, issues: sortIssues(row.issues ?? []), error: undefined });
      });
    }
  }
});
