import type { JsonValue } from "@bufbuild/protobuf";
import type { CodecOptions, ExactJson, HintOptions, HintSource } from "../../src/index.js";
import type { Direction, Form } from "../paths.js";

export interface ExpectedIssue {
  readonly code: string;
  readonly pointer: string;
}

export interface ExpectedError {
  readonly code: string | readonly string[];
  /** Left out where the contract does not say which place is named. */
  readonly pointer?: string;
  readonly schemaPointer?: string;
  readonly offset?: number;
  readonly line?: number;
  readonly column?: number;
}

export interface ExpectedSchemaIssue {
  readonly code: string;
  readonly schemaPointer?: string;
}

/** What `explain` has to say at a pointer. */
export interface ExpectedAnswers {
  readonly number?: "integer" | "number" | "none" | "any";
  readonly width?: "small" | "wide" | "unknown";
  readonly string?: "text" | "decimal" | "none" | "any";
  readonly range?: "int64" | "uint64";
}

/**
 * One value in its forms. The runner goes every path whose ends are present; forms that follow from another one without
 * the code under test (message and bytes from the field, the JSON value from the text) need not be written out.
 */
export interface Case {
  readonly name: string;
  readonly codec?: "struct" | "value";
  readonly schema?: HintSource;
  readonly options?: CodecOptions & HintOptions;
  /** One way only: "encode" is Struct to JSON, "decode" JSON to Struct. */
  readonly direction?: Direction;
  /** Only the paths that start here. */
  readonly from?: readonly Form[];
  readonly text?: string;
  /** The JSON value; "none" where it would not say the same as the text. */
  readonly json?: { readonly value: ExactJson } | "none";
  readonly field?: JsonValue;
  /** Struct or Value bytes where the field cannot say it: order of keys, repeats, unset kinds, malformed wire. */
  readonly wire?: Uint8Array;
  /** Bytes of a JSON text that is no text. */
  readonly jsonBytes?: Uint8Array;
  /** Nothing is expected unless written here; "any" where the contract leaves it open. */
  readonly issues?: readonly ExpectedIssue[] | "any";
  readonly error?: ExpectedError;
  readonly schemaIssues?: readonly ExpectedSchemaIssue[] | "any";
  readonly explain?: { readonly [pointer: string]: ExpectedAnswers };
}

/** A schema whose member "v" is the one that matters; undefined stays undefined, "no schema at all". */
export function at(schema: unknown): HintSource {
  return schema === undefined ? undefined : { type: "object", properties: { v: schema } };
}

type Extra = Partial<Omit<Case, "name" | "schema" | "direction">>;

/** Struct to JSON at one position: the value that the Struct holds at "v" and the text of it. */
export function encode(name: string, schema: unknown, value: JsonValue, text: string, extra: Extra = {}): Case {
  return {
    name,
    schema: at(schema),
    direction: "encode",
    field: { v: value },
    text: `{"v":${text}}`,
    ...extra,
    ...(extra.json === undefined || extra.json === "none" ? {} : { json: { value: { v: extra.json.value } } }),
  };
}

/** JSON to Struct at one position. */
export function decode(name: string, schema: unknown, text: string, value: JsonValue, extra: Extra = {}): Case {
  return { ...encode(name, schema, value, text, extra), direction: "decode" };
}

/** Both ways at one position. */
export function both(name: string, schema: unknown, value: JsonValue, text: string, extra: Extra = {}): Case {
  const { direction: _, ...row } = encode(name, schema, value, text, extra);
  return row;
}

/** A value that cannot be written as JSON, at one position. */
export function refuseEncode(name: string, schema: unknown, value: JsonValue, code: string, extra: Extra = {}): Case {
  return {
    name,
    schema: at(schema),
    direction: "encode",
    field: { v: value },
    error: { code, pointer: "/v" },
    ...extra,
  };
}

/** A text that cannot be read, at one position. */
export function refuseDecode(name: string, schema: unknown, text: string, code: string, extra: Extra = {}): Case {
  return {
    name,
    schema: at(schema),
    direction: "decode",
    text: `{"v":${text}}`,
    error: { code, pointer: "/v" },
    ...extra,
  };
}

/** A JSON value (not a text) at one position. */
export function decodeJson(name: string, schema: unknown, json: ExactJson, value: JsonValue, extra: Extra = {}): Case {
  return {
    name,
    schema: at(schema),
    direction: "decode",
    json: { value: { v: json } },
    field: { v: value },
    ...extra,
  };
}

export const SAFE = 9007199254740991;
export const INT = { type: "integer" };
export const INT32 = { type: "integer", format: "int32" };
export const INT64 = { type: "integer", format: "int64" };
export const UINT64 = { type: "integer", format: "uint64" };
export const INT128 = { type: "integer", format: "int128" };
export const NUM = { type: "number" };
export const STR = { type: "string" };
export const BOOL = { type: "boolean" };
/** Only an integer written as text: Q1 none, Q3 decimal. */
export const STR64 = { type: "string", format: "int64" };
/** What the rewriter writes: also Q1 none, Q3 decimal. */
export const DECIMAL = { type: "string", pattern: "^-?(?:0|[1-9][0-9]*)$" };
/** Q1 integer, width unknown, Q3 text. */
export const INT_OR_STR = { type: ["integer", "string"] };
/** Q1 integer, wide, Q3 text. */
export const INT64_OR_STR = { anyOf: [INT64, STR] };
/** Q1 integer, wide, Q3 decimal: a number fits, and so does a string. */
export const INT64_OR_STR64 = { type: ["integer", "string"], format: "int64" };
/** Q1 number, Q3 decimal. */
export const NUM_OR_STR64 = { anyOf: [NUM, STR64] };
export const ANY = {};
