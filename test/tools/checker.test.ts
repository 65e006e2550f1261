import { Validator } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { compileHint } from "../../src/index.js";
import {
  createChecker,
  type ExactJson,
  IntegerLiteral,
  type SchemaValidator,
  StructSchemaError,
  useAjv,
  useCfworker,
} from "../../src/schema.js";

const schema = {
  type: "object",
  properties: {
    id: { type: "integer", minimum: 1 },
    ref: { $ref: "#/$defs/text" },
    list: { type: "array", items: { enum: ["a", "b"] } },
    either: { anyOf: [{ type: "integer" }, { type: "null" }] },
    "a/b": { type: "string" },
  },
  required: ["id"],
  $defs: { text: { type: "string" } },
};

const validators: [name: string, validator: SchemaValidator][] = [
  ["@cfworker/json-schema", useCfworker(Validator)],
  ["ajv", useAjv(new Ajv2020({ allErrors: true }))],
];

describe.each(validators)("createChecker with %s", (_, validator) => {
  const checker = createChecker(schema, validator);

  it.each<[name: string, json: ExactJson, issues: [pointer: string, schemaPointer: string, keyword: string][]]>([
    ["nothing about what fits", { id: 1, ref: "x", list: ["a"], either: null }, []],
    ["nothing about an exact literal", { id: new IntegerLiteral("1955516024755728386") }, []],
    ["nothing about a bigint", { id: 1955516024755728386n }, []],
    ["a wrong type", { id: "1" }, [["/id", "/properties/id/type", "type"]]],
    ["a missing member", {}, [["", "/required", "required"]]],
    ["a member that is undefined", { id: undefined as never }, [["", "/required", "required"]]],
    ["a bound", { id: 0 }, [["/id", "/properties/id/minimum", "minimum"]]],
    ["a value that is not listed", { id: 1, list: ["a", "c"] }, [["/list/1", "/properties/list/items/enum", "enum"]]],
    ["where a reference leads", { id: 1, ref: 5 }, [["/ref", "/$defs/text/type", "type"]]],
    ["a union, and not its branches", { id: 1, either: "x" }, [["/either", "/properties/either/anyOf", "anyOf"]]],
    ["a key with a slash", { id: 1, "a/b": 5 }, [["/a~1b", "/properties/a~1b/type", "type"]]],
  ])("tells %s", (__, json, issues) => {
    const found = checker.check(json).map(({ pointer, schemaPointer, keyword }) => [pointer, schemaPointer, keyword]);
    expect(found).toEqual(issues);
  });

  it("says what was expected and quotes no data", () => {
    expect(checker.check({ id: "secret" })[0]?.message).toBe('does not meet "type" of /properties/id/type at /id');
  });

  it("takes a schema as text with big constants, and one that is a boolean", () => {
    expect(createChecker('{"const":9007199254740993}', validator).check(9007199254740993n)).toEqual([]);
    expect(createChecker(true, validator).check({ a: 1 })).toEqual([]);
  });

  it("checks with the schema that a hint was compiled from", () => {
    const ofHint = createChecker(compileHint(schema), validator);
    expect(ofHint.check({ id: 0 })).toEqual(checker.check({ id: 0 }));
    expect(ofHint.check({ id: 0 })).toHaveLength(1);
  });

  it("needs a schema", () => {
    expect(() => createChecker(undefined, validator)).toThrow(StructSchemaError);
    expect(() => createChecker(compileHint(undefined), validator)).toThrow(StructSchemaError);
  });
});
