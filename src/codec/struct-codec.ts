import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Struct, Value } from "@bufbuild/protobuf/wkt";
import type { SchemaIssue } from "../base/errors.js";
import { StructSchemaError } from "../base/errors.js";
import { getOwn } from "../base/own.js";
import {
  type CompiledHint,
  compileGraph,
  type HintGraph,
  type HintLimits,
  type HintOptions,
  type HintSource,
  hintLimitNames,
  hintOptionNames,
  isCompiledHint,
} from "../hint/compile-hint.js";
import type { Explanation } from "../hint/explain.js";
import { BinaryToJson } from "./binary-to-json.js";
import { type CodecContext, createContext } from "./context.js";
import { Conversion } from "./conversion.js";
import type { ExactJson, ExactJsonObject } from "./exact-json.js";
import { fieldToJson } from "./field-to-json.js";
import { JsonToBinary } from "./json-to-binary.js";
import { jsonToStruct, type StructRoot } from "./json-to-struct.js";
import type { JsonTree } from "./json-tree.js";
import { structMessageToJson, valueMessageToJson } from "./message-to-json.js";
import {
  type CodecLimits,
  type CodecOptions,
  codecLimitNames,
  codecOptionNames,
  refuseUnknownNames,
  resolveOptions,
} from "./options.js";
import { structMessage } from "./struct-values.js";
import { textToStruct } from "./text-to-struct.js";
import { treeToText } from "./tree-to-text.js";

/** What the codecs of Struct and Value have in common. */
export interface JsonCodec<Message, Field, Json> {
  /** The compiled schema; give it to other codecs instead of compiling again. */
  readonly hint: CompiledHint;
  /** What could not be read of the schema; nothing is hinted there. */
  readonly schemaIssues: readonly SchemaIssue[];
  /** What the hint says about a place in the data (a JSON Pointer), and the schemas it came from. */
  explain(pointer: string): Explanation;

  /** Message to JSON value. */
  toJson(message: Message): Json;
  /** Message to JSON text. */
  toJsonString(message: Message): string;
  /** JSON value to message. */
  fromJson(json: ExactJson): Message;
  /** JSON text to message. */
  fromJsonString(text: string): Message;

  /** What a generated message keeps in a field, to JSON value. */
  fieldToJson(field: Field): Json;
  /** What a generated message keeps in a field, to JSON text. */
  fieldToJsonString(field: Field): string;
  /** JSON value to what a generated message keeps in a field. */
  jsonToField(json: ExactJson): Field;
  /** JSON text to what a generated message keeps in a field. */
  jsonStringToField(text: string): Field;

  /** Wire bytes to JSON value. */
  binaryToJson(bytes: Uint8Array): Json;
  /** Wire bytes to JSON text, members in wire order. */
  binaryToJsonString(bytes: Uint8Array): string;
  /** Wire bytes to UTF-8 JSON text, members in wire order. */
  binaryToJsonBytes(bytes: Uint8Array): Uint8Array;
  /** JSON value to wire bytes. */
  jsonToBinary(json: ExactJson): Uint8Array;
  /** JSON text to wire bytes, members in the order of the text. */
  jsonStringToBinary(text: string): Uint8Array;
  /** UTF-8 JSON text to wire bytes, members in the order of the text. */
  jsonBytesToBinary(bytes: Uint8Array): Uint8Array;
}

/** Converts `google.protobuf.Struct`; the root is always an object. */
export type StructCodec = JsonCodec<Struct, JsonObject, ExactJsonObject>;

/**
 * Converts `google.protobuf.Value`; the root is any value. Its field methods take and give the plain values that ts-proto
 * keeps; protobuf-es keeps Value fields as messages.
 */
export type ValueCodec = JsonCodec<Value, JsonValue, ExactJson>;

export type StructCodecOptions = CodecOptions & HintOptions & { limits?: (CodecLimits & HintLimits) | undefined };

/**
 * Create a codec between `google.protobuf.Struct` and JSON. Compile a schema once and reuse the codec. Throws
 * `StructSchemaError` where the source is no schema at all, and TypeError for a wrong option.
 */
export function createStructCodec(source?: HintSource, options: StructCodecOptions = {}): StructCodec {
  return createStructCodecWith(source, options, {});
}

/** What the codec of a tool is beyond its options. */
export interface StructCodecTraits {
  /** A schema was asked for and not found; every conversion has the issue `no_schema`. */
  readonly missesSchema?: boolean;
  /** A number beyond ±(2^53−1) is an error where only digits as text belong. */
  readonly refusesUnsafeText?: boolean;
}

/** `createStructCodec` for the tools. */
export function createStructCodecWith(
  source: HintSource,
  options: StructCodecOptions,
  traits: StructCodecTraits,
): StructCodec {
  return createCodec<Struct, JsonObject, ExactJsonObject>(prepare("google.protobuf.Struct", source, options, traits), {
    toTree: structMessageToJson,
    toMessage: ({ members }) => structMessage(members ?? {}),
  });
}

