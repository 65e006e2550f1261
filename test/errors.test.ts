import { create } from "@bufbuild/protobuf";
import { StructSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, vi } from "vitest";
import {
  compileHint,
  createStructCodec,
  createValueCodec,
  type Issue,
  StructCodecError,
  StructSchemaError,
} from "../src/index.js";
import { convert, pathsOf } from "./paths.js";
import { hex } from "./support/wire.js";

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return expect.fail("nothing was thrown");
}

const codecError = (run: () => unknown): StructCodecError => {
  const error = thrownBy(run);
  expect(error).toBeInstanceOf(StructCodecError);
  return error as StructCodecError;
};

const declared = {
  properties: {
    a: { type: "integer" },
    list: { items: { properties: { secret: { type: "integer" } } } },
  },
};
const codec = createStructCodec(declared);
const bare = createStructCodec();
const unsetMessage = create(StructSchema, { fields: { a: create(ValueSchema) } });

/** One error of each code, made without options that another test is about. */
const oneOfEach: { readonly [code: string]: { run: () => unknown; pointer: string; verb: "decode" | "encode" } } = {
  invalid_syntax: { run: () => codec.fromJsonString('{"a":x}'), pointer: "/a", verb: "decode" },
  unexpected_type: { run: () => codec.fromJsonString("[1]"), pointer: "", verb: "decode" },
  duplicate_key: { run: () => codec.fromJsonString('{"a":1,"a":2}'), pointer: "/a", verb: "decode" },
  not_finite: { run: () => codec.fieldToJson({ a: Number.NaN }), pointer: "/a", verb: "encode" },
  out_of_range: { run: () => codec.fromJsonString('{"a":1e400}'), pointer: "/a", verb: "decode" },
  unsafe_integer: {
    run: () => createStructCodec(declared, { unsafeIntegers: "error" }).fromJsonString('{"a":9007199254740993}'),
    pointer: "/a",
    verb: "decode",
  },
  unset_value: { run: () => codec.toJson(unsetMessage), pointer: "/a", verb: "encode" },
  invalid_utf8: { run: () => codec.fromJsonString('{"a":"\\ud800"}'), pointer: "/a", verb: "decode" },
  unsupported_value: { run: () => codec.fromJson({ a: new Date(0) as never }), pointer: "/a", verb: "decode" },
  depth_exceeded: {
    run: () => createStructCodec(declared, { limits: { depth: 1 } }).fromJsonString('{"a":[]}'),
    pointer: "/a",
    verb: "decode",
  },
  too_large: {
    run: () => createStructCodec(declared, { limits: { inputBytes: 5 } }).fromJsonString('{"a":12345}'),
    pointer: "",
    verb: "decode",
  },
  fractional: {
    run: () => createStructCodec(declared, { strict: true }).fieldToJson({ a: 2.5 }),
    pointer: "/a",
    verb: "encode",
  },
  inexact: {
    run: () => createStructCodec(declared, { strict: true }).fromJson({ a: 2 ** 60 }),
    pointer: "/a",
    verb: "decode",
  },
  rounded: {
    run: () => createStructCodec(undefined, { strict: true }).fromJsonString('{"a":9007199254740993.0}'),
    pointer: "/a",
    verb: "decode",
  },
};

describe("every code has its sentence: verb, thing, direction, reason, place", () => {
  for (const [code, { run, pointer, verb }] of Object.entries(oneOfEach)) {
    it(code, () => {
      const error = codecError(run);
      expect(error.code).toBe(code);
      expect(error.name).toBe("StructCodecError");
      expect(error.direction).toBe(verb);
      expect(error.pointer).toBe(pointer);
      const preposition = verb === "decode" ? "from" : "to";
      expect(error.message).toMatch(new RegExp(`^cannot ${verb} google\\.protobuf\\.Struct ${preposition} JSON: .+`));
      expect(error.message).not.toMatch(/\.$/);
      expect(error.message).not.toMatch(/\n/);
    });
  }

  it("the thing is the codec's message", () => {
    const error = codecError(() => createValueCodec().fromJsonString("1e400"));
    expect(error.message).toMatch(/^cannot decode google\.protobuf\.Value from JSON: /);
  });

  it("the reason is expected A, got B where it can be", () => {
    expect(codecError(() => bare.fromJsonString("[1]")).message).toMatch(/expected object, got array/);
  });

  it("the place is the pointer, and line and column of a text", () => {
    const error = codecError(() => codec.fromJsonString('{"a":\n  1e400}'));
    expect(error.message).toMatch(/ at \/a \(line 2, column 3\)$/);
  });

  it("the limit that was passed is said", () => {
    const limited = createStructCodec(undefined, { limits: { depth: 7 } });
    expect(codecError(() => limited.fromJsonString("[".repeat(9).replace("[", '{"a":'))).message).toMatch(/\b7\b/);
  });

  it("no_schema is an issue code that strict knows", () => {
    expect(createStructCodec(undefined, { strict: ["no_schema"] })).toBeDefined();
  });
});

