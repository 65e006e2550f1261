import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import type { ExactJson } from "../index.js";
import { beginConversion, createMessageHints, type MessageConversion } from "../protobuf.js";
import type { ChosenFields } from "./choose-fields.js";
import { findStructs, getSlot, type Site, setSlot } from "./find-structs.js";
import { partOfBytes, partOfObject, placeholderBytes, placeholderObject } from "./placeholder.js";
import { readOldShape } from "./read-old-shape.js";

/** Objects of one message type, with plain values in the chosen fields. */
export class LoaderForm {
  readonly #desc: DescMessage;
  readonly #chosen: ChosenFields;

  constructor(desc: DescMessage, chosen: ChosenFields) {
    this.#desc = desc;
    this.#chosen = chosen;
  }

  /** Write an object: protobufjs writes it with placeholders, and what codecs make of the plain values takes their place. */
  write(object: object, serialize: (object: object) => Buffer): Buffer {
    const conversion = this.#begin("decode", "write");
    const sites: Site[] = [];
    const copy = findStructs({ chosen: this.#chosen, conversion, copy: true, sites }, this.#desc, object, undefined);
    const parts = sites.map((site, part) => {
      const bytes = this.#writeSite(conversion, site);
      setSlot(site.holder, site.key, placeholderObject(site.field, part));
      return bytes;
    });
    const bytes = conversion.rewrite(this.#desc, serialize(copy), (field, content) =>
      this.#chosen.fields.has(field) ? (parts[partOfBytes(field, content)] as Uint8Array) : content,
    );
    conversion.finish();
    return asBuffer(bytes);
  }

  #writeSite(conversion: MessageConversion, { field, message, holder, key, place }: Site): Uint8Array {
    const codec = conversion.find(field, message, place);
    const value = getSlot(holder, key);
    const hasOldShape = this.#chosen.fields.get(field)?.hasOldShape === true;
    return conversion.convert(place, () =>
      codec.jsonToBinary(hasOldShape ? readOldShape(field, value) : (value as ExactJson)),
    );
  }

  /** Read an object: protobufjs reads it with placeholders, and plain values take their place. */
  read(bytes: Buffer, deserialize: (bytes: Buffer) => object): object {
    const conversion = this.#begin("encode", "read");
    const parts: Uint8Array[] = [];
    const rest = conversion.rewrite(this.#desc, bytes, (field, content) =>
      this.#chosen.fields.has(field) ? placeholderBytes(field, parts.push(content) - 1) : content,
    );
    const object = deserialize(asBuffer(rest));
    const sites: Site[] = [];
    findStructs({ chosen: this.#chosen, conversion, copy: false, sites }, this.#desc, object, undefined);
    const found = sites.map(
      (site) => parts[partOfObject(site.field, getSlot(site.holder, site.key))] ?? new Uint8Array(),
    );
    if (this.#chosen.hasFunctions) this.#showPlainly(sites, found);
    const codecs = sites.map(({ field, message, place }) => conversion.find(field, message, place));
    for (const [i, { holder, key, place }] of sites.entries()) {
      setSlot(
        holder,
        key,
        conversion.convert(place, () => codecs[i]?.binaryToJson(found[i] as Uint8Array)),
      );
    }
    conversion.finish();
    return object;
  }

  /** Functions of the table find plain values, as they are without a schema. */
  #showPlainly(sites: readonly Site[], parts: readonly Uint8Array[]): void {
    for (const [i, { field, message, holder, key }] of sites.entries()) {
      const descriptor: PropertyDescriptor = Object.create(null);
      descriptor.get = () => readPlainly(field, message, parts[i] as Uint8Array);
      descriptor.enumerable = true;
      descriptor.configurable = true;
      Object.defineProperty(holder, key, descriptor);
    }
  }

  #begin(direction: "encode" | "decode", verb: "read" | "write"): MessageConversion {
    return beginConversion(this.#chosen.hints, direction, `cannot ${verb} ${this.#desc.typeName}`);
  }
}

const unhinted = createMessageHints();

function readPlainly(field: DescField, message: object, bytes: Uint8Array): ExactJson | undefined {
  try {
    return unhinted.find(field, message as Message)?.codec.binaryToJson(bytes);
  } catch {
    // It is an error when it is converted; until then it is not there.
    return undefined;
  }
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
