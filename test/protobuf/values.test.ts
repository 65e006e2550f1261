import type { DescMessage } from "@bufbuild/protobuf";
import * as es from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  binaryToJsonString,
  fromJson,
  fromJsonString,
  IntegerLiteral,
  jsonStringToBinary,
  toJson,
  toJsonString,
} from "../../src/protobuf.js";
import { bareRegistry as registry } from "../support/extended-file.js";

const integer = { type: "integer", format: "int64" };
const schema = {
  properties: {
    id: integer,
    low: integer,
    high: { type: "integer", format: "uint64" },
    big: { type: "integer" },
    zero: { type: "integer" },
    line: { type: "integer" },
    ratio: { type: "number" },
    none: { type: ["integer", "null"] },
    deep: { $ref: "#" },
    list: { items: { $ref: "#" } },
  },
};

/** One Struct with everything that goes wrong with numbers, as a typed server wants it. */
const content =
  '{"id":9007199254740993,"low":-9223372036854775808,"high":18446744073709551615,"big":1000000000000000000000,"zero":0,"line":5,' +
  '"ratio":0.1,"none":null,"free":-0,"text":"007","__proto__":{"x":1},"deep":{"deep":{"id":9007199254740995}},"list":[{"id":7}]}';
/** The same as a careless writer spells it. */
const careless = content
  .replace("1000000000000000000000", "1e21")
  .replace('"zero":0', '"zero":-0')
  .replace('"line":5', '"line":5.0');

const structs = "structcodec.test.v1.Structs";
const open = "structcodec.test.legacy.Open";

/** Where a Struct can be: the name of its field, and the JSON of a message around it. */
const places: readonly [place: string, type: string, field: string, frame: string][] = [
  ["a field", structs, `${structs}.single`, '{"single":#}'],
  ["an optional field", structs, `${structs}.maybe`, '{"maybe":#}'],
  ["a repeated field", structs, `${structs}.many`, '{"many":[{},#,{}]}'],
  ["a map", structs, `${structs}.by_name`, '{"byName":{"a/b":#,"__proto__":#}}'],
  ["a map with keys of int64", structs, `${structs}.by_id`, '{"byId":{"-7":#}}'],
  ["a Value", structs, `${structs}.value`, '{"value":#}'],
  ["repeated Values", structs, `${structs}.values`, '{"values":[null,#]}'],
  ["a map of Values", structs, `${structs}.value_by_name`, '{"valueByName":{"":#}}'],
  ["a oneof", structs, `${structs}.chosen`, '{"chosen":#}'],
  ["a Value in a oneof", structs, `${structs}.chosen_value`, '{"chosenValue":#}'],
  ["a field with a name of its own", structs, `${structs}.renamed`, '{"renamed-struct":#}'],
  [
    "a nested message",
    "structcodec.test.v1.Node",
    "structcodec.test.v1.Node.attributes",
    '{"parent":{"alias":{"attributes":#}}}',
  ],
  [
    "messages in lists, maps and oneofs",
    "structcodec.test.v1.Node",
    "structcodec.test.v1.Node.attributes",
    '{"children":[{"attributes":#}],"links":{"x":{"attributes":#}},"alias":{"attributes":#}}',
  ],
  [
    "an Any",
    "structcodec.test.v1.CallToolResponse",
    "structcodec.test.v1.CallToolResponse.details",
    '{"details":[{"value":#,"@type":"type.googleapis.com/google.protobuf.Struct"}]}',
  ],
  [
    "a message in an Any",
    "structcodec.test.v1.ConverseResponse",
    "structcodec.test.v1.CallToolRequest.arguments",
    '{"event":{"name":"x","arguments":#,"@type":"type.googleapis.com/structcodec.test.v1.CallToolRequest"}}',
  ],
  [
    "an Any in an Any",
    "google.protobuf.Any",
    "google.protobuf.Any",
    '{"value":{"value":#,"@type":"type.googleapis.com/google.protobuf.Value"},"@type":"type.googleapis.com/google.protobuf.Any"}',
  ],
  ["an extension", open, "structcodec.test.legacy.struct_ext", '{"id":1,"[structcodec.test.legacy.struct_ext]":#}'],
  [
    "a repeated extension",
    open,
    "structcodec.test.legacy.structs_ext",
    '{"id":1,"[structcodec.test.legacy.structs_ext]":[#,#]}',
  ],
  [
    "an extension of type Value",
    open,
    "structcodec.test.legacy.value_ext",
    '{"id":1,"[structcodec.test.legacy.value_ext]":#}',
  ],
  [
    "a message in an extension",
    open,
    `${open}.content`,
    '{"id":1,"[structcodec.test.legacy.open_ext]":{"id":2,"content":#}}',
  ],
  ["a group", open, `${open}.Entry.data`, '{"id":1,"entry":[{"name":"x","data":#}]}'],
  [
    "delimited fields of editions",
    "structcodec.test.delimited.Groups",
    "structcodec.test.delimited.Groups.contents",
    '{"contents":[#,{}],"inner":{"contents":[#]}}',
  ],
  ["a Struct that stands for itself", "google.protobuf.Struct", "google.protobuf.Struct", "#"],
  ["a Value that stands for itself", "google.protobuf.Value", "google.protobuf.Value", "#"],
];