describe("places", () => {
  it("a text has offset, line and column", () => {
    const error = codecError(() => bare.fromJsonString('{\n  "é": 1,\n  "b": 1e400\n}'));
    expect(error).toMatchObject({ pointer: "/b", offset: 19, line: 3, column: 8 });
  });

  it("bytes of JSON have an offset in bytes", () => {
    for (const path of pathsOf(bare).filter((path) => path.from === "jsonBytes")) {
      const error = codecError(() => convert(bare, path, new TextEncoder().encode('{"é":1,"b":1e400}')));
      expect(error).toMatchObject({ pointer: "/b", offset: 12 });
    }
  });

  it("wire bytes have an offset", () => {
    for (const path of pathsOf(bare).filter((path) => path.from === "binary")) {
      const error = codecError(() => convert(bare, path, hex("0a0e0a01761209110000000000001440ff")));
      expect(error.code).toBe("invalid_wire");
      expect(error.offset).toBeGreaterThanOrEqual(16);
      expect(error.line).toBeUndefined();
    }
  });

  it("objects have none", () => {
    const error = codecError(() => bare.fieldToJson({ a: Number.NaN }));
    expect([error.offset, error.line, error.column]).toEqual([undefined, undefined, undefined]);
  });

  it("an escaped pointer", () => {
    expect(codecError(() => bare.fieldToJson({ "a/b": { "c~d": Number.NaN } })).pointer).toBe("/a~1b/c~0d");
  });

  it("a schema pointer where a schema decided", () => {
    const strict = createStructCodec(declared, { strict: true });
    expect(codecError(() => strict.fieldToJson({ a: 2.5 })).schemaPointer).toBe("/properties/a");
    const item = codecError(() => strict.fieldToJson({ list: [{ secret: 0.5 }] }));
    expect(item.schemaPointer).toBe("/properties/list/items/properties/secret");
  });

  it("an issue has what an error has", () => {
    const found: Issue[] = [];
    const reporting = createStructCodec(declared, { onIssues: (issues) => found.push(...issues) });
    reporting.fromJsonString('{\n"a": 2.5}');
    expect(found).toMatchObject([
      {
        code: "fractional",
        direction: "decode",
        pointer: "/a",
        schemaPointer: "/properties/a",
        offset: 7,
        line: 2,
        column: 6,
      },
    ]);
    expect(found[0]?.message).toEqual(expect.any(String));
  });
});

