import { describe, expect, it } from "vitest";
import {
  type AuditCode,
  type AuditFinding,
  type AuditSeverity,
  auditResult,
  auditTools,
  createToolCodec,
  type ExactJson,
  IntegerLiteral,
  type PatchOperation,
  parseSchemaText,
} from "../../src/schema.js";
import { describeCorpus, jsonFiles, readJson } from "../support/corpus.js";

interface AuditRow {
  readonly name: string;
  readonly inputSchema: object;
  readonly finding?: readonly [code: AuditCode, severity: AuditSeverity, schemaPointer: string];
  /** Where it is a sentence; a patch is applied and must remove the finding. */
  readonly fix?: string;
}

/** The schema of an object with one member. */
function member(schema: unknown, name = "id") {
  return { type: "object", properties: { [name]: schema } };
}

const at = (name = "id") => `/inputSchema/properties/${name}`;

const rows: readonly AuditRow[] = [
  { name: "an integer id", inputSchema: member({ type: "integer" }), finding: ["unproven_id", "warning", at()] },
  { name: "an id typed number", inputSchema: member({ type: "number" }), finding: ["number_id", "warning", at()] },
  {
    name: "a declared int64",
    inputSchema: member({ type: "integer", format: "int64", title: "N" }, "n"),
    finding: ["wide_integer", "error", at("n")],
  },
  {
    name: "an integer of unproven width",
    inputSchema: member({ type: "integer" }, "limit"),
    finding: ["unproven_integer", "info", at("limit")],
  },
  {
    name: "an integer with one bound",
    inputSchema: member({ type: "integer", minimum: 1 }, "limit"),
    finding: ["unproven_integer", "info", at("limit")],
  },
  {
    name: "an integer with a bound that proves nothing",
    inputSchema: member({ type: "integer", minimum: 0, maximum: 2 ** 63 }, "n"),
    finding: ["wide_integer", "error", at("n")],
  },
  { name: "nothing about a small integer", inputSchema: member({ type: "integer", minimum: 0, maximum: 9 }) },
  { name: "nothing about decimal text", inputSchema: member({ type: "string", pattern: "^-?(?:0|[1-9][0-9]*)$" }) },
  {
    name: "an id shared with a count",
    inputSchema: {
      type: "object",
      properties: { id: { $ref: "#/$defs/I" }, n: { $ref: "#/$defs/I" } },
      $defs: { I: { type: "integer" } },
    },
    finding: ["unproven_id", "warning", "/inputSchema/$defs/I"],
    fix: "give the id a schema of its own, apart from the places that are no ids, and make it a decimal string",
  },
  {
    name: "an id that may be any text",
    inputSchema: member({ anyOf: [{ type: "integer" }, { type: "string" }] }),
    finding: ["mixed_union", "warning", `${at()}/anyOf/0`],
    fix: "accept only one of string and integer; for an id, a string of decimal digits",
  },
  {
    name: "branches of integer and number",
    inputSchema: member({ anyOf: [{ type: "integer" }, { type: "number" }] }, "n"),
    finding: ["mixed_union", "warning", `${at("n")}/anyOf/0`],
    fix: "accept only integers there, as a string of decimal digits if they may have 64 bits",
  },
  {
    name: "an unproven integer in a header",
    inputSchema: member({ type: "integer", "x-mcp-header": "X-Region" }, "region"),
    finding: ["header_integer", "error", at("region")],
  },
  {
    name: "a reference that leads nowhere",
    inputSchema: member({ $ref: "#/$defs/missing" }),
    finding: ["unresolved_ref", "error", `${at()}/$ref`],
    fix: "define what is referred to under $defs",
  },
  {
    name: "a reference to another host",
    inputSchema: member({ $ref: "https://example.com/a.json" }),
    finding: ["remote_ref", "error", `${at()}/$ref`],
    fix: "copy what is referred to into $defs; clients fetch nothing",
  },
  {
    name: "schemas that contradict each other",
    inputSchema: member({ allOf: [{ type: "string" }, { type: "boolean" }] }, "x"),
    finding: ["contradiction", "warning", `${at("x")}/allOf/0`],
    fix: "remove one of the schemas that contradict each other",
  },
  {
    name: "a type that is none",
    inputSchema: member({ type: "float" }, "x"),
    finding: ["keyword_mistake", "warning", `${at("x")}/type`],
  },
  {
    name: "an exclusive bound of draft-04",
    inputSchema: member({ type: "number", minimum: 0, exclusiveMinimum: true }, "x"),
    finding: ["keyword_mistake", "warning", `${at("x")}/exclusiveMinimum`],
  },
  {
    name: "a bound that is a string",
    inputSchema: member({ type: "number", minimum: "1" }, "x"),
    finding: ["keyword_mistake", "warning", `${at("x")}/minimum`],
  },
  {
    name: "a bound of a string",
    inputSchema: member({ type: "string", minimum: 1 }, "x"),
    finding: ["keyword_mistake", "warning", `${at("x")}/minimum`],
  },
  {
    name: "a list of items",
    inputSchema: member({ type: "array", items: [{ type: "string" }] }, "x"),
    finding: ["keyword_mistake", "warning", `${at("x")}/items`],
  },
  {
    name: "names that are numbers",
    inputSchema: member({ type: "object", propertyNames: { type: "integer" } }, "x"),
    finding: ["keyword_mistake", "warning", `${at("x")}/propertyNames`],
  },
  {
    name: "required at the member",
    inputSchema: member({ type: "string", required: true }, "x"),
    finding: ["keyword_mistake", "warning", `${at("x")}/required`],
  },
  { name: "a root without a type", inputSchema: {}, finding: ["keyword_mistake", "warning", "/inputSchema"] },
];

