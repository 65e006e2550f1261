import {
  type BinaryWriteOptions,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonReadOptions,
  type Message,
  type Registry,
  toBinary,
} from "@bufbuild/protobuf";
import type { FieldCodec, FieldValue } from "./field-codec.js";
import { findSites, type Sites } from "./find-sites.js";
import type { JsonSource } from "./json-source.js";
import type { MessageRun } from "./message-run.js";
import { partOfBytes } from "./placeholder.js";
import { rewriteWire } from "./rewrite-wire.js";
import { showUnhinted } from "./show-unhinted.js";
import { type Embedding, getSlot, partAt, type Site, setSlot } from "./site.js";
import { rootKindOf, type StructKind } from "./struct-kind.js";

/** The options of protobuf-es to read JSON and to write bytes. */
export type DecodeOptions = Partial<JsonReadOptions & BinaryWriteOptions>;

/**
 * Read a message from JSON: protobuf-es reads it with placeholders for the Structs, and what their codecs make of the parts takes
 * their place, as values in fields and as bytes in an Any or an extension.
 */
export function decodeMessage(run: MessageRun, desc: DescMessage, source: JsonSource, options: DecodeOptions): Message {
  const parts = new DecodedParts(run, source);
  const { sites, codecs, close } = parts.read(desc, options);
  for (const [i, site] of sites.entries()) {
    const codec = codecs[i] as FieldCodec;
    if (site.embedded) parts.convertToBytes(site, codec);
    else setSlot(site.holder, site.key, parts.convertToField(site, codec));
  }
  return close();
}

/** Convert JSON to the wire bytes of a message. No Struct is decoded on the way. */
export function decodeToBinary(
  run: MessageRun,
  desc: DescMessage,
  source: JsonSource,
  options: DecodeOptions,
): Uint8Array {
  const parts = new DecodedParts(run, source);
  const { sites, codecs, close } = parts.read(desc, options);
  for (const [i, site] of sites.entries()) parts.convertToBytes(site, codecs[i] as FieldCodec);
  const bytes = toBinary(desc, close(), options);
  const kind = rootKindOf(desc);
  return kind === undefined ? parts.fill(desc, bytes) : parts.replace(kind, bytes);
}

/** A message that was read, and the codecs of what is at its sites. */
interface ReadMessage extends Sites {
  readonly codecs: readonly FieldCodec[];
}

/** What became of the parts of a JSON source. */
class DecodedParts {
  readonly #run: MessageRun;
  readonly #source: JsonSource;
  /** By the number of the part. */
  readonly #bytes: Uint8Array[] = [];
  readonly #isClaimed: boolean[] = [];

  constructor(run: MessageRun, source: JsonSource) {
    this.#run = run;
    this.#source = source;
  }

  read(desc: DescMessage, options: DecodeOptions): ReadMessage {
    const run = this.#run;
    const message = fromJson(desc, this.#source.skeleton, options);
    const { registry } = options;
    const found = findSites(run.siteOptions(false, registry && this.#embedding(registry)), desc, message);
    const sites = found.sites.filter(holdsPart);
    const codecs = showUnhinted(
      run.hints,
      sites,
      (site) => this.#source.toField(run.hints.unhinted(site.kind), partAt(site)),
      () => sites.map((site) => run.find(site)),
    );
    return { sites, codecs, close: found.close };
  }

  convertToField(site: Site, codec: FieldCodec): FieldValue {
    const part = this.#claim(site);
    return this.#run.convert(site.crumb, () => this.#source.toField(codec, part), this.#source.locate(part));
  }

  convertToBytes(site: Site, codec: FieldCodec): void {
    const part = this.#claim(site);
    const convert = () => this.#source.toBinary(codec, part);
    this.#bytes[part] = this.#run.convert(site.crumb, convert, this.#source.locate(part));
  }

  /** A Struct in an Any that is not the member "value" is no placeholder, even if it looks like one. */
  #claim(site: Site): number {
    const part = partAt(site);
    const isPart = Number.isInteger(part) && part >= 0 && part < this.#source.partCount;
    if (isPart && !this.#isClaimed[part]) {
      this.#isClaimed[part] = true;
      return part;
    }
    throw this.#run.fail(
      "unexpected_type",
      `expected the content of google.protobuf.Any in the member "value"`,
      site.crumb,
    );
  }

  /** The bytes of the part that a placeholder stands for. */
  replace(kind: StructKind, placeholder: Uint8Array): Uint8Array {
    return this.#bytes[partOfBytes(kind, placeholder, 0, placeholder.length)] ?? placeholder;
  }

  /** Put parts in the places of their placeholders in a message. */
  fill(desc: DescMessage, bytes: Uint8Array): Uint8Array {
    const { planner } = this.#run;
    const partBytes = (part: number): Uint8Array => this.#bytes[part] as Uint8Array;
    // protobuf-es wrote this, so it is no deeper than it reads.
    return rewriteWire(planner, planner.plan(desc), bytes, Number.POSITIVE_INFINITY, {
      take: ({ content }, start, end) => partOfBytes(content as StructKind, bytes, start, end),
      size: (part) => partBytes(part).length,
      write: (part, target, at) => target.set(partBytes(part), at),
    });
  }

  #embedding(registry: Registry): Embedding {
    return {
      registry,
      open: (desc, bytes) => fromBinary(desc, bytes),
      close: (desc, message) => this.fill(desc, toBinary(desc, message)),
      openContent: (_, placeholder) => placeholder,
      closeContent: (kind, placeholder) => this.replace(kind, placeholder),
    };
  }
}

/** An Any without content has no placeholder. */
function holdsPart({ holder, key }: Site): boolean {
  const held = getSlot(holder, key);
  return !(held instanceof Uint8Array) || held.length > 0;
}
