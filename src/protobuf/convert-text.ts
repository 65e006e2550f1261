import type { DescMessage } from "@bufbuild/protobuf";
import { defaultLimits } from "../codec/options.js";
import { cutOptions } from "./cut-options.js";
import { cutText, UnusualText } from "./cut-text.js";
import type { JsonSource } from "./json-source.js";
import { type MessageReadOptions, type ResolvedMessageOptions, resolveMessageOptions } from "./message-options.js";
import { MessageRun } from "./message-run.js";

/** Makes something of the JSON of a message. */
export type ConvertSource<T> = (run: MessageRun, source: JsonSource, options: ResolvedMessageOptions) => T;

/**
 * Convert the JSON text of a message. Its Structs are taken out first, and where the end of one is only guessed, a failure
 * says nothing: it is then done once more without guessing.
 */
export function convertText<T>(
  desc: DescMessage,
  text: string,
  options: MessageReadOptions | undefined,
  convert: ConvertSource<T>,
): T {
  const resolved = resolveMessageOptions(options);
  const run = createRun(desc, resolved);
  requireText(run, text);
  let source = cutGuessing(run, desc, text, resolved);
  if (source?.isGuessed) {
    const guessed = attempt(() => convert(run, source as JsonSource, resolved));
    if (guessed !== undefined) {
      run.finish();
      return guessed.result;
    }
    source = undefined;
  }
  const again = source === undefined ? createRun(desc, resolved) : run;
  const result = convert(again, source ?? readText(again, desc, text, resolved), resolved);
  again.finish();
  return result;
}

function createRun(desc: DescMessage, options: ResolvedMessageOptions): MessageRun {
  return new MessageRun(options.hints, "decode", `cannot decode ${desc.typeName} from JSON`, options);
}

function requireText(run: MessageRun, text: string): void {
  if (typeof text !== "string") throw new TypeError(`JSON text is a string, not ${typeof text}`);
  const { inputBytes = defaultLimits.inputBytes } = run.hints.options.limits ?? {};
  if (text.length > inputBytes) throw run.fail("too_large", `input has more than ${inputBytes} bytes`, undefined);
}

function cutGuessing(run: MessageRun, desc: DescMessage, text: string, options: ResolvedMessageOptions) {
  return attempt(() => cutText(cutOptions(run, options, true), desc, text))?.result;
}

function attempt<T>(run: () => T): { result: T } | undefined {
  try {
    return { result: run() };
  } catch {
    // Without guessing it fails again, or it does not.
    return undefined;
  }
}

function readText(run: MessageRun, desc: DescMessage, text: string, options: ResolvedMessageOptions): JsonSource {
  try {
    return cutText(cutOptions(run, options, false), desc, text);
  } catch (error) {
    if (!(error instanceof UnusualText)) throw error;
  }
  // No JSON, or none that may be read: whoever reads all of it says what is wrong, and where.
  run.convert(undefined, () => run.hints.unhinted("value").fromJsonString(text));
  throw run.fail("invalid_syntax", "text is no JSON", undefined);
}
