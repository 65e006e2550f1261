import { compileNumeralRules, type NumeralRules } from "../base/numerals.js";
import type { HintNode } from "../hint/node.js";
import type { ResolvedOptions } from "./options.js";

/** What one codec's conversions share. Immutable, so a codec may be used from within its own callbacks. */
export interface CodecContext {
  /** What is converted, for messages: a message, or what a tool takes and gives. */
  readonly typeName: "google.protobuf.Struct" | "google.protobuf.Value" | "tool arguments" | "tool result";
  readonly root: HintNode;
  readonly rules: NumeralRules;
  readonly options: ResolvedOptions;
  /** Set where a schema was asked for and not found; every conversion then has the issue `no_schema`. */
  readonly missesSchema: boolean;
}

export function createContext(
  typeName: CodecContext["typeName"],
  root: HintNode,
  options: ResolvedOptions,
  missesSchema: boolean,
): CodecContext {
  return { typeName, root, rules: compileNumeralRules(options), options, missesSchema };
}
