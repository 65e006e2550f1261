import type { JsonSchemaObject } from "../index.js";
import { McpDataError } from "./mcp-data-error.js";

/** A schema as SDK v2 takes it: a Standard Schema that prints itself as JSON Schema. */
export interface ExactSchema<Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<Output>;
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path: readonly string[] }[] };

/** Make a schema that shows itself as given, and reads values with a function that may throw `McpDataError`. */
export function createExactSchema<Output>(shown: unknown, read: (value: unknown) => Output): ExactSchema<Output> {
  const print = (): Record<string, unknown> => ({ ...(shown as JsonSchemaObject) });
  return {
    "~standard": {
      version: 1,
      vendor: "protobuf-struct-codec",
      validate: (value) => {
        try {
          return { value: read(value) };
        } catch (error) {
          if (!(error instanceof McpDataError)) throw error;
          return { issues: [{ message: error.message, path: tokensOf(error.data.pointer) }] };
        }
      },
      jsonSchema: { input: print, output: print },
    },
  };
}

function tokensOf(pointer: string): string[] {
  const tokens = pointer.split("/").slice(1);
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
