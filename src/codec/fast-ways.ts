import type { JsonValue } from "@bufbuild/protobuf";
import { countMembers } from "../text/count-members.js";
import { type ByteGraph, type ByteNode, compileByteGraph } from "./byte-node.js";
import { decodeAscii, decodeUtf8 } from "./byte-text.js";
import type { CodecContext } from "./context.js";
import type { Conversion } from "./conversion.js";
import type { ExactJson } from "./exact-json.js";
import { attemptFast } from "./fast-to-json.js";
import { beginText, wroteWideCharacters } from "./fast-to-text.js";
import type { StructRoot } from "./json-to-struct.js";
import type { JsonTree } from "./json-tree.js";
import { claimScratch, outputScratch } from "./scratch.js";

/** What differs between the codecs of Struct and Value: how a message is taken apart and put together. */
export interface MessageForm<Message, Field, Json> {
  toTree(conversion: Conversion, message: Message, text: boolean): JsonTree;
  toMessage(root: StructRoot): Message;
  fastToJson(message: Message, node: ByteNode): Json;
  fastFieldToJson(field: Field, node: ByteNode): Json;
  /** Write into the output scratch. Gives where the text ends. */
  fastToText(message: Message, node: ByteNode): number;
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
    return this.#attempt((graph) => this.#form.fastToJson(message, graph.root)) ?? undefined;
  }

  fieldToJson(field: Field): Json | undefined {
    return this.#attempt((graph) => this.#form.fastFieldToJson(field, graph.root)) ?? undefined;
  }

  fromJson(json: unknown): Message | undefined {
    return this.#attempt((graph) => this.#form.fastFromJson(json, graph.root));
  }

  toField(json: unknown): Field | undefined {
    return this.#attempt((graph) => this.#form.fastToField(json, graph.root)) ?? undefined;
  }

  toText(message: Message): string | undefined {
    const { prettySpaces, limits } = this.#context.options;
    if (prettySpaces > 0) return undefined;
    const write = (graph: ByteGraph): string | undefined => {
      beginText();
      const end = this.#form.fastToText(message, graph.root);
      if (end > limits.outputBytes) return undefined;
      return wroteWideCharacters() ? decodeUtf8(outputScratch.bytes, end) : decodeAscii(outputScratch.bytes, end);
    };
    return claimScratch(() => this.#attempt(write));
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
    if (typeof text !== "string" || text.length > limits.inputBytes || limits.numberLength < 40) return undefined;
    const members = countMembers(text);
    if (members < 0) return undefined;
    return this.#attempt((graph) => {
      const converted = convert(parseJson(text), graph);
      return graph.members === members ? converted : undefined;
    });
  }

  #attempt<T>(convert: (graph: ByteGraph) => T): T | undefined {
    if (this.#context.missesSchema) return undefined;
    this.#graph ??= compileByteGraph(this.#context);
    return attemptFast(this.#graph, this.#context.options.limits.values, convert);
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
