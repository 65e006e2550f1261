import type {
  BinaryReadOptions,
  BinaryWriteOptions,
  JsonReadOptions,
  JsonWriteOptions,
  Registry,
} from "@bufbuild/protobuf";
import { getOwn } from "../base/own.js";
import type { HintTable } from "./hint-table.js";
import {
  Hints,
  type IssueSink,
  isMessageHints,
  type MessageHints,
  type MessageHintsOptions,
  messageHintsOptionNames,
} from "./message-hints.js";

type OrUndefined<Options> = { [Name in keyof Options]?: Options[Name] | undefined };

/** How the Structs are converted: as `createMessageHints` takes it, or what it gave, beside which its options are a TypeError. */
interface StructOptions extends Omit<MessageHintsOptions, "hints"> {
  /** A table of hints is compiled when it is first seen, and remembered as long as it is there. */
  hints?: HintTable | MessageHints | undefined;
}

/** Options to write JSON: those of protobuf-es, those of codecs, and hints. */
export interface MessageWriteOptions
  extends StructOptions,
    OrUndefined<Omit<JsonWriteOptions, "registry">>,
    // For binaryToJsonString.
    OrUndefined<BinaryReadOptions> {}

/** Options to read JSON: those of protobuf-es, those of codecs, and hints. */
export interface MessageReadOptions
  extends StructOptions,
    OrUndefined<Omit<JsonReadOptions, "registry">>,
    // For jsonStringToBinary.
    OrUndefined<BinaryWriteOptions> {}

/** Options told apart. */
export interface ResolvedMessageOptions {
  readonly hints: Hints;
  readonly registry: Registry | undefined;
  readonly onIssues: IssueSink | undefined;
  readonly prettySpaces: number;
  readonly useProtoFieldName: boolean;
  /** What protobuf-es is given. */
  readonly es: Partial<JsonWriteOptions & JsonReadOptions & BinaryReadOptions & BinaryWriteOptions>;
}

const esOptionNames: ReadonlySet<string> = new Set([
  "alwaysEmitImplicit",
  "enumAsInteger",
  "useProtoFieldName",
  "ignoreUnknownFields",
  "readUnknownFields",
  "writeUnknownFields",
  "recursionLimit",
]);
const hintsOptionNames: ReadonlySet<string> = new Set(messageHintsOptionNames);
/** What may differ between calls that share hints. */
const callOptionNames: ReadonlySet<string> = new Set(["hints", "registry", "prettySpaces"]);

/** Tell the options of a call apart, and find the hints for it. */
export function resolveMessageOptions(options: MessageWriteOptions & MessageReadOptions = {}): ResolvedMessageOptions {
  const isShared = isMessageHints(options.hints);
  const es: Record<string, unknown> = {};
  for (const name of Object.keys(options)) {
    if (esOptionNames.has(name)) {
      // Where protobuf-es has a default, undefined would take its place.
      const value = getOwn(options, name);
      if (value !== undefined) es[name] = value;
    } else if (!hintsOptionNames.has(name)) {
      throw new TypeError(`unknown option "${name}"`);
    } else if (isShared && !callOptionNames.has(name)) {
      throw new TypeError(`option "${name}" belongs to createMessageHints`);
    }
  }
  const hints = isShared ? (options.hints as Hints) : recallHints(options as MessageHintsOptions);
  const registry = options.registry ?? hints.options.registry;
  if (registry !== undefined) es.registry = registry;
  return {
    hints,
    registry,
    onIssues: isShared ? hints.options.onIssues : options.onIssues,
    prettySpaces: readSpaces(options.prettySpaces ?? hints.options.prettySpaces),
    useProtoFieldName: options.useProtoFieldName === true,
    es,
  };
}

/** As `JSON.stringify` takes them. */
function readSpaces(spaces: unknown = 0): number {
  if (typeof spaces !== "number") throw new TypeError("prettySpaces must be a number");
  return Math.min(10, Math.max(0, Math.trunc(spaces)));
}

/** Sets of options that are remembered for one table. */
const mostRemembered = 8;

interface Remembered {
  readonly options: Readonly<Record<string, unknown>>;
  readonly hints: Hints;
}

// To compile hints costs a thousand times what a conversion does, and functions that are called as those of protobuf-es are have
// nobody but the table to keep them. What is remembered goes with the table.
const remembered = new WeakMap<object, Remembered[]>();
/** Stands for calls without a table. */
const noTable: HintTable = {};

function recallHints(options: MessageHintsOptions): Hints {
  const table = options.hints ?? noTable;
  const wanted = hintOptionsOf(options);
  const known = (typeof table === "object" ? remembered.get(table) : undefined) ?? [];
  const found = known.find((entry) => sameOptions(entry.options, wanted));
  if (found !== undefined) return found.hints;
  const entry = { options: wanted, hints: new Hints(wanted as MessageHintsOptions) };
  remembered.set(table, [entry, ...known.slice(0, mostRemembered - 1)]);
  return entry.hints;
}

/** The options that hints depend on. Who hears of issues is a matter of the call; that somebody does is not. */
function hintOptionsOf(options: MessageHintsOptions): Record<string, unknown> {
  const wanted: Record<string, unknown> = {};
  for (const name of Object.keys(options)) {
    const value = getOwn(options, name);
    if (value === undefined || esOptionNames.has(name) || name === "prettySpaces") continue;
    wanted[name] = name === "onIssues" && typeof value === "function" ? ignoreIssues : value;
  }
  return wanted;
}

function ignoreIssues(): void {}

function sameOptions(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => sameOption(a[name], getOwn(b, name)));
}

/** The same value, or a list or an object, as of limits, of the same values. */
function sameOption(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const names = Object.keys(a);
  if (names.length > 20 || names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && Object.is(getOwn(a, name), getOwn(b, name)));
}
