import {
  createMessageChecker,
  createMessageHints,
  type HintTable,
  type MessageChecker,
  type MessageHints,
  type MessageHintsOptions,
} from "../protobuf.js";
import type { SchemaValidator } from "../schema.js";

/** Which schema describes which Struct, and what is done about those that do not fit. */
export interface StructInterceptorOptions extends Omit<MessageHintsOptions, "hints"> {
  /** Hints by full field name, or what `createMessageHints` made of them, beside which its options are a TypeError. */
  hints?: HintTable | MessageHints | undefined;
  /** Defaults to none. Checks what arrives against the schema of its field, where there is one: `useAjv` or `useCfworker`. */
  validator?: SchemaValidator | undefined;
}

/** What an interceptor asks for each message. */
export interface InterceptorTools {
  readonly hints: MessageHints;
  readonly checker: MessageChecker | undefined;
}

/** Compile the options of an interceptor. Throws as `createMessageHints` does. */
export function prepareInterceptor(options: StructInterceptorOptions = {}): InterceptorTools {
  const { hints, validator, ...rest } = options;
  if (validator !== undefined && typeof validator !== "function") throw new TypeError("validator must be a function");
  const compiled = isCompiled(hints) ? requireAlone(hints, rest) : createMessageHints({ ...rest, hints });
  return { hints: compiled, checker: validator && createMessageChecker(compiled, validator) };
}

/** Names of fields have a dot in them, so that no table has this member. */
function isCompiled(hints: HintTable | MessageHints | undefined): hints is MessageHints {
  return typeof (hints as MessageHints | undefined)?.find === "function";
}

function requireAlone(hints: MessageHints, options: object): MessageHints {
  const [name] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new TypeError(`option "${name}" belongs to createMessageHints`);
  return hints;
}
