import {
  createStructCodec,
  createValueCodec,
  type Issue,
  type JsonSchema,
  type StructCodec,
  type StructCodecOptions,
  StructSchemaError,
  type ValueCodec,
} from "../index.js";
import {
  type Flag,
  type FlagValues,
  type Io,
  readChoice,
  readCount,
  readFlag,
  readFlags,
  UsageError,
} from "./command.js";
import { parseFile, readText } from "./files.js";

const MiB = 1024 * 1024;

/** Bytes of one record, unless `--limit inputBytes` says otherwise; the same number bounds what is gathered of a record. */
const mostRecordBytes = 64 * MiB;
/** Bytes of a schema, unless `--limit schemaBytes` says otherwise. */
const mostSchemaBytes = MiB;

/** Flags about the schema, for every command that takes one. */
export const schemaFlags: readonly Flag[] = [
  { name: "schema", value: "FILE", help: "JSON Schema of the data; a file, nothing is ever fetched" },
  {
    name: "document",
    value: "URI=FILE",
    multiple: true,
    help: "a further schema that references may name by URI; repeatable",
  },
  {
    name: "exact",
    value: "declared|ids|all",
    help: "which integers of unproven width count as 64-bit: none, those with id-like names, all; default declared",
  },
  { name: "strict-schema", help: "make an issue of the schema an error" },
  {
    name: "limit",
    value: "NAME=N",
    multiple: true,
    help:
      "a limit: depth, inputBytes, outputBytes, values, numberLength of a record, schemaNodes, schemaDepth, " +
      "schemaBytes; N is a whole number or none; repeatable",
  },
];

/** Flags about converting: each is the option of the codec that has its name. */
export const codecFlags: readonly Flag[] = [
  {
    name: "int64",
    value: "string|schema|safe|bigint",
    help: "how 64-bit integers are written: quoted, as the schema has it, bare where safe; default string",
  },
  {
    name: "struct-int64",
    value: "auto|string",
    help: "whether safe 64-bit integers are numbers or text in a Struct; default auto",
  },
  {
    name: "unsafe-integers",
    value: "string|error|round",
    help: "what an integer beyond ±(2^53−1) becomes in a Struct; default string",
  },
  {
    name: "whole-numbers",
    value: "shortest|fraction",
    help: "write 1 or 1.0 where the schema says number; default shortest",
  },
  { name: "unset-value", value: "error|null", help: "what a Value without a kind is; default error" },
  { name: "duplicate-keys", value: "error|last", help: "what repeated keys of an object are; default error" },
  {
    name: "strict",
    value: "CODES",
    bare: "all",
    help: "make issues errors, all or those listed: fractional,inexact,out_of_range,rounded,no_schema",
  },
  { name: "quote-data", help: "quote data in messages, up to 30 characters" },
  { name: "pretty", value: "N", help: "indent JSON by N spaces; default 0; only --to json" },
];

export type AnyCodec = StructCodec | ValueCodec;

/** How much is gathered of one record. */
export function recordBytes(values: FlagValues): number {
  return readLimits(values).inputBytes ?? mostRecordBytes;
}

/** Create the codec that the flags of a command describe. */
export async function createCodec(
  values: FlagValues,
  io: Io,
  schema: string | undefined,
  onIssues?: (issues: readonly Issue[], dropped: number) => void,
): Promise<AnyCodec> {
  const limits = { inputBytes: mostRecordBytes, schemaBytes: mostSchemaBytes, ...readLimits(values) };
  const documents = await readDocuments(values, io);
  const create = readChoice(values, "root", ["struct", "value"]) === "value" ? createValueCodec : createStructCodec;
  // The codec knows what its options may be, and says so.
  const options = { ...readOptions(values), limits, documents, onIssues } as StructCodecOptions;
  try {
    return create(schema, options);
  } catch (error) {
    if (error instanceof StructSchemaError) throw new UsageError(error.message);
    if (error instanceof TypeError) throw new UsageError(error.message.replace(/^\w+/, nameFlag));
    throw error;
  }
}

function readOptions(values: FlagValues): { readonly [option: string]: unknown } {
  const pretty = readFlag(values, "pretty");
  const strict = readFlag(values, "strict");
  return {
    exact: readFlag(values, "exact"),
    int64: readFlag(values, "int64"),
    structInt64: readFlag(values, "struct-int64"),
    unsafeIntegers: readFlag(values, "unsafe-integers"),
    wholeNumbers: readFlag(values, "whole-numbers"),
    unsetValue: readFlag(values, "unset-value"),
    duplicateKeys: readFlag(values, "duplicate-keys"),
    strict: strict === "all" ? true : strict?.split(","),
    strictSchema: values["strict-schema"] === true,
    quoteData: values["quote-data"] === true,
    prettySpaces: pretty === undefined ? undefined : readCount(pretty, "pretty"),
  };
}

/** The flag of an option, as people write it. */
function nameFlag(option: string): string {
  if (option === "unknown") return option;
  if (option === "prettySpaces") return "--pretty";
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function readLimits(values: FlagValues): { [name: string]: number } {
  return Object.fromEntries(
    readFlags(values, "limit").map((limit) => {
      const [name, value] = splitPair(limit, "limit", "NAME=N");
      return [name, value === "none" ? Number.POSITIVE_INFINITY : readCount(value, `limit ${name}`)];
    }),
  );
}

function splitPair(pair: string, flag: string, form: string): [name: string, value: string] {
  const at = pair.lastIndexOf("=");
  if (at <= 0) throw new UsageError(`--${flag} takes ${form}`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/** The text of the schema, which keeps the digits of its constants. */
export async function readSchema(values: FlagValues, io: Io): Promise<string | undefined> {
  const file = readFlag(values, "schema");
  return file === undefined ? undefined : readLocal(values, file, io, "schema");
}

async function readDocuments(values: FlagValues, io: Io): Promise<{ [uri: string]: JsonSchema }> {
  const documents = new Map<string, JsonSchema>();
  for (const pair of readFlags(values, "document")) {
    const [uri, file] = splitPair(pair, "document", "URI=FILE");
    // What is no schema is told by whoever refers to it.
    documents.set(uri, parseFile(await readLocal(values, file, io, "document"), file) as JsonSchema);
  }
  return Object.fromEntries(documents);
}

async function readLocal(values: FlagValues, file: string, io: Io, flag: string): Promise<string> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(file)) throw new UsageError(`--${flag} takes a file; nothing is fetched`);
  return readText(file, io, readLimits(values).schemaBytes ?? mostSchemaBytes);
}
