import type { JsonReadOptions, JsonWriteOptions } from "@bufbuild/protobuf";
import { createValueCodec } from "../index.js";
import { callErrorOf } from "./call-error.js";

/** What connect-es takes as `jsonOptions`, and the decoder. */
export interface ExactJsonOptions extends Partial<JsonReadOptions & JsonWriteOptions> {
  /** Makes text of bytes. connect-es reads it, though its types do not name it. */
  readonly textDecoder: { decode(bytes: Uint8Array): string };
}

/**
 * The `jsonOptions` of a transport or a router that keep the digits of integers beyond ±(2^53−1) in what arrives as JSON: they
 * are put in quotes before protobuf-es parses the text, in Structs and elsewhere, and it reads 64-bit fields from quotes as well.
 * Experimental: connect-es has always taken a decoder here but does not document it. Should it stop, integers are rounded as they
 * are without. The decoder sees no schema, so an integer that is its double's own spelling stays a number.
 */
export function exactJsonOptions(options: Partial<JsonReadOptions & JsonWriteOptions> = {}): ExactJsonOptions {
  // Without a schema, and with the limits of connect-es alone, which are in bytes.
  const codec = createValueCodec(undefined, {
    limits: { depth: none, inputBytes: none, outputBytes: none, values: none },
  });
  const quote = (text: string): string => {
    try {
      return codec.fieldToJsonString(codec.jsonStringToField(text));
    } catch (error) {
      // connect-es itself blames the sender for whatever cannot be parsed, on either side.
      throw callErrorOf(error, "request");
    }
  };
  return {
    ...options,
    textDecoder: {
      decode(bytes) {
        const text = new TextDecoder().decode(bytes);
        return manyDigits.test(text) ? quote(text) : text;
      },
    },
  };
}

const none = Number.POSITIVE_INFINITY;

/** An integer beyond ±(2^53−1) has that many; most texts have no such number and are left as they are. */
const manyDigits = /\d{16}/;
