import { describe, expect, it } from "vitest";
import { StructsSchema } from "../../gen/structcodec/test/v1/agent_pb.js";
import { compileHint, createStructCodec } from "../../src/index.js";
import { binaryToJsonString, jsonSchemaHint, jsonStringToBinary } from "../../src/protobuf.js";

const codec = createStructCodec(jsonSchemaHint, { int64: "schema" });

function pass(text: string): string {
  return codec.toJsonString(codec.fromJsonString(text));
}

describe("jsonSchemaHint", () => {
  it("is read without an issue", () => {
    expect(compileHint(jsonSchemaHint).schemaIssues).toEqual([]);
  });

  it.each([
    '{"type":"object","properties":{"id":{"type":"integer","minimum":-9223372036854775808,"maximum":18446744073709551615}}}',
    '{"items":{"type":"integer","const":9007199254740993,"enum":[9007199254740993,1],"default":9007199254740993}}',
    '{"prefixItems":[{"type":"number","maximum":9007199254740993,"examples":[9007199254740993,0.5]}]}',
    '{"anyOf":[{"allOf":[{"not":{"if":{"minItems":1000000000000000000000}}}]}]}',
    '{"$defs":{"a":{"patternProperties":{"^x":{"maxLength":9007199254740993}}}}}',
    '{"items":[{"minProperties":5},{"maxProperties":5}],"additionalItems":false,"exclusiveMinimum":true,"minimum":0.5}',
    // Text that only looks like a number stays text.
    '{"type":"string","default":"9007199254740993","enum":["5"],"pattern":"5","title":"9007199254740993"}',
    // The schema of a member that has the name of a keyword is a schema.
    '{"properties":{"minItems":{"type":"string","default":"5"},"properties":{"minItems":7}}}',
  ])("keeps %s", (text) => {
    expect(pass(text)).toBe(text);
  });

  it("spells counts as integers", () => {
    expect(pass('{"minItems":1e21,"maxLength":5.0,"type":"integer","minimum":1e21}')).toBe(
      '{"minItems":1000000000000000000000,"maxLength":5,"type":"integer","minimum":1000000000000000000000}',
    );
  });

  it("serves a field of a message", () => {
    const hints = { "structcodec.test.v1.Structs.plain": jsonSchemaHint };
    const text = '{"plain":{"type":"integer","maximum":9223372036854775807,"multipleOf":1000000000000000000000}}';
    expect(binaryToJsonString(StructsSchema, jsonStringToBinary(StructsSchema, text, { hints }), { hints })).toBe(text);
  });
});
