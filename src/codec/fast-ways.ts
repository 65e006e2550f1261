import type { JsonValue } from "@bufbuild/protobuf";
import type { Direction } from "../base/errors.js";
import { exceedsBytes } from "../base/utf8.js";
import { countMembers } from "../text/count-members.js";
import { type ByteGraph, type ByteNode, compileByteGraph, tooMany } from "./byte-node.js";
import { encodeUtf8 } from "./byte-text.js";
import type { CodecContext } from "./context.js";
import { Conversion } from "./conversion.js";
import { errTooManyValues } from "./conversion-errors.js";
import type { ExactJson } from "./exact-json.js";
import { attemptFast, bareNumerals } from "./fast-to-json.js";
import type { StructRoot } from "./json-to-struct.js";
import type { JsonTree } from "./json-tree.js";
import { keepsField } from "./keeps-field.js";
import { inputScratch } from "./scratch.js";
import { deepestFast } from "./transcoder.js";

/** What differs between the codecs of Struct and Value: how a message is taken apart and put together. */
export interface MessageForm<Message, Field, Json> {
  toTree(conversion: Conversion, message: Message, text: boolean): JsonTree;
  toMessage(root: StructRoot): Message;
  fastToJson(message: Message, node: ByteNode): Json;
  fastFieldToJson(field: Field, node: ByteNode): Json;
  fastFromJson(json: unknown, node: ByteNode): Message | undefined;
  fastToField(json: unknown, node: ByteNode): Field;
}

/**
 * The conversions of messages and fields for documents as they mostly are. Each gives undefined where the careful way has to
 * do it: for anything unusual, for every error and every issue, and for null, which is quickly done again.
 */
export class FastWays<Message, Field extends JsonValue, Json extends ExactJson> {
  readonly #context: CodecContext;
  readonly #form: MessageForm<Message, Field, Json>;
  #graph: ByteGraph | undefined;

  constructor(context: CodecContext, form: MessageForm<Message, Field, Json>) {
    this.#context = context;
    this.#form = form;
  }

  toJson(message: Message): Json | undefined {
    return this.#attempt("encode", (graph) => this.#form.fastToJson(message, graph.root)) ?? undefined;
  }

  fieldToJson(field: Field): Json | undefined {
    return this.#attempt("encode", (graph) => this.#form.fastFieldToJson(field, graph.root)) ?? undefined;
  }

  fromJson(json: unknown): Message | undefined {
    return this.#attempt("decode", (graph) => this.#form.fastFromJson(json, graph.root));
  }

  toField(json: unknown): Field | undefined {
    return this.#attempt("decode", (graph) => this.#form.fastToField(json, graph.root)) ?? undefined;
  }

  /** See `FieldKeeper`. Keys that somebody gave to all objects may be visited, since nothing is made of what is seen. */
  keepsField(direction: Direction, value: unknown): boolean {
    if (this.#context.missesSchema) return false;
    this.#graph ??= compileByteGraph(this.#context);
    const graph = this.#graph;
    const { values } = graph;
    graph.values = 1;
    try {
      return keepsField(direction, value, graph.root, 0);
    } catch {
      // Whoever converts it instead says why.
      return false;
    } finally {
      graph.values = values;
    }
  }

  /** What a field would hold, as JSON text. */
  toFieldText(json: unknown): string | undefined {
    return this.#attempt("decode", (graph) => stringify(this.#form.fastToField(json, graph.root), 0), true);
  }

  toText(message: Message): string | undefined {
    return this.#write((graph) => this.#form.fastToJson(message, graph.root));
  }

  fieldToText(field: Field): string | undefined {
    return this.#write((graph) => this.#form.fastFieldToJson(field, graph.root));
  }

  fromText(text: string): Message | undefined {
    return this.#parse(text, (json, graph) => this.#form.fastFromJson(json, graph.root));
  }

  textToField(text: string): Field | undefined {
    return this.#parse(text, (json, graph) => this.#form.fastToField(json, graph.root)) ?? undefined;
  }

  /** Let the engine parse the text, where it would lose nothing: no key is repeated, and every number is its double. */
  #parse<T>(text: string, convert: (json: unknown, graph: ByteGraph) => T): T | undefined {
    const { limits } = this.#context.options;
    if (typeof text !== "string" || exceedsBytes(text, limits.inputBytes) || limits.numberLength < 40) return undefined;
    // The look goes over bytes: reading the characters of a string that is joined or cut from others takes several times longer.
    const isSmall = text.length * 3 < inputScratch.bytes.length;
    const bytes = isSmall ? inputScratch.bytes : new Uint8Array(text.length * 3 + 1);
    const length = encodeUtf8(text, bytes);
    bytes[length] = 0;
    const members = countMembers(bytes, length, Math.min(limits.depth, deepestFast), limits.values);
    if (members < 0) return undefined;
    return this.#attempt("decode", (graph) => {
      const converted = convert(parseJson(text), graph);
      return graph.members === members ? converted : undefined;
    });
  }

  #write(convert: (graph: ByteGraph) => JsonTree): string | undefined {
    const { prettySpaces, limits } = this.#context.options;
    const write = (graph: ByteGraph): string | undefined => {
      const text = stringify(convert(graph), prettySpaces);
      return text === undefined || graph.rawNumerals === 0 ? text : bareNumerals(text, graph.rawNumerals);
    };
    const text = this.#attempt("encode", write, true);
    return text !== undefined && text.length * 3 <= limits.outputBytes ? text : undefined;
  }

  #attempt<T>(direction: Direction, convert: (graph: ByteGraph) => T, text = false): T | undefined {
    if (this.#context.missesSchema) return undefined;
    this.#graph ??= compileByteGraph(this.#context);
    try {
      return attemptFast(this.#graph, text, convert);
    } catch (error) {
      throw error === tooMany ? errTooManyValues(new Conversion(this.#context, direction)) : error;
    }
  }
}

function stringify(tree: JsonTree, spaces: number): string | undefined {
  try {
    return spaces === 0 ? JSON.stringify(tree) : JSON.stringify(tree, null, spaces);
  } catch {
    // Too long for a string, or the caller has left no stack.
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The careful reader says what is wrong and where. `undefined` is no JSON, so it is declined.
    return undefined;
  }
}
