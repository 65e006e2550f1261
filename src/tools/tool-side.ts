import { type SchemaIssue, StructSchemaError } from "../base/errors.js";
import { getOwn } from "../base/own.js";
import { type CodecContext, createContext } from "../codec/context.js";
import { Conversion } from "../codec/conversion.js";
import type { ExactJson } from "../codec/exact-json.js";
import { type CodecOptions, codecLimitNames, codecOptionNames, resolveOptions } from "../codec/options.js";
import { createStructCodecWith, type StructCodec, type StructCodecTraits } from "../codec/struct-codec.js";
import { type HintSource, hintLimitNames } from "../hint/compile-hint.js";
import { ANY, type HintNode } from "../hint/node.js";
import { convertPlaces } from "./convert-places.js";
import { createModelHint } from "./model-hint.js";
import type { RewriteFinding } from "./rewrite-finding.js";
import { finishSchema, type RewriteOptions, rewriteAnalyzed } from "./rewrite-schema.js";
import type { ToolSchemaName } from "./tool.js";
import { digitsToNumber, numberToDigits } from "./tool-numbers.js";

/** What goes one way through a tool: its arguments, or its result. */
export interface ToolSide {
  /** The schema to advertise. */
  readonly schema: unknown;
  readonly server: StructCodec;
  readonly model: StructCodec;
  readonly schemaIssues: readonly SchemaIssue[];
  readonly findings: readonly RewriteFinding[];
  toServer(json: ExactJson): ExactJson;
  toModel(json: ExactJson): ExactJson;
}

/** The options of a tool codec, told apart. */
export interface SideOptions {
  readonly codec: CodecOptions;
  readonly hint: RewriteOptions;
}

/** Tell apart the options that say how to convert and those that say how to read a schema. */
export function splitOptions(options: CodecOptions & RewriteOptions): SideOptions {
  const codec: Record<string, unknown> = { limits: pick(options.limits ?? {}, codecLimitNames) };
  const hint: Record<string, unknown> = { limits: pick(options.limits ?? {}, hintLimitNames) };
  for (const name of Object.keys(options)) {
    if (name === "limits" || name === "onFinding") continue;
    (codecOptionNames.includes(name) ? codec : hint)[name] = getOwn(options, name);
  }
  return { codec, hint };
}

function pick(limits: object, names: readonly string[]): object {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(limits, name)).map((name) => [name, getOwn(limits, name)]),
  );
}

/** Compile one schema of a tool for both of its readers. A schema that is none at all is an issue and gives no hint. */
export function createToolSide(
  source: unknown,
  member: ToolSchemaName,
  options: SideOptions,
  missesSchema: boolean,
): ToolSide {
  const read = readSchema(source, member, options);
  const codec = { ...options.codec, int64: "schema" } as const;
  const create = (hint: HintSource, traits: StructCodecTraits): StructCodec =>
    createStructCodecWith(hint, codec, { ...traits, missesSchema });
  const typeName = member === "inputSchema" ? "tool arguments" : "tool result";
  const context = createContext(typeName, read.root, resolveOptions(codec), missesSchema);
  return {
    ...read,
    server: create(read.serverHint, {}),
    model: create(read.modelHint, { refusesUnsafeText: true }),
    toServer: (json) => convert(new Conversion(context, "decode"), json, read.places),
    toModel: (json) => convert(new Conversion(context, "encode"), json, read.places),
  };
}

function convert(conversion: Conversion, json: ExactJson, places: ReadonlySet<HintNode>): ExactJson {
  const { root }: CodecContext = conversion.context;
  const toPlace = conversion.direction === "decode" ? digitsToNumber : numberToDigits;
  const converted = convertPlaces(conversion, json, root, places, toPlace);
  conversion.finish();
  return converted;
}

interface ReadSchema extends Pick<ToolSide, "schema" | "schemaIssues" | "findings"> {
  readonly serverHint: HintSource;
  readonly modelHint: HintSource;
  readonly root: HintNode;
  readonly places: ReadonlySet<HintNode>;
}

function readSchema(source: unknown, member: ToolSchemaName, { hint }: SideOptions): ReadSchema {
  const absent = {
    schema: source,
    serverHint: undefined,
    modelHint: undefined,
    root: ANY,
    places: new Set<HintNode>(),
  };
  if (source === undefined) return { ...absent, schemaIssues: [], findings: [] };
  try {
    const rewritten = rewriteAnalyzed(source as HintSource, hint);
    const { analysis, plan, findings } = rewritten;
    const advertised = finishSchema(source, rewritten.schema);
    return {
      schema: advertised,
      serverHint: analysis.hint,
      modelHint: createModelHint(rewritten, advertised, hint.exact ?? "ids"),
      root: analysis.hint.root,
      places: plan.nodes,
      schemaIssues: analysis.hint.schemaIssues.map((issue) => inTool(issue, member)),
      findings: findings.map((finding) => inTool(finding, member)),
    };
  } catch (error) {
    if (!(error instanceof StructSchemaError)) throw error;
    // A tool of a stranger whose schema is no schema still has to be called.
    const issue: SchemaIssue = { code: error.code, schemaPointer: `/${member}`, message: error.message };
    return { ...absent, schemaIssues: [issue], findings: [] };
  }
}

function inTool<T extends { readonly schemaPointer: string }>(found: T, member: ToolSchemaName): T {
  return { ...found, schemaPointer: `/${member}${found.schemaPointer}` };
}
