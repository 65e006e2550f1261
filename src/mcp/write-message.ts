import { exactKey, normalizeText, readExactText } from "./exact-text.js";
import { fillSlot, findSlot, mapMessages } from "./message-slot.js";
import { parseExact } from "./parse-exact.js";
import { RawJson, RawNumber } from "./raw-json.js";
import { holdsExact, stringifyExact } from "./stringify-exact.js";

/** Round the exact integers of a message where they stand and put their text beside them, so that any SDK passes them on. */
export function packMessage(message: unknown): unknown {
  const slot = findSlot(message);
  if (slot === undefined || !holdsExact(slot.value)) return message;
  const text = stringifyExact(slot.value);
  return fillSlot(slot, JSON.parse(text), text);
}

/** Write a message with the exact integers in their places. */
export function writeMessage(message: unknown): string {
  const packed = packMessage(message);
  const placed = placeExact(packed, packed);
  return placed === packed ? JSON.stringify(packed) : stringifyExact(placed);
}

/** Write messages of an SDK's text again with the exact integers in their places. Text without any, or no JSON, stays. */
export function rewriteMessages(text: string): string {
  if (!text.includes(exactKey)) return text;
  try {
    const exact = parseExact(text, (numeral) => new RawNumber(numeral));
    return stringifyExact(mapMessages(exact, JSON.parse(text), placeExact));
  } catch {
    return text;
  }
}

/** Put what stands in the `_meta` of a message into its place, if it belongs there. The same message may come rounded. */
function placeExact(message: unknown, rounded: unknown): unknown {
  const [slot, source] = [findSlot(message), findSlot(rounded)];
  const exact = source && readExactText(source.meta, source.value);
  if (slot === undefined || exact === undefined) return message;
  // A peer that rounds a result can still read its text; a request is for one reader, and that is all of it.
  const beside = slot.part === "result" ? exact : undefined;
  return fillSlot(slot, new RawJson(normalizeText(exact)), beside);
}
