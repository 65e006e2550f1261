import { defineHidden } from "./own.js";

/** "encode" is Struct to JSON, "decode" is JSON to Struct. */
export type Direction = "encode" | "decode";

/** What was passed on although something about it smells; see `onIssues` and `strict`. */
export type IssueCode = "fractional" | "inexact" | "out_of_range" | "rounded" | "no_schema";

/** Why a document could not be converted. Under `strict`, issue codes too. */
export type CodecErrorCode =
  | "invalid_syntax"
  | "unexpected_type"
  | "duplicate_key"
  | "not_finite"
  | "out_of_range"
  | "unsafe_integer"
  | "unset_value"
  | "invalid_utf8"
  | "invalid_wire"
  | "unsupported_value"
  | "depth_exceeded"
  | "too_large"
  | IssueCode;

/** What is wrong with a schema, or with a part of it. */
export type SchemaErrorCode =
  | "invalid_schema"
  | "unresolved_ref"
  | "contradiction"
  | "unsupported_pattern"
  | "too_large";

/** Where something happened. Line and column count from 1, offsets from 0: UTF-16 units in text, bytes in bytes. */
export interface Place {
  /** JSON Pointer into the data. */
  readonly pointer: string;
  /** JSON Pointer into the schema, where a schema decided. */
  readonly schemaPointer?: string | undefined;
  readonly offset?: number | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A place as a walk knows it: the pointer once more as it may be printed, with undeclared keys as "*". */
export interface PrintablePlace extends Place {
  readonly printable: string;
}

/** Something that was passed on although it smells, and where. */
export interface Issue extends Place {
  readonly code: IssueCode;
  readonly direction: Direction;
  readonly message: string;
}

/** A part of a schema that could not be read; nothing is hinted there. */
export interface SchemaIssue {
  readonly code: SchemaErrorCode;
  /** JSON Pointer into the schema. */
  readonly schemaPointer: string;
  readonly message: string;
}

// Two copies of the package (ESM and CommonJS, or two versions) must recognise each other's errors.
const codecErrorBrand = Symbol.for("protobuf-struct-codec.StructCodecError");
const schemaErrorBrand = Symbol.for("protobuf-struct-codec.StructSchemaError");

function isBranded(value: unknown, brand: symbol): boolean {
  return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}

/** The document cannot be converted; its sender can mend it. */
export class StructCodecError extends Error implements Place {
  override readonly name = "StructCodecError";
  readonly code: CodecErrorCode;
  readonly direction: Direction;
  readonly pointer: string;
  readonly schemaPointer: string | undefined;
  readonly offset: number | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(code: CodecErrorCode, direction: Direction, message: string, place: Place) {
    super(message);
    this.code = code;
    this.direction = direction;
    this.pointer = place.pointer;
    this.schemaPointer = place.schemaPointer;
    this.offset = place.offset;
    this.line = place.line;
    this.column = place.column;
    defineHidden(this, codecErrorBrand, true);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, codecErrorBrand);
  }
}

/** The schema cannot be used; its author can mend it. */
export class StructSchemaError extends Error {
  override readonly name = "StructSchemaError";
  readonly code: SchemaErrorCode;
  /** JSON Pointer into the schema. */
  readonly schemaPointer: string;

  constructor(code: SchemaErrorCode, reason: string, schemaPointer = "") {
    super(`cannot compile schema: ${printable(reason)}${at(schemaPointer)}`);
    this.code = code;
    this.schemaPointer = schemaPointer;
    defineHidden(this, schemaErrorBrand, true);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, schemaErrorBrand);
  }
}

/** Build the sentence of an error: verb, thing, direction, reason, place. */
export function formatError(direction: Direction, typeName: string, reason: string, place: PrintablePlace): string {
  return `cannot ${direction} ${formatIssue(direction, typeName, reason, place)}`;
}

/** Build the sentence of an issue, where nothing was refused: thing, direction, reason, place. */
export function formatIssue(direction: Direction, typeName: string, reason: string, place: PrintablePlace): string {
  const subject = `${typeName} ${direction === "encode" ? "to" : "from"} JSON`;
  let where = at(place.printable);
  if (place.line !== undefined) where += ` (line ${place.line}, column ${place.column})`;
  else if (place.offset !== undefined) where += ` (offset ${place.offset})`;
  return `${subject}: ${printable(reason)}${where}`;
}

function at(pointer: string): string {
  return pointer === "" ? "" : ` at ${printable(pointer)}`;
}

/** Longest part of a message that comes from outside; messages end up in logs and RPC statuses. */
const longestExcerpt = 480;

/** Make text from outside harmless in a log: no control or direction-changing characters, and not too long. */
export function printable(text: string): string {
  const cut = text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text;
  return cut.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udfff]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