function applyPatch<T>(document: T, patch: readonly PatchOperation[]): T {
  const copy = structuredClone(document);
  for (const { op, path, value } of patch) {
    const tokens = path
      .slice(1)
      .split("/")
      .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
    const key = tokens.pop() as string;
    const parent = tokens.reduce<Record<string, unknown>>((at, token) => at[token] as never, copy as never);
    if (op !== "add" && !(key in parent)) throw new Error(`nothing at ${path}`);
    if (op === "remove") delete parent[key];
    else parent[key] = value;
  }
  return copy;
}

function plain({ code, severity, schemaPointer }: AuditFinding) {
  return [code, severity, schemaPointer];
}

describe("auditTools", () => {
  it.each(rows)("tells $name", ({ inputSchema, finding, fix }) => {
    const tool = { name: "t", inputSchema };
    const [found, ...others] = auditTools([tool]).filter(({ code }) => finding === undefined || code === finding[0]);
    expect(others).toEqual([]);
    if (finding === undefined || found === undefined) return expect(found === undefined).toBe(finding === undefined);
    expect(plain(found)).toEqual(finding);
    expect(found.tool).toBe("t");
    if (fix !== undefined) return expect(found.fix).toBe(fix);
    expect(auditTools([applyPatch(tool, found.patch ?? [])])).toEqual([]);
    return undefined;
  });

  it("prints a fix that says everything the patch does", () => {
    const [found] = auditTools([{ name: "t", inputSchema: member({ type: "integer", description: "The issue." }) }]);
    expect(found?.fix).toBe(
      'replace /inputSchema/properties/id with {"type":"string","pattern":"^-?(?:0|[1-9][0-9]*)$","description":"The issue. Decimal digits as text."}',
    );
  });

  it("prints constants with all their digits, and no patch with constants that may be rounded", () => {
    const text = `{"name":"t","inputSchema":{"type":"object","properties":{"id":{"type":"integer","minimum":-9007199254740993,
      "default":9007199254740993,"examples":[{"a":9007199254740995}]}}}}`;
    const [exact] = auditTools([parseSchemaText(text)]).filter(
      ({ code }) => code === "unproven_id" || code === "wide_integer",
    );
    expect(exact?.fix).toContain('"default":"9007199254740993","examples":[{"a":9007199254740995}]');
    expect(exact?.fix).toContain("from -9007199254740993");
    expect(exact?.patch).toHaveLength(1);
    const rounded = auditTools([JSON.parse(text)]).find(({ code }) => code === exact?.code);
    expect(rounded?.patch).toBeUndefined();
    expect(rounded?.fix).not.toMatch(/[0-9]{16}/);
  });

  it.each<[name: string, schema: unknown]>([
    ["a bound", { type: "integer", maximum: 2 ** 60 }],
    ["a constant", { type: "integer", format: "int64", const: 2 ** 60 }],
    ["an example", { type: "integer", examples: [2 ** 60] }],
    ["an example of a whole object", { type: "integer", examples: [{ id: 2 ** 60 }] }],
    ["an exclusive bound of draft-04", { type: "number", minimum: 2 ** 60, exclusiveMinimum: true }],
    ["a list of items", { type: "array", items: [{ const: 2 ** 60 }] }],
  ])("gives no patch with %s that may be rounded", (_, schema) => {
    const findings = auditTools([{ name: "t", inputSchema: member(schema) }]);
    expect(findings.length).toBeGreaterThan(0);
    for (const { fix, patch } of findings) {
      expect(fix).not.toMatch(/[0-9]{17}/);
      expect(JSON.stringify(patch) ?? "").not.toMatch(/[0-9]{17}/);
    }
  });

  it("keeps the patch where a bound is the end of a 64-bit type", () => {
    const schema = { type: "integer", minimum: -(2 ** 63), maximum: 2 ** 63 };
    const [found] = auditTools([{ name: "t", inputSchema: member(schema) }]);
    expect(found?.fix).toContain("from -9223372036854775808 to 9223372036854775807");
    expect(found?.patch).toHaveLength(1);
  });

  it("says in words what it cannot write as JSON", () => {
    const schema: { [keyword: string]: unknown } = { type: "integer" };
    schema.examples = [schema];
    const [found] = auditTools([{ name: "t", inputSchema: member(schema) }]);
    expect([found?.code, found?.patch]).toEqual(["unproven_id", undefined]);
  });

  it("looks at output schemas too, and puts the worst first", () => {
    const tool = {
      name: "t",
      inputSchema: member({ type: "integer" }, "limit"),
      outputSchema: { properties: { id: { type: "integer" }, n: { type: "integer", format: "uint64" } } },
    };
    expect(auditTools([tool]).map(plain)).toEqual([
      ["wide_integer", "error", "/outputSchema/properties/n"],
      ["unproven_id", "warning", "/outputSchema/properties/id"],
      ["unproven_integer", "info", "/inputSchema/properties/limit"],
    ]);
  });

  it("finds nothing wrong with the ids of a rewritten tool", () => {
    const tool = {
      name: "t",
      inputSchema: member({ type: "integer", format: "int64" }),
      outputSchema: member({ type: "number" }),
    };
    expect(auditTools([createToolCodec(tool).tool])).toEqual([]);
  });

  it.each<[name: string, tool: unknown, code: AuditCode, tool: string]>([
    ["null", null, "broken_tool", "#0"],
    ["a tool without a name", { inputSchema: {} }, "broken_tool", "#0"],
    ["a tool without a schema", { name: "t" }, "broken_tool", "t"],
    ["a schema that is none", { name: "t", inputSchema: 5 }, "broken_schema", "t"],
    ["a schema of broken text", { name: "t", inputSchema: "{" }, "broken_schema", "t"],
  ])("tells %s and does not throw", (_, tool, code, name) => {
    expect(auditTools([tool]).map(({ code, tool }) => [code, tool])).toEqual([[code, name]]);
  });

  it("tells a schema beyond the limits", () => {
    const inputSchema = {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, { minimum: i }])),
    };
    const found = auditTools([{ name: "t", inputSchema }], { limits: { schemaNodes: 10 } });
    expect(found.map(({ code }) => code)).toEqual(["over_limit"]);
  });

  it("refuses options that nobody reads", () => {
    expect(() => auditTools([], { exact: "all" } as never)).toThrow(TypeError);
  });
});

