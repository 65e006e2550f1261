import { type SchemaIssue, StructSchemaError } from "../base/errors.js";
import { refuseUnknownNames } from "../base/option-names.js";
import { defineHidden, getOwn } from "../base/own.js";
import { exceedsBytes } from "../base/utf8.js";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject } from "../json-schema/json-schema.js";
import { parseSchema, type Spellings } from "../json-schema/parse-schema.js";
import { indexReferences, type ReferenceIndex } from "../json-schema/references.js";
import { isStandardSchema, printStandardSchema, type StandardJsonSchema } from "../json-schema/standard-schema.js";
import type { PatternMatcher } from "./children.js";
import type { ExactOption } from "./exact.js";
import { Expander } from "./expand.js";
import { type Explanation, explainNode } from "./explain.js";
import { GraphBuilder } from "./graph.js";
import { IssueLog } from "./issue-log.js";
import type { HintNode } from "./node.js";
import { ANY } from "./node.js";
import { StepBudget } from "./step-budget.js";
import { noTerms } from "./terms.js";

/**
 * Where a hint comes from: a JSON Schema as an object, a boolean or JSON *text* (which keeps the digits of big constants), a
 * Standard JSON Schema (zod, arktype, valibot), or a hint compiled before. `undefined` is no schema.
 */
export type HintSource = JsonSchema | string | StandardJsonSchema | CompiledHint | undefined;

/** Options that change what a schema means. */
export interface HintOptions {
  /** Defaults to "declared": no integer of unproven width counts as wide. "ids" takes those with id-like names, "all" every one. */
  exact?: ExactOption | undefined;
  /** Defaults to "input". Which side of a Standard Schema to read. */
  io?: "input" | "output" | undefined;
  /** Further documents that references may name, by URI. Nothing is ever fetched. */
  documents?: { readonly [uri: string]: JsonSchema } | undefined;
  /** Makes the test for a pattern of `patternProperties`; the default decides in linear time or not at all. */
  matchPattern?: PatternMatcher | undefined;
  /** Limits on one schema. */
  limits?: HintLimits | undefined;
}

/** Limits on one schema. Beyond them a part gives no hint, and there is an issue. */
export interface HintLimits {
  /** Defaults to 10,000 nodes of the compiled graph. */
  schemaNodes?: number | undefined;
  /** Defaults to 256 nested containers of the schema. */
  schemaDepth?: number | undefined;
  /** Defaults to 1 MiB of schema text. */
  schemaBytes?: number | undefined;
}

// A symbol: no JSON from a stranger can pretend to be compiled. Hints of another copy of the package are taken too.
const brand = Symbol.for("protobuf-struct-codec.CompiledHint");
/** Under which a hint keeps its schema, for tools that are given the hint. */
const sourceKey = Symbol.for("protobuf-struct-codec.CompiledHint.source");

/** A schema compiled once, to be shared by codecs. Immutable. */
export interface CompiledHint {
  /** What could not be read; nothing is hinted there. */
  readonly schemaIssues: readonly SchemaIssue[];
  /** What the hint says about a place in the data, and the schemas it came from. */
  explain(pointer: string): Explanation;
}

/** A hint as the codecs see it. */
export interface HintGraph extends CompiledHint {
  readonly root: HintNode;
}

export const hintOptionNames: readonly string[] = ["exact", "io", "documents", "matchPattern", "limits"];
export const hintLimitNames: readonly string[] = ["schemaNodes", "schemaDepth", "schemaBytes"];

/**
 * Compile a schema into a hint. Throws `StructSchemaError` only where the root is no schema at all, and `TypeError` for a wrong
 * option, which any is beside a compiled hint.
 */
export function compileHint(source: HintSource, options: HintOptions = {}): CompiledHint {
  const limits = getOwn(options, "limits") ?? {};
  refuseUnknownNames(options, hintOptionNames, "option");
  refuseUnknownNames(limits, hintLimitNames, "limit");
  if (isCompiledHint(source)) refuseHintOptions(options, limits);
  return compileGraph(source, options);
}

/** The schema of a compiled hint was read already; options about reading it would silently do nothing. */
export function refuseHintOptions(options: object, limits: object): void {
  for (const name of hintOptionNames) {
    if (name !== "limits" && Object.hasOwn(options, name))
      throw new TypeError(`option "${name}" beside a compiled hint`);
  }
  for (const name of hintLimitNames) {
    if (Object.hasOwn(limits, name)) throw new TypeError(`limit "${name}" beside a compiled hint`);
  }
}

/** Whether a source was compiled before. */
export function isCompiledHint(source: unknown): source is HintGraph {
  return typeof source === "object" && source !== null && (source as Record<symbol, unknown>)[brand] === true;
}

/** `compileHint` for the codecs, which walk the graph. */
export function compileGraph(source: HintSource, options: HintOptions): HintGraph {
  return isCompiledHint(source) ? source : compileSchema(source, options).hint;
}

/** A compiled schema with what the compiler knows about it, for tools that change or judge the schema itself. */
export interface CompiledSchema {
  readonly schema: unknown;
  /** Numbers of a schema text that are spelled unlike their value, by the container they stand in. */
  readonly spellings: Spellings;
  readonly hint: HintGraph;
  /** Undefined where the schema is a boolean or absent. */
  readonly parts: CompilerParts | undefined;
}

/** What stands behind a graph. */
export interface CompilerParts {
  readonly references: ReferenceIndex;
  readonly expander: Expander;
  readonly graph: GraphBuilder;
}

