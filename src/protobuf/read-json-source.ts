import type { DescMessage } from "@bufbuild/protobuf";
import type { ExactJson } from "../codec/exact-json.js";
import { defaultLimits } from "../codec/options.js";
import { cutJson } from "./cut-json.js";
import { type CutOptions, cutText, UnusualText } from "./cut-text.js";
import type { JsonSource } from "./json-source.js";
import type { ResolvedMessageOptions } from "./message-options.js";
import type { MessageRun } from "./message-run.js";
import { defaultRecursionLimit } from "./wire-parts.js";

/** Take the Structs out of the JSON text of a message. */
export function readText(
  run: MessageRun,
  desc: DescMessage,
  text: string,
  options: ResolvedMessageOptions,
): JsonSource {
  if (typeof text !== "string") throw new TypeError(`JSON text is a string, not ${typeof text}`);
  const { inputBytes = defaultLimits.inputBytes } = run.hints.options.limits ?? {};
  if (text.length > inputBytes) throw run.fail("too_large", `input has more than ${inputBytes} bytes`, undefined);
  try {
    return cutText(cutOptions(run, options), desc, text);
  } catch (error) {
    if (!(error instanceof UnusualText)) throw error;
  }
  // No JSON, or none that may be read: whoever reads all of it says what is wrong, and where.
  run.convert(undefined, () => run.hints.unhinted("value").fromJsonString(text));
  throw run.fail("invalid_syntax", "text is no JSON", undefined);
}

/** Take the Structs out of the JSON value of a message. */
export function readJson(
  run: MessageRun,
  desc: DescMessage,
  json: ExactJson,
  options: ResolvedMessageOptions,
): JsonSource {
  return cutJson(cutOptions(run, options), desc, json);
}

function cutOptions({ hints, planner }: MessageRun, { es, registry }: ResolvedMessageOptions): CutOptions {
  const { recursionLimit = defaultRecursionLimit } = es;
  return { planner, registry, deepest: recursionLimit, refusesRepeatedKeys: hints.options.duplicateKeys !== "last" };
}
