import type { Issue, IssueCode } from "../base/errors.js";
import type { NumeralOptions } from "../base/numerals.js";
import { getOwn } from "../base/own.js";

/** Options of a codec. */
export interface CodecOptions {
  /**
   * Defaults to "string". How wide integers are written: "string" as quoted digits, as ProtoJSON does; "schema" as the
   * position itself accepts them; "safe" bare within ±(2^53−1) and quoted beyond; "bigint" as `bigint` in JSON values and
   * as "schema" in text. Choose by who reads: a model, a browser or a ProtoJSON peer "string", a typed server that
   * declared the schema "schema", your own code "bigint".
   */
  int64?: "string" | "schema" | "safe" | "bigint" | undefined;
  /** Defaults to "auto": a safe integer at a wide position is kept as a NumberValue. "string" keeps all wide ones as text. */
  structInt64?: "auto" | "string" | undefined;
  /**
   * Defaults to "string". What an integer beyond ±(2^53−1) becomes in a Struct: its digits as a StringValue, an error, or
   * the nearest double.
   */
  unsafeIntegers?: "string" | "error" | "round" | undefined;
  /** Defaults to "shortest". "fraction" writes `1.0` for whole numbers where the schema says `number`. */
  wholeNumbers?: "shortest" | "fraction" | undefined;
  /** Defaults to "error". "null" reads a Value without a kind as null. */
  unsetValue?: "error" | "null" | undefined;
  /** Defaults to "error". "last" keeps the last of repeated keys in JSON text. On the wire the last one always wins. */
  duplicateKeys?: "error" | "last" | undefined;
  /** Defaults to false. Turns issues into errors, all or those listed. */
  strict?: boolean | readonly IssueCode[] | undefined;
  /** Defaults to false. Makes a schema with issues an error when the codec is created. */
  strictSchema?: boolean | undefined;
  /** Hears once, after a conversion that had issues; at most 100 are kept, `dropped` counts the rest. */
  onIssues?: ((issues: readonly Issue[], dropped: number) => void) | undefined;
  /** Defaults to false. Error messages quote up to 30 characters of the data, and print undeclared keys. */
  quoteData?: boolean | undefined;
  /** Defaults to 0. Spaces to indent JSON text by, at most 10. */
  prettySpaces?: number | undefined;
  /** Limits on one document. */
  limits?: CodecLimits | undefined;
}

/** Limits on one document. What passes them is the error `too_large`, or `depth_exceeded`, before the damage is done. */
export interface CodecLimits {
  /** Defaults to 100. Nested containers, the root is 1. C++ and Java peers stop at 34 objects. */
  depth?: number | undefined;
  /** Defaults to 64 MiB of JSON text or wire bytes. */
  inputBytes?: number | undefined;
  /** Defaults to 256 MiB of JSON text or wire bytes. */
  outputBytes?: number | undefined;
  /** Defaults to 4,000,000 values, containers included. */
  values?: number | undefined;
  /** Defaults to 1100 characters of one JSON number; the longest exact double has 1077. */
  numberLength?: number | undefined;
}

/** Every option with its value. */
export interface ResolvedOptions extends NumeralOptions {
  readonly unsetValue: "error" | "null";
  readonly duplicateKeys: "error" | "last";
  readonly strict: ReadonlySet<IssueCode>;
  readonly strictSchema: boolean;
  readonly onIssues: ((issues: readonly Issue[], dropped: number) => void) | undefined;
  readonly quoteData: boolean;
  readonly prettySpaces: number;
  readonly limits: Readonly<Required<{ [K in keyof CodecLimits]-?: number }>>;
}

const issueCodes: readonly IssueCode[] = ["fractional", "inexact", "out_of_range", "rounded", "no_schema"];

const choices = {
  int64: ["string", "schema", "safe", "bigint"],
  structInt64: ["auto", "string"],
  unsafeIntegers: ["string", "error", "round"],
  wholeNumbers: ["shortest", "fraction"],
  unsetValue: ["error", "null"],
  duplicateKeys: ["error", "last"],
} as const;