/** Compile a schema that was not compiled before, and keep what stands behind the hint. */
export function compileSchema(source: HintSource, options: HintOptions): CompiledSchema {
  const log = new IssueLog();
  const resolved = resolveHintOptions(options);
  const read = readSource(source, resolved.io, resolved.schemaBytes, log);
  const parts = isSchemaObject(read.schema) ? createParts(read.schema, resolved, log) : undefined;
  const root = parts === undefined ? ANY : buildGraph(parts, read.schema, resolved.exact);
  return { ...read, hint: createHint(root, log.issues, read), parts };
}

/** Make a hint of a graph and the schema that it stands for. */
export function createHint(root: HintNode, schemaIssues: readonly SchemaIssue[], source: SchemaSource): HintGraph {
  const hint: HintGraph = { root, schemaIssues, explain: (pointer) => explainNode(root, pointer) };
  defineHidden(hint, brand, true);
  defineHidden(hint, sourceKey, source);
  return hint;
}

interface ResolvedHintOptions {
  readonly exact: ExactOption;
  readonly io: "input" | "output";
  readonly documents: HintOptions["documents"];
  readonly matchPattern: PatternMatcher | undefined;
  readonly schemaNodes: number;
  readonly schemaDepth: number;
  readonly schemaBytes: number;
}

/** Every option with its value, whether the schema at hand needs it or not. */
function resolveHintOptions(options: HintOptions): ResolvedHintOptions {
  const limits = getOwn(options, "limits") ?? {};
  if (!isSchemaObject(limits)) throw new TypeError("limits must be an object");
  return {
    exact: readExact(getOwn(options, "exact")),
    io: readIo(getOwn(options, "io")),
    documents: readDocuments(getOwn(options, "documents")),
    matchPattern: readMatcher(getOwn(options, "matchPattern")),
    schemaNodes: readLimit(limits, "schemaNodes", 10_000),
    schemaDepth: readLimit(limits, "schemaDepth", 256),
    schemaBytes: readLimit(limits, "schemaBytes", 1024 * 1024),
  };
}

function createParts(root: JsonSchemaObject, options: ResolvedHintOptions, log: IssueLog): CompilerParts {
  const { documents, schemaDepth, schemaNodes, matchPattern } = options;
  const references = indexReferences(root, documents, schemaDepth);
  const budget = new StepBudget(log);
  const expander = new Expander(references, log, budget, schemaDepth);
  return { references, expander, graph: new GraphBuilder(expander, log, budget, schemaNodes, matchPattern) };
}

function buildGraph({ expander, graph }: CompilerParts, schema: unknown, exact: ExactOption): HintNode {
  const terms = expander.expand(schema, { pointer: "", base: "", depth: 1 });
  return graph.build(terms ?? noTerms, exact);
}

/** A schema as it was read. */
export type SchemaSource = Pick<CompiledSchema, "schema" | "spellings">;

const noSpellings: Spellings = new Map();

function readSource(source: unknown, io: "input" | "output", mostBytes: number, log: IssueLog): SchemaSource {
  if (source === undefined || typeof source === "boolean") return { schema: source, spellings: noSpellings };
  if (isCompiledHint(source)) return sourceOf(source);
  if (typeof source === "string") {
    if (exceedsBytes(source, mostBytes))
      throw new StructSchemaError("too_large", `schema text has more than ${mostBytes} bytes`);
    const { schema, repeatedKeys, spellings } = parseSchema(source);
    if (repeatedKeys) log.add("invalid_schema", "", "schema text repeats a key");
    return { schema: requireSchema(schema), spellings };
  }
  if (isStandardSchema(source)) {
    return { schema: printStandardSchema(source as unknown as StandardJsonSchema, io), spellings: noSpellings };
  }
  return { schema: requireSchema(source), spellings: noSpellings };
}

/** The schema that a hint was compiled from, undefined where there was none. */
export function schemaOf(hint: CompiledHint): unknown {
  return sourceOf(hint).schema;
}

function sourceOf(hint: CompiledHint): SchemaSource {
  const read = (hint as object as Readonly<Record<symbol, SchemaSource | undefined>>)[sourceKey];
  if (read !== undefined) return read;
  throw new StructSchemaError("invalid_schema", "a hint of another version of the package does not know its schema");
}

function requireSchema(schema: unknown): unknown {
  if (typeof schema === "boolean" || isSchemaObject(schema)) return schema;
  throw new StructSchemaError("invalid_schema", "a schema is an object or a boolean");
}

function readIo(io: unknown): "input" | "output" {
  if (io === undefined || io === "input" || io === "output") return io ?? "input";
  throw new TypeError("io must be one of input, output");
}

function readExact(exact: unknown): ExactOption {
  if (exact === undefined || exact === "declared" || exact === "ids" || exact === "all") return exact ?? "declared";
  if (typeof exact === "function") return exact as ExactOption;
  throw new TypeError("exact must be one of declared, ids, all, or a function");
}

function readDocuments(documents: unknown): HintOptions["documents"] {
  if (documents === undefined || isSchemaObject(documents)) return documents as HintOptions["documents"];
  throw new TypeError("documents must be an object of schemas by URI");
}

function readMatcher(matcher: unknown): PatternMatcher | undefined {
  if (matcher === undefined || typeof matcher === "function") return matcher as PatternMatcher | undefined;
  throw new TypeError("matchPattern must be a function");
}

function readLimit(limits: object, name: string, otherwise: number): number {
  const value = getOwn(limits, name) ?? otherwise;
  if (typeof value === "number" && value >= 0 && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY))
    return value;
  throw new TypeError(`${name} must be a whole number from 0`);
}
