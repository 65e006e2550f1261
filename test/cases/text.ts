import type { Case } from "../support/case.js";

const encoder = new TextEncoder();

function syntax(name: string, text: string, place: Partial<Case["error"] & object> = {}): Case {
  return { name, direction: "decode", text, error: { code: "invalid_syntax", ...place } };
}

/** Not JSON by RFC 8259. */
const malformed: Case[] = [
  syntax("the empty text", "", { offset: 0, line: 1, column: 1 }),
  syntax("white space alone", " \n "),
  syntax("a byte order mark", '\ufeff{"a":1}'),
  syntax("an unclosed object", '{"a":1'),
  syntax("an unclosed list", '{"a":[1,2'),
  syntax("an unclosed string", '{"a":"x'),
  syntax("a comma before the end of an object", '{"a":1,}', { offset: 7, line: 1, column: 8 }),
  syntax("a comma before the end of a list", '{"a":[1,]}', { offset: 8, line: 1, column: 9 }),
  syntax("a comma in the beginning", "{,}"),
  syntax("two commas", '{"a":[1,,2]}'),
  syntax("no comma", '{"a":1 "b":2}'),
  syntax("no colon", '{"a" 1}'),
  syntax("two colons", '{"a"::1}'),
  syntax("text after the end", '{"a":1} x', { pointer: "", offset: 8, line: 1, column: 9 }),
  syntax("text after the end of a list at the end", '{"a":[1]}]', { pointer: "", offset: 9, line: 1, column: 10 }),
  syntax("a second root", '{"a":1}{"a":2}', { pointer: "" }),
  syntax("a comment", '{"a":1/*x*/}'),
  syntax("single quotes", "{'a':1}", { offset: 1, line: 1, column: 2 }),
  syntax("a key without quotes", "{a:1}"),
  syntax("a number as a key", "{1:1}"),
  syntax("NaN", '{"a":NaN}'),
  syntax("Infinity", '{"a":Infinity}'),
  syntax("-Infinity", '{"a":-Infinity}'),
  syntax("True", '{"a":True}'),
  syntax("tru", '{"a":tru}'),
  syntax("nulll", '{"a":nulll}'),
  syntax("undefined", '{"a":undefined}'),
  syntax("a leading zero", '{"a":05}'),
  syntax("a leading zero after the sign", '{"a":-05}'),
  syntax("a plus sign", '{"a":+5}'),
  syntax("no digit after the point", '{"a":5.}'),
  syntax("no digit before the point", '{"a":.5}'),
  syntax("no digit in the exponent", '{"a":5e}'),
  syntax("a sign alone in the exponent", '{"a":5e+}'),
  syntax("a sign alone", '{"a":-}'),
  syntax("hexadecimal digits", '{"a":0x5}'),
  syntax("an underscore in a number", '{"a":1_000}'),
  syntax("a bigint suffix", '{"a":5n}'),
  syntax("digits of another script", '{"a":٣}'),
  syntax("a full-width digit", '{"a":５}'),
  syntax("a raw control character in a string", '{"a":"\u0001"}'),
  syntax("a raw newline in a string", '{"a":"x\ny"}'),
  syntax("a raw tab in a key", '{"a\t":1}'),
  syntax("an unknown escape", '{"a":"\\x41"}'),
  syntax("an upper-case \\U", '{"a":"\\U0041"}'),
  syntax("a short \\u escape", '{"a":"\\u041"}'),
  syntax("a \\u escape with a sign", '{"a":"\\u+041"}'),
  syntax("a \\u escape in braces", '{"a":"\\u{41}"}'),
  syntax("a \\u escape that is no hexadecimal", '{"a":"\\u00zz"}'),
  syntax("an escape at the end", '{"a":"x\\'),
  syntax("a no-break space between tokens", '{"a":\u00a01}'),
  syntax("a vertical tab between tokens", '{"a":\u000b1}'),
  syntax("a line separator between tokens", '{"a":\u20281}'),
  syntax("a closing bracket of the other kind", '{"a":[1}}'),
  syntax("an error in the third line", '{\n "a": 1,\n  "b": x}', { offset: 18, line: 3, column: 8 }),
  syntax("lines end with CRLF", '{\r\n"a": x}', { offset: 8, line: 2, column: 6 }),
];

