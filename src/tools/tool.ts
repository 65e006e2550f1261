import type { JsonSchemaObject } from "../json-schema/json-schema.js";

/** What the tool functions need of a tool: an MCP tool, or anything with its members. */
export interface ToolLike {
  readonly name: string;
  /** A JSON Schema, or a Standard JSON Schema (zod, arktype, valibot). */
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
}

/** A tool as it is advertised: where its schemas said `integer` or `number`, they may say `string`. */
export type AdvertisedTool<Tool> = {
  [Member in keyof Tool]: Member extends ToolSchemaName ? AdvertisedSchema<Tool[Member]> : Tool[Member];
};

type AdvertisedSchema<Schema> = Schema extends { readonly "~standard": unknown }
  ? JsonSchemaObject
  : Schema extends "integer" | "number" | "bigint"
    ? Schema | "string"
    : Schema extends object
      ? { [Keyword in keyof Schema]: AdvertisedSchema<Schema[Keyword]> }
      : Schema;

/** The members of a tool that hold a schema. */
export type ToolSchemaName = "inputSchema" | "outputSchema";

/** A tool is an object with a name; what else it lacks has an answer. */
export function requireTool(tool: unknown): ToolLike {
  const name = typeof tool === "object" && tool !== null ? (tool as { name?: unknown }).name : undefined;
  if (typeof name !== "string") throw new TypeError("a tool is an object with a name");
  return tool as ToolLike;
}
