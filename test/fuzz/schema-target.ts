import { compileHint, type JsonSchemaObject, StructCodecError, StructSchemaError } from "../../src/index.js";
import { auditTools, createToolCodec, rewriteSchema } from "../../src/schema.js";
import { toHex } from "../support/wire.js";
import { checkHinted } from "./bytes-target.js";
import { createFuzzCodec, optionSets, withoutSchema } from "./codec-set.js";
import { mutateSchema, type SchemaJson } from "./mutate-schema.js";
import { mutateText } from "./mutate-text.js";
import { mutateWire } from "./mutate-wire.js";
import { Complaint, require, writeJson } from "./outcome.js";
import type { Random } from "./random.js";
import { readTextReference } from "./reference-text.js";
import { looseText } from "./same-value.js";
import type { Seeds } from "./seeds.js";
import { cutLengths, Pool, type Target } from "./target.js";
import { checkHintedText } from "./text-target.js";

/** A schema of a stranger with documents of another. */
export interface SchemaInput {
  readonly schema: SchemaJson;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly which: number;
}

const longest = 6000;
/** What compiling a schema may take, in seconds of this process: far more than the budget of steps allows. */
const slow = 5;

/** Schemas, with bytes and texts to convert by them. */
export class SchemaTarget implements Target<SchemaInput> {
  readonly name = "schema";
  readonly gaps: Map<string, number> = new Map();
  readonly #schemas: Pool<SchemaJson>;
  readonly #seeds: Seeds;
  readonly #isTimed: boolean;

  /** Times are for long runs by hand: a test must not depend on them. */
  constructor(seeds: Seeds, isTimed: boolean) {
    this.#seeds = seeds;
    this.#schemas = new Pool(seeds.schemas);
    this.#isTimed = isTimed;
  }

  make(random: Random): SchemaInput {
    const { items } = this.#schemas;
    const schema = mutateSchema(random, random.pick(items), items);
    const { structs, texts } = this.#seeds;
    return {
      schema: JSON.stringify(schema).length <= longest ? schema : random.pick(this.#seeds.schemas),
      bytes: mutateWire(random, random.pick(structs), structs, "struct").subarray(0, 2000),
      text: mutateText(random, random.pick(texts), texts).slice(0, 2000),
      which: random.below(optionSets.length),
    };
  }

  check({ schema, bytes, text, which }: SchemaInput): boolean {
    const written = JSON.stringify(schema);
    const start = process.cpuUsage().user;
    const isCompiled = checkCompile(schema, written);
    const seconds = (process.cpuUsage().user - start) / 1e6;
    require(!this.#isTimed || seconds < slow, "a schema takes long to compile", () => `${seconds} s`);
    if (!isCompiled) return false;
    const options = optionSets[which] ?? {};
    // As text, so that numbers are read by the codec's own reader.
    for (const source of [schema as JsonSchemaObject | boolean, written]) {
      const hinted = createFuzzCodec(source, options);
      checkHinted(bytes, hinted, withoutSchema(options));
      checkHintedText(text, hinted, withoutSchema(options));
    }
    checkTools(schema, text);
    require(JSON.stringify(schema) === written, "a schema was changed", () => JSON.stringify(schema));
    return true;
  }

  keep({ schema }: SchemaInput): void {
    this.#schemas.add(schema);
  }

  *shrink(input: SchemaInput): Generator<SchemaInput> {
    for (const schema of smallerSchemas(input.schema)) yield { ...input, schema };
    for (const [start, end] of cutLengths(input.text.length)) {
      yield { ...input, text: input.text.slice(0, start) + input.text.slice(end) };
    }
    for (const [start, end] of cutLengths(input.bytes.length)) {
      yield { ...input, bytes: Uint8Array.from([...input.bytes.subarray(0, start), ...input.bytes.subarray(end)]) };
    }
  }

  show({ schema, bytes, text, which }: SchemaInput): string {
    return [
      `schema ${JSON.stringify(schema)}`,
      `options ${JSON.stringify(optionSets[which])}`,
      `bytes ${toHex(bytes)}`,
      `text ${JSON.stringify(text)}`,
    ].join("\n");
  }
}

/** Whether it is a schema at all. Whatever it is, its parts may be asked for. */
function checkCompile(schema: SchemaJson, written: string): boolean {
  for (const source of [schema as JsonSchemaObject, written]) {
    try {
      const hint = compileHint(source);
      require(hint.schemaIssues.length <= 100, "a schema has more than 100 issues", () => written);
      for (const pointer of ["", "/a", "/id/0", "/a/b/c", "/list/1", "/~0/~1"]) hint.explain(pointer);
    } catch (error) {
      if (error instanceof StructSchemaError) return false;
      if (error instanceof Complaint) throw error;
      throw new Complaint(`compileHint throws ${(error as Error).name}`, `${(error as Error).stack}`);
    }
  }
  return true;
}

/** Tools that show the schema to a model: it is rewritten once and for all, and values keep their value. */
function checkTools(schema: SchemaJson, text: string): void {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  const source = schema as JsonSchemaObject;
  const written = JSON.stringify(source);
  const rewritten = rewriteSchema(source);
  const twice = rewriteSchema(rewritten as JsonSchemaObject);
  require(writeSchema(twice) === writeSchema(rewritten), "rewriting twice changes a schema", () =>
    `${writeSchema(rewritten)}\n${writeSchema(twice)}`);
  const length = writeSchema(rewritten).length;
  require(length <= 8 * written.length + 1000, "a rewritten schema is much longer", () =>
    `${written.length} to ${length}`);
  auditTools([{ name: "t", inputSchema: source, outputSchema: source }]);
  const tool = createToolCodec({ name: "t", inputSchema: source, outputSchema: source });
  // What `JSON.parse` makes infinite is no JSON value.
  if (readTextReference(text)?.objections.size !== 0) return;
  const value = JSON.parse(text) as object;
  for (const convert of [tool.toServer, tool.toModel]) {
    try {
      const converted = convert(value as never);
      require(looseText(writeJson(converted)) === looseText(writeJson(value)), "a tool's value changes", () =>
        writeJson(converted));
    } catch (error) {
      if (!(error instanceof StructCodecError)) throw error;
    }
  }
}

/** As `JSON.stringify`, with the digits of bigints. */
function writeSchema(schema: unknown): string {
  return JSON.stringify(schema, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
}

/** The schema without one of its members or items, and with a part of it in its place. */
function* smallerSchemas(schema: SchemaJson): Generator<SchemaJson> {
  if (typeof schema !== "object" || schema === null) return;
  for (const key of Object.keys(schema)) {
    const without = structuredClone(schema);
    if (Array.isArray(without)) without.splice(Number(key), 1);
    else delete without[key];
    yield without;
    const below = (schema as { [key: string]: SchemaJson })[key] as SchemaJson;
    if (typeof below === "object" && below !== null) yield below;
    for (const smaller of smallerSchemas(below)) {
      const changed = structuredClone(schema);
      Object.defineProperty(changed, key, { value: smaller, writable: true, enumerable: true, configurable: true });
      yield changed;
    }
  }
}
