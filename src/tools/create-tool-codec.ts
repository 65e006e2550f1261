import type { SchemaIssue } from "../base/errors.js";
import { refuseUnknownNames } from "../base/option-names.js";
import { copyOwn } from "../base/own.js";
import type { ExactJson } from "../codec/exact-json.js";
import { type CodecLimits, type CodecOptions, codecLimitNames, codecOptionNames } from "../codec/options.js";
import type { StructCodec } from "../codec/struct-codec.js";
import { type HintLimits, hintLimitNames, hintOptionNames } from "../hint/compile-hint.js";
import type { RewriteFinding } from "./rewrite-finding.js";
import type { RewriteOptions } from "./rewrite-schema.js";
import { type AdvertisedTool, requireTool, type ToolLike } from "./tool.js";
import { createToolSide, splitOptions, type ToolSide } from "./tool-side.js";

/**
 * Options of a tool codec: those of `rewriteSchema` and of a codec. `int64` is not among them, since each side has the
 * schema that says how its integers are written.
 */
export type ToolCodecOptions = Omit<CodecOptions, "int64" | "limits"> &
  Omit<RewriteOptions, "limits"> & { limits?: (CodecLimits & HintLimits) | undefined };

/** Codecs of one reader: the model, or the server. */
export interface ToolCodecPair {
  readonly args: StructCodec;
  readonly result: StructCodec;
}

/** Stands between a model, which sends 64-bit integers as text, and a server, which wants them as numbers. */
export interface ToolCodec<Tool> {
  /** Advertise this: the tool with both schemas rewritten. */
  readonly tool: AdvertisedTool<Tool>;
  /** What could not be read of the schemas. Pointers lead into the tool. */
  readonly schemaIssues: readonly SchemaIssue[];
  /** What could not be rewritten. Pointers lead into the tool. */
  readonly findings: readonly RewriteFinding[];
  /**
   * Convert arguments of the model for the server: digits become integers at exactly the places that were rewritten. A
   * number is accepted there too where it is safe; beyond ±(2^53−1) it is the error `unsafe_integer`.
   */
  toServer(modelArgs: ExactJson): ExactJson;
  /** Convert a structured result of the server for the model: integers become digits at exactly those places. */
  toModel(structured: ExactJson): ExactJson;
  /** Between Structs and what the model sends and reads. */
  readonly model: ToolCodecPair;
  /** Between Structs and what the server reads and sends. */
  readonly server: ToolCodecPair;
}

/** Create the codec of a tool. A tool without a schema, or with a broken one, is passed through there. */
export function createToolCodec<Tool extends ToolLike>(tool: Tool, options: ToolCodecOptions = {}): ToolCodec<Tool> {
  return compileTool(tool, readToolOptions(options));
}

/** The codec of a tool that nobody listed: nothing is hinted, and every conversion has the issue `no_schema`. */
export function createMissingToolCodec(name: string, options: ToolCodecOptions): ToolCodec<{ readonly name: string }> {
  return compileTool({ name }, options, true);
}

/** The options themselves. A misspelt one would silently do nothing, and `int64` would contradict the schemas. */
export function readToolOptions(options: ToolCodecOptions): ToolCodecOptions {
  const known = [...codecOptionNames, ...hintOptionNames, "onFinding"].filter((name) => name !== "int64");
  refuseUnknownNames(options, known, "option");
  const own = copyOwn(options);
  refuseUnknownNames(own.limits ?? {}, [...codecLimitNames, ...hintLimitNames], "limit");
  return own;
}

/** `createToolCodec` for options that were looked at. */
export function compileTool<Tool extends ToolLike>(
  tool: Tool,
  options: ToolCodecOptions,
  missesSchema = false,
): ToolCodec<Tool> {
  const { inputSchema, outputSchema } = requireTool(tool);
  const sideOptions = splitOptions(options);
  const args = createToolSide(inputSchema, "inputSchema", sideOptions, missesSchema);
  // What a server sends is read by the output side of a Standard Schema.
  const outputOptions = { ...sideOptions, hint: { io: "output" as const, ...sideOptions.hint } };
  const result = createToolSide(outputSchema, "outputSchema", outputOptions, missesSchema);
  const findings = [...args.findings, ...result.findings];
  for (const finding of findings) options.onFinding?.(finding);
  return {
    tool: advertise(tool, args, result),
    schemaIssues: [...args.schemaIssues, ...result.schemaIssues],
    findings,
    toServer: args.toServer,
    toModel: result.toModel,
    model: { args: args.model, result: result.model },
    server: { args: args.server, result: result.server },
  };
}

function advertise<Tool extends ToolLike>(tool: Tool, args: ToolSide, result: ToolSide): AdvertisedTool<Tool> {
  const advertised: ToolLike = {
    ...tool,
    ...(tool.inputSchema !== undefined && { inputSchema: args.schema }),
    ...(tool.outputSchema !== undefined && { outputSchema: result.schema }),
  };
  // The schemas are what the type says of rewritten ones, and the rest is the tool's own.
  return advertised as AdvertisedTool<Tool>;
}
