import { isDeepStrictEqual } from "node:util";
import * as es from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BatchToolsRequestSchema, CallToolRequestSchema } from "../../gen/structcodec/test/v1/agent_pb.js";
import { fromJsonString, jsonStringToBinary, StructCodecError } from "../../src/protobuf.js";
import { runs } from "../support/arbitraries.js";

// The end of a long Struct in text is guessed from what stands behind it.

/** Strings that look like the text around them. */
const strings = fc.oneof(
  fc.constantFrom(
    '"',
    "\\",
    '\\"',
    "}",
    "{",
    "]},",
    '","callId":"7"}',
    '"}}',
    "\\\\",
    "a".repeat(700),
    "}".repeat(3000),
    '"'.repeat(2500),
  ),
  fc.string({ maxLength: 20 }),
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    strings,
    fc.integer(),
    fc.constantFrom(null, true),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ maxLength: 5 }).filter((key) => key !== "__proto__"),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
})).value;

/** A Struct of more than 4 kB. */
const long = fc.tuple(fc.array(values, { maxLength: 5 }), fc.integer({ min: 0, max: 3 })).map(([items, at]) => {
  const filled: unknown[] = [...items];
  filled.splice(
    at,
    0,
    Array.from({ length: 700 }, (_, i) => `item ${i}`),
  );
  return { items: filled };
});
const struct = fc.oneof(long, fc.record({ short: values }));

/** Members of a call in any order, with white space between them. */
const calls = fc
  .tuple(
    struct,
    struct,
    fc.shuffledSubarray(["name", "callId", "arguments", "context", "timeout"], { minLength: 2 }),
    strings,
    fc.constantFrom("", " ", "\n\t"),
  )
  .map(([args, metadata, order, name, space]) => {
    const members: { [key: string]: unknown } = {
      name,
      callId: "1955516024755728386",
      arguments: args,
      context: { metadata, conversationId: name, baggage: { a: { b: 1 }, [name]: {} } },
      timeout: "1.5s",
    };
    const texts = order.map(
      (key) => `${space}"${key}"${space}:${space}${JSON.stringify(members[key], undefined, space.length)}`,
    );
    return `{${texts.join(`${space},`)}${space}}`;
  });

describe("long Structs in text", () => {
  it("are found among all kinds of members", () => {
    fc.assert(
      fc.property(calls, (call) => {
        for (const [desc, text] of [
          [CallToolRequestSchema, call],
          [BatchToolsRequestSchema, `{"call" : ${call} }`],
        ] as const) {
          const expected = es.fromJsonString(desc, text);
          expect(isDeepStrictEqual(fromJsonString(desc, text), expected)).toBe(true);
          expect(es.toBinary(desc, es.fromBinary(desc, jsonStringToBinary(desc, text)))).toEqual(
            es.toBinary(desc, expected),
          );
        }
      }),
      runs(60),
    );
  });

  const filler = JSON.stringify(Array.from({ length: 2000 }, (_, i) => i));

  it.each([
    ["a long Struct behind it", `{"arguments":{"a":${filler}},"context":{"metadata":{"b":${filler}}}}`],
    ["a long string behind it", `{"arguments":{"a":${filler}},"name":"${"x".repeat(9000)}"}`],
    [
      "a long map behind it",
      `{"arguments":{"a":${filler}},"context":{"baggage":{${Array.from({ length: 500 }, (_, i) => `"k${i}":{}`)}}}}`,
    ],
    ["a long number behind it", `{"arguments":{"a":${filler}},"callId":${"0".repeat(0)}7}`],
    ["text in it that looks like the end", `{"arguments":{"a":${filler},"b":"},\\"callId\\":\\"5\\"}"}}`],
  ])("have %s", (_, text) => {
    expect(fromJsonString(CallToolRequestSchema, text)).toEqual(es.fromJsonString(CallToolRequestSchema, text));
  });

  it.each([
    [
      "a number that no double holds",
      `{"arguments":{"a":${filler},"b":1e400},"name":"x"}`,
      "out_of_range",
      "/arguments/b",
    ],
    ["a bracket too much", `{"arguments":{"a":${filler}}},"name":"x"}`, "invalid_syntax", undefined],
    ["a bracket too few", `{"arguments":{"a":${filler},"name":"x"}`, "invalid_syntax", undefined],
    ["something behind it", `{"arguments":{"a":${filler}} 5,"name":"x"}`, "invalid_syntax", undefined],
    ["a key twice", `{"arguments":{"a":${filler},"a":1},"name":"x"}`, "duplicate_key", "/arguments/a"],
    ["itself twice", `{"arguments":{"a":${filler}},"arguments":{"a":${filler}}}`, "duplicate_key", "/arguments"],
  ])("with %s are refused as short ones are", (_, text, code, pointer) => {
    for (const convert of [fromJsonString, jsonStringToBinary]) {
      try {
        convert(CallToolRequestSchema, text);
        expect.fail("no error");
      } catch (error) {
        expect(error).toBeInstanceOf(StructCodecError);
        expect(error).toMatchObject(pointer === undefined ? { code } : { code, pointer });
      }
    }
  });
});
