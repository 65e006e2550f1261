import { Validator } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { compileHint } from "../../src/index.js";
import {
  createChecker,
  type ExactJson,
  IntegerLiteral,
  type JsonSchema,
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
  ["ajv", useAjv(new Ajv2020({ allErrors: true, strict: false }))],
];

function errorOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

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

  it.each<
    [name: string, schema: JsonSchema | string, issues: [pointer: string, schemaPointer: string, keyword: string][]]
  >([
    [
      "a member that is forbidden by its neighbours",
      { additionalProperties: false },
      [["", "/additionalProperties", "additionalProperties"]],
    ],
    ["a member that is forbidden by name", { properties: { a: false } }, [["/a", "/properties/a", "false"]]],
    ["a root that forbids everything", false, [["", "", "false"]]],
    ["a forbidden branch", { allOf: [true, false] }, [["", "/allOf", "allOf"]]],
  ])("tells %s once", (__, schema, issues) => {
    const found = createChecker(schema, validator).check({ a: 1 });
    const places = found.map(({ pointer, schemaPointer, keyword }) => [pointer, schemaPointer, keyword]);
    // ajv names the branch that is false, and not the list around it.
    const isBranch = places[0]?.[1] === "/allOf/1";
    expect(isBranch ? [["", "/allOf", "allOf"]] : places).toEqual(issues);
  });

  it.each<[name: string, schema: unknown, json: ExactJson, code: string, schemaPointer: string]>([
    [
      "a pattern that is none",
      { properties: { a: { pattern: "(" } } },
      { a: "x" },
      "unsupported_pattern",
      "/properties/a/pattern",
    ],
    [
      "a pattern of names that is none",
      { patternProperties: { "a/(": {} } },
      { a: 1 },
      "unsupported_pattern",
      "/patternProperties/a~1(",
    ],
    [
      "a reference that leads nowhere",
      { properties: { a: { $ref: "#/$defs/b" } } },
      { a: 1 },
      "unresolved_ref",
      "/properties/a/$ref",
    ],
    ["a keyword of the wrong type", { properties: [] }, { a: 1 }, "invalid_schema", "/properties"],
  ])("tells the author of %s where it is", (__, schema, json, code, schemaPointer) => {
    const check = () => createChecker(schema as JsonSchema, validator).check(json);
    // @cfworker/json-schema passes over what it does not understand.
    if (code === "invalid_schema" && validator === validators[0]?.[1]) return expect(check()).toEqual([]);
    return expect(errorOf(check)).toMatchObject({ name: "StructSchemaError", code, schemaPointer });
  });

  it("refuses a schema that contains itself, and takes one that is used twice", () => {
    const loop: { [key: string]: unknown } = { type: "object" };
    loop.properties = { next: loop };
    const code = { name: "StructSchemaError", code: "invalid_schema", schemaPointer: "/properties/next" };
    expect(errorOf(() => createChecker(loop, validator))).toMatchObject(code);
    const text = { type: "string" };
    expect(createChecker({ properties: { a: text, b: text } }, validator).check({ a: "x", b: 1 })).toHaveLength(1);
  });

  it("tells the sender of data that is nested too deep for the validator", () => {
    let json: ExactJson = {};
    for (let i = 0; i < 100_000; i++) json = { a: json };
    const checker = createChecker({ properties: { a: { $ref: "#" } } }, validator);
    expect(errorOf(() => checker.check(json))).toMatchObject({ name: "StructCodecError", code: "depth_exceeded" });
  });

  it.each<[schema: JsonSchema, schemaPointer: string]>([
    [{ $ref: "#" }, ""],
    [
      {
        properties: { a: { anyOf: [{ type: "string" }, { $ref: "#/$defs/b" }] } },
        $defs: { b: { $ref: "#/properties/a" } },
      },
      "/properties/a",
    ],
  ])("tells the author of %j that it leads back to itself", (circle, schemaPointer) => {
    const checker = createChecker(circle, validator);
    const found = errorOf(() => checker.check({ a: 1 }));
    expect(found).toMatchObject({ name: "StructSchemaError", code: "invalid_schema", schemaPointer });
  });

  it("judges a schema that calls itself asynchronous, but keeps data that does", () => {
    expect(createChecker({ $async: true, type: "string" }, validator).check(5)).toHaveLength(1);
    const nested = { $ref: "#/$defs/a", $defs: { a: { $async: true, const: { $async: true } } } };
    expect(createChecker(nested, validator).check({ $async: true })).toEqual([]);
    expect(createChecker(nested, validator).check({})).toHaveLength(1);
  });

  it("takes any number of schemas of one name", () => {
    const named = (type: string) => ({ $id: "https://example.com/a", $defs: { b: { $id: "b", type } }, $ref: "b" });
    expect(createChecker(named("string"), validator).check(5)).toHaveLength(1);
    expect(createChecker(named("integer"), validator).check(5)).toEqual([]);
    expect(createChecker(named("integer"), validator).check("x")).toHaveLength(1);
  });

  it("needs a schema", () => {
    expect(() => createChecker(undefined, validator)).toThrow(StructSchemaError);
    expect(() => createChecker(compileHint(undefined), validator)).toThrow(StructSchemaError);
  });
});

