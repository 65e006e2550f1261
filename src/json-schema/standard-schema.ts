import { StructSchemaError } from "../base/errors.js";
import { getOwn, setOwn } from "../base/own.js";
import { isSchemaObject, type JsonSchemaObject } from "./json-schema.js";
import { subschemaKeywords } from "./keywords.js";

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
 * print nothing. Throws where the schema cannot print itself.
 */
export function printStandardSchema(source: StandardJsonSchema, io: "input" | "output"): JsonSchemaObject {
  const standard = source["~standard"];
  const print = standard.jsonSchema?.[io];
  if (typeof print !== "function") throw unprintable("it has no JSON Schema");
  const printing = createPrinting.get(standard.vendor)?.();
  let schema: unknown;
  try {
    schema = print({ target, ...(printing && { libraryOptions: printing.libraryOptions }) });
    schema = printing?.finish?.(schema) ?? schema;
  } catch (error) {
    throw unprintable(error instanceof Error ? error.message : "it cannot be printed");
  }
  if (isSchemaObject(schema)) return schema;
  throw unprintable("it prints no object");
}

function unprintable(reason: string): StructSchemaError {
  return new StructSchemaError("invalid_schema", `Standard Schema without JSON Schema: ${reason}`);
}

const int64 = { type: "integer", format: "int64" };

/** How to ask a library that refuses bigint, once. */
interface Printing {
  readonly libraryOptions: Record<string, unknown>;
  readonly finish?: (schema: unknown) => unknown;
}

/** What else has no JSON form (dates, functions) prints as no information. */
const createPrinting: ReadonlyMap<string, () => Printing> = new Map([
  ["zod", createZodPrinting],
  ["arktype", () => ({ libraryOptions: { fallback: fallbackArktype } })],
  ["valibot", () => ({ libraryOptions: { errorMode: "ignore", overrideSchema: overrideValibot } })],
]);

interface ZodContext {
  readonly zodSchema: { readonly _zod: { readonly def: Record<string, unknown> } };
  readonly jsonSchema: Record<string, unknown>;
}

/** zod hands out a copy made through JSON text, in which no bigint may be: each goes through it as a string of its own. */
function createZodPrinting(): Printing {
  const bigints = new Map<string, bigint>();
  const hide = (value: unknown): unknown => {
    if (typeof value !== "bigint") return mapInside(value, hide);
    const name = `\0bigint:${value}`;
    bigints.set(name, value);
    return name;
  };
  const show = (value: unknown): unknown => {
    return typeof value === "string" ? (bigints.get(value) ?? value) : mapInside(value, show);
  };
  const override = (context: ZodContext): void => {
    overrideZod(context);
    const { jsonSchema } = context;
    for (const keyword of Object.keys(jsonSchema)) {
      // Each schema below has its own turn.
      if (!subschemaKeywords.has(keyword)) setOwn(jsonSchema, keyword, hide(jsonSchema[keyword]));
    }
  };
  return {
    libraryOptions: { unrepresentable: "any", override },
    finish: (schema) => (bigints.size === 0 ? schema : show(schema)),
  };
}

/** Map what is directly in an array or a plain object. Gives the same one where nothing changes. */
function mapInside(value: unknown, map: (item: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    const mapped = value.map(map);
    return mapped.some((item, index) => item !== value[index]) ? mapped : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const mapped = entries.map(([, item]) => map(item));
  if (mapped.every((item, index) => item === entries[index]?.[1])) return value;
  const copy: Record<string, unknown> = {};
  entries.forEach(([key], index) => {
    setOwn(copy, key, mapped[index]);
  });
  return copy;
}

function overrideZod({ zodSchema, jsonSchema }: ZodContext): void {
  const { type, format, values, defaultValue } = zodSchema._zod.def;
  if (type === "bigint") Object.assign(jsonSchema, int64, format === "uint64" && { format });
  if (type === "literal" && Array.isArray(values) && values.some((value) => typeof value === "bigint")) {
    // zod prints a bigint literal as a number, which is exact only within ±(2^53−1).
    for (const keyword of ["type", "const", "enum"]) delete jsonSchema[keyword];
    jsonSchema.enum = values.filter((value) => value !== undefined);
  }
  if (type === "default" && typeof defaultValue === "bigint") jsonSchema.default = defaultValue;
}

function fallbackArktype(context: Record<string, unknown>): unknown {
  if (context.code === "domain" && context.domain === "bigint") return { ...(context.base as object), ...int64 };
  const unit = getOwn(context, "unit");
  if (context.code === "unit" && typeof unit === "bigint") return { ...(context.base as object), const: unit };
  return context.base;
}

function overrideValibot({ valibotSchema }: { valibotSchema: Record<string, unknown> }): unknown {
  const { type, literal, options } = valibotSchema;
  if (type === "bigint") return { ...int64 };
  if (type === "literal" && typeof literal === "bigint") return { const: literal };
  const isPicklist = (type === "picklist" || type === "enum") && Array.isArray(options);
  return isPicklist && options.some((option) => typeof option === "bigint") ? { enum: options } : undefined;
}
