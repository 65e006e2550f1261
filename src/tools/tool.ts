/** What the tool functions need of a tool: an MCP tool, or anything with its members. */
export interface ToolLike {
  readonly name: string;
  /** A JSON Schema, or a Standard JSON Schema (zod, arktype, valibot). */
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
}

/** The members of a tool that hold a schema. */
export type ToolSchemaName = "inputSchema" | "outputSchema";

/** A tool is an object with a name; what else it lacks has an answer. */
export function requireTool(tool: unknown): ToolLike {
  const name = typeof tool === "object" && tool !== null ? (tool as { name?: unknown }).name : undefined;
  if (typeof name !== "string") throw new TypeError("a tool is an object with a name");
  return tool as ToolLike;
}
