import type { JsonObject } from "@bufbuild/protobuf";
import type { Struct } from "@bufbuild/protobuf/wkt";
import type { StructCodec } from "../index.js";
import { type ClientTools, type ClientToolsOptions, createClientTools } from "./create-client-tools.js";
import { exactKey, isObject, type Loose, normalizeText } from "./exact-text.js";
import { checkHeaderIntegers } from "./header-integers.js";
import { callTool, type McpClient, type McpRequestOptions, mirrorsHeaders } from "./mcp-client.js";
import { convertArguments } from "./mcp-data-error.js";
import { findCarriage } from "./mcp-transport.js";
import { bigintOf, parseExact } from "./parse-exact.js";
import { RawNumber } from "./raw-json.js";
import { readStructured, type StructuredResult } from "./structured-result.js";

/** A Struct in one of its forms: what a generated message keeps in a field, a message of its own, or bytes. */
export type StructForm =
  | { readonly field: JsonObject }
  | { readonly message: Struct }
  | { readonly binary: Uint8Array };

/** A call that is ready. Show the text to whoever has to approve it: it is what the server will get. */
export interface PreparedCall {
  readonly name: string;
  /** The arguments as JSON, all digits in their places. */
  readonly text: string;
}

/** What came of a call. */
export interface McpToolResult {
  readonly isError: boolean;
  /** The content as the SDK gives it. */
  readonly content: readonly McpContent[];
  readonly structured: StructuredResult | undefined;
}

/** A part of the content of a result: text, an image, a resource. */
export interface McpContent {
  readonly type: string;
  readonly text?: string;
  readonly [member: string]: unknown;
}

/** Calls the tools of an MCP server with Structs. */
export interface McpBridge {
  readonly tools: ClientTools;
  /** Convert arguments for a tool. An `McpDataError` of code −32602 says where they cannot be converted. */
  prepare(name: string, args: StructForm): Promise<PreparedCall>;
  /** Call with what was prepared. Errors of the server and of the connection are the SDK's own. */
  call(call: PreparedCall, options?: McpRequestOptions): Promise<McpToolResult>;
  /** `prepare` and `call` in one. */
  callTool(name: string, args: StructForm, options?: McpRequestOptions): Promise<McpToolResult>;
  /** Stop hearing of changes to the tools. The client stays open. */
  close(): void;
}

/**
 * Create a bridge from Structs to a connected client of SDK v1 or v2. Throws TypeError where the runtime and the transport
 * cannot carry an integer beyond ±(2^53−1), rather than when the first one comes.
 */
export function createMcpBridge(client: McpClient, options: ClientToolsOptions = {}): McpBridge {
  requireCarriage(client);
  const tools = createClientTools(client, options);
  const prepare: McpBridge["prepare"] = async (name, args) => {
    const { tool, server } = await tools.get(name);
    return convertArguments(() => {
      const text = normalizeText(toText(server.args, args));
      if (mirrorsHeaders(client)) checkHeaderIntegers((tool as Loose).inputSchema, parseExact(text, bigintOf));
      return { name, text };
    });
  };
  const call: McpBridge["call"] = async (prepared, requestOptions) => {
    const { name } = prepared;
    const { server } = await tools.get(name);
    const result = await callTool(client, paramsOf(client, prepared), requestOptions).catch((error: unknown) => {
      // The tool may have another schema by now, or another name.
      if (isObject(error) && error.code === -32602) tools.expire();
      throw error;
    });
    return readResult(result, server.result);
  };
  return {
    tools,
    prepare,
    call,
    callTool: async (name, args, requestOptions) => call(await prepare(name, args), requestOptions),
    close: () => tools.close(),
  };
}

function toText(codec: StructCodec, args: StructForm): string {
  if ("field" in args) return codec.fieldToJsonString(args.field);
  return "message" in args ? codec.toJsonString(args.message) : codec.binaryToJsonString(args.binary);
}

/** The text is all that is sent; only how it gets through the SDK depends on the transport. */
function paramsOf(client: McpClient, { name, text }: PreparedCall): object {
  const carriage = requireCarriage(client);
  const plain: unknown = JSON.parse(text);
  if (JSON.stringify(plain) === text) return { name, arguments: plain };
  return carriage === "text"
    ? { name, arguments: plain, _meta: { [exactKey]: text } }
    : { name, arguments: parseExact(text, (numeral) => new RawNumber(numeral)) };
}

function requireCarriage({ transport }: McpClient): "text" | "literals" {
  if (transport === undefined) throw new TypeError("the client is not connected");
  const carriage = findCarriage(transport);
  if (carriage !== undefined) return carriage;
  throw new TypeError(
    "this transport cannot carry integers beyond ±(2^53−1) in this runtime: use ExactStdioClientTransport, exactHttp or exactInMemory",
  );
}

function readResult(result: unknown, codec: StructCodec): McpToolResult {
  const { content, isError } = isObject(result) ? result : {};
  return {
    isError: isError === true,
    content: Array.isArray(content) ? content : [],
    structured: readStructured(result, codec),
  };
}