describe.each(places)("a Struct in %s", (_, type, field, frame) => {
  const desc = registry.getMessage(type) as DescMessage;
  const hints = { [field]: schema };
  const text = frame.replaceAll("#", content);
  const read = { registry, hints };
  const write = { registry, hints, int64: "schema" } as const;

  it("keeps every digit from text to message to text", () => {
    expect(toJsonString(desc, fromJsonString(desc, frame.replaceAll("#", careless), read), write)).toBe(text);
  });

  it("keeps every digit from text to bytes to text", () => {
    expect(binaryToJsonString(desc, jsonStringToBinary(desc, frame.replaceAll("#", careless), read), write)).toBe(text);
  });

  it("makes the same of text, bytes and JSON values", () => {
    const message = fromJsonString(desc, text, read);
    const bytes = es.toBinary(desc, message);
    expect(jsonStringToBinary(desc, text, read)).toEqual(bytes);
    expect(es.toBinary(desc, fromJson(desc, toJson(desc, message, write), read))).toEqual(bytes);
    expect(toJson(desc, message, { ...write, int64: "bigint" })).toEqual(
      toJson(desc, es.fromBinary(desc, bytes), { ...write, int64: "bigint" }),
    );
  });

  it("indents text as a whole", () => {
    const bytes = jsonStringToBinary(desc, text, read);
    const pretty = binaryToJsonString(desc, bytes, { ...write, prettySpaces: 2 });
    expect(toJsonString(desc, es.fromBinary(desc, bytes), { ...write, prettySpaces: 2 })).toBe(pretty);
    const rounded = (json: string) => JSON.stringify(JSON.parse(json), null, 2);
    expect(rounded(pretty)).toBe(rounded(text));
    expect(pretty.replace(/\n */g, "").replaceAll('": ', '":')).toBe(text);
  });

  it("says where in the whole it is", () => {
    const bad = frame.replace("#", '{"line":1e400}').replaceAll("#", "{}");
    const pointer = bad.includes("many") ? "/many/1/line" : undefined;
    for (const convert of [fromJsonString, jsonStringToBinary]) {
      const error = errorOf(() => convert(desc, bad, read));
      expect(error).toMatchObject({ code: "out_of_range", direction: "decode", offset: bad.indexOf("1e400"), line: 1 });
      if (pointer !== undefined) expect(error).toMatchObject({ pointer });
      expect(String(error)).toBe(
        `StructCodecError: cannot decode ${type} from JSON: number is beyond the range of doubles at ${printed(frame, "line")} (line 1, column ${bad.indexOf("1e400") + 1})`,
      );
    }
  });
});

describe("JSON values", () => {
  const desc = registry.getMessage(structs) as DescMessage;

  it("hold what was asked for", () => {
    const message = fromJsonString(desc, `{"single":${content}}`, { hints: { [`${structs}.single`]: schema } });
    const single = (int64: "string" | "schema" | "bigint") =>
      (
        toJson(desc, message, { hints: { [`${structs}.single`]: schema }, int64 }) as {
          single: Record<string, unknown>;
        }
      ).single;
    expect(single("string").id).toBe("9007199254740993");
    expect(single("schema").id).toBeInstanceOf(IntegerLiteral);
    expect(String(single("schema").id)).toBe("9007199254740993");
    expect(single("bigint")).toMatchObject({ id: 9007199254740993n, low: -(2n ** 63n), high: 2n ** 64n - 1n });
  });

  it("may hold bigint and undefined", () => {
    const json = { single: { id: 9007199254740993n, gone: undefined }, values: [2n ** 64n - 1n] } as never;
    const message = fromJson(desc, json) as unknown as { single: unknown };
    expect(message.single).toEqual({ id: "9007199254740993" });
    expect(toJsonString(desc, message as never)).toBe(
      '{"single":{"id":"9007199254740993"},"values":["18446744073709551615"]}',
    );
  });
});

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return expect.fail("no error");
}

/** The pointer to a member of the first Struct, as messages print it: keys of maps are data. */
function printed(frame: string, member: string): string {
  const tokens: string[] = [];
  const visit = (json: unknown, path: string[]): boolean => {
    if (json === "#") {
      tokens.push(...path);
      return true;
    }
    if (typeof json !== "object" || json === null) return false;
    return Object.entries(json).some(([key, value]) => visit(value, [...path, key]));
  };
  visit(JSON.parse(frame.replaceAll("#", '"#"')), []);
  const isMap = (i: number) => /^(?:byName|byId|valueByName|links)$/.test(tokens[i - 1] ?? "");
  return `${tokens.map((token, i) => `/${isMap(i) ? "*" : token}`).join("")}/${member}`;
}
