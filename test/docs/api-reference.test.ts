import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { anchor } from "../../docs/generate/api-reference.js";
import { readDoors } from "../../docs/generate/read-doors.js";

const doors = readDoors();
const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const summary = JSON.parse(readFileSync(new URL("../../docs/summary.json", import.meta.url), "utf8")) as {
  readonly options: readonly { readonly name: string; readonly default?: string }[];
  readonly limits: readonly { readonly name: string }[];
  readonly codes: { readonly [kind: string]: readonly string[] };
};

/** Rows of a table of the README that stands below a line: its first cell, without the signs of code. */
function firstCells(heading: string): string[] {
  const table = readme.slice(readme.indexOf(heading)).split("\n\n")[0] as string;
  const cells = table
    .split("\n")
    .slice(2)
    .flatMap((row) => row.split("|")[1] ?? []);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word as string));
}

describe("the comments that the reference is made of", () => {
  it("stand at everything that is exported", () => {
    const gaps = doors.flatMap(({ path, exports }) =>
      exports.filter(({ comment }) => comment === "").map(({ name }) => `${path} ${name}`),
    );
    expect(gaps).toEqual([]);
  });

  it("stand at every option and every limit", () => {
    const owners = doors.flatMap(({ exports }) => exports.filter(({ name }) => /(?:Options|Limits)$/.test(name)));
    const gaps = owners.flatMap(({ name, members }) =>
      members.filter(({ comment }) => comment === "").map((member) => `${name}.${member.name}`),
    );
    expect(owners.length).toBeGreaterThan(5);
    expect([...new Set(gaps)]).toEqual([]);
  });

  it("are not lost where functions have overloads or defaults", () => {
    const find = (door: string, name: string) =>
      doors.find(({ path }) => path === door)?.exports.find((found) => found.name === name);
    expect(find(".", "createStructCodec")?.declaration).toBe(
      "function createStructCodec(source?: HintSource, options?: StructCodecOptions): StructCodec;",
    );
    expect(find("./schema", "rewriteSchema")?.declaration.split("\n")).toHaveLength(2);
    expect(find("./schema", "rewriteSchema")?.comment).toContain("Rewrite a schema for a model");
    expect(find(".", "IntegerLiteral")?.declaration).toContain("  get digits(): string;");
    expect(find(".", "IntegerLiteral")?.declaration).not.toContain("hasInstance");
  });
});

describe("the summary", () => {
  it("lists the options of the README, with their defaults", () => {
    expect(summary.options.map(({ name }) => name).sort()).toEqual(
      firstCells("| option | default |")
        .filter((name) => name !== "limits")
        .sort(),
    );
    expect(summary.limits.map(({ name }) => name)).toEqual(firstCells("| limit | default |"));
    expect(summary.options.find(({ name }) => name === "int64")?.default).toBe("string");
  });

  it("lists the codes of the README", () => {
    expect(summary.codes.StructCodecError?.toSorted()).toEqual(
      firstCells("| code of `StructCodecError` |")
        .filter((code) => code !== "strict" && !/^[a-z]+[A-Z]/.test(code))
        .sort(),
    );
    expect(summary.codes.issue).toEqual(firstCells("| code of an issue |"));
    expect(summary.codes.StructSchemaError).toEqual(firstCells("| code of `StructSchemaError` and"));
    expect(summary.codes.audit?.length).toBeGreaterThan(10);
  });
});

describe("anchors", () => {
  it("are those of GitHub", () => {
    expect(anchor("protobuf-struct-codec/schema")).toBe("protobuf-struct-codecschema");
    expect(anchor("Which `x`? (this)")).toBe("which-x-this");
  });
});
