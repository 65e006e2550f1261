import { exactKey, isObject, type Loose } from "./exact-text.js";

/** The place in a JSON-RPC message that holds what a Struct holds. Nothing of a message is trusted. */
export interface Slot {
  readonly message: Loose;
  readonly part: "params" | "result";
  readonly name: "arguments" | "structuredContent";
  readonly value: unknown;
  readonly meta: Loose;
}

/** Find the arguments of a call or a structured result in a message. */
export function findSlot(message: unknown): Slot | undefined {
  if (!isObject(message)) return undefined;
  if (isObject(message.result)) return slotOf(message, "result", "structuredContent", message.result);
  if (message.method !== "tools/call" || !isObject(message.params)) return undefined;
  return slotOf(message, "params", "arguments", message.params);
}

function slotOf(message: Loose, part: Slot["part"], name: Slot["name"], holder: Loose): Slot | undefined {
  const value = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (value === undefined) return undefined;
  return { message, part, name, value, meta: isObject(holder._meta) ? holder._meta : {} };
}

/** A copy of the message with another value in the slot, and the exact text of it beside it or none. */
export function fillSlot({ message, part, name, meta }: Slot, value: unknown, text: string | undefined): Loose {
  const { [exactKey]: _, ...others } = meta;
  const { _meta, ...holder } = message[part] as Loose;
  const filled = text === undefined ? others : { ...others, [exactKey]: text };
  const keepsMeta = Object.keys(filled).length > 0 || (isObject(_meta) && !Object.hasOwn(meta, exactKey));
  return { ...message, [part]: { ...holder, [name]: value, ...(keepsMeta && { _meta: filled }) } };
}

/** Do something with each message of a text, and with the same read otherwise. What stays the same is not copied. */
export function mapMessages(
  messages: unknown,
  others: unknown,
  map: (message: unknown, other: unknown) => unknown,
): unknown {
  if (!Array.isArray(messages)) return map(messages, others);
  const mapped = messages.map((message, i) => map(message, (others as unknown[])[i]));
  return mapped.some((message, i) => message !== messages[i]) ? mapped : messages;
}