/** Create a codec between `google.protobuf.Value` and JSON; see `createStructCodec`. */
export function createValueCodec(source?: HintSource, options: StructCodecOptions = {}): ValueCodec {
  return createCodec<Value, JsonValue, ExactJson>(prepare("google.protobuf.Value", source, options), {
    toTree: valueMessageToJson,
    toMessage: ({ value }) => value as Value,
  });
}

/** What differs between the two codecs: how a message is taken apart and put together. */
interface MessageForm<Message> {
  toTree(conversion: Conversion, message: Message, text: boolean): JsonTree;
  toMessage(root: StructRoot): Message;
}

interface Prepared {
  readonly context: CodecContext;
  readonly hint: HintGraph;
}

function createCodec<Message, Field extends JsonValue, Json extends ExactJson>(
  { context, hint }: Prepared,
  form: MessageForm<Message>,
): JsonCodec<Message, Field, Json> {
  const encode = <T>(convert: (conversion: Conversion) => T): T => finish(new Conversion(context, "encode"), convert);
  const decode = <T>(convert: (conversion: Conversion) => T): T => finish(new Conversion(context, "decode"), convert);
  const binary = new BinaryToJson(context);
  const wire = new JsonToBinary(context);
  // A walk gives a tree of JSON; numerals that are only text are in it only where text was asked for.
  const asJson = (tree: JsonTree): Json => tree as Json;
  // The members of a Struct are the whole of it; a Value is itself.
  const asField = (root: StructRoot): Field => root.value as Field;
  return {
    hint,
    schemaIssues: hint.schemaIssues,
    explain: (pointer) => hint.explain(pointer),
    toJson: (message) => encode((conversion) => asJson(form.toTree(conversion, message, false))),
    toJsonString: (message) => encode((conversion) => treeToText(conversion, form.toTree(conversion, message, true))),
    fromJson: (json) => decode((conversion) => form.toMessage(jsonToStruct(conversion, json, "message"))),
    fromJsonString: (text) => decode((conversion) => form.toMessage(textToStruct(conversion, text, "message"))),
    fieldToJson: (field) => encode((conversion) => asJson(fieldToJson(conversion, field, false))),
    fieldToJsonString: (field) => encode((conversion) => treeToText(conversion, fieldToJson(conversion, field, true))),
    jsonToField: (json) => decode((conversion) => asField(jsonToStruct(conversion, json, "field"))),
    jsonStringToField: (text) => decode((conversion) => asField(textToStruct(conversion, text, "field"))),
    binaryToJson: (bytes) => encode((conversion) => binary.toJson(conversion, bytes) as Json),
    binaryToJsonString: (bytes) => encode((conversion) => binary.toJsonString(conversion, bytes)),
    binaryToJsonBytes: (bytes) => encode((conversion) => binary.toJsonBytes(conversion, bytes)),
    jsonToBinary: (json) => decode((conversion) => wire.fromJson(conversion, json)),
    jsonStringToBinary: (text) => decode((conversion) => wire.fromJsonString(conversion, text)),
    jsonBytesToBinary: (bytes) => decode((conversion) => wire.fromJsonBytes(conversion, bytes)),
  };
}

function finish<T>(conversion: Conversion, convert: (conversion: Conversion) => T): T {
  const result = convert(conversion);
  conversion.finish();
  return result;
}

function prepare(
  typeName: CodecContext["typeName"],
  source: HintSource,
  options: StructCodecOptions,
  { missesSchema = false, refusesUnsafeText = false }: StructCodecTraits = {},
): Prepared {
  refuseUnknownNames(options, [...codecOptionNames, ...hintOptionNames], "option");
  const limits = getOwn(options, "limits") ?? {};
  refuseUnknownNames(limits, [...codecLimitNames, ...hintLimitNames], "limit");
  if (isCompiledHint(source)) refuseHintOptions(options, limits);
  const resolved = { ...resolveOptions(options), refusesUnsafeText };
  const hint = compileGraph(source, options);
  const [issue] = hint.schemaIssues;
  if (resolved.strictSchema && issue !== undefined) {
    throw new StructSchemaError(issue.code, issue.message, issue.schemaPointer);
  }
  return { context: createContext(typeName, hint.root, resolved, missesSchema), hint };
}

/** The schema of a compiled hint was read already; options about reading it would silently do nothing. */
function refuseHintOptions(options: object, limits: object): void {
  for (const name of [...hintOptionNames.filter((option) => option !== "limits")]) {
    if (Object.hasOwn(options, name)) throw new TypeError(`option "${name}" belongs to compileHint`);
  }
  for (const name of hintLimitNames) {
    if (Object.hasOwn(limits, name)) throw new TypeError(`limit "${name}" belongs to compileHint`);
  }
}
