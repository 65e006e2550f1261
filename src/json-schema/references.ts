import { getOwn } from "../base/own.js";
import { childPointer, parsePointer } from "../base/pointer.js";
import { isSchemaObject, type JsonSchema, type JsonSchemaObject } from "./json-schema.js";
import { listSubschemas } from "./subschemas.js";

/** Where a schema stands in its document, and the URI that its references are resolved against. */
export interface SchemaPlace {
  readonly pointer: string;
  readonly base: string;
  /** Containers of the schema document above this one. */
  readonly depth: number;
}

/** The target of a reference: a schema and its place. */
export interface ReferenceTarget {
  readonly schema: unknown;
  readonly place: SchemaPlace;
}

/** Everything in a document (and in the documents given along) that a reference may name. Nothing is ever fetched. */
export interface ReferenceIndex {
  /** Place of a schema object, if it stands where a keyword holds a sub-schema. */
  placeOf(schema: JsonSchemaObject): SchemaPlace | undefined;
  /** Resolve a `$ref` (or a dynamic one, statically) that stands in a schema with this base. */
  resolve(reference: string, base: string): ReferenceTarget | undefined;
}

// Relative references need a base to be resolved against; a document without an $id gets one that nobody can fetch.
const anonymousBase = "schema://document/";

/** Index the identifiers and anchors of a schema document. */
export function indexReferences(
  root: JsonSchemaObject,
  documents: { readonly [uri: string]: JsonSchema } = {},
  deepest: number = Number.POSITIVE_INFINITY,
): ReferenceIndex {
  const places = new Map<JsonSchemaObject, SchemaPlace>();
  const resources = new Map<string, ReferenceTarget>();
  const anchors = new Map<string, ReferenceTarget>();

  const index = (document: JsonSchemaObject, uri: string, top: string): void => {
    const pending: ReferenceTarget[] = [{ schema: document, place: { pointer: top, base: uri, depth: 1 } }];
    resources.set(uri, pending[0] as ReferenceTarget);
    for (let found = pending.pop(); found !== undefined; found = pending.pop()) {
      const { schema, place } = found;
      if (!isSchemaObject(schema) || places.has(schema) || place.depth > deepest) continue;
      const base = identify(schema, place);
      places.set(schema, { ...place, base });
      const below = listSubschemas(schema, place.pointer);
      // Pushed in reverse, so that the first of two equal anchors is the one that is met first.
      for (let i = below.length - 1; i >= 0; i--) {
        const { schema: next, pointer, name } = below[i] as (typeof below)[number];
        pending.push({ schema: next, place: { pointer, base, depth: place.depth + (name === undefined ? 1 : 2) } });
      }
    }
  };

  const identify = (schema: JsonSchemaObject, place: SchemaPlace): string => {
    let base = place.base;
    for (const keyword of ["$id", "id"]) {
      const id = getOwn(schema, keyword);
      if (typeof id !== "string") continue;
      const uri = resolveUri(id, base);
      if (uri === undefined) continue;
      const [resource, fragment] = splitFragment(uri);
      // Up to draft-07 an $id of "#name" is an anchor.
      if (fragment !== "") addAnchor(`${resource}#${fragment}`, schema, { ...place, base });
      if (id.startsWith("#")) continue;
      base = resource;
      if (!resources.has(resource)) resources.set(resource, { schema, place: { ...place, base } });
      break;
    }
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const name = getOwn(schema, keyword);
      if (typeof name === "string") addAnchor(`${base}#${name}`, schema, { ...place, base });
    }
    return base;
  };

  const addAnchor = (uri: string, schema: JsonSchemaObject, place: SchemaPlace): void => {
    if (!anchors.has(uri)) anchors.set(uri, { schema, place });
  };

  index(root, anonymousBase, "");
  for (const uri of Object.keys(documents)) {
    const document = getOwn(documents, uri);
    const absolute = splitFragment(resolveUri(uri, anonymousBase) ?? uri)[0];
    if (isSchemaObject(document)) index(document, absolute, `${uri}#`);
    else if (typeof document === "boolean") {
      resources.set(absolute, { schema: document, place: { pointer: `${uri}#`, base: absolute, depth: 1 } });
    }
  }

  return {
    placeOf: (schema) => places.get(schema),
    resolve(reference, base) {
      const uri = resolveUri(reference, base);
      if (uri === undefined) return undefined;
      const [resource, fragment] = splitFragment(uri);
      const anchored = anchors.get(`${resource}#${fragment}`);
      if (anchored !== undefined) return anchored;
      const target = resources.get(resource);
      if (target === undefined) return undefined;
      if (fragment === "") return target;
      // An `id` that was never meant as an identifier must not hide the document from its own "#/…" references.
      const document = resources.get(anonymousBase) as ReferenceTarget;
      return followPointer(target, fragment, places) ?? followPointer(document, fragment, places);
    },
  };
}

/** Follow a URI fragment that is a percent-encoded JSON Pointer through own members, schema positions or not. */
function followPointer(
  resource: ReferenceTarget,
  fragment: string,
  places: ReadonlyMap<JsonSchemaObject, SchemaPlace>,
): ReferenceTarget | undefined {
  const tokens = parsePointer(decodePercent(fragment) ?? "?");
  if (tokens === undefined) return undefined;
  let schema: unknown = resource.schema;
  let { pointer, base, depth } = resource.place;
  for (const token of tokens) {
    if (typeof schema !== "object" || schema === null) return undefined;
    if (Array.isArray(schema) && !/^(?:0|[1-9][0-9]*)$/.test(token)) return undefined;
    if (!Object.hasOwn(schema, token)) return undefined;
    schema = getOwn(schema, token);
    pointer = childPointer(pointer, token);
    depth++;
    if (isSchemaObject(schema)) base = places.get(schema)?.base ?? base;
  }
  return { schema, place: (isSchemaObject(schema) ? places.get(schema) : undefined) ?? { pointer, base, depth } };
}

function resolveUri(reference: string, base: string): string | undefined {
  // URL drops some control characters, which would make two different references one.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f]/.test(reference)) return undefined;
  try {
    return new URL(reference, base).href;
  } catch {
    // Not a URI at all: it names nothing here.
    return undefined;
  }
}

function splitFragment(uri: string): [resource: string, fragment: string] {
  const hash = uri.indexOf("#");
  return hash < 0 ? [uri, ""] : [uri.slice(0, hash), uri.slice(hash + 1)];
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray "%" makes decodeURIComponent throw.
    return undefined;
  }
}
