import type { DescExtension, DescField, DescMessage, Message, Registry } from "@bufbuild/protobuf";
import { type Issue, type SchemaIssue, StructSchemaError } from "../base/errors.js";
import { refuseUnknownNames } from "../base/option-names.js";
import { defineHidden, getOwn } from "../base/own.js";
import { codecLimitNames, codecOptionNames } from "../codec/options.js";
import {
  createStructCodec,
  createValueCodec,
  type StructCodec,
  type StructCodecOptions,
  type ValueCodec,
} from "../codec/struct-codec.js";
import {
  type CompiledHint,
  compileHint,
  type HintSource,
  hintLimitNames,
  hintOptionNames,
  isCompiledHint,
} from "../hint/compile-hint.js";
import { type SideOptions, splitOptions } from "../tools/tool-side.js";
import { createNameCheck } from "./check-names.js";
import {
  type FieldCodec,
  isCodec,
  isStructCodec,
  listFieldCodec,
  objectValueFieldCodec,
  structFieldCodec,
  structRootCodec,
  valueFieldCodec,
} from "./field-codec.js";
import { type FieldHint, type HintTable, isHintFunction } from "./hint-table.js";
import { fieldNameOf, Planner } from "./message-plan.js";
import { type OptionHint, readOptionHint } from "./option-hint.js";
import { type StructKind, structKindOf } from "./struct-kind.js";

/** How the Structs in messages are converted: the options of a codec, and which schema describes which field. */
export interface MessageHintsOptions extends StructCodecOptions {
  /** Hints by full field name. They win over the field option `structcodec.v1.struct`. */
  hints?: HintTable | undefined;
  /** What field options name with `schema`, by that name. */
  schemas?: HintTable | undefined;
  /** Where to look for messages that field options name with `message`, beyond what the file imports; and for Any and extensions. */
  registry?: Registry | undefined;
}

/** What could not be read of a schema, and whose it is. */
export interface FieldSchemaIssue extends SchemaIssue {
  /** The name in `hints` or `schemas`. */
  readonly name: string;
}

/** Knows the schema of every Struct in messages. Compile once, share between doors. Immutable. */
export interface MessageHints {
  /** What could not be read of the schemas that were given; nothing is hinted there. */
  readonly schemaIssues: readonly FieldSchemaIssue[];
  /** The codec for a field of a message, undefined where the field holds no Struct, Value or ListValue. Throws what a function of the table throws. */
  find(field: DescField | DescExtension, message: Message): FoundHint | undefined;
  /**
   * Look at a type of messages and at all that they may hold, ahead of the first message. Names in the table that are no field of a
   * Struct are a TypeError, here or when such a message comes.
   */
  prepare(desc: DescMessage): void;
}

/** What is known about one field of one message. */
export interface FoundHint {
  readonly codec: FieldCodec;
  /** Why there is no schema though one was asked for; the codec hints nothing then. */
  readonly missing?: string | undefined;
}

export const messageHintsOptionNames: readonly string[] = [
  ...new Set([...codecOptionNames, ...hintOptionNames, "hints", "schemas", "registry"]),
];

const brand = Symbol.for("protobuf-struct-codec.MessageHints");

/** Whether a value was made by `createMessageHints`. */
export function isMessageHints(value: unknown): value is Hints {
  return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}

/**
 * Compile what is known about the Structs in messages. Throws `StructSchemaError` where a given source is no schema at all, and
 * TypeError for a wrong option.
 */
export function createMessageHints(options: MessageHintsOptions = {}): MessageHints {
  return new Hints(options);
}

/** Take what `createMessageHints` made, and nothing that only looks like it. */
export function requireHints(hints: MessageHints): Hints {
  if (isMessageHints(hints)) return hints;
  throw new TypeError("hints must come from createMessageHints");
}

/** Longest list of schema texts that are kept compiled; a function may make new ones for ever. */
const mostTexts = 100;

/** Hears the issues of a conversion once. */
export type IssueSink = (issues: readonly Issue[], dropped: number) => void;