function surrogate(name: string, text: string, pointer?: string): Case {
  return {
    name,
    direction: "decode",
    text,
    error: { code: "invalid_utf8", ...(pointer === undefined ? {} : { pointer }) },
  };
}

/** Strings that have no UTF-8. */
const surrogates: Case[] = [
  surrogate("an escaped high surrogate alone", '{"a":"\\ud800"}', "/a"),
  surrogate("an escaped low surrogate alone", '{"a":"\\udc00x"}', "/a"),
  surrogate("escaped surrogates in the wrong order", '{"a":["\\ude01\\ud83d"]}', "/a/0"),
  surrogate("an escaped high surrogate before another escape", '{"a":"\\ud800\\u0041"}', "/a"),
  surrogate("a raw high surrogate alone", '{"a":"x\ud800"}', "/a"),
  surrogate("a raw low surrogate alone", '{"a":"\udc00"}', "/a"),
  surrogate("an escaped high surrogate in a key", '{"\\ud800":1}'),
  surrogate("a raw low surrogate in a key", '{"\udc00":1}'),
  {
    name: "a pair of escapes",
    direction: "decode",
    text: '{"\\ud83d\\ude00":"\\uD83D\\uDE01"}',
    field: { "😀": "😁" },
  },
  ...["\\ud800", "\\udc00"].map(
    (surrogateEscape): Case => ({
      name: `an unpaired surrogate in a JSON value: ${surrogateEscape}`,
      direction: "decode",
      json: { value: { a: [JSON.parse(`"${surrogateEscape}"`)] } },
      error: { code: "invalid_utf8", pointer: "/a/0" },
    }),
  ),
  {
    name: "an unpaired surrogate in a key of a JSON value",
    direction: "decode",
    json: { value: { "\ud800": 1 } },
    error: { code: "invalid_utf8" },
  },
];

function malformedBytes(name: string, bytes: number[], offset?: number): Case {
  return {
    name,
    direction: "decode",
    jsonBytes: new Uint8Array(bytes),
    error: { code: "invalid_utf8", ...(offset === undefined ? {} : { offset }) },
  };
}

const around = (...inner: number[]) => [...encoder.encode('{"a":"'), ...inner, ...encoder.encode('"}')];

/** JSON bytes that are no UTF-8. */
const bytes: Case[] = [
  malformedBytes("a byte that never occurs", around(0xff)),
  malformedBytes("a continuation byte alone", around(0x80)),
  malformedBytes("an overlong slash", around(0xc0, 0xaf)),
  malformedBytes("an encoded surrogate", around(0xed, 0xa0, 0x80)),
  malformedBytes("a sequence cut short", around(0xe2, 0x82)),
  malformedBytes("a code point beyond U+10FFFF", around(0xf4, 0x90, 0x80, 0x80)),
  malformedBytes("a bad byte in a key", [...encoder.encode('{"'), 0xff, ...encoder.encode('":1}')]),
  {
    name: "a byte order mark before JSON bytes",
    direction: "decode",
    jsonBytes: new Uint8Array([0xef, 0xbb, 0xbf, ...encoder.encode('{"a":1}')]),
    error: { code: "invalid_syntax" },
  },
  {
    name: "U+FEFF inside a string is kept",
    text: '{"a":"\ufeffx"}',
    field: { a: "\ufeffx" },
  },
];

/** Roots that are no object cannot be a Struct. */
const roots: Case[] = ["31", "null", "true", '"x"', "[]", "[{}]", "1e21"].map((text) => ({
  name: `the root ${text} is no Struct`,
  direction: "decode",
  text,
  error: { code: "unexpected_type", pointer: "" },
}));

export const text: readonly Case[] = [...malformed, ...surrogates, ...bytes, ...roots];
