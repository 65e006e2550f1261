import type { Registry } from "@bufbuild/protobuf";
import type { ResolvedMessageOptions } from "./message-options.js";
import type { Planner } from "./message-plan.js";
import type { MessageRun } from "./message-run.js";
import { defaultRecursionLimit } from "./wire-parts.js";

/** How JSON is taken apart. */
export interface CutOptions {
  readonly planner: Planner;
  readonly registry: Registry | undefined;
  /** Levels of messages that are looked into; protobuf-es refuses what is deeper. */
  readonly deepest: number;
  readonly refusesRepeatedKeys: boolean;
  /** Whether the ends of long Structs in text may be guessed. */
  readonly guesses: boolean;
}

export function cutOptions(run: MessageRun, { es, registry }: ResolvedMessageOptions, guesses: boolean): CutOptions {
  const { recursionLimit = defaultRecursionLimit } = es;
  const refusesRepeatedKeys = run.hints.options.duplicateKeys !== "last";
  return { planner: run.planner, registry, deepest: recursionLimit, refusesRepeatedKeys, guesses };
}
