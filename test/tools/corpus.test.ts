import { Validator } from "@cfworker/json-schema";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileHint, IntegerLiteral } from "../../src/index.js";
import { createToolCodec, type ExactJson, rewriteSchema } from "../../src/schema.js";
import { describeCorpus, jsonFiles, readJson } from "../support/corpus.js";
import { difference, readTree, toExact } from "../support/exact-json.js";
import { instanceTexts } from "../support/instances.js";

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly [keyword: string]: unknown };
  readonly outputSchema?: { readonly [keyword: string]: unknown };
}

/** Whether a schema is one under its own meta-schema, 2020-12 where it names none. */
const metaValidators = {
  draft7: new Ajv({ strict: false, logger: false }),
  draft2020: new Ajv2020({ strict: false, logger: false }),
};

function isValidSchema(schema: { readonly [keyword: string]: unknown }): boolean {
  const dialect = String(schema.$schema ?? "2020-12");
  const isDraft7 = dialect.includes("draft-07");
  if (!isDraft7 && !dialect.includes("2020-12")) return false;
  const { $schema: _, ...rest } = schema;
  return (isDraft7 ? metaValidators.draft7 : metaValidators.draft2020).validateSchema(rest) === true;
}

/** JSON as a validator can read it: literals become the nearest doubles, which have the same kind. */
function asPlain(json: ExactJson): unknown {
  if (json instanceof IntegerLiteral) return Number(json.digits);
  if (Array.isArray(json)) return json.map(asPlain);
  if (typeof json !== "object" || json === null) return typeof json === "bigint" ? Number(json) : json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, asPlain(value)]));
}

function isValid(schema: object, json: ExactJson): boolean {
  const draft = String((schema as { $schema?: string }).$schema ?? "").includes("draft-07") ? "7" : "2020-12";
  return new Validator(schema as never, draft).validate(asPlain(json)).valid;
}

/** An id typed `number` may be 1.5 by its schema, and is none by its name; nobody promises anything of it. */
function hasFractionalNumber(text: string): boolean {
  return /[0-9]\.[0-9]|[eE]-/.test(text);
}

/** By how many characters a schema is longer than it may be: four times the length, or 16 KiB more. */
function growth(rewritten: unknown, schema: unknown): number {
  const { length } = JSON.stringify(schema);
  return JSON.stringify(rewritten).length - length - Math.max(3 * length, 16 * 1024);
}

/** How often a schema says in words that it is digits, and how often that it is text of digits. */
function countDescribed(schema: unknown): readonly [described: number, patterns: number] {
  const text = JSON.stringify(schema);
  return [text.split("ecimal digits as text").length, text.split("(?:0|[1-9][0-9]*)$").length];
}

describeCorpus("tools of the corpus", "corpus/tool-schemas", (folder) => {
  const tools = jsonFiles(folder)
    .filter((name) => name.includes("/"))
    .map((name): [name: string, tool: Tool] => [name, readJson<Tool>(folder, name)]);
  const schemas = tools.flatMap(([name, { inputSchema, outputSchema }]) => [
    { name: `${name} input`, schema: inputSchema },
    ...(outputSchema === undefined ? [] : [{ name: `${name} output`, schema: outputSchema }]),
  ]);

  describe.each(["ids", "all"] as const)("rewritten with exact: %s", (exact) => {
    it("are valid under their meta-schema, compile, and twice is once", () => {
      let changed = 0;
      for (const { name, schema } of schemas) {
        const rewritten = rewriteSchema(schema, { exact }) as typeof schema;
        if (JSON.stringify(rewritten) !== JSON.stringify(schema)) changed++;
        if (isValidSchema(schema)) expect(isValidSchema(rewritten), name).toBe(true);
        expect(compileHint(rewritten).schemaIssues, name).toEqual(compileHint(schema).schemaIssues);
        expect(rewriteSchema(rewritten, { exact }), name).toEqual(rewritten);
        const [described, patterns] = countDescribed(rewritten);
        expect(described, name).toBe(patterns);
        expect(growth(rewritten, schema), name).toBeLessThanOrEqual(0);
      }
      console.info(`exact ${exact}: ${changed} of ${schemas.length} schemas rewritten`);
      expect(schemas.length).toBe(615);
      expect(changed).toBe(exact === "ids" ? 68 : 160);
    });

    it("are the same as text and as objects", () => {
      for (const { name, schema } of schemas) {
        const text = rewriteSchema(JSON.stringify(schema), { exact });
        expect(JSON.parse(text), name).toEqual(rewriteSchema(schema, { exact }));
      }
    });

    it("carry arguments that fit to the model and back, digit for digit", { timeout: 300_000 }, () => {
      let tried = 0;
      for (const { name, schema } of schemas) {
        const t = createToolCodec({ name, inputSchema: schema, outputSchema: schema }, { exact });
        const texts = fc.sample(instanceTexts(schema), { numRuns: 12, seed: 20261130 });
        for (const text of texts) {
          if (hasFractionalNumber(text)) continue;
          const json = toExact(readTree(text), "literal");
          if (json === undefined || !isValid(schema, json)) continue;
          tried++;
          const atModel = t.toModel(json);
          if (t.findings.length === 0) expect(isValid(t.tool.outputSchema, atModel), `${name}: ${text}`).toBe(true);
          const atServer = t.toServer(atModel);
          expect(isValid(schema, atServer), `${name}: ${text}`).toBe(true);
          expect(difference(atServer, json), `${name}: ${text}`).toBeUndefined();
        }
      }
      console.info(`exact ${exact}: ${tried} documents carried`);
      expect(tried).toBeGreaterThan(1500);
    });
  });
});

describeCorpus("golden files of generators", "corpus/generator-goldens", (folder) => {
  it("are rewritten, compile, and twice is once", () => {
    for (const name of jsonFiles(folder)) {
      const schema = readJson<object>(folder, name);
      const rewritten = rewriteSchema(schema as never, { exact: "all" });
      expect(rewriteSchema(rewritten, { exact: "all" }), name).toEqual(rewritten);
      expect(growth(rewritten, schema), name).toBeLessThanOrEqual(0);
      if (isValidSchema(schema as never)) expect(isValidSchema(rewritten as never), name).toBe(true);
    }
  });
});
