import type { JsonObject } from "@bufbuild/protobuf";
import { allCases } from "../../test/cases/all.js";
import type { Case, ExpectedError } from "../../test/support/case.js";
import { fieldToStruct, fieldToValue, structToBinary, valueToBinary } from "../../test/support/forms.js";
import { toHex } from "../../test/support/wire.js";

/** One row of `vectors.json`: what other languages can check a reader or a writer of their own against. */
export interface Vector {
  readonly name: string;
  /** What the row is about; rows of one subject stand together. */
  readonly subject: string;
  /** The message that `wire` is. */
  readonly root: "Struct" | "Value";
  /** "encode" is from `wire` to `text`, "decode" from `text` to `wire`. */
  readonly direction: "encode" | "decode" | "both";
  /** A JSON Schema, or the text of one; absent is no schema. */
  readonly schema?: unknown;
  /** Options that differ from the defaults. */
  readonly options?: object;
  readonly text?: string;
  /** The bytes in hexadecimal. */
  readonly wire?: string;
  readonly issues?: readonly { readonly code: string; readonly pointer: string }[];
  /** The conversion fails, with one of these codes, at this place where one is named. */
  readonly error?: { readonly codes: readonly string[]; readonly pointer?: string };
}

/** Everything about `vectors.json`, as it stands in the package. */
export function vectorsFile(): string {
  const rows = readVectors().map((row) => JSON.stringify(row));
  const head = {
    about: "Between google.protobuf.Struct and JSON under a JSON Schema; docs/wire.md tells how to read the rows.",
    version: 1,
  };
  return `${JSON.stringify(head).slice(0, -1)},"rows":[\n${rows.join(",\n")}\n]}\n`;
}

/** Longest row, in characters of JSON: the few about limits on large documents are not worth a large file. */
const longestRow = 4000;

/** The case rows that another language can check: those with wire bytes and JSON text, and nothing of JavaScript. */
export function readVectors(): Vector[] {
  const vectors = Object.entries(allCases).flatMap(([subject, cases]) =>
    cases.filter((row) => isPortable(row)).flatMap((row) => toVector(subject, row) ?? []),
  );
  return vectors.filter((row) => JSON.stringify(row).length <= longestRow);
}

/** Rows about JavaScript values, options that are functions, or input that JSON cannot hold stay here. */
function isPortable(row: Case): boolean {
  return row.jsonBytes === undefined && row.issues !== "any" && isJson(row.schema) && isJson(row.options);
}

function toVector(subject: string, row: Case): Vector | undefined {
  const direction = directionOf(row);
  if (direction === undefined) return undefined;
  const text = row.text !== undefined && !/\p{Surrogate}/u.test(row.text) ? row.text : undefined;
  const wire = wireOf(row);
  const isWhole = row.error === undefined ? text !== undefined && wire !== undefined : true;
  const hasInput = direction === "encode" ? wire !== undefined : text !== undefined;
  if (!isWhole || !hasInput) return undefined;
  return {
    name: row.name,
    subject,
    root: row.codec === "value" ? "Value" : "Struct",
    direction,
    ...(row.schema !== undefined && { schema: row.schema }),
    ...(Object.keys(row.options ?? {}).length > 0 && { options: row.options }),
    ...(text !== undefined && { text }),
    ...(wire !== undefined && { wire: toHex(wire) }),
    ...(row.issues !== undefined && row.issues !== "any" && { issues: row.issues.map(placeOf) }),
    ...(row.error !== undefined && { error: errorOf(row.error) }),
  };
}

/** The way of a row that runs between wire bytes and text, if there is one. */
function directionOf(row: Case): Vector["direction"] | undefined {
  const encodes = row.direction !== "decode" && (row.from?.includes("binary") ?? true);
  const decodes = row.direction !== "encode" && (row.from?.includes("jsonString") ?? true);
  if (encodes && decodes && row.error !== undefined) return row.text === undefined ? "encode" : "decode";
  if (encodes && decodes) return "both";
  return encodes ? "encode" : decodes ? "decode" : undefined;
}

/** The bytes that a row states, or those of its field; a row with a field that no order of bytes belongs to states both. */
function wireOf(row: Case): Uint8Array | undefined {
  if (row.wire !== undefined || row.field === undefined) return row.wire;
  return row.codec === "value"
    ? valueToBinary(fieldToValue(row.field))
    : structToBinary(fieldToStruct(row.field as JsonObject));
}

function placeOf({ code, pointer }: { code: string; pointer: string }): { code: string; pointer: string } {
  return { code, pointer };
}

function errorOf({ code, pointer }: ExpectedError): NonNullable<Vector["error"]> {
  return { codes: [code].flat(), ...(pointer !== undefined && { pointer }) };
}

/** Whether a value is JSON and means the same after it was written as JSON and read by another language. */
function isJson(value: unknown): boolean {
  switch (typeof value) {
    case "undefined":
    case "boolean":
    case "string":
      return true;
    case "number":
      return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    case "object":
      return value === null || (isPlain(value) && Object.values(value).every(isJson));
    default:
      return false;
  }
}

function isPlain(value: object): boolean {
  const keys = Reflect.ownKeys(value).filter((key) => key !== "length");
  const isOrdinary = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isOrdinary && keys.every((key) => typeof key === "string" && key !== "__proto__") && !("toJSON" in value);
}