const big = 9007199254740993n;
const literal = (digits: string) => new IntegerLiteral(digits);

describe.each(validators)("integers beyond ±(2^53−1) with %s", (_, validator) => {
  it.each<[schema: JsonSchema | string, fitting: ExactJson[], others: ExactJson[]]>([
    [
      { uniqueItems: true },
      [
        [big, big + 1n],
        [big, -big],
        [{ a: big }, { a: big - 1n }],
        [big, "9007199254740993"],
      ],
      [
        [big, literal(String(big))],
        [2 ** 53, big - 1n],
        [{ a: [big] }, { a: [big] }],
      ],
    ],
    [`{"const":${big}}`, [big, literal(String(big))], [big - 1n, 2 ** 53, big + 1n, -big, 0]],
    [`{"enum":[${big},[${big}],{"a":${big}}]}`, [big, [big], { a: big }], [big - 1n, [big + 1n], { a: big - 1n }]],
    [`{"not":{"const":${big}}}`, [big - 1n, big + 1n], [big]],
    [`{"minimum":${big}}`, [big, big + 1n, 10n ** 400n, 1e300], [big - 1n, 2 ** 53, 0, -big]],
    [`{"maximum":${big}}`, [big, big - 1n, -(10n ** 400n)], [big + 1n, 1e300]],
    [`{"exclusiveMinimum":${big}}`, [big + 1n], [big, big - 1n, 5]],
    [`{"exclusiveMaximum":${big}}`, [big - 1n, 5], [big, big + 1n]],
    [`{"minimum":-${big}}`, [-big, 5, big], [-big - 1n]],
    [`{"exclusiveMaximum":-${big}}`, [-big - 1n], [-big, 5, big]],
    [{ minimum: 2 ** 53 - 1 }, [2 ** 53 - 1, big - 1n], [2 ** 53 - 2]],
    [{ exclusiveMaximum: 9007199254740992 }, [2 ** 53 - 1], [big - 1n, big]],
    [{ maximum: 2 ** 63 }, [9223372036854775807n, 9223372036854775808n], [9223372036854775809n]],
    [{ multipleOf: 2 }, [big - 1n, 10n ** 400n, 4, -4, 1e22, "x"], [big, -big, 3, 10n ** 400n + 1n]],
    [{ multipleOf: 3 }, [big, -big, 3n ** 60n, 0], [big + 1n, 3n ** 60n + 1n]],
    [{ multipleOf: 0.01 }, [big, 1e22, 0.5], [0.005]],
    [{ multipleOf: 1.5 }, [big, 3n ** 60n, 4.5], [big + 1n, 4]],
    [`{"multipleOf":${big}}`, [0, big, big * 7n], [1, big + 1n, big * 7n + 1n]],
    [
      { multipleOf: 7, allOf: [{ multipleOf: 5 }], maximum: 2 ** 60 },
      [35, 35n * 10n ** 15n],
      [7n * 10n ** 15n + 7n, 5n * 10n ** 15n, 35n * 10n ** 18n],
    ],
    [{ not: { multipleOf: 2 } }, [big, 3], [big - 1n, 2]],
    [`{"if":{"multipleOf":2},"then":{"maximum":0}}`, [big, 1, -2], [big - 1n, 2]],
    [{ type: "integer" }, [10n ** 400n, big], [1.5, "9007199254740993"]],
    [{ oneOf: [{ const: 2 ** 53 }, { minimum: 2 ** 53 + 2 }] }, [big - 1n, big + 1n], [big]],
    // A double is named by its exact value and by its own spelling.
    ['{"const":1e23}', [10n ** 23n, 1e23], [99999999999999991611392n]],
    [{ const: 2 ** 60 }, [2 ** 60, 1152921504606846976n, 1152921504606847000n], [1152921504606846977n]],
    ['{"const":1152921504606847000}', [2 ** 60, 1152921504606847000n], [1152921504606846976n]],
  ])("are judged exactly by %j", (schema, fitting, others) => {
    const checker = createChecker(schema, validator);
    expect(fitting.map((json) => checker.check(json))).toEqual(fitting.map(() => []));
    expect(others.filter((json) => checker.check(json).length === 0)).toEqual([]);
  });

  it("are told with the place of their own keyword", () => {
    const schema = { properties: { a: { $ref: "#/$defs/even" } }, $defs: { even: { multipleOf: 2, allOf: [{}] } } };
    for (const a of [3, big]) {
      expect(createChecker(schema, validator).check({ a })).toEqual([
        {
          pointer: "/a",
          schemaPointer: "/$defs/even/multipleOf",
          keyword: "multipleOf",
          message: 'does not meet "multipleOf" of /$defs/even/multipleOf at /a',
        },
      ]);
    }
  });

  it("are judged exactly where references lead to places that no keyword has", () => {
    const schema = { $ref: "#/x-a/b", "x-a": { b: { allOf: [{ $ref: "#/x-a/c" }] }, c: { multipleOf: 2 } } };
    const checker = createChecker(schema, validator);
    expect(checker.check(big - 1n)).toEqual([]);
    const found = checker.check(big).map(({ schemaPointer }) => schemaPointer);
    expect(found).toEqual(["/x-a/c/multipleOf"]);
  });

  it("keep constants of many ids apart", () => {
    const ids = Array.from({ length: 10_000 }, (__, i) => big + BigInt(i * 2));
    const checker = createChecker(`{"enum":[${ids.join()}]}`, validator);
    expect(checker.check(ids[9999] as bigint)).toEqual([]);
    expect(checker.check((ids[9999] as bigint) - 1n)).toHaveLength(1);
  });

  it("with more steps than can be told apart are refused", () => {
    const allOf = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53].map((multipleOf) => ({ multipleOf }));
    const error = errorOf(() => createChecker({ allOf }, validator));
    expect(error).toMatchObject({ name: "StructSchemaError", code: "too_large" });
  });

  it("with few kinds of steps at many places are taken, and with many kinds refused before they are written", () => {
    const properties = (kinds: number): JsonSchema => ({
      properties: Object.fromEntries(
        Array.from({ length: 1500 }, (_, i) => [`p${i}`, { multipleOf: primes[i % kinds] }]),
      ),
    });
    const checker = createChecker(properties(3), validator);
    expect(checker.check({ p1499: 9007199254740994n })).toMatchObject([{ pointer: "/p1499", keyword: "multipleOf" }]);
    expect(checker.check({ p1499: 9007199254740995n })).toEqual([]);
    const error = errorOf(() => createChecker(properties(14), validator));
    expect(error).toMatchObject({ name: "StructSchemaError", code: "too_large" });
  });
});

