import type { JsonObject } from "@bufbuild/protobuf";

/** Text that nests other text in 40 objects. */
function nest(open: string, text: string, close: string): string {
  return open.repeat(40) + text + close.repeat(40);
}

/** Text of members, on lines for people. */
function objectText(members: readonly string[]): string {
  return `{${members.join(",")}}`;
}

const integer = '{"type":"integer"}';

/** A schema of the values below. Members "__proto__" are additional: the SDKs drop that name from lists of properties. */
export const schemaText: string = `{"type":"object","properties":${objectText([
  '"above":{"type":"integer","format":"int64"}',
  '"lowest":{"type":"integer","format":"int64"}',
  '"highest":{"type":"integer","minimum":0,"maximum":18446744073709551615}',
  `"huge":${integer}`,
  `"power":${integer}`,
  '"zero":{"type":"number"}',
  `"integerZero":${integer}`,
  '"whole":{"type":"number"}',
  `"line":${integer}`,
  '"fraction":{"type":"number"}',
  '"nothing":{"type":["integer","null"]}',
  '"ticker":{"type":"string"}',
  `"list":{"type":"array","items":${integer}}`,
  `"deep":${nest('{"type":"object","properties":{"down":', integer, "}}")}`,
  `"nested":{"type":"object","additionalProperties":${integer}}`,
])},"additionalProperties":{"type":"object","properties":{"above":${integer}}}}`;

/** What a Struct-typed field holds: integers that no double holds as decimal text, all others as doubles. */
export const field: JsonObject = JSON.parse(
  objectText([
    '"above":"9007199254740993"',
    '"lowest":"-9223372036854775808"',
    '"highest":"18446744073709551615"',
    '"huge":1e21',
    '"power":1152921504606846976',
    '"zero":-0',
    '"integerZero":-0',
    '"whole":5.0',
    '"line":5.0',
    '"fraction":0.1',
    '"nothing":null',
    '"ticker":"005930"',
    '"list":["9007199254740993",7]',
    `"deep":${nest('{"down":', '"9007199254740993"', "}")}`,
    '"nested":{"__proto__":"9007199254740993"}',
    '"__proto__":{"above":"9007199254740993"}',
  ]),
);

/** The arguments that a typed server has to get for it, character by character. */
export const text: string = objectText([
  '"above":9007199254740993',
  '"lowest":-9223372036854775808',
  '"highest":18446744073709551615',
  '"huge":1000000000000000000000',
  '"power":1152921504606846976',
  '"zero":-0',
  '"integerZero":0',
  '"whole":5',
  '"line":5',
  '"fraction":0.1',
  '"nothing":null',
  '"ticker":"005930"',
  '"list":[9007199254740993,7]',
  `"deep":${nest('{"down":', "9007199254740993", "}")}`,
  '"nested":{"__proto__":9007199254740993}',
  '"__proto__":{"above":9007199254740993}',
]);

/** What that text is in a Struct. All integers beyond ±(2^53−1) are text there, also those that a double holds. */
export const resultField: JsonObject = JSON.parse(
  objectText([
    '"above":"9007199254740993"',
    '"lowest":"-9223372036854775808"',
    '"highest":"18446744073709551615"',
    '"huge":"1000000000000000000000"',
    '"power":"1152921504606846976"',
    '"zero":-0',
    '"integerZero":0',
    '"whole":5',
    '"line":5',
    '"fraction":0.1',
    '"nothing":null',
    '"ticker":"005930"',
    '"list":["9007199254740993",7]',
    `"deep":${nest('{"down":', '"9007199254740993"', "}")}`,
    '"nested":{"__proto__":"9007199254740993"}',
    '"__proto__":{"above":"9007199254740993"}',
  ]),
);

/** The same schema as an object, as `JSON.parse` and the SDKs give it. */
export const schema: Record<string, unknown> = JSON.parse(schemaText);
