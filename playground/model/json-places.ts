import { jsonLanguage } from "@codemirror/lang-json";

/** A value in a JSON text: where it stands, and under which JSON Pointer. */
export interface JsonPlace {
  readonly pointer: string;
  readonly kind: "object" | "array" | "string" | "number" | "literal";
  readonly from: number;
  readonly to: number;
}

/** A container on the way down, and what its next child is called. */
interface Open {
  readonly pointer: string;
  readonly isArray: boolean;
  index: number;
  key: string;
}

const kinds: ReadonlyMap<string, JsonPlace["kind"]> = new Map([
  ["Object", "object"],
  ["Array", "array"],
  ["String", "string"],
  ["Number", "number"],
  ["True", "literal"],
  ["False", "literal"],
  ["Null", "literal"],
]);

/**
 * List the values of a JSON text in its order, up to a number of them. A broken text gives what can be read of it, so that a
 * text is coloured while it is being typed. Of repeated keys, each is listed.
 */
export function listPlaces(text: string, most = 20_000): JsonPlace[] {
  const places: JsonPlace[] = [];
  const stack: Open[] = [];
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ name, from, to }) => {
      const open = stack.at(-1);
      if (name === "PropertyName" && open !== undefined) open.key = readKey(text.slice(from, to));
      const kind = kinds.get(name);
      if (kind === undefined) return true;
      if (places.length >= most) return false;
      const pointer = open === undefined ? "" : `${open.pointer}/${childName(open)}`;
      places.push({ pointer, kind, from, to });
      if (kind === "object" || kind === "array") {
        stack.push({ pointer, isArray: kind === "array", index: 0, key: "" });
      }
      return true;
    },
    leave: ({ name }) => {
      if (name === "Object" || name === "Array") stack.pop();
    },
  });
  return places;
}

/** The first offset at which a text is no JSON; undefined where it is. */
export function findSyntaxError(text: string): number | undefined {
  let at: number | undefined;
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) at ??= from;
      return at === undefined;
    },
  });
  return at;
}

/** The last value at each pointer: of repeated keys the last one counts. */
export function indexPlaces(places: readonly JsonPlace[]): ReadonlyMap<string, JsonPlace> {
  return new Map(places.map((place) => [place.pointer, place]));
}

function childName(open: Open): string {
  return open.isArray ? String(open.index++) : escapeToken(open.key);
}

/** One token of a JSON Pointer. */
export function escapeToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function readKey(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.replace(/^"|"$/g, "");
  }
}
