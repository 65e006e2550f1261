import { isObject, readExactText } from "./exact-text.js";
import { fillSlot, findSlot, mapMessages } from "./message-slot.js";
import { bigintOf, mayLoseDigits, parseExact } from "./parse-exact.js";
import { RawNumber } from "./raw-json.js";
import { holdsExact, stringifyExact } from "./stringify-exact.js";

/**
 * Read a JSON-RPC message, or several. Integers beyond ±(2^53−1) in the arguments of a call come as `bigint`. In a
 * structured result numbers are rounded as ever, and its exact text comes in `_meta`. Throws SyntaxError.
 */
export function readMessages(text: string): unknown {
  const messages: unknown = JSON.parse(text);
  if (!mayLose(text)) return messages;
  return mapMessages(keepResults(messages, text), parseExact(text, bigintOf), keepArguments);
}

/** Write a reply again with the exact text of its result in `_meta`. Undefined where nothing is lost, or it is no JSON. */
export function attachToReply(text: string): string | undefined {
  if (!mayLose(text)) return undefined;
  try {
    const reply: unknown = JSON.parse(text);
    const kept = keepResults(reply, text);
    return kept === reply ? undefined : JSON.stringify(kept);
  } catch {
    // The SDK has an error of its own for that.
    return undefined;
  }
}

/** `JSON.parse` loses digits, and the schemas of the SDKs a member "__proto__". */
function mayLose(text: string): boolean {
  return mayLoseDigits(text) || text.includes("__proto__");
}

function keepResults(messages: unknown, text: string): unknown {
  return mapMessages(
    messages,
    parseExact(text, (numeral) => new RawNumber(numeral)),
    keepResult,
  );
}

function keepResult(message: unknown, exact: unknown): unknown {
  const slot = findSlot(message);
  const value = findSlot(exact)?.value;
  if (slot?.part !== "result") return message;
  // Where the server had to round, it has said so beside it, and its text is worth more than the spelling of what it rounded.
  if (readExactText(slot.meta, slot.value) !== undefined) return message;
  const isDropped = isObject(value) && Object.hasOwn(value, "__proto__");
  const text = isDropped || holdsExact(value) ? tryStringify(value) : undefined;
  return text === undefined ? message : fillSlot(slot, slot.value, text);
}

/** Undefined for what is nested too deep for the stack: no codec takes that, however its numbers are spelled. */
function tryStringify(value: unknown): string | undefined {
  try {
    return stringifyExact(value);
  } catch {
    return undefined;
  }
}

function keepArguments(message: unknown, exact: unknown): unknown {
  const slot = findSlot(message);
  const value = findSlot(exact)?.value;
  return slot?.part === "params" && holdsExact(value) ? fillSlot(slot, value, undefined) : message;
}
