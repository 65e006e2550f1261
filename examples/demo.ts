// What goes wrong between a Struct and JSON, and what this package makes of it: with a published MCP server, with single
// values, and in a whole backend, which calls the tools of an MCP server for agents that speak gRPC. Everything is started
// here, talks over loopback, and ends with this command.

import { fileURLToPath } from "node:url";
import { fromBinary, fromJson, fromJsonString, type JsonObject, toBinary, toJsonString } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type CodecOptions, createStructCodec, type JsonSchema } from "../src/index.js";
import { runAgentBackend, startServers } from "./agent-backend/run.js";
import { check, printTable, printVerdict, type Row } from "./table.js";

const heads = ["before", "after"] as const;

// What a gRPC backend holds: the bytes of a google.protobuf.Struct.
function structBytes(content: JsonObject): Uint8Array {
  return toBinary(StructSchema, fromJson(StructSchema, content));
}

function jsonBefore(bytes: Uint8Array): string {
  return toJsonString(StructSchema, fromBinary(StructSchema, bytes));
}

function jsonAfter(bytes: Uint8Array, schema: JsonSchema, options?: CodecOptions): string {
  return createStructCodec(schema, options).binaryToJsonString(bytes);
}

interface Call {
  readonly tool: string;
  readonly args: JsonObject;
  readonly json: string;
  /** What the server says once it got the right arguments, up to the first thing that changes from run to run. */
  readonly answer: string;
}

// 64-bit integers come out of Go, Java or Kotlin as decimal strings, as ProtoJSON has them, and so they stand in a Struct.
const calls: readonly Call[] = [
  {
    tool: "get-sum",
    args: { a: "42", b: 0.5 },
    json: '{"a":42,"b":0.5}',
    answer: "The sum of 42 and 0.5 is 42.5.",
  },
  {
    tool: "get-resource-reference",
    args: { resourceType: "Text", resourceId: "7" },
    json: '{"resourceType":"Text","resourceId":7}',
    answer: "Returning resource reference for Resource 7:",
  },
  {
    tool: "echo",
    args: { message: "005930" },
    json: '{"message":"005930"}',
    answer: "Echo: 005930",
  },
];

async function showPublishedServer(): Promise<void> {
  const client = new Client({ name: "demo", version: "1.0.0" });
  const server = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [server, "stdio"], stderr: "ignore" }),
  );
  try {
    const { tools } = await client.listTools();
    const { name, version } = client.getServerVersion() ?? {};
    const schemas = new Map(tools.map((tool) => [tool.name, tool.inputSchema as JsonSchema]));
    const issues = tools.flatMap((tool) => createStructCodec(tool.inputSchema as JsonSchema).schemaIssues);
    console.log(`${name} ${version}, live over stdio: ${tools.length} tools, ${issues.length} issues in their schemas`);

    const ask = async (tool: string, json: string): Promise<string> => {
      const result = await client.callTool({ name: tool, arguments: JSON.parse(json) }, undefined, { timeout: 10_000 });
      const [content] = result.content as { text?: string }[];
      return `${result.isError === true ? "refused: " : ""}${content?.text?.replace(/^.*: Invalid input: /, "") ?? ""}`;
    };
    const rows: Row[] = [];
    for (const { tool, args, json, answer } of calls) {
      const bytes = structBytes(args);
      const before = jsonBefore(bytes);
      const after = jsonAfter(bytes, schemas.get(tool) as JsonSchema);
      const [answerBefore, answerAfter] = [await ask(tool, before), await ask(tool, after)];
      rows.push([`${tool}, arguments`, before, after, check([after, json])]);
      rows.push(["  the server says", answerBefore, answerAfter, check([answerAfter, answer])]);
    }
    printTable("Struct bytes to the arguments of a tool", heads, rows);

    const result = await client.callTool({ name: "get-structured-content", arguments: { location: "Chicago" } });
    const tool = tools.find((candidate) => candidate.name === "get-structured-content");
    const bytes = structBytes(result.structuredContent as JsonObject);
    const after = jsonAfter(bytes, tool?.outputSchema as JsonSchema);
    const expected = '{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}';
    printTable("The result of a tool to Struct bytes and to JSON again", heads, [
      ["get-structured-content", jsonBefore(bytes), after, check([after, expected])],
    ]);
  } finally {
    await client.close();
  }
}

const orderSchema: JsonSchema = {
  type: "object",
  properties: {
    form: {
      type: "object",
      properties: {
        lines: {
          type: "array",
          items: { type: "object", properties: { materialId: { type: "integer" } } },
        },
      },
    },
    orderId: { type: "integer", format: "int64" },
    count: { type: "integer" },
    size: { type: "integer" },
    ratio: { type: "number" },
    ticker: { type: ["string", "integer"] },
  },
};

interface Example {
  readonly subject: string;
  /** The Struct by its content, or by the JSON text that was put into it. */
  readonly struct: JsonObject | string;
  readonly json: string;
  readonly options?: CodecOptions;
}

const examples: readonly Example[] = [
  {
    subject: "a 19-digit id, by JSON, as integer",
    struct: '{"form":{"lines":[{"materialId":1955516024755728386}]}}',
    json: '{"form":{"lines":[{"materialId":1955516024755728386}]}}',
  },
  {
    subject: "the same, as int64, for a model",
    struct: '{"orderId":1955516024755728386}',
    json: '{"orderId":"1955516024755728386"}',
  },
  {
    subject: "the same, for a typed server",
    struct: '{"orderId":1955516024755728386}',
    json: '{"orderId":1955516024755728386}',
    options: { int64: "schema" },
  },
  { subject: "1e21 as integer", struct: { count: 1e21 }, json: '{"count":1000000000000000000000}' },
  { subject: "2 to the power of 60 as integer", struct: { size: 2 ** 60 }, json: '{"size":1152921504606846976}' },
  { subject: "a fraction", struct: { ratio: 0.1 }, json: '{"ratio":0.1}' },
  { subject: "a ticker, string or integer", struct: { ticker: "005930" }, json: '{"ticker":"005930"}' },
  { subject: "5, which was never wrong here", struct: { count: 5 }, json: '{"count":5}' },
];

function showExample({ subject, struct, json, options }: Example): Row {
  const codec = createStructCodec(orderSchema, options);
  const isText = typeof struct === "string";
  const bytesBefore = isText ? toBinary(StructSchema, fromJsonString(StructSchema, struct)) : structBytes(struct);
  const bytesAfter = isText ? codec.jsonStringToBinary(struct) : bytesBefore;
  const after = codec.binaryToJsonString(bytesAfter);
  return [subject, jsonBefore(bytesBefore), after, check([after, json])];
}

// The servers with their databases take a while to start; there is something to show meanwhile. To compile a database well
// takes longer than all that it has to do here.
const servers = startServers(["--liftoff-only"]);
await showPublishedServer();
printTable("Struct bytes to JSON", heads, examples.map(showExample));
await runAgentBackend(await servers);
printVerdict();
