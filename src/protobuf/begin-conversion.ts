import { type DescField, type DescMessage, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { type Direction, StructCodecError } from "../base/errors.js";
import type { FieldCodec } from "./field-codec.js";
import { type MessageHints, requireHints } from "./message-hints.js";
import { fieldNameOf } from "./message-plan.js";
import { MessageRun } from "./message-run.js";
import type { Crumb } from "./place.js";
import { rewriteWire } from "./rewrite-wire.js";
import { structKindOf } from "./struct-kind.js";
import { defaultRecursionLimit } from "./wire-parts.js";

/** Where something is in a message: a link of the chain up to the root, which is undefined. */
export type MessagePlace = Crumb;

/** One conversion of one message, for whoever keeps messages in a form of his own. */
export interface MessageConversion {
  /**
   * Copy wire bytes with other bytes for each Struct, Value and ListValue in a field, wherever it is nested, in the order of the
   * bytes. What is in an Any is left alone.
   */
  rewrite(
    desc: DescMessage,
    bytes: Uint8Array,
    rewrite: (field: DescField, content: Uint8Array) => Uint8Array,
  ): Uint8Array;
  /**
   * The codec for what is in a field. Functions of the table are called with the message as it is given. One that throws is a
   * `StructCodecError` with its cause; a schema that is missing is the issue `no_schema`.
   */
  find(field: DescField, message: object, place: MessagePlace): FieldCodec;
  /** Convert what is at a place: errors and issues say where it is in the whole. */
  convert<T>(place: MessagePlace, convert: () => T): T;
  /** Hand over the issues. */
  finish(): void;
}

/** Begin a conversion. Its errors begin with the action: verb, thing and direction, as in "cannot read agent.v1.CallTool". */
export function beginConversion(hints: MessageHints, direction: Direction, action: string): MessageConversion {
  const compiled = requireHints(hints);
  const { onIssues } = compiled.options;
  const run = new MessageRun(compiled, direction, action, { onIssues });
  return {
    rewrite: (desc, bytes, rewrite) => rewriteAny(run, desc, bytes, rewrite),
    find: (field, message, crumb) => {
      const kind = structKindOf(field.message);
      if (kind === undefined)
        throw new TypeError(`${fieldNameOf(field)} is no field of type Struct, Value or ListValue`);
      const site = { name: fieldNameOf(field), field, message: message as Message, crumb, kind };
      return run.find({ ...site, holder: message, key: field.localName, embedded: false });
    },
    // Offsets in a part say nothing about the whole.
    convert: (crumb, convert) => run.convert(crumb, convert, () => ({})),
    finish: () => run.finish(),
  };
}

function rewriteAny(
  { planner }: MessageRun,
  desc: DescMessage,
  bytes: Uint8Array,
  rewrite: (field: DescField, content: Uint8Array) => Uint8Array,
): Uint8Array {
  const write = (input: Uint8Array): Uint8Array => {
    const pieces: Uint8Array[] = [];
    return rewriteWire(planner, planner.plan(desc), input, defaultRecursionLimit, {
      take: ({ field }, start, end) => pieces.push(rewrite(field, input.subarray(start, end))) - 1,
      size: (piece) => (pieces[piece] as Uint8Array).length,
      write: (piece, target, at) => target.set(pieces[piece] as Uint8Array, at),
    });
  };
  try {
    return write(bytes);
  } catch (error) {
    if (error instanceof StructCodecError) throw error;
    // Not as a writer makes it: protobuf-es says what is wrong, or reads it nevertheless and writes it well-formed.
    return write(toBinary(desc, fromBinary(desc, bytes)));
  }
}