describe("auditResult", () => {
  const tool = {
    name: "t",
    outputSchema: {
      type: "object",
      properties: {
        id: { type: "integer" },
        code: { type: "string" },
        ratio: { type: "number" },
        orderId: { type: "number" },
        ids: { items: { type: "number" } },
        numbers: { items: { type: "number" } },
        list: { items: { type: "integer" } },
      },
    },
  };
  it.each<
    [name: string, structured: ExactJson | undefined, expected: [code: AuditCode, pointer: string | undefined][]]
  >([
    ["nothing about what fits", { id: 5, code: "5", ratio: 1.5, list: [1, 2], other: "x" }, []],
    ["nothing about exact literals", { id: new IntegerLiteral("1955516024755728386"), list: [2n ** 60n] }, []],
    ["digits as text", { id: "1955516024755728386" }, [["result_mismatch", "/id"]]],
    ["a fraction", { list: [1, 1.5] }, [["result_mismatch", "/list/1"]]],
    ["a number for text", { code: 5 }, [["result_mismatch", "/code"]]],
    [
      "lost digits",
      { id: 2 ** 60, list: [6.022e23], orderId: 2 ** 60, ids: [2 ** 60], other: 2 ** 60 },
      [
        ["result_rounded", "/id"],
        ["result_rounded", "/list/0"],
        ["result_rounded", "/orderId"],
        ["result_rounded", "/ids/0"],
        ["result_rounded", "/other"],
      ],
    ],
    ["nothing about measures", { ratio: 6.022e23, orderId: 6.022e23, other: 1e300, numbers: [2 ** 60] }, []],
    ["a missing result", undefined, [["result_mismatch", undefined]]],
  ])("tells %s", (_, structured, expected) => {
    expect(auditResult(tool, structured).map(({ code, pointer }) => [code, pointer])).toEqual(expected);
  });

  it("tells 100 findings at the most", () => {
    expect(auditResult(tool, { list: Array(1000).fill(1.5) }).length).toBe(100);
  });

  it("ends where data is shared without end", () => {
    const outputSchema = { properties: { a: { $ref: "#" }, b: { $ref: "#" }, id: { type: "integer" } } };
    let shared: ExactJson = {};
    for (let i = 0; i < 60; i++) shared = { a: shared, b: shared };
    const found = auditResult({ name: "t", outputSchema }, shared);
    expect(found).toMatchObject([{ code: "result_mismatch", pointer: "" }]);
    expect(found[0]?.message).toMatch(/more than 4000000 values/);
  });

  it("says nothing about a tool without an output schema, or with one that is none", () => {
    expect(auditResult({ name: "t" }, { id: "5" })).toEqual([]);
    expect(auditResult({ name: "t", outputSchema: 5 }, { id: "5" })).toEqual([]);
  });
});

describeCorpus("audit of the corpus", "corpus/tool-schemas", (folder) => {
  it("finds the ids of all 549 tools, no errors, in less than a second", () => {
    const tools = jsonFiles(folder)
      .filter((name) => name.includes("/"))
      .map((name) => readJson<object>(folder, name));
    auditTools(tools);
    const started = performance.now();
    const findings = auditTools(tools);
    const took = performance.now() - started;
    const count = (code: AuditCode) => findings.filter((finding) => finding.code === code).length;
    console.info(`549 tools audited in ${Math.round(took)} ms: ${findings.length} findings`);
    expect(tools.length).toBe(549);
    expect([count("number_id"), count("unproven_id"), count("unproven_integer")]).toEqual([83, 34, 219]);
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(took).toBeLessThan(5000);
  });
});