describe("messages quote no data", () => {
  const secret = "hunter2-password";

  it("undeclared keys are printed as *, the pointer keeps them", () => {
    const error = codecError(() => codec.fieldToJson({ a: 1, [secret]: { list: [Number.NaN] } }));
    expect(error.pointer).toBe(`/${secret}/list/0`);
    expect(error.message).not.toContain(secret);
    expect(error.message).toContain("/*/");
  });

  it("declared keys and indexes are printed", () => {
    const error = codecError(() => codec.fieldToJson({ list: [{ secret: 1 }, { secret: Number.NaN }] }));
    expect(error.message).toContain("/list/1/secret");
  });

  it("values are named by their type", () => {
    const errors = [
      codecError(() => bare.fromJsonString(`{"a":"${secret}`)),
      codecError(() => bare.fromJsonString(`{"a":${secret}}`)),
      codecError(() => bare.fromJsonString(`"${secret}"`)),
      codecError(() => bare.fromJsonString(`{"${secret}":1,"${secret}":2}`)),
      codecError(() => bare.fromJsonString(`{"${secret}":"\\ud800"}`)),
      codecError(() =>
        createStructCodec(undefined, { unsafeIntegers: "error" }).fromJsonString('{"a":1234567890123456789}'),
      ),
      codecError(() => createStructCodec(declared, { strict: true }).fromJsonString('{"a":1234.5678}')),
    ];
    for (const error of errors) {
      expect(error.message).not.toContain("hunter2");
      expect(error.message).not.toContain("1234567890123456789");
      expect(error.message).not.toContain("1234.5678");
    }
  });

  it("issues quote none either", () => {
    const found: Issue[] = [];
    const open = createStructCodec(
      { additionalProperties: { type: "integer" } },
      { onIssues: (list) => found.push(...list) },
    );
    open.fromJsonString(`{"${secret}":1234.5678}`);
    expect(found[0]?.pointer).toBe(`/${secret}`);
    expect(found[0]?.message).not.toContain(secret);
    expect(found[0]?.message).not.toContain("1234.5678");
  });

  it("quoteData quotes up to 30 characters", () => {
    const quoting = createStructCodec(declared, { quoteData: true, unsafeIntegers: "error" });
    expect(codecError(() => quoting.fromJsonString('{"a":1234567890123456789}')).message).toContain(
      "1234567890123456789",
    );
    const digits = "123456789".repeat(12);
    const long = codecError(() => quoting.fromJsonString(`{"a":${digits}}`)).message;
    expect(long).toContain(digits.slice(0, 20));
    expect(long).not.toContain(digits.slice(0, 31));
  });

  it("quoteData prints undeclared keys", () => {
    const quoting = createStructCodec(declared, { quoteData: true });
    expect(codecError(() => quoting.fieldToJson({ [secret]: Number.NaN })).message).toContain(secret);
  });

  it("messages stay short and on one line whatever the data is", () => {
    const key = `\u001b[31m\n\u202e${"k".repeat(100_000)}`;
    for (const quoteData of [false, true]) {
      const any = createStructCodec(undefined, { quoteData });
      for (const run of [
        () => any.fieldToJson({ [key]: Number.NaN }),
        () => any.fromJsonString(`{${JSON.stringify(key)}:1e400}`),
        () => any.fromJsonString(`{"a":1} \u001b[31m\n`),
      ]) {
        const { message } = codecError(run);
        expect(message.length).toBeLessThanOrEqual(1024);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
        expect(message).not.toMatch(/[\u0000-\u001f\u007f\u202a-\u202e]/);
      }
    }
  });
});

describe("issues", () => {
  it("say what was passed on and where, and refuse nothing", () => {
    const messages: string[] = [];
    const reporting = createStructCodec(
      { properties: { n: { type: "integer" } } },
      { onIssues: (issues) => messages.push(...issues.map(({ message }) => message)) },
    );
    reporting.fieldToJsonString({ n: 0.5 });
    reporting.jsonStringToField('{\n"n": 0.5}');
    expect(messages).toEqual([
      "google.protobuf.Struct to JSON: number has a fraction at /n",
      "google.protobuf.Struct from JSON: number has a fraction at /n (line 2, column 6)",
    ]);
  });

  it("are handed over once, after the conversion", () => {
    const onIssues = vi.fn();
    const reporting = createStructCodec(
      { items: { type: "integer" }, additionalProperties: { type: "integer" } },
      { onIssues },
    );
    reporting.fieldToJsonString({ a: 0.5, b: 1.5, c: 2 });
    expect(onIssues).toHaveBeenCalledTimes(1);
    expect(onIssues.mock.calls[0]?.[0]).toHaveLength(2);
    expect(onIssues.mock.calls[0]?.[1]).toBe(0);
  });

  it("of two conversions are handed over apart", () => {
    const onIssues = vi.fn();
    const reporting = createStructCodec({ additionalProperties: { type: "integer" } }, { onIssues });
    reporting.fieldToJsonString({ a: 0.5 });
    reporting.fieldToJsonString({ b: 0.5 });
    expect(onIssues.mock.calls.map(([issues]) => issues.map((issue: Issue) => issue.pointer))).toEqual([
      ["/a"],
      ["/b"],
    ]);
  });

  it("are collected up to 100, the rest is counted", () => {
    const onIssues = vi.fn();
    const list = createValueCodec({ items: { type: "integer" } }, { onIssues });
    const items = Array.from({ length: 250 }, (_, i) => i + 0.5);
    list.fromJsonString(JSON.stringify(items));
    list.fieldToJsonString(items);
    for (const [issues, dropped] of onIssues.mock.calls) {
      expect(issues).toHaveLength(100);
      expect(issues[0].pointer).toBe("/0");
      expect(dropped).toBe(150);
    }
    expect(onIssues).toHaveBeenCalledTimes(2);
  });

  it("a codec can be used inside onIssues", () => {
    const seen: string[] = [];
    const reporting = createStructCodec(
      { additionalProperties: { type: "integer" } },
      {
        onIssues: (issues) => {
          for (const issue of issues) {
            seen.push(issue.pointer);
            if (issue.pointer === "/a") {
              reporting.fieldToJsonString({ inner: 0.5 });
            }
          }
        },
      },
    );
    expect(reporting.fieldToJsonString({ a: 0.5, b: 0.5 })).toBe('{"a":0.5,"b":0.5}');
    expect(seen.sort()).toEqual(["/a", "/b", "/inner"]);
  });
});

