import type { JsonObject } from "@bufbuild/protobuf";
import {
  type CodecLimits,
  createStructCodec,
  type ExactJson,
  type ExactJsonObject,
  type StructCodec,
} from "../index.js";
import {
  type AdvertisedTool,
  createChecker,
  createToolCodec,
  type SchemaValidator,
  type ToolCodecOptions,
  type ToolLike,
} from "../schema.js";
import { createExactSchema, type ExactSchema } from "./exact-schema.js";
import { exactKey, normalizeText } from "./exact-text.js";
import { convertArguments, convertResult, McpDataError } from "./mcp-data-error.js";
import { parseExact } from "./parse-exact.js";
import { RawNumber, writesLiterals } from "./raw-json.js";
import { stringifyExact } from "./stringify-exact.js";

/** Options of a tool of a server: those of a tool codec, and what handler and clients see. */
export interface ExactToolOptions extends ToolCodecOptions {
  /** Defaults to "bigint". What 64-bit integers are to the handler: `bigint` of any size, or decimal strings. */
  int64?: "bigint" | "string" | undefined;
  /**
   * Defaults to "rewritten": to clients 64-bit integers are decimal text, so that no model rounds them. "original" leaves
   * them the numbers that the schemas of the tool say.
   */
  advertise?: "rewritten" | "original" | undefined;
  /** Checks arguments and results against the schemas of the tool; `useAjv` or `useCfworker`. Without it nothing does. */
  validator?: SchemaValidator | undefined;
}

/** A tool of an MCP server whose handler gets and gives exact integers. */
export interface ExactTool<Tool> {
  /** List this. */
  readonly tool: AdvertisedTool<Tool> | Tool;
  /** For `registerTool` of SDK v2; the handler then gets what `readArguments` gives. */
  readonly inputSchema: ExactSchema<ExactJsonObject>;
  /** For `registerTool` of SDK v2, where the tool has an output schema. */
  readonly outputSchema: ExactSchema<unknown> | undefined;
  /** Read the arguments of a call as the SDK gives them. Throws an `McpDataError` of code −32602. */
  readArguments(args: unknown): ExactJsonObject;
  /**
   * Write a structured result, and once more as text. Where it has integers beyond ±(2^53−1) as numbers, their exact text
   * is in `_meta`, for a reader behind a transport that rounds. Throws an `McpDataError` of code −32603.
   */
  writeResult(structured: ExactJson): ExactToolResult;
}

/** The result of a call, as handlers of either SDK give it. No interface, since those do not fit a type with an index signature. */
export type ExactToolResult = {
  content: { type: "text"; text: string }[];
  structuredContent: { [member: string]: unknown };
  _meta?: { [member: string]: unknown };
};

/** Create a tool from its definition. Its schemas may be of zod and others. */
export function createExactTool<Tool extends ToolLike>(tool: Tool, options: ExactToolOptions = {}): ExactTool<Tool> {
  const { int64 = "bigint", advertise = "rewritten", validator, ...codecOptions } = options;
  requireChoice("int64", int64, ["bigint", "string"]);
  requireChoice("advertise", advertise, ["rewritten", "original"]);
  const codec = createToolCodec(tool, codecOptions);
  const client = advertise === "original" ? codec.server : codec.model;
  const handler = createStructCodec(codec.server.args.hint, { int64, limits: codecLimits(codecOptions) });
  const checkArguments = createCheck(tool.inputSchema, codec.server.args, validator, -32602);
  const checkResult = createCheck(tool.outputSchema, codec.server.result, validator, -32603);
  const shown = advertise === "original" ? tool : codec.tool;
  const readArguments = (args: unknown): ExactJsonObject => {
    const field = convertArguments(() => client.args.jsonToField((args ?? {}) as ExactJson));
    checkArguments(field);
    return convertArguments(() => handler.fieldToJson(field));
  };
  const readResult = (structured: unknown): unknown => {
    checkResult(convertResult(() => client.result.jsonStringToField(stringifyExact(structured))));
    return structured;
  };
  return {
    tool: shown,
    inputSchema: createExactSchema(shown.inputSchema, readArguments),
    outputSchema: shown.outputSchema === undefined ? undefined : createExactSchema(shown.outputSchema, readResult),
    readArguments,
    writeResult: (structured) => {
      const field = convertResult(() => codec.server.result.jsonToField(structured));
      checkResult(field);
      return resultOf(convertResult(() => normalizeText(client.result.fieldToJsonString(field))));
    },
  };
}

function requireChoice(name: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value)) throw new TypeError(`${name} must be one of ${choices.join(", ")}`);
}

function resultOf(text: string): ExactToolResult {
  const plain = JSON.parse(text);
  const content: ExactToolResult["content"] = [{ type: "text", text }];
  if (JSON.stringify(plain) === text) return { content, structuredContent: plain };
  // Where the runtime can write them, digits stand where they belong as well.
  const literal = writesLiterals ? parseExact(text, (numeral) => new RawNumber(numeral)) : plain;
  return { content, structuredContent: literal, _meta: { [exactKey]: text } };
}

/** Check a Struct as the schema of the tool has it, whatever is advertised. */
function createCheck(
  schema: unknown,
  codec: StructCodec,
  validator: SchemaValidator | undefined,
  code: McpDataError["code"],
): (field: JsonObject) => void {
  if (schema === undefined || validator === undefined) return () => undefined;
  const checker = createChecker(schema as Parameters<typeof createChecker>[0], validator);
  return (field) => {
    const issues = checker.check(codec.fieldToJson(field));
    const [first] = issues;
    if (first === undefined) return;
    const { pointer, schemaPointer } = first;
    const message = issues.map((issue) => issue.message).join("; ");
    throw new McpDataError(code, message, { reason: "schema_mismatch", pointer, schemaPointer });
  };
}

/** What the handler reads was within the limits of the client; these are the same. */
function codecLimits({ limits = {} }: ToolCodecOptions): CodecLimits {
  const { depth, inputBytes, outputBytes, values, numberLength } = limits;
  return { depth, inputBytes, outputBytes, values, numberLength };
}