const MiB = 1024 * 1024;

export const defaultLimits: ResolvedOptions["limits"] = {
  depth: 100,
  inputBytes: 64 * MiB,
  outputBytes: 256 * MiB,
  values: 4_000_000,
  numberLength: 1100,
};

/** Names of the codec options, the limits among them; hint options stand beside them. */
export const codecOptionNames: readonly string[] = [
  ...Object.keys(choices),
  "strict",
  "strictSchema",
  "onIssues",
  "quoteData",
  "prettySpaces",
  "limits",
];
export const codecLimitNames: readonly string[] = Object.keys(defaultLimits);

/** Fill in the defaults. A wrong value is a TypeError, since it is a mistake in the program and not in the data. */
export function resolveOptions(options: CodecOptions): ResolvedOptions {
  const limits = getOwn(options, "limits") ?? {};
  if (typeof limits !== "object") throw new TypeError("limits must be an object");
  return {
    int64: readChoice(options, "int64"),
    structInt64: readChoice(options, "structInt64"),
    unsafeIntegers: readChoice(options, "unsafeIntegers"),
    wholeNumbers: readChoice(options, "wholeNumbers"),
    unsetValue: readChoice(options, "unsetValue"),
    duplicateKeys: readChoice(options, "duplicateKeys"),
    strict: readStrict(getOwn(options, "strict")),
    strictSchema: readBoolean(options, "strictSchema"),
    onIssues: readFunction(options, "onIssues"),
    quoteData: readBoolean(options, "quoteData"),
    prettySpaces: readCount(options, "prettySpaces", 0, 10),
    limits: {
      depth: readCount(limits, "depth", defaultLimits.depth),
      inputBytes: readCount(limits, "inputBytes", defaultLimits.inputBytes),
      outputBytes: readCount(limits, "outputBytes", defaultLimits.outputBytes),
      values: readCount(limits, "values", defaultLimits.values),
      numberLength: readCount(limits, "numberLength", defaultLimits.numberLength),
    },
  };
}

function readChoice<K extends keyof typeof choices>(options: CodecOptions, name: K): (typeof choices)[K][number] {
  const value = getOwn(options, name);
  const allowed: readonly (typeof choices)[K][number][] = choices[name];
  if (value === undefined) return allowed[0] as (typeof choices)[K][number];
  const chosen = allowed.find((choice) => choice === value);
  if (chosen === undefined) throw new TypeError(`${name} must be one of ${allowed.join(", ")}`);
  return chosen;
}

function readStrict(value: unknown): ReadonlySet<IssueCode> {
  if (value === undefined || value === false) return new Set();
  if (value === true) return new Set(issueCodes);
  if (!Array.isArray(value) || value.some((code) => !issueCodes.includes(code))) {
    throw new TypeError(`strict must be a boolean or a list of ${issueCodes.join(", ")}`);
  }
  return new Set(value);
}

function readBoolean(options: CodecOptions, name: "strictSchema" | "quoteData"): boolean {
  const value = getOwn(options, name) ?? false;
  if (typeof value !== "boolean") throw new TypeError(`${name} must be a boolean`);
  return value;
}

function readFunction(options: CodecOptions, name: "onIssues"): ResolvedOptions["onIssues"] {
  const value = getOwn(options, name);
  if (value !== undefined && typeof value !== "function") throw new TypeError(`${name} must be a function`);
  return value as ResolvedOptions["onIssues"];
}

/** A whole number from 0, or infinity for no limit. */
export function readCount(
  options: object,
  name: string,
  otherwise: number,
  most: number = Number.POSITIVE_INFINITY,
): number {
  const value = getOwn(options, name);
  if (value === undefined) return otherwise;
  const isCount =
    typeof value === "number" && value >= 0 && value <= most && (Number.isInteger(value) || value === most);
  if (!isCount)
    throw new TypeError(`${name} must be a whole number from 0${Number.isFinite(most) ? ` to ${most}` : ""}`);
  return value;
}