/** `MessageHints` as the conversions of whole messages see it. */
export class Hints implements MessageHints {
  readonly schemaIssues: readonly FieldSchemaIssue[];
  readonly options: MessageHintsOptions;
  readonly #planner: Planner;
  /** Plans with what an Any and extensions may hold. */
  readonly #openPlanner: Planner;
  readonly #split: SideOptions;
  readonly #table: HintTable;
  readonly #choosesSchemas: boolean;
  readonly #unhinted: Readonly<Record<StructKind, FoundHint>>;
  /** What was made of schemas and codecs before. */
  readonly #known: Readonly<Record<StructKind, WeakMap<object, FoundHint>>>;
  readonly #compiled = new WeakMap<object, CompiledHint>();
  readonly #compiledTexts = new Map<string, CompiledHint>();
  readonly #options = new WeakMap<object, OptionHint | "none">();
  /** Takes the issues of the codecs made here while a message is converted. */
  sink: IssueSink | undefined;

  constructor(options: MessageHintsOptions) {
    refuseUnknownNames(options, messageHintsOptionNames, "option");
    refuseUnknownNames(options.limits ?? {}, [...codecLimitNames, ...hintLimitNames], "limit");
    const { hints, schemas, registry, ...rest } = options;
    this.options = { ...options };
    const { codec, hint } = splitOptions(rest);
    const onIssues: IssueSink = (issues, dropped) => (this.sink ?? codec.onIssues)?.(issues, dropped);
    // Text is indented as a whole, once it is put together.
    const heard = codec.onIssues === undefined ? {} : { onIssues };
    this.#split = { codec: { ...codec, ...heard, prettySpaces: 0 }, hint };
    this.#table = requireTable(hints, "hints");
    this.#choosesSchemas = Object.values(requireTable(schemas, "schemas")).some(isHintFunction);
    const checkNames = createNameCheck(this.#table);
    this.#planner = new Planner(false, checkNames);
    this.#openPlanner = new Planner(true, checkNames);
    this.#known = { struct: new WeakMap(), value: new WeakMap(), list: new WeakMap(), root: new WeakMap() };
    this.#unhinted = {
      struct: { codec: this.#create("struct", undefined) },
      value: { codec: this.#create("value", undefined) },
      list: { codec: this.#create("list", undefined) },
      root: { codec: this.#create("root", undefined) },
    };
    this.schemaIssues = this.#compileGiven({ ...schemas, ...hints });
    defineHidden(this, brand, true);
  }

  find(field: DescField | DescExtension, message: Message): FoundHint | undefined {
    const kind = structKindOf(field.message);
    return kind === undefined ? undefined : this.findNamed(fieldNameOf(field), kind, field, message);
  }

  /** Find the hint of a Struct, Value or ListValue that has a name; without a field, there is no option to look at. */
  findNamed(name: string, kind: StructKind, field: DescField | DescExtension | undefined, message: Message): FoundHint {
    const given = this.#fromEntry(getOwn(this.#table, name) as HintTable[string], kind, message);
    if (given !== undefined && given.missing === undefined) return given;
    const option = field === undefined ? undefined : this.#fromOption(field, kind, message);
    return option ?? given ?? this.#unhinted[kind];
  }

  prepare(desc: DescMessage): void {
    this.plannerFor(this.options.registry).planAll(desc);
  }

  /** Plans of messages, for conversions with or without a registry. */
  plannerFor(registry: Registry | undefined): Planner {
    return registry === undefined ? this.#planner : this.#openPlanner;
  }

  /** The codec of Structs that nobody knows anything about. */
  unhinted(kind: StructKind): FieldCodec {
    return this.#unhinted[kind].codec;
  }

  /** Whether a function may decide about a field, so that the message around it has to be shown. */
  isChosen(name: string): boolean {
    return isHintFunction(getOwn(this.#table, name)) || this.#choosesSchemas;
  }

  #fromEntry(entry: HintTable[string], kind: StructKind, message: Message): FoundHint | undefined {
    if (entry === undefined) return undefined;
    const hint = isHintFunction(entry) ? entry(message) : entry;
    return hint === undefined ? this.#missing(kind, "no schema for this message") : this.#found(kind, hint);
  }

  #fromOption(field: DescField | DescExtension, kind: StructKind, message: Message): FoundHint | undefined {
    let option = this.#options.get(field);
    if (option === undefined) {
      const { schemas = {}, registry } = this.options;
      option = readOptionHint(field, { schemas, registry }) ?? "none";
      this.#options.set(field, option);
    }
    if (option === "none") return undefined;
    return "missing" in option ? this.#missing(kind, option.missing) : this.#fromEntry(option.source, kind, message);
  }

  #missing(kind: StructKind, missing: string): FoundHint {
    return { codec: this.#unhinted[kind].codec, missing };
  }

  #found(kind: StructKind, hint: FieldHint): FoundHint {
    if (hint === null || (typeof hint !== "object" && typeof hint !== "function")) return this.#make(kind, hint);
    let found = this.#known[kind].get(hint);
    if (found === undefined) {
      found = this.#make(kind, hint);
      if (found.missing === undefined) this.#known[kind].set(hint, found);
    }
    return found;
  }

  /** A hint is broken by whoever wrote the schema, so what it describes still passes. */
  #make(kind: StructKind, hint: FieldHint): FoundHint {
    // As a schema a promise would be one without keywords.
    if (hint instanceof Promise) throw new TypeError("a hint function cannot be waited for");
    if (isCodec(hint) && kind === "list" && isStructCodec(hint)) {
      return this.#missing(kind, "a codec of Structs was given for a ListValue");
    }
    try {
      const source = isCodec(hint) ? hint : this.#compile(hint);
      // What is compiled is remembered under its schema and by itself: the same text makes the same hint.
      return source === hint ? { codec: this.#create(kind, source) } : this.#found(kind, source);
    } catch (error) {
      if (!(error instanceof StructSchemaError) || this.options.strictSchema === true) throw error;
      return this.#missing(kind, `the schema is none (${error.code})`);
    }
  }

  #create(kind: StructKind, source: CompiledHint | StructCodec | ValueCodec | undefined): FieldCodec {
    const { codec: options } = this.#split;
    const codec = isCodec(source) ? source : undefined;
    const hint = isCodec(source) ? undefined : source;
    switch (kind) {
      case "struct":
        return structFieldCodec(codec ?? createStructCodec(hint, options));
      case "root":
        return structRootCodec(codec ?? createStructCodec(hint, options));
      case "list":
        // A codec of Structs was refused before.
        return listFieldCodec((codec as ValueCodec | undefined) ?? createValueCodec(hint, options));
      default:
        return codec !== undefined && isStructCodec(codec)
          ? objectValueFieldCodec(codec, createValueCodec(undefined, options))
          : valueFieldCodec(codec ?? createValueCodec(hint, options));
    }
  }

  #compile(source: HintSource): CompiledHint {
    if (isCompiledHint(source)) return source;
    if (typeof source === "string") return this.#compileText(source);
    if (typeof source !== "object" && typeof source !== "function") return compileHint(source, this.#split.hint);
    let hint = this.#compiled.get(source);
    if (hint === undefined) {
      hint = compileHint(source, this.#split.hint);
      this.#compiled.set(source, hint);
    }
    return hint;
  }

  #compileText(text: string): CompiledHint {
    let hint = this.#compiledTexts.get(text);
    if (hint === undefined) {
      hint = compileHint(text, this.#split.hint);
      if (this.#compiledTexts.size >= mostTexts) this.#compiledTexts.clear();
      this.#compiledTexts.set(text, hint);
    }
    return hint;
  }

  /** Compile what does not wait for a message, so that what is no schema shows at once. */
  #compileGiven(entries: HintTable): FieldSchemaIssue[] {
    return Object.entries(entries).flatMap(([name, entry]) => {
      if (entry === undefined || isHintFunction(entry)) return [];
      const { schemaIssues } = isCodec(entry) ? entry : this.#compile(entry);
      const [issue] = schemaIssues;
      if (issue !== undefined && this.options.strictSchema === true) {
        throw new StructSchemaError(issue.code, issue.message, issue.schemaPointer);
      }
      return schemaIssues.map((found) => ({ name, ...found }));
    });
  }
}

function requireTable(table: unknown, name: string): HintTable {
  if (table === undefined) return {};
  if (typeof table !== "object" || table === null) throw new TypeError(`${name} must be an object`);
  return table as HintTable;
}