describe("schema errors", () => {
  for (const source of [null, 5, [], "5", "null", "[]", '"x"', "{", "", "not JSON"]) {
    it(`the root ${JSON.stringify(source)} is no schema`, () => {
      for (const run of [
        () => compileHint(source as never),
        () => createStructCodec(source as never),
        () => createValueCodec(source as never, { strictSchema: false }),
      ]) {
        const error = thrownBy(run);
        expect(error).toBeInstanceOf(StructSchemaError);
        expect(error).toMatchObject({ name: "StructSchemaError", code: "invalid_schema" });
        expect((error as Error).message).toMatch(/^cannot compile schema: .+/);
      }
    });
  }

  for (const source of [5n, Symbol("x"), () => true]) {
    it(`the root ${String(source)} is no schema`, () => {
      expect(thrownBy(() => compileHint(source as never))).toBeInstanceOf(StructSchemaError);
    });
  }

  for (const [code, schema] of [
    ["unresolved_ref", { properties: { a: { $ref: "#/$defs/x" } } }],
    ["invalid_schema", { properties: { a: 5 } }],
    ["contradiction", { properties: { a: { allOf: [{ type: "string" }, { type: "integer" }] } } }],
    ["unsupported_pattern", { patternProperties: { "^(?=a)": { type: "integer" } } }],
  ] as const) {
    it(`strictSchema throws ${code}, the default lists it`, () => {
      const error = thrownBy(() => createStructCodec(schema as never, { strictSchema: true }));
      expect(error).toBeInstanceOf(StructSchemaError);
      expect((error as StructSchemaError).code).toBe(code);
      expect((error as Error).message).toMatch(/^cannot compile schema: .+/);
      expect(createStructCodec(schema as never).schemaIssues.map((issue) => issue.code)).toEqual([code]);
    });
  }

  it("strictSchema throws too_large", () => {
    const schema = { properties: { a: { properties: { b: { properties: { c: { type: "integer" } } } } } } };
    const error = thrownBy(() => createStructCodec(schema, { strictSchema: true, limits: { schemaNodes: 2 } }));
    expect(error).toMatchObject({ code: "too_large" });
  });

  it("an unresolved reference is named with its place", () => {
    const error = thrownBy(() =>
      createStructCodec({ properties: { a: { $ref: "#/$defs/x" } } }, { strictSchema: true }),
    ) as StructSchemaError;
    expect(error.message).toContain("#/$defs/x");
    expect(error.message).toContain("/properties/a");
    expect(error.schemaPointer).toMatch(/^\/properties\/a/);
  });
});

describe("errors are recognised across copies of the module", () => {
  it("instanceof works both ways", async () => {
    vi.resetModules();
    const copy = (await import("../src/index.js")) as typeof import("../src/index.js");
    expect(copy.StructCodecError).not.toBe(StructCodecError);
    const theirs = thrownBy(() => copy.createStructCodec().fromJsonString("["));
    const ours = thrownBy(() => bare.fromJsonString("["));
    expect(theirs).toBeInstanceOf(StructCodecError);
    expect(ours).toBeInstanceOf(copy.StructCodecError);
    expect(theirs).not.toBeInstanceOf(StructSchemaError);

    const schemaError = thrownBy(() => copy.compileHint(null as never));
    expect(schemaError).toBeInstanceOf(StructSchemaError);
    expect(schemaError).not.toBeInstanceOf(StructCodecError);
  });

  it("a literal of another copy is still an integer", async () => {
    vi.resetModules();
    const copy = (await import("../src/index.js")) as typeof import("../src/index.js");
    const literal = new copy.IntegerLiteral("9007199254740993");
    expect(bare.jsonToField({ a: literal as never })).toEqual({ a: "9007199254740993" });
  });

  it("other errors are not taken for ours", () => {
    expect(new Error("x")).not.toBeInstanceOf(StructCodecError);
    expect({ code: "invalid_syntax" }).not.toBeInstanceOf(StructCodecError);
    expect(null).not.toBeInstanceOf(StructCodecError);
  });

  it("they are Errors with a stack", () => {
    const error = codecError(() => bare.fromJsonString("["));
    expect(error).toBeInstanceOf(Error);
    expect(error.stack).toContain("errors.test");
  });
});
