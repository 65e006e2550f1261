import { expect, it } from "vitest";
import { compileHint, createValueCodec, type JsonSchema, type ValueCodec } from "../../src/index.js";
import { convert, type Path, pathsOf } from "../paths.js";
import { describeCorpus, jsonFiles, readText } from "../support/corpus.js";
import { integerDigits, readTree, type Tree } from "../support/exact-json.js";
import { knownFailures } from "./known-failures.js";

/** What the suite holds at the commit that was copied: groups, tests, valid tests. */
const drafts = {
  draft4: [199, 937, 503],
  draft6: [276, 1270, 696],
  draft7: [321, 1721, 939],
  "draft2019-09": [448, 2174, 1195],
  "draft2020-12": [461, 2225, 1228],
} as const;

for (const [draft, [groups, tests, valid]] of Object.entries(drafts)) {
  describeCorpus(`JSON-Schema-Test-Suite ${draft}`, `corpus/json-schema-test-suite/tests/${draft}`, (folder) => {
    const executed = { groups: 0, tests: 0, valid: 0 };
    for (const file of jsonFiles(folder)) {
      const test = knownFailures.jsonSchema.includes(`${draft}/${file}`) ? it.fails : it;
      test(file, () => {
        const failures: string[] = [];
        for (const group of (readTree(readText(folder, file)) as Tree & { kind: "array" }).items) {
          executed.groups++;
          checkGroup(group, failures, executed);
        }
        expect(failures).toEqual([]);
      });
    }
    it(`compiled ${groups} schemas and went round with ${valid} valid instances`, () => {
      expect(executed).toEqual({ groups, tests, valid });
    });
  });
}

function checkGroup(group: Tree, failures: string[], executed: { tests: number; valid: number }): void {
  const schema = textOf(member(group, "schema"));
  const title = textOf(member(group, "description"));
  let codecs: ValueCodec[];
  try {
    compileHint(JSON.parse(schema) as JsonSchema);
    const schemaText = compileHint(schema);
    codecs = [createValueCodec(schemaText, { int64: "schema" }), createValueCodec(schemaText, { int64: "bigint" })];
  } catch (error) {
    failures.push(`${title}: ${String(error)}`);
    return;
  }
  for (const test of (member(group, "tests") as Tree & { kind: "array" }).items) {
    executed.tests++;
    if (textOf(member(test, "valid")) !== "true") {
      continue;
    }
    executed.valid++;
    const data = textOf(member(test, "data"));
    for (const codec of codecs) {
      checkRoundTrips(codec, data, `${title} / ${textOf(member(test, "description"))}`, failures);
    }
  }
}

/** Text to Struct side to text over every pair of paths that fits together. */
function checkRoundTrips(codec: ValueCodec, data: string, title: string, failures: string[]): void {
  const isText = (path: Path) => path.from === "jsonString" || path.to === "jsonString";
  for (const there of pathsOf(codec, "decode").filter(isText)) {
    for (const back of pathsOf(codec, "encode").filter((path) => isText(path) && path.from === there.to)) {
      try {
        const text = convert(codec, back, convert(codec, there, data)) as string;
        if (spelled(readTree(text)) !== spelled(readTree(data))) {
          failures.push(`${title}: ${data} came back as ${text} (${there.method}, ${back.method})`);
        }
      } catch (error) {
        failures.push(`${title}: ${data}: ${String(error)}`);
      }
    }
  }
}

/** Integers by their digits; beyond the safe range the digits may be text where the schema says nothing about numbers. */
function spelled(tree: Tree): string {
  switch (tree.kind) {
    case "scalar": {
      if (!/^[-0-9]/.test(tree.raw)) {
        return JSON.stringify(JSON.parse(tree.raw));
      }
      const digits = integerDigits(tree.raw);
      if (digits === undefined) {
        return String(Number(tree.raw));
      }
      return Number.isSafeInteger(Number(digits)) ? digits : JSON.stringify(digits);
    }
    case "array":
      return `[${tree.items.map(spelled).join(",")}]`;
    case "object":
      return `{${tree.members
        .map(([key, , value]) => `${JSON.stringify(key)}:${spelled(value)}`)
        .sort()
        .join(",")}}`;
  }
}

function member(tree: Tree, key: string): Tree {
  const found = tree.kind === "object" ? tree.members.find(([name]) => name === key)?.[2] : undefined;
  if (found === undefined) {
    throw new Error(`the suite has no ${key} here`);
  }
  return found;
}

function textOf(tree: Tree): string {
  switch (tree.kind) {
    case "scalar":
      return tree.raw;
    case "array":
      return `[${tree.items.map(textOf).join(",")}]`;
    case "object":
      return `{${tree.members.map(([, raw, value]) => `${raw}:${textOf(value)}`).join(",")}}`;
  }
}
