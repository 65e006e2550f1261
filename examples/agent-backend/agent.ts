import type { JsonObject } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { type CallToolResponse, ToolService } from "../../gen/structcodec/test/v1/agent_pb.js";
import { findStructProblems } from "../../src/connect.js";
import type { ClientTools } from "../../src/mcp.js";
import type { Arguments, Outcome } from "./calls.js";

/** An agent: it asks a backend over gRPC to call a tool, with arguments that its model wrote or that it was given. */
export type Agent = (tool: string, args: Arguments) => Promise<Outcome>;

/** An agent that takes JSON and Structs for the same thing. */
export function createPlainAgent(url: string): Agent {
  const client = connect(url);
  return async (tool, args) => {
    const field = "struct" in args ? args.struct : (JSON.parse(args.model) as JsonObject);
    return call(client, tool, field, (structured) => JSON.stringify(structured));
  };
}

/** An agent that has the tools of the backend, rewritten for its model. */
export function createExactAgent(url: string, tools: ClientTools): Agent {
  const client = connect(url);
  return async (tool, args) => {
    const { model } = await tools.get(tool);
    const field = "struct" in args ? args.struct : model.args.jsonStringToField(args.model);
    return call(client, tool, field, (structured) => model.result.fieldToJsonString(structured));
  };
}

function connect(url: string): Client<typeof ToolService> {
  return createClient(ToolService, createGrpcTransport({ baseUrl: url }));
}

async function call(
  client: Client<typeof ToolService>,
  name: string,
  field: JsonObject,
  toText: (structured: JsonObject) => string,
): Promise<Outcome> {
  try {
    const response = await client.callTool({ name, arguments: field });
    return { received: textsOf(response).at(-1) ?? "", answer: answerOf(response, toText) };
  } catch (error) {
    const refused = ConnectError.from(error);
    // What is wrong and where, in the details that gRPC has for it.
    const problems = findStructProblems(refused).map(({ code, pointer }) => `${code} at ${pointer}`);
    const answer = `${Code[refused.code]}: ${problems.join(", ") || refused.rawMessage}`;
    return { received: "the call was refused before", answer };
  }
}

function answerOf(response: CallToolResponse, toText: (structured: JsonObject) => string): string {
  if (response.isError) return `refused: ${textsOf(response)[0]}`;
  return toText(response.structuredContent ?? {});
}

function textsOf({ content }: CallToolResponse): string[] {
  return content.flatMap(({ part }) => (part.case === "text" ? [part.value] : []));
}
