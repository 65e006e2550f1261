import {
  type BinaryReadOptions,
  type DescMessage,
  fromBinary,
  type Message,
  type Registry,
  toBinary,
} from "@bufbuild/protobuf";
import type { FieldCodec, FieldValue } from "./field-codec.js";
import type { Planner } from "./message-plan.js";
import type { Locate } from "./place.js";
import { partOfBytes, partOfValue, placeholderBytes, placeholderSize, writePlaceholder } from "./placeholder.js";
import { rewriteWire } from "./rewrite-wire.js";
import { type Embedding, getSlot, type Site } from "./site.js";
import { rootKindOf, type StructKind } from "./struct-kind.js";

/** Levels of messages that protobuf-es reads unless it is told otherwise. */
export const defaultRecursionLimit = 100;

/** The bytes of the Structs of a message, kept apart from it, where placeholders stand for them: they are converted without being decoded. */
export class WireParts {
  readonly #planner: Planner;
  readonly #options: Partial<BinaryReadOptions>;
  readonly #input: Uint8Array | undefined;
  readonly #parts: Uint8Array[] = [];
  readonly #kinds: StructKind[] = [];

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
    return rewriteWire(this.#planner, this.#planner.plan(desc), bytes, recursionLimit, {
      take: (field, start, end) => {
        this.#kinds.push(field.content as StructKind);
        return this.#parts.push(bytes.subarray(start, end)) - 1;
      },
      size: (part) => placeholderSize(this.#kinds[part] as StructKind, part),
      write: (part, target, at) => writePlaceholder(this.#kinds[part] as StructKind, part, target, at),
    });
  }

  /**
   * The bytes that the placeholder at a site stands for. Undefined where there is none, as in a message that is malformed in a way
   * that protobuf-es does not see.
   */
  at({ kind, holder, key }: Site): Uint8Array | undefined {
    const held = getSlot(holder, key);
    return this.#parts[held instanceof Uint8Array ? partOfBytes(kind, held) : partOfValue(kind, held as FieldValue)];
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

  #add(kind: StructKind, part: Uint8Array): Uint8Array {
    this.#parts.push(part);
    this.#kinds.push(kind);
    return placeholderBytes(kind, this.#parts.length - 1);
  }
}
