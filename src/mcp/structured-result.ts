import type { JsonObject } from "@bufbuild/protobuf";
import type { Struct } from "@bufbuild/protobuf/wkt";
import type { ExactJson, StructCodec } from "../index.js";
import { isObject, isTextOf, readExactText } from "./exact-text.js";
import { convertResult } from "./mcp-data-error.js";

/** A structured result, converted when it is asked for. A result that is no Struct is an `McpDataError`. */
export interface StructuredResult {
  /** What a generated message keeps in a field of type Struct. */
  toField(): JsonObject;
  toMessage(): Struct;
  /** The bytes of a `google.protobuf.Struct`. */
  toBinary(): Uint8Array;
}

/** What is known of a structured result: its exact text, or a value whose digits may be lost. */
type Source = { readonly text: string } | { readonly json: ExactJson };

/** Read the structured result of a call as exactly as it can be had. */
export function readStructured(result: unknown, codec: StructCodec): StructuredResult | undefined {
  if (!isObject(result) || result.structuredContent === undefined) return undefined;
  const source = findSource(result, result.structuredContent);
  const convert = <T>(fromText: (text: string) => T, fromJson: (json: ExactJson) => T): T =>
    convertResult(() => ("text" in source ? fromText(source.text) : fromJson(source.json)));
  return {
    toField: () => convert(codec.jsonStringToField, codec.jsonToField),
    toMessage: () => convert(codec.fromJsonString, codec.fromJson),
    toBinary: () => convert(codec.jsonStringToBinary, codec.jsonToBinary),
  };
}

/**
 * The exact text is in `_meta`, put there by this package on either side of the wire; or else in the content, where servers
 * repeat a structured result as text. A number beyond ±(2^53−1) that has neither is the issue `inexact`. A server that has parsed
 * its result itself sends the spelling of doubles, which on the wire is as exact as any: the content is then worth more.
 */
function findSource({ _meta, content }: { readonly [member: string]: unknown }, structured: unknown): Source {
  const kept = readExactText(_meta, structured);
  const mayBeRounded = holdsRounded(structured) && (kept === undefined || JSON.stringify(JSON.parse(kept)) === kept);
  const text = (mayBeRounded ? findTwin(content, structured) : undefined) ?? kept;
  // The SDK has parsed it, so JSON it is.
  return text === undefined ? { json: structured as ExactJson } : { text };
}

function findTwin(content: unknown, structured: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = content.filter(isObject).map(({ text }) => text);
  return texts.find((text): text is string => typeof text === "string" && isTextOf(text, structured));
}

/** Whether an integer may have lost digits when it was parsed. */
function holdsRounded(root: unknown): boolean {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) return true;
    if (typeof value === "object" && value !== null) for (const child of Object.values(value)) pending.push(child);
  }
  return false;
}
