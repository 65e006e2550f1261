import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import * as es from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  binaryToJsonString,
  fromJson,
  fromJsonString,
  jsonStringToBinary,
  toJson,
  toJsonString,
} from "../../src/protobuf.js";
import { runs } from "../support/arbitraries.js";
import { own } from "../support/exact-json.js";
import { bareRegistry as registry } from "../support/extended-file.js";
import { messages } from "../support/messages.js";

/** Numbers that protobuf-es reads and writes as this package does: it has no text for -0. */
const numbers = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(1e21, 2 ** 53, 5))
  .map((value) => value + 0);
const keys = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom("__proto__", "0", "10", "a", "constructor"));

const { struct, value } = fc.letrec<{ struct: JsonObject; value: JsonValue }>((tie) => ({
  struct: fc.uniqueArray(fc.tuple(keys, tie("value")), { maxLength: 3, selector: ([key]) => key }).map((members) => {
    const object: { [key: string]: JsonValue } = {};
    for (const [key, member] of members) own(object, key, member);
    return object;
  }),
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    numbers,
    fc.string({ unit: "grapheme", maxLength: 6 }),
    fc.constantFrom<JsonValue>(null, true, false, "9007199254740993"),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("struct"),
  ),
}));

const types = [
  "structcodec.test.v1.CallToolRequest",
  "structcodec.test.v1.CallToolResponse",
  "structcodec.test.v1.Structs",
  "structcodec.test.v1.Node",
  "structcodec.test.v1.Record",
  "structcodec.test.v1.Wrappers",
  "structcodec.test.v1.BatchToolsResponse",
  "structcodec.test.v1.ConverseResponse",
  "structcodec.test.legacy.Open",
  "structcodec.test.delimited.Groups",
  "google.protobuf.Struct",
  "google.protobuf.Value",
  "google.protobuf.ListValue",
  "google.protobuf.Any",
  "google.protobuf.Timestamp",
];

const options = fc.record(
  {
    alwaysEmitImplicit: fc.boolean(),
    enumAsInteger: fc.boolean(),
    useProtoFieldName: fc.boolean(),
    prettySpaces: fc.constantFrom(0, 2, 3),
  },
  { requiredKeys: [] },
);

/** Vitest takes the member "constructor" of data for a class. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
  expect(isDeepStrictEqual(actual, expected)).toBe(true);
}

describe.each(types)("without hints, %s", (typeName) => {
  const desc = registry.getMessage(typeName) as es.DescMessage;
  const cases = fc.tuple(messages(desc, { struct, value }), options);

  it("is what protobuf-es writes and reads", () => {
    fc.assert(
      fc.property(cases, ([message, chosen]) => {
        const write = { ...chosen, registry };
        const text = es.toJsonString(desc, message, write);
        expect(toJsonString(desc, message, write)).toBe(text);
        expectSame(toJson(desc, message, write), es.toJson(desc, message, write));

        const bytes = es.toBinary(desc, message);
        const back = es.toJsonString(desc, es.fromBinary(desc, bytes), write);
        expect(binaryToJsonString(desc, bytes, write)).toBe(back);

        const read = es.fromJsonString(desc, text, { registry });
        const wire = es.toBinary(desc, read);
        expectSame(fromJsonString(desc, text, { registry }), read);
        expectSame(fromJson(desc, JSON.parse(text), { registry }), read);
        expect(jsonStringToBinary(desc, text, { registry })).toEqual(wire);
      }),
      runs(150),
    );
  });

  it("leaves the message as it was", () => {
    fc.assert(
      fc.property(cases, ([message, chosen]) => {
        const before = es.toBinary(desc, message);
        toJsonString(desc, message, { ...chosen, registry });
        expect(es.toBinary(desc, message)).toEqual(before);
      }),
      runs(20),
    );
  });
});
