import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createToolCodecs, type ExactJson } from "../../../src/schema.js";

/** A tool as its author wrote it: a 64-bit id typed integer, deep inside the arguments and in the result. */
export const bookTool = {
  name: "book",
  description: "Books material.",
  inputSchema: {
    type: "object" as const,
    properties: {
      form: {
        type: "object",
        properties: {
          lines: {
            type: "array",
            items: { type: "object", properties: { materialId: { type: "integer" }, quantity: { type: "integer" } } },
          },
        },
      },
    },
  },
  outputSchema: {
    type: "object" as const,
    properties: { bookingId: { type: "integer" }, received: { type: "string" } },
    required: ["bookingId"],
  },
};

export const bookingId = "1955516024755728399";

/** The backend is typed: it reads JSON text, and an id is an integer literal or the call fails. */
function book(text: string): string {
  const [, digits] = /"materialId":([^,}]*)/.exec(text) ?? [];
  if (digits === undefined || !/^[0-9]+$/.test(digits)) throw new Error(`materialId is no integer: ${digits}`);
  return `{"bookingId":${bookingId},"received":${JSON.stringify(text)}}`;
}

/** An MCP server in front of that backend: "old" shows the author's schema, "new" the rewritten one. */
export function createStoryServer(version: "old" | "new"): Server {
  const server = new Server({ name: "story", version: "1.0.0" }, { capabilities: { tools: {} } });
  const codecs = createToolCodecs([bookTool]);
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: version === "old" ? [bookTool] : [...codecs.tools],
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (version === "old") {
      const result = JSON.parse(book(JSON.stringify(params.arguments)));
      return { content: [], structuredContent: result };
    }
    const { model, server: backend } = codecs.get(params.name);
    const request = backend.args.toJsonString(model.args.fromJson((params.arguments ?? {}) as ExactJson));
    const result = model.result.toJson(backend.result.fromJsonString(book(request)));
    return { content: [], structuredContent: result };
  });
  return server;
}
