import type { Explanation, StructCodec, ValueCodec } from "../../src/index.js";
import type { Change } from "./changes.js";
import type { JsonPlace } from "./json-places.js";
import { type Mark, markOf } from "./marks.js";

/** A value of a text with what the hint says there. */
export interface MarkedPlace {
  readonly place: JsonPlace;
  readonly mark: Mark | undefined;
  readonly isChanged: boolean;
}

/** Most values that are coloured; a text with more is no longer read by eye. */
const mostMarked = 3000;

/** Ask the hint about the scalars of a text. */
export function markPlaces(
  places: readonly JsonPlace[],
  codec: StructCodec | ValueCodec,
  changes: readonly Change[],
): MarkedPlace[] {
  const changed = new Set(changes.map(({ pointer }) => pointer));
  return places
    .filter(({ kind }) => kind === "number" || kind === "string")
    .slice(0, mostMarked)
    .map((place) => ({ place, mark: markOf(codec.explain(place.pointer)), isChanged: changed.has(place.pointer) }))
    .filter(({ mark, isChanged }) => mark !== undefined || isChanged);
}

/** The class of a value in a text: what the hint says, and whether it changed. */
export function markClass(mark: Mark | undefined, isChanged: boolean): string {
  return ["mark", ...(mark === undefined ? [] : [`mark-${mark}`]), ...(isChanged ? ["changed"] : [])].join(" ");
}

/** The innermost value around an offset. */
export function placeAt(places: readonly JsonPlace[], offset: number): JsonPlace | undefined {
  return places.findLast(({ from, to }) => from <= offset && offset <= to);
}

/** What the hint says of a place, in a line. */
export function describePlace({ pointer, summary }: Explanation): string {
  return `${pointer === "" ? "(root)" : pointer}  ${summary}`;
}
