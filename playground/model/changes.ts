import { indexPlaces, type JsonPlace } from "./json-places.js";

/** A literal that is another one on the other side. */
export interface Change {
  readonly pointer: string;
  readonly before: string;
  readonly after: string;
}

/** A JSON text with the places of its values. */
export interface PlacedText {
  readonly text: string;
  readonly places: readonly JsonPlace[];
}

/** List the scalars that two texts spell differently at the same pointer. How a string is escaped is no difference. */
export function listChanges(before: PlacedText, after: PlacedText): Change[] {
  const old = indexPlaces(before.places);
  const changes: Change[] = [];
  for (const place of indexPlaces(after.places).values()) {
    const counterpart = old.get(place.pointer);
    if (counterpart === undefined || isContainer(place) || isContainer(counterpart)) continue;
    const [was, is] = [literalAt(before, counterpart), literalAt(after, place)];
    if (spelling(counterpart, was) !== spelling(place, is))
      changes.push({ pointer: place.pointer, before: was, after: is });
  }
  return changes;
}

export function literalAt({ text }: PlacedText, { from, to }: JsonPlace): string {
  return text.slice(from, to);
}

function isContainer({ kind }: JsonPlace): boolean {
  return kind === "object" || kind === "array";
}

function spelling({ kind }: JsonPlace, literal: string): string {
  if (kind !== "string") return literal;
  try {
    return JSON.stringify(JSON.parse(literal));
  } catch {
    return literal;
  }
}
