import { isDeepStrictEqual } from "node:util";
import * as es from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binaryToJsonString, fromJsonString, jsonStringToBinary, type StructCodecError } from "../../src/protobuf.js";
import { fields, runs } from "../support/arbitraries.js";
import { bareRegistry as registry } from "../support/extended-file.js";
import { messages } from "../support/messages.js";

/** What this package refuses and protobuf-es takes: malformed wire in a Struct, and numbers that it would make Infinity. */
const strictness =
  /^(?:invalid_wire|invalid_utf8|unset_value|not_finite|out_of_range|duplicate_key|unexpected_type|depth_exceeded)$/;

const types = ["CallToolRequest", "CallToolResponse", "Structs", "Node"].map((name) => `structcodec.test.v1.${name}`);

function attempt<T>(run: () => T): { value: T } | { error: unknown } {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

/** A message with some of its bytes or characters changed, left out or doubled. */
const damage = fc.array(
  fc.record({
    at: fc.nat(),
    kind: fc.constantFrom("change", "remove", "double"),
    unit: fc.nat(255),
    length: fc.nat(6),
  }),
  { minLength: 1, maxLength: 3 },
);
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

function damageUnits<T>(units: readonly T[], damages: Damage, unitOf: (unit: number) => T): T[] {
  const damaged = [...units];
  for (const { at, kind, unit, length } of damages) {
    const start = at % (damaged.length + 1);
    const piece = damaged.slice(start, start + length);
    if (kind === "change") damaged.splice(start, 1, unitOf(unit));
    else damaged.splice(start, kind === "remove" ? length : 0, ...(kind === "remove" ? [] : piece));
  }
  return damaged;
}

describe.each(types)("damaged %s", (typeName) => {
  const desc = registry.getMessage(typeName) as es.DescMessage;
  const sound = messages(desc, { struct: fields, value: fields }, 2);

  it("is read from bytes as protobuf-es reads what is well-formed", () => {
    fc.assert(
      fc.property(sound, damage, (message, damages) => {
        const bytes = Uint8Array.from(damageUnits([...es.toBinary(desc, message)], damages, (unit) => unit));
        const read = attempt(() => es.fromBinary(desc, bytes));
        const actual = attempt(() => binaryToJsonString(desc, bytes, { registry }));
        if ("error" in actual) {
          expect(String(actual.error)).not.toMatch(/call stack|not a function|properties of/);
        } else if ("value" in read && isDeepStrictEqual(es.toBinary(desc, read.value), bytes)) {
          const expected = JSON.parse(es.toJsonString(desc, read.value, { registry }));
          // JSON.stringify has no -0.
          expect(isDeepStrictEqual(JSON.parse(actual.value, plusZero), expected)).toBe(true);
        }
      }),
      runs(400),
    );
  });

  it("is read from text as protobuf-es reads it, or refused", () => {
    fc.assert(
      fc.property(sound, damage, (message, damages) => {
        const whole = es.toJsonString(desc, message, { registry });
        const text = damageUnits(
          [...whole],
          damages,
          (unit) => '{}[]":,0123456789.eE-nulltrue\\u '[unit % 32] as string,
        ).join("");
        const options = { registry, unsafeIntegers: "round" } as const;
        const expected = attempt(() => es.fromJsonString(desc, text, { registry }));
        const actual = attempt(() => fromJsonString(desc, text, options));
        const wire = attempt(() => jsonStringToBinary(desc, text, options));
        expect("value" in wire).toBe("value" in actual);
        if ("value" in actual && "value" in wire) {
          // In bytes members are as in the text, in objects array-index keys come first.
          const again = attempt(() => es.toBinary(desc, es.fromBinary(desc, wire.value)));
          if ("value" in again) expect(again.value).toEqual(es.toBinary(desc, actual.value));
          expect("value" in expected && isDeepStrictEqual(actual.value, expected.value)).toBe(true);
        } else if ("error" in actual && "value" in expected) {
          expect((actual.error as StructCodecError).code).toMatch(strictness);
        } else if ("error" in actual) {
          // Of several faults either may be told first.
          expect(actual.error).not.toBeInstanceOf(TypeError);
          expect(String(actual.error)).not.toMatch(/call stack/);
        }
      }),
      runs(400),
    );
  });
});

function plusZero(_key: string, value: unknown): unknown {
  return Object.is(value, -0) ? 0 : value;
}
