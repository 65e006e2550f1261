import { getOwn } from "../base/own.js";
import { isSchemaObject, type JsonSchemaObject } from "./json-schema.js";

/**
 * A schema of zod, arktype, valibot and others that can print itself as JSON Schema (Standard JSON Schema,
 * https://standardschema.dev).
 */
export interface StandardJsonSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly jsonSchema: {
      readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: StandardJsonSchemaOptions) => Record<string, unknown>;
    };
  };
}

interface StandardJsonSchemaOptions {
  readonly target: string;
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

const target = "draft-2020-12";

/** Whether a source is a Standard Schema. arktype's schemas are functions. */
export function isStandardSchema(source: unknown): source is { readonly "~standard": Record<string, unknown> } {
  if ((typeof source !== "object" && typeof source !== "function") || source === null) return false;
  // A schema class may have the member on its prototype; a JSON Schema has no such member at all.
  const standard = (source as Record<string, unknown>)["~standard"];
  return typeof standard === "object" && standard !== (Object.prototype as Record<string, unknown>)["~standard"];
}

/**
 * Ask a Standard Schema for its JSON Schema, with bigint printed as a 64-bit integer where the library would refuse it or
 * print nothing. Undefined where the schema cannot print itself.
 */
export function printStandardSchema(source: StandardJsonSchema, io: "input" | "output"): JsonSchemaObject | undefined {
  const standard = source["~standard"];
  const print = standard.jsonSchema?.[io];
  if (typeof print !== "function") return undefined;
  const libraryOptions = bigintOptions.get(standard.vendor);
  try {
    const schema = print({ target, ...(libraryOptions && { libraryOptions }) });
    return isSchemaObject(schema) ? schema : undefined;
  } catch {
    // The library says that it cannot; what it cannot is the same in our own words.
    return undefined;
  }
}

const int64 = { type: "integer", format: "int64" };

/** How to ask each library that refuses bigint. What else has no JSON form (dates, functions) prints as no information. */
const bigintOptions: ReadonlyMap<string, Record<string, unknown>> = new Map([
  ["zod", { unrepresentable: "any", override: overrideZod }],
  ["arktype", { fallback: fallbackArktype }],
  ["valibot", { errorMode: "ignore", overrideSchema: overrideValibot }],
]);

interface ZodContext {
  readonly zodSchema: { readonly _zod: { readonly def: Record<string, unknown> } };
  readonly jsonSchema: Record<string, unknown>;
}

function overrideZod({ zodSchema, jsonSchema }: ZodContext): void {
  const { type, format, values } = zodSchema._zod.def;
  if (type === "bigint") Object.assign(jsonSchema, int64, format === "uint64" && { format });
  if (type === "literal" && Array.isArray(values) && values.some((value) => typeof value === "bigint")) {
    // zod prints a bigint literal as a number, which is exact only within ±(2^53−1).
    for (const keyword of ["type", "const", "enum"]) delete jsonSchema[keyword];
    jsonSchema.enum = values;
  }
}

function fallbackArktype(context: Record<string, unknown>): unknown {
  if (context.code === "domain" && context.domain === "bigint") return { ...(context.base as object), ...int64 };
  const unit = getOwn(context, "unit");
  if (context.code === "unit" && typeof unit === "bigint") return { ...(context.base as object), const: unit };
  return context.base;
}

function overrideValibot({ valibotSchema }: { valibotSchema: Record<string, unknown> }): unknown {
  if (valibotSchema.type === "bigint") return { ...int64 };
  if (valibotSchema.type === "literal" && typeof valibotSchema.literal === "bigint") {
    return { const: valibotSchema.literal };
  }
  return undefined;
}
