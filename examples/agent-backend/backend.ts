import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type CallToolRequest,
  type CallToolResponseSchema,
  type Content,
  Status,
} from "../../gen/structcodec/test/v1/agent_pb.js";
import { type McpBridge, McpDataError } from "../../src/mcp.js";

/** One method of the gRPC service: the arguments of a tool come in as a Struct, and its result goes out as one. */
export type CallTool = (request: CallToolRequest) => Promise<MessageInitShape<typeof CallToolResponseSchema>>;

/** The client of either SDK, as a backend without the codec uses it. */
export interface PlainClient {
  callTool(params: { name: string; arguments: JsonObject }): Promise<{ [member: string]: unknown }>;
}

/** Without the codec the Struct is taken for JSON, and JSON for a Struct. */
export function callPlainly(client: PlainClient): CallTool {
  return async ({ callId, name, arguments: args = {} }) => {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
    const structured = structuredContent as JsonObject | undefined;
    return respond(callId, isError === true, content as readonly Part[], structured);
  };
}

/** With the codec. What cannot be converted is the fault of the caller, or of the tool. */
export function callExactly(bridge: McpBridge): CallTool {
  return async ({ callId, name, arguments: field = {} }) => {
    try {
      const { isError, content, structured } = await bridge.callTool(name, { field });
      return respond(callId, isError, content, structured?.toField());
    } catch (error) {
      if (!(error instanceof McpDataError)) throw error;
      throw new ConnectError(error.message, error.code === -32602 ? Code.InvalidArgument : Code.Internal);
    }
  };
}

interface Part {
  readonly type: string;
  readonly text?: string;
}

function respond(
  callId: bigint,
  isError: boolean,
  content: readonly Part[],
  structuredContent: JsonObject | undefined,
): MessageInitShape<typeof CallToolResponseSchema> {
  const texts = content.flatMap(({ text }) => (text === undefined ? [] : [text]));
  return {
    callId,
    isError,
    status: isError ? Status.FAILED : Status.DONE,
    content: texts.map((value) => ({ part: { case: "text" as const, value } satisfies Content["part"] })),
    ...(structuredContent !== undefined && { structuredContent }),
  };
}
