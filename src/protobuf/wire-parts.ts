import {
  type BinaryReadOptions,
  type DescMessage,
  fromBinary,
  type Message,
  type Registry,
  toBinary,
} from "@bufbuild/protobuf";
import type { FieldCodec } from "./field-codec.js";
import type { Planner } from "./message-plan.js";
import type { Locate } from "./place.js";
import { placeholderBytes, placeholderSize, writePlaceholder } from "./placeholder.js";
import { rewriteWire } from "./rewrite-wire.js";
import { type Embedding, partAt, type Site } from "./site.js";
import { rootKindOf, type StructKind } from "./struct-kind.js";

/** Levels of messages that protobuf-es reads unless it is told otherwise. */
export const defaultRecursionLimit = 100;

/** The bytes of the Structs of a message, kept apart from it, where placeholders stand for them: they are converted without being decoded. */
export class WireParts {
  readonly #planner: Planner;
  readonly #options: Partial<BinaryReadOptions>;
  readonly #input: Uint8Array | undefined;
  readonly #parts = new PartList();

  /** Offsets in errors count from the beginning of `input`, where a Struct is part of it. */
  constructor(planner: Planner, options: Partial<BinaryReadOptions>, input?: Uint8Array) {
    this.#planner = planner;
    this.#options = options;
    this.#input = input;
  }

  /** Read a message with placeholders; one that is a Struct itself becomes one. */
  read(desc: DescMessage, bytes: Uint8Array): Message {
    const kind = rootKindOf(desc);
    if (kind !== undefined) return fromBinary(desc, this.#add(kind, bytes));
    let rest: Uint8Array;
    try {
      rest = this.#cut(desc, bytes);
    } catch {
      // Not as a writer makes it: protobuf-es says what is wrong, or reads it nevertheless and writes it well-formed.
      rest = this.#cut(desc, toBinary(desc, fromBinary(desc, bytes, this.#options)));
    }
    return fromBinary(desc, rest, this.#options);
  }

  #cut(desc: DescMessage, bytes: Uint8Array): Uint8Array {
    const { recursionLimit = defaultRecursionLimit } = this.#options;
    const parts = this.#parts;
    return rewriteWire(this.#planner, this.#planner.plan(desc), bytes, recursionLimit, {
      take: ({ content }, start, end) => parts.add(content as StructKind, bytes, start, end),
      size: (part) => placeholderSize(parts.kind(part)),
      write: (part, target, at) => writePlaceholder(parts.kind(part), part, target, at),
    });
  }

  /**
   * The bytes that the placeholder at a site stands for. Undefined where there is none, as in a message that is malformed in a way
   * that protobuf-es does not see.
   */
  at(site: Site): Uint8Array | undefined {
    return this.#parts.bytes(partAt(site));
  }

  /** Where in the input an offset is that an error about one part has. */
  locate(codec: FieldCodec, part: Uint8Array): Locate {
    const input = this.#input;
    if (input === undefined || part.buffer !== input.buffer) return () => ({});
    const start = part.byteOffset - input.byteOffset - codec.headerLength(part);
    return ({ offset }) => (offset === undefined ? {} : { offset: start + offset });
  }

  /** Opens what is in an Any and in extensions for the way to JSON, where placeholders are written in their place. */
  embedding(registry: Registry): Embedding {
    return {
      registry,
      open: (desc, bytes) => {
        try {
          return this.read(desc, bytes);
        } catch {
          // Left as it is, protobuf-es reads it, or says what is wrong with it.
          return undefined;
        }
      },
      close: (desc, message) => toBinary(desc, message),
      openContent: (kind, bytes) => this.#add(kind, bytes),
      closeContent: (_, placeholder) => placeholder,
    };
  }

  #add(kind: StructKind, bytes: Uint8Array): Uint8Array {
    return placeholderBytes(kind, this.#parts.add(kind, bytes, 0, bytes.length));
  }
}

/** Parts of arrays of bytes. There may be very many, so they are no objects. */
class PartList {
  readonly #kinds: StructKind[] = [];
  readonly #sources: Uint8Array[] = [];
  readonly #places: number[] = [];

  /** Gives the number of the part. */
  add(kind: StructKind, source: Uint8Array, start: number, end: number): number {
    this.#kinds.push(kind);
    this.#places.push(start, end);
    return this.#sources.push(source) - 1;
  }

  kind(part: number): StructKind {
    return this.#kinds[part] as StructKind;
  }

  bytes(part: number): Uint8Array | undefined {
    return this.#sources[part]?.subarray(this.#places[part * 2], this.#places[part * 2 + 1]);
  }
}
