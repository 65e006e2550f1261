import {
  type BinaryReadOptions,
  type DescMessage,
  type JsonWriteOptions,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { RawNumeral } from "../base/numerals.js";
import type { JsonTree } from "../codec/json-tree.js";
import type { FieldCodec, FieldValue } from "./field-codec.js";
import { findSites } from "./find-sites.js";
import { indentText } from "./indent-text.js";
import type { MessageRun } from "./message-run.js";
import { type Crumb, keysOf } from "./place.js";
import { emptyValue } from "./placeholder.js";
import { showUnhinted } from "./show-unhinted.js";
import { type Embedding, getSlot, type Site, setSlot } from "./site.js";
import { rootKindOf } from "./struct-kind.js";
import { WireParts } from "./wire-parts.js";

/** The options of protobuf-es, and whether JSON is wanted as text, laid out with so many spaces. */
export interface EncodeOptions {
  readonly write: Partial<JsonWriteOptions>;
  readonly read: Partial<BinaryReadOptions>;
  readonly textSpaces: number | undefined;
}

/**
 * Convert a message to JSON: protobuf-es writes it with placeholders for its Structs, and what their codecs say takes their
 * place. In a tree for text those are pieces of text.
 */
export function encodeMessage(run: MessageRun, desc: DescMessage, message: Message, options: EncodeOptions): JsonTree {
  const parts = new WireParts(run.planner, options.read);
  const { sites, close } = findSites(run.siteOptions(true, embed(parts, options)), desc, message);
  if (sites.length === 0) return toJson(desc, message, options.write) as JsonTree;
  const codecs = sites.map((site) => run.find(site));
  const trees = sites.map((site, i) => {
    const codec = codecs[i] as FieldCodec;
    return site.embedded ? encodePart(run, site, codec, parts, options) : encodeValue(run, site, codec, options);
  });
  if (rootKindOf(desc) !== undefined) return trees[0] as JsonTree;
  for (const { embedded, holder, key, kind } of sites) if (!embedded) setSlot(holder, key, emptyValue(kind));
  return fill(toJson(desc, close(), options.write) as JsonTree, sites, trees);
}

/** Convert the bytes of a message to JSON, without decoding its Structs. */
export function encodeBinary(run: MessageRun, desc: DescMessage, bytes: Uint8Array, options: EncodeOptions): JsonTree {
  const parts = new WireParts(run.planner, options.read, bytes);
  const message = parts.read(desc, bytes);
  const { sites, close } = findSites(run.siteOptions(false, embed(parts, options)), desc, message);
  const codecs = showUnhinted(
    run.hints,
    sites,
    (site) => readUnhinted(run, site, parts),
    () => sites.map((site) => run.find(site)),
  );
  const trees = sites.map((site, i) => encodePart(run, site, codecs[i] as FieldCodec, parts, options));
  if (rootKindOf(desc) !== undefined) return trees[0] as JsonTree;
  return fill(toJson(desc, close(), options.write) as JsonTree, sites, trees);
}

function embed(parts: WireParts, { write }: EncodeOptions): Embedding | undefined {
  return write.registry === undefined ? undefined : parts.embedding(write.registry);
}

function encodeValue(run: MessageRun, site: Site, codec: FieldCodec, { textSpaces }: EncodeOptions): JsonTree {
  const value = getSlot(site.holder, site.key) as FieldValue;
  if (textSpaces === undefined) return run.convert(site.crumb, () => codec.toJson(value));
  return textPiece(
    site,
    run.convert(site.crumb, () => codec.toJsonString(value)),
    textSpaces,
  );
}

function encodePart(
  run: MessageRun,
  site: Site,
  codec: FieldCodec,
  parts: WireParts,
  { textSpaces }: EncodeOptions,
): JsonTree {
  const bytes = parts.at(site);
  if (bytes === undefined) throw run.fail("invalid_wire", "message is malformed", site.crumb);
  const locate = parts.locate(codec, bytes);
  if (textSpaces === undefined) return run.convert(site.crumb, () => codec.binaryToJson(bytes), locate);
  return textPiece(
    site,
    run.convert(site.crumb, () => codec.binaryToJsonString(bytes), locate),
    textSpaces,
  );
}

/** A writer of text copies a numeral as it is, whatever is in it. */
function textPiece({ crumb }: Site, text: string, spaces: number): RawNumeral {
  return new RawNumeral(spaces === 0 ? text : indentText(text, spaces, keysOf(crumb).length));
}

function readUnhinted(run: MessageRun, site: Site, parts: WireParts): FieldValue {
  const codec = run.hints.unhinted(site.kind);
  return codec.fromJson(codec.binaryToJson(parts.at(site) as Uint8Array));
}

/** Put what was converted where protobuf-es wrote the placeholders. */
function fill(tree: JsonTree, sites: readonly Site[], trees: readonly JsonTree[]): JsonTree {
  for (let i = 0; i < sites.length; i++) {
    const { parent, key } = (sites[i] as Site).crumb as Crumb;
    setSlot(nodeAt(tree, parent), key, trees[i]);
  }
  return tree;
}

function nodeAt(tree: JsonTree, crumb: Crumb | undefined): object {
  return (crumb === undefined ? tree : getSlot(nodeAt(tree, crumb.parent), crumb.key)) as object;
}
