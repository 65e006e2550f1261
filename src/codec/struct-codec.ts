import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Struct, Value } from "@bufbuild/protobuf/wkt";
import type { SchemaIssue } from "../base/errors.js";
import { StructSchemaError } from "../base/errors.js";
import { refuseUnknownNames } from "../base/option-names.js";
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
  refuseHintOptions,
} from "../hint/compile-hint.js";
import type { Explanation } from "../hint/explain.js";
import { ANY } from "../hint/node.js";
import { binaryToJson, binaryToJsonString, FastBinaryToJson } from "./binary-to-json.js";
import { type CodecContext, createContext } from "./context.js";
import { Conversion } from "./conversion.js";
import type { ExactJson, ExactJsonObject } from "./exact-json.js";
import { fastFieldToJson, fastObjectToJson, fastStructToJson, fastValueToJson } from "./fast-to-json.js";
import { fastField, fastMessage } from "./fast-to-struct.js";
import { FastWays, type MessageForm } from "./fast-ways.js";
import { setFieldKeeper } from "./field-keeper.js";
import { fieldToJson } from "./field-to-json.js";
import { FastJsonToBinary, jsonBytesToBinary, jsonStringToBinary, jsonToBinary } from "./json-to-binary.js";
import { jsonToStruct, type StructRoot } from "./json-to-struct.js";
import type { JsonTree } from "./json-tree.js";
import { structMessageToJson, valueMessageToJson } from "./message-to-json.js";
import { type CodecLimits, type CodecOptions, codecLimitNames, codecOptionNames, resolveOptions } from "./options.js";
import { createDelimitedToNdjson, createNdjsonToDelimited, type RecordStreamOptions } from "./record-streams.js";
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

  /** A stream from size-delimited messages (a varint length before each) to JSON Lines, in memory constant per record. */
  delimitedToNdjson(options?: RecordStreamOptions): TransformStream<Uint8Array, Uint8Array>;
  /** A stream from JSON Lines to size-delimited messages, in memory constant per record. */
  ndjsonToDelimited(options?: RecordStreamOptions): TransformStream<Uint8Array, Uint8Array>;
}

/** Converts `google.protobuf.Struct`; the root is always an object. */
export type StructCodec = JsonCodec<Struct, JsonObject, ExactJsonObject>;

/**
 * Converts `google.protobuf.Value`; the root is any value. Its field methods take and give the plain values that ts-proto
 * keeps; protobuf-es keeps Value fields as messages.
 */
export type ValueCodec = JsonCodec<Value, JsonValue, ExactJson>;

/** Options of a codec and, where it compiles the schema itself, of its hint. */
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
  return createCodec<Struct, JsonObject, ExactJsonObject>(
    prepare("google.protobuf.Struct", source, options, traits),
    structForm,
  );
}

/** Create a codec between `google.protobuf.Value` and JSON; see `createStructCodec`. */
export function createValueCodec(source?: HintSource, options: StructCodecOptions = {}): ValueCodec {
  return createCodec<Value, JsonValue, ExactJson>(prepare("google.protobuf.Value", source, options), valueForm);
}

const structForm: MessageForm<Struct, JsonObject, ExactJsonObject> = {
  toTree: structMessageToJson,
  toMessage: ({ members }) => structMessage(members ?? {}),
  fastToJson: (message, node) => fastStructToJson(message.fields, node, 1),
  fastFieldToJson: (field, node) => fastObjectToJson(requireObject(field), node, 1),
  fastFromJson: (json, node) => {
    const { kind } = fastMessage(json, node, 0);
    return kind.case === "structValue" ? kind.value : undefined;
  },
  fastToField: (json, node) => fastField(requireObject(json), node, 0) as JsonObject,
};

const valueForm: MessageForm<Value, JsonValue, ExactJson> = {
  toTree: valueMessageToJson,
  toMessage: ({ value }) => value as Value,
  fastToJson: (message, node) => fastValueToJson(message, node, 0),
  fastFieldToJson: (field, node) => fastFieldToJson(field, node, 0),
  fastFromJson: (json, node) => fastMessage(json, node, 0),
  fastToField: (json, node) => fastField(json, node, 0),
};

