import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** The values and the types that each door exports, written out: a change here is a change of the public surface. */
const doors: { readonly [door: string]: { readonly values: readonly string[]; readonly types: readonly string[] } } = {
  ".": {
    values: [
      "IntegerLiteral",
      "StructCodecError",
      "StructSchemaError",
      "compileHint",
      "createStructCodec",
      "createValueCodec",
    ],
    types: [
      "CodecErrorCode",
      "CodecLimits",
      "CodecOptions",
      "CompiledHint",
      "Direction",
      "ExactJson",
      "ExactJsonObject",
      "ExactOption",
      "Explanation",
      "HintLimits",
      "HintOptions",
      "HintSource",
      "Issue",
      "IssueCode",
      "JsonCodec",
      "JsonSchema",
      "JsonSchemaObject",
      "PatternMatcher",
      "Place",
      "RecordStreamOptions",
      "SchemaErrorCode",
      "SchemaIssue",
      "StandardJsonSchema",
      "StructCodec",
      "StructCodecOptions",
      "ValueCodec",
    ],
  },
  "./schema": {
    values: [
      "IntegerLiteral",
      "StructCodecError",
      "StructSchemaError",
      "auditResult",
      "auditTools",
      "createChecker",
      "createToolCodec",
      "createToolCodecs",
      "deriveSchema",
      "parseSchemaText",
      "printSchemaText",
      "rewriteSchema",
      "useAjv",
      "useCfworker",
    ],
    types: [
      "AdvertisedTool",
      "AjvLike",
      "AuditCode",
      "AuditFinding",
      "AuditOptions",
      "AuditSeverity",
      "CfworkerValidator",
      "CheckIssue",
      "Checker",
      "DeriveOptions",
      "ExactJson",
      "ExactJsonObject",
      "ExactOption",
      "JsonSchema",
      "JsonSchemaObject",
      "PatchOperation",
      "RewriteFinding",
      "RewriteFindingCode",
      "RewriteOptions",
      "SchemaErrorCode",
      "SchemaIssue",
      "SchemaValidator",
      "ToolCodec",
      "ToolCodecOptions",
      "ToolCodecPair",
      "ToolCodecs",
      "ToolLike",
      "ValidatorIssue",
      "WideAsBigint",
      "WideAsText",
    ],
  },
  "./protobuf": {
    values: [
      "IntegerLiteral",
      "StructCodecError",
      "StructSchemaError",
      "beginConversion",
      "binaryToJsonString",
      "checkStructs",
      "createMessageChecker",
      "createMessageHints",
      "fromJson",
      "fromJsonString",
      "jsonSchemaHint",
      "jsonStringToBinary",
      "normalizeStructs",
      "toJson",
      "toJsonString",
    ],
    types: [
      "ExactJson",
      "ExactJsonObject",
      "FieldCodec",
      "FieldHint",
      "FieldSchemaIssue",
      "FieldValue",
      "FoundHint",
      "HintFunction",
      "HintTable",
      "MessageChecker",
      "MessageConversion",
      "MessageHints",
      "MessageHintsOptions",
      "MessagePlace",
      "MessageReadOptions",
      "MessageWriteOptions",
    ],
  },
  "./connect": {
    values: [
      "createClientStructInterceptor",
      "createServerStructInterceptor",
      "exactJsonOptions",
      "findStructProblems",
    ],
    types: ["ExactJsonOptions", "StructInterceptorOptions", "StructProblem"],
  },
  "./grpc": {
    values: ["createStructInterceptor", "readStructProblem", "toServiceDefinition"],
    types: ["GrpcClient", "GrpcHandlers", "GrpcServiceDefinition", "GrpcStructOptions", "StructProblem"],
  },
  "./proto-loader": {
    values: ["withStructs"],
    types: ["LoaderStructOptions"],
  },
  "./mcp": {
    values: [
      "BodyTooLargeError",
      "ExactStdioClientTransport",
      "ExactStdioServerTransport",
      "IntegerLiteral",
      "McpDataError",
      "createClientTools",
      "createExactTool",
      "createMcpBridge",
      "exactHttp",
      "exactHttpHandler",
      "exactInMemory",
      "readExactBody",
    ],
    types: [
      "ClientTools",
      "ClientToolsOptions",
      "ExactBodyOptions",
      "ExactSchema",
      "ExactStdioServerParameters",
      "ExactTool",
      "ExactToolOptions",
      "ExactToolResult",
      "FetchLike",
      "McpBridge",
      "McpClient",
      "McpContent",
      "McpErrorData",
      "McpRequestOptions",
      "McpTool",
      "McpToolResult",
      "McpTransport",
      "PreparedCall",
      "StreamTransportOptions",
      "StructForm",
      "StructuredResult",
      "WebHandler",
    ],
  },
};

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  bin: { [command: string]: string };
  exports: { [door: string]: string | { import: { default: string } } };
};

function sourceOf(door: string): URL {
  return new URL(`../../src/${door === "." ? "index" : door.slice(2)}.ts`, import.meta.url);
}

describe("exports", () => {
  it("has the doors that the package names", () => {
    const isFile = (door: string) => typeof manifest.exports[door] === "string";
    expect(Object.keys(manifest.exports).filter((door) => !isFile(door))).toEqual(Object.keys(doors));
    expect(Object.fromEntries(Object.entries(manifest.exports).filter(([door]) => isFile(door)))).toEqual({
      "./vectors.json": "./docs/vectors.json",
      "./package.json": "./package.json",
    });
  });

  it.each(Object.entries(doors))("exports what is written here from %s", async (door, { values, types }) => {
    const opened: object = await import(sourceOf(door).href);
    expect(Object.keys(opened).sort()).toEqual(values);
    expect(typeNames(readFileSync(sourceOf(door), "utf8"))).toEqual(types);
  });

  it("compiles each door to where the package looks for it", () => {
    for (const [door, target] of Object.entries(manifest.exports)) {
      if (typeof target === "string") continue;
      const name = door === "." ? "index" : door.slice(2);
      expect(target.import.default).toBe(`./dist/esm/src/${name}.js`);
    }
    expect(manifest.bin).toEqual({ "protobuf-struct-codec": "./dist/esm/src/cli.js" });
  });

  it("starts the command with a line that says what runs it", () => {
    const [first] = readFileSync(new URL("../../src/cli.ts", import.meta.url), "utf8").split("\n");
    expect(first).toBe("#!/usr/bin/env node");
  });
});

/** Names in `export type { … }`; a type may also stand in an `export { type … }`. */
function typeNames(door: string): string[] {
  const names = [...door.matchAll(/export type \{([^}]*)\}/g)].flatMap(([, list]) => (list as string).split(","));
  const inline = [...door.matchAll(/\btype (\w+)(?=[,\s}])/g)].map(([, name]) => name as string);
  return [...names, ...inline]
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .sort();
}
