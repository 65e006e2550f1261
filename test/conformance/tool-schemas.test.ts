import { expect, it } from "vitest";
import { compileHint, createStructCodec, type SchemaIssue } from "../../src/index.js";
import { describeCorpus, jsonFiles, readJson, readText } from "../support/corpus.js";

type Count = { compiled: number; issues: Record<string, number> };

function compile(source: object | string, count: Count, failures: string[], name: string): void {
  let issues: readonly SchemaIssue[];
  try {
    issues = compileHint(source as never).schemaIssues;
  } catch (error) {
    failures.push(`${name}: ${String(error)}`);
    return;
  }
  count.compiled++;
  for (const issue of issues) {
    count.issues[issue.code] = (count.issues[issue.code] ?? 0) + 1;
    if (issue.code === "too_large") {
      failures.push(`${name}: too_large at ${issue.schemaPointer}`);
    }
  }
}

function report(title: string, count: Count): void {
  const issues = Object.entries(count.issues).map(([code, n]) => `${code} ${n}`);
  console.info(`${title}: ${count.compiled} compiled; ${issues.length === 0 ? "no issues" : issues.join(", ")}`);
}

describeCorpus("tool schemas", "corpus/tool-schemas", (folder) => {
  interface Tool {
    readonly name: string;
    readonly inputSchema: object;
    readonly outputSchema?: object;
  }
  it("all 549 tools compile: 615 schemas, none over a limit, none with a broken part", () => {
    const count: Count = { compiled: 0, issues: {} };
    const failures: string[] = [];
    const names = jsonFiles(folder).filter((name) => name.includes("/"));
    for (const name of names) {
      const tool = readJson<Tool>(folder, name);
      compile(tool.inputSchema, count, failures, `${name} input`);
      if (tool.outputSchema !== undefined) {
        compile(tool.outputSchema, count, failures, `${name} output`);
      }
    }
    report("tool schemas", count);
    expect(failures).toEqual([]);
    expect(names.length).toBe(549);
    expect(count.compiled).toBe(615);
    expect(Object.keys(count.issues).filter((code) => code !== "unresolved_ref" && code !== "contradiction")).toEqual(
      [],
    );
  });

  it("a codec of every input schema writes and reads an empty object", () => {
    let n = 0;
    for (const name of jsonFiles(folder).filter((name) => name.includes("/"))) {
      const codec = createStructCodec(readJson<Tool>(folder, name).inputSchema as never);
      expect(codec.toJsonString(codec.fromJsonString("{}")), name).toBe("{}");
      n++;
    }
    expect(n).toBe(549);
  });
});

describeCorpus("golden files of generators", "corpus/generator-goldens", (folder) => {
  it("all 456 files compile, as objects and as texts", () => {
    const count: Count = { compiled: 0, issues: {} };
    const asText: Count = { compiled: 0, issues: {} };
    const failures: string[] = [];
    for (const name of jsonFiles(folder)) {
      compile(readJson<object>(folder, name), count, failures, name);
      compile(readText(folder, name), asText, failures, `${name} as text`);
    }
    report("golden files", count);
    expect(failures).toEqual([]);
    expect(count.compiled).toBe(456);
    expect(asText).toEqual(count);
  });

  it("the component schemas of OpenAPI files compile each on its own", () => {
    const count: Count = { compiled: 0, issues: {} };
    const failures: string[] = [];
    for (const name of jsonFiles(folder)) {
      const document = readJson<{ definitions?: object; components?: { schemas?: object } }>(folder, name);
      const pool = { ...document.definitions, ...document.components?.schemas };
      for (const key of Object.keys(pool)) {
        const home = Object.hasOwn(document.components?.schemas ?? {}, key) ? "components/schemas" : "definitions";
        const pointer = `#/${home}/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`;
        const { definitions = {}, components = {} } = document;
        compile({ $ref: pointer, definitions, components }, count, failures, `${name} ${key}`);
      }
    }
    report("component schemas", count);
    expect(failures).toEqual([]);
    expect(count.compiled).toBeGreaterThan(300);
  });
});

describeCorpus("recorded outputs of generators", "corpus/generator-outputs", (folder) => {
  it("all 996 schemas of 23 recordings compile", () => {
    const count: Count = { compiled: 0, issues: {} };
    const failures: string[] = [];
    const names = jsonFiles(folder);
    for (const name of names) {
      const recording = readJson<{ outputs: { source: string; schema: object }[] }>(folder, name);
      for (const { source, schema } of recording.outputs) {
        compile(schema, count, failures, `${name} ${source}`);
      }
    }
    report("recorded outputs", count);
    expect(failures).toEqual([]);
    expect(names.length).toBe(23);
    expect(count.compiled).toBe(996);
  });
});