/** The root of a Struct is an object; the careful way says so where it is not. */
function requireObject<T>(json: T): T & object {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw new TypeError("not an object");
  return json as T & object;
}

interface Prepared {
  readonly context: CodecContext;
  readonly hint: HintGraph;
}

function createCodec<Message, Field extends JsonValue, Json extends ExactJson>(
  { context, hint }: Prepared,
  form: MessageForm<Message, Field, Json>,
): JsonCodec<Message, Field, Json> {
  const encode = <T>(convert: (conversion: Conversion) => T): T => finish(new Conversion(context, "encode"), convert);
  const decode = <T>(convert: (conversion: Conversion) => T): T => finish(new Conversion(context, "decode"), convert);
  const fastBinary = new FastBinaryToJson(context);
  const fastWire = new FastJsonToBinary(context);
  const fast = new FastWays(context, form);
  const { inputBytes } = context.options.limits;
  const wireToBytes = (bytes: Uint8Array): Uint8Array =>
    fastBinary.toJsonBytes(bytes) ?? new TextEncoder().encode(encode((c) => binaryToJsonString(c, bytes)));
  const bytesToWire = (bytes: Uint8Array): Uint8Array =>
    fastWire.fromJsonBytes(bytes) ?? decode((c) => jsonBytesToBinary(c, bytes));
  // What a field holds needs no hint any more, and through text it is on the wire sooner than as objects.
  const fieldWire = new FastJsonToBinary({ ...context, root: ANY });
  const valueToWire = (json: unknown): Uint8Array | undefined => {
    const text = fast.toFieldText(json);
    return text === undefined ? undefined : fieldWire.fromJsonString(text);
  };
  // A walk gives a tree of JSON; numerals that are only text are in it only where text was asked for.
  const asJson = (tree: JsonTree): Json => tree as Json;
  // The members of a Struct are the whole of it; a Value is itself.
  const asField = (root: StructRoot): Field => root.value as Field;
  const codec: JsonCodec<Message, Field, Json> = {
    hint,
    schemaIssues: hint.schemaIssues,
    explain: (pointer) => hint.explain(pointer),
    toJson: (message) => fast.toJson(message) ?? encode((c) => asJson(form.toTree(c, message, false))),
    toJsonString: (message) => fast.toText(message) ?? encode((c) => treeToText(c, form.toTree(c, message, true))),
    fromJson: (json) => fast.fromJson(json) ?? decode((c) => form.toMessage(jsonToStruct(c, json, "message"))),
    fromJsonString: (text) => fast.fromText(text) ?? decode((c) => form.toMessage(textToStruct(c, text, "message"))),
    fieldToJson: (field) => fast.fieldToJson(field) ?? encode((c) => asJson(fieldToJson(c, field, false))),
    fieldToJsonString: (field) => fast.fieldToText(field) ?? encode((c) => treeToText(c, fieldToJson(c, field, true))),
    jsonToField: (json) => fast.toField(json) ?? decode((c) => asField(jsonToStruct(c, json, "field"))),
    jsonStringToField: (text) => fast.textToField(text) ?? decode((c) => asField(textToStruct(c, text, "field"))),
    binaryToJson: (bytes) => (fastBinary.toJson(bytes) as Json) ?? encode((c) => binaryToJson(c, bytes) as Json),
    binaryToJsonString: (bytes) => fastBinary.toJsonString(bytes) ?? encode((c) => binaryToJsonString(c, bytes)),
    binaryToJsonBytes: wireToBytes,
    jsonToBinary: (json) => valueToWire(json) ?? decode((c) => jsonToBinary(c, json)),
    jsonStringToBinary: (text) => fastWire.fromJsonString(text) ?? decode((c) => jsonStringToBinary(c, text)),
    jsonBytesToBinary: bytesToWire,
    delimitedToNdjson: (options = {}) => createDelimitedToNdjson(wireToBytes, inputBytes, options),
    ndjsonToDelimited: (options = {}) => createNdjsonToDelimited(bytesToWire, inputBytes, options),
  };
  setFieldKeeper(codec, (direction, value) => fast.keepsField(direction, value));
  return codec;
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