const primes = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47];

describe.each(validators)("many issues of %s", (_, validator) => {
  it.each<[string, JsonSchema]>([
    ["type", { type: "integer" }],
    ["anyOf", { anyOf: [{ type: "string" }, { type: "null" }] }],
  ])("are told up to a hundred: %s", (keyword, items) => {
    const checker = createChecker({ properties: { list: { items } } }, validator);
    // Compared each with each, so many would take minutes.
    const issues = checker.check({ list: Array(10_000).fill(true) });
    expect(issues).toHaveLength(100);
    expect(issues[99]).toMatchObject({
      pointer: "/list/99",
      keyword,
      schemaPointer: `/properties/list/items/${keyword}`,
    });
  });
});

describe("useAjv", () => {
  it("leaves a schema alone that was added before, and refuses another of its name", () => {
    const ajv = new Ajv2020();
    ajv.addSchema({ $id: "https://example.com/a", type: "string" });
    const error = errorOf(() => createChecker({ $id: "https://example.com/a", type: "integer" }, useAjv(ajv)));
    expect(error).toMatchObject({ name: "StructSchemaError", code: "invalid_schema", schemaPointer: "/$id" });
    expect(createChecker({ $ref: "https://example.com/a" }, useAjv(ajv)).check(5)).toHaveLength(1);
  });

  it("takes a function that makes an instance for each schema", () => {
    let made = 0;
    const validator = useAjv(() => {
      made++;
      return new Ajv2020();
    });
    const checker = createChecker({ type: "string" }, validator);
    createChecker(true, validator);
    expect([checker.check(5).length, checker.check("x").length, made]).toEqual([1, 0, 2]);
  });

  it("refuses an answer that comes later, and one without a reason", async () => {
    const later = useAjv({ compile: () => () => Promise.reject(new Error("later")) });
    expect(errorOf(() => createChecker(true, later).check(1))).toMatchObject({ code: "invalid_schema" });
    const silent = useAjv({ compile: () => () => false });
    expect(createChecker(true, silent).check(1)).toHaveLength(1);
    // Vitest fails on a rejection that nobody hears.
    await new Promise((resolve) => setImmediate(resolve));
  });
});
