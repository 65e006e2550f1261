import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Struct } from "@bufbuild/protobuf/wkt";
import { afterEach, describe, expect, it } from "vitest";
import {
  compileHint,
  createStructCodec,
  createValueCodec,
  type HintSource,
  type Issue,
  StructCodecError,
  StructSchemaError,
} from "../src/index.js";
import { createToolCodec, rewriteSchema } from "../src/schema.js";
import { type AnyCodec, convert, type Path, pathsOf } from "./paths.js";
import { INT, INT64, NUM, STR } from "./support/case.js";
import { fieldToStruct, structToBinary, structToField } from "./support/forms.js";
import { bytes, list, num, obj, struct, varint } from "./support/wire.js";

const bare = createStructCodec();

function codesOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof StructCodecError || error instanceof StructSchemaError) {
      return error.code;
    }
    throw error;
  }
  return undefined;
}

/** Every path that reads text, with the text as its input. */
function textPaths(codec: AnyCodec): { path: Path; input: (text: string) => unknown }[] {
  return pathsOf(codec, "decode")
    .filter((path) => path.from !== "json")
    .map((path) => ({
      path,
      input: (text) => (path.from === "jsonBytes" ? new TextEncoder().encode(text) : text),
    }));
}

/** Compiles within vitest's clock, throws nothing, and whatever it says can be used. */
function compiles(source: HintSource, options?: Parameters<typeof createStructCodec>[1]) {
  const codec = createStructCodec(source, options);
  expect(codec.fieldToJsonString({ a: { b: [1, "x", { a: 2 }] } })).toBe('{"a":{"b":[1,"x",{"a":2}]}}');
  expect(codec.jsonStringToField('{"a":{"b":[1,"x",{"a":2}]}}')).toEqual({ a: { b: [1, "x", { a: 2 }] } });
  return codec;
}

describe("texts", () => {
  it("a million digits are refused", () => {
    const text = `{"a":${"9".repeat(1_000_000)}}`;
    for (const { path, input } of textPaths(bare)) {
      expect(["out_of_range", "too_large"], path.method).toContain(codesOf(() => convert(bare, path, input(text))));
    }
  });

  it("a million digits are refused at an integer position", () => {
    const codec = createStructCodec({ properties: { a: INT } });
    for (const text of [
      `{"a":${"9".repeat(1_000_000)}}`,
      `{"a":0.${"0".repeat(1_000_000)}1}`,
      `{"a":1e${"9".repeat(1_000_000)}}`,
    ]) {
      expect(["out_of_range", "too_large"]).toContain(codesOf(() => codec.fromJsonString(text)));
    }
  });

  it("a string of a million digits at an integer position stays a string", () => {
    const digits = "9".repeat(1_000_000);
    const codec = createStructCodec({ properties: { a: INT, b: INT64, c: NUM } });
    expect(codec.fieldToJsonString({ a: digits, b: digits, c: digits })).toBe(
      `{"a":"${digits}","b":"${digits}","c":"${digits}"}`,
    );
  });

  for (const [name, open, close] of [
    ["lists", "[", "]"],
    ["objects", '{"a":', "}"],
  ] as const) {
    it(`100,000 levels of ${name} are refused`, () => {
      const text = `{"a":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
      for (const { path, input } of textPaths(bare)) {
        expect(
          codesOf(() => convert(bare, path, input(text))),
          path.method,
        ).toBe("depth_exceeded");
      }
    });

    it(`100,000 opened ${name} that nothing closes are refused`, () => {
      for (const { path, input } of textPaths(bare)) {
        expect(["depth_exceeded", "invalid_syntax"], path.method).toContain(
          codesOf(() => convert(bare, path, input(`{"a":${open.repeat(100_000)}`))),
        );
      }
    });

    it(`1,000,000 levels of ${name} work where the limit is raised`, () => {
      const codec = createStructCodec({ properties: { a: { items: INT } } }, { limits: { depth: 1_000_010 } });
      const text = `{"a":${open.repeat(1_000_000)}1${close.repeat(1_000_000)}}`;
      for (const there of pathsOf(codec, "decode").filter((path) => path.from === "jsonString")) {
        const middle = convert(codec, there, text);
        for (const back of pathsOf(codec, "encode").filter(
          (path) => path.from === there.to && path.to === "jsonString",
        )) {
          expect(convert(codec, back, middle) === text, `${there.method}, ${back.method}`).toBe(true);
        }
      }
    });

    it(`200,000 levels of ${name} work as JSON values where the limit is raised`, () => {
      const codec = createStructCodec(undefined, { limits: { depth: 1_000_010 } });
      let value: unknown = 1;
      for (let i = 0; i < 200_000; i++) {
        value = name === "lists" ? [value] : { a: value };
      }
      const text = `{"a":${open.repeat(200_000)}1${close.repeat(200_000)}}`;
      const field = codec.jsonToField({ a: value } as never);
      expect(codec.fieldToJsonString(field) === text).toBe(true);
      expect(codec.toJsonString(codec.fromJson({ a: value } as never)) === text).toBe(true);
      const json = codec.fieldToJson(field);
      expect(codec.fieldToJsonString(json as JsonObject) === text).toBe(true);
    });
  }

  it("an unclosed string of 8 MiB is refused", () => {
    expect(codesOf(() => bare.fromJsonString(`{"a":"${"x".repeat(8 << 20)}`))).toBe("invalid_syntax");
  });

  it("a million escapes and a million escaped backslashes are read", () => {
    expect(bare.jsonStringToField(`{"a":"${"\\u0041".repeat(1_000_000)}"}`)).toEqual({ a: "A".repeat(1_000_000) });
    expect(bare.jsonStringToField(`{"a":"${"\\\\".repeat(1_000_000)}"}`)).toEqual({ a: "\\".repeat(1_000_000) });
  });

  it("8 MiB of white space are skipped", () => {
    expect(bare.jsonStringToField(`{"a":${" \n".repeat(4 << 20)}1}`)).toEqual({ a: 1 });
  });

  it("an error behind many lines is placed", () => {
    try {
      bare.fromJsonString(`{"a":${"\n".repeat(1_000_000)}x}`);
      expect.fail("nothing was thrown");
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid_syntax", line: 1_000_001, column: 1 });
    }
  });

  it("a hundred issues behind 16 MiB of lines are placed in one pass", () => {
    let heard: readonly Issue[] = [];
    const codec = createStructCodec(
      { properties: { n: { items: INT } } },
      {
        onIssues: (issues) => {
          heard = issues;
        },
      },
    );
    const lines = 16 << 20;
    const text = `{"n":[${"\n".repeat(lines)}${"1.5,\r\n".repeat(200)}1]}`;
    for (const { path, input } of textPaths(codec)) {
      convert(codec, path, input(text));
      expect(heard, path.method).toHaveLength(100);
      expect(heard[99], path.method).toMatchObject({ pointer: "/n/99", line: lines + 100, column: 1 });
    }
  });

  it("60 MiB of brackets are refused before they are built", () => {
    const text = "[".repeat(60 << 20);
    const codec = createValueCodec();
    expect(codesOf(() => codec.fromJsonString(text))).toBe("depth_exceeded");
    expect(codesOf(() => codec.jsonStringToField(text))).toBe("depth_exceeded");
    const flat = `[${"[],".repeat(20 << 20)}[]]`;
    expect(codesOf(() => codec.jsonStringToField(flat))).toBe("too_large");
  });

  it("a document that is never closed is looked ahead in once, not at every level", () => {
    const branch = (name: string, v: object) => ({ properties: { kind: { const: name }, v, next: { $ref: "#" } } });
    const codec = createStructCodec({ anyOf: [branch("a", INT), branch("b", STR)] });
    const text = `${'{"next":'.repeat(98)}{"v":[${'"x",'.repeat(8 << 20)}`;
    for (const { path, input } of textPaths(codec)) {
      expect(
        codesOf(() => convert(codec, path, input(text))),
        path.method,
      ).toMatch(/^(invalid_syntax|too_large)$/);
    }
  });

  it("200,000 keys that look like indexes are read and kept apart", () => {
    const keys = Array.from({ length: 200_000 }, (_, i) => String(i * 7919));
    const text = `{${keys.map((key) => `"${key}":1`).join(",")}}`;
    expect(Object.keys(bare.jsonStringToField(text))).toHaveLength(200_000);
    expect(codesOf(() => bare.jsonStringToField(text.replace(/}$/, ',"7919":2}')))).toBe("duplicate_key");
  });

  it("a value count over limits.values is refused", () => {
    const codec = createStructCodec(undefined, { limits: { values: 1000 } });
    const text = `{"a":[${"1,".repeat(5000)}1]}`;
    expect(codesOf(() => codec.jsonStringToField(text))).toBe("too_large");
    expect(codesOf(() => codec.fromJsonString(text))).toBe("too_large");
  });

  it("an output over limits.outputBytes is refused", () => {
    const codec = createStructCodec({ additionalProperties: INT }, { limits: { outputBytes: 1000 } });
    const field = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 1e300]));
    expect(codesOf(() => codec.fieldToJsonString(field))).toBe("too_large");
    expect(codesOf(() => codec.toJsonString(fieldToStruct(field)))).toBe("too_large");
    const controls = createStructCodec(undefined, { limits: { outputBytes: 1000 } });
    expect(codesOf(() => controls.fieldToJsonString({ a: "\u0001".repeat(500) }))).toBe("too_large");
    expect(controls.fieldToJsonString({ a: "x".repeat(500) })).toHaveLength(508);
  });

  for (const input of [undefined, null, 5, {}, [], new Uint8Array(), Symbol("x")]) {
    it(`${String(input)} is no text`, () => {
      for (const method of ["fromJsonString", "jsonStringToField"] as const) {
        expect(() => bare[method](input as never)).toThrow();
      }
    });
  }
});

describe("values", () => {
  it("a cycle is refused with the limit raised too", () => {
    const cycle: { a?: unknown } = {};
    cycle.a = [{ b: cycle }];
    for (const depth of [100, 300_000]) {
      const codec = createStructCodec(undefined, { limits: { depth } });
      for (const path of pathsOf(codec, "decode").filter((path) => path.from === "json")) {
        expect(["unsupported_value", "depth_exceeded", "too_large"], path.method).toContain(
          codesOf(() => convert(codec, path, cycle)),
        );
      }
    }
  });

  it("a graph of shared objects costs what its text would, and is stopped by the limit of values", () => {
    let value: unknown = 1;
    for (let i = 0; i < 90; i++) {
      value = [value, value];
    }
    const codec = createStructCodec(undefined, { limits: { values: 100_000 } });
    expect(codesOf(() => codec.jsonToField({ a: value } as never))).toBe("too_large");
  });

  it("a graph of shared objects that passes the limit is not counted twice", () => {
    let reads = 0;
    const leaf = {
      get x() {
        reads++;
        return 1;
      },
    };
    const values = 10_000;
    const codec = createStructCodec(undefined, { limits: { values } });
    expect(codesOf(() => codec.jsonToField({ a: new Array(values).fill(leaf) } as never))).toBe("too_large");
    expect(codesOf(() => codec.fieldToJson({ a: new Array(values - 100).fill(leaf) } as never))).toBe("too_large");
    expect(reads).toBeLessThan(values);
  });

  it("getters are called at most once", () => {
    let calls = 0;
    const value = {
      get a() {
        calls++;
        return calls;
      },
    };
    expect(bare.jsonToField(value as never)).toEqual({ a: 1 });
    expect(calls).toBe(1);
  });

  it("a getter that throws is not swallowed", () => {
    const value = {
      get a(): number {
        throw new RangeError("from the getter");
      },
    };
    expect(() => bare.jsonToField(value as never)).toThrow();
  });

  it("an array with extra properties keeps its items", () => {
    const items = Object.assign([1, 2], { extra: 3 });
    expect(bare.jsonToField({ a: items } as never)).toEqual({ a: [1, 2] });
  });

  it("keys that are symbols and hidden members are none", () => {
    const json = Object.defineProperty({ a: 1, [Symbol("b")]: 2 }, "c", { value: 3 });
    for (const path of pathsOf(bare, "decode").filter((path) => path.from === "json")) {
      expect(convert(bare, path, json), path.method).toEqual(convert(bare, path, { a: 1 }));
    }
    expect(bare.fieldToJsonString(json)).toBe('{"a":1}');
  });

  it("lengths that nothing stands behind are refused before anything is made", () => {
    const lying = new Proxy([1], { get: (list, key) => (key === "length" ? 2 ** 32 : Reflect.get(list, key)) });
    for (const list of [new Array(4_000_000_000), lying]) {
      for (const path of pathsOf(bare, "decode").filter((path) => path.from === "json")) {
        expect(
          codesOf(() => convert(bare, path, { a: list })),
          path.method,
        ).toBe("too_large");
      }
      expect(codesOf(() => bare.fieldToJson({ a: list }))).toBe("too_large");
      expect(codesOf(() => bare.fieldToJsonString({ a: list }))).toBe("too_large");
    }
  });

  it("a member toJSON of a plain object is data when it is no function, and is never called", () => {
    expect(bare.jsonToField({ a: { toJSON: 1 } })).toEqual({ a: { toJSON: 1 } });
    expect(codesOf(() => bare.jsonToField({ a: { toJSON: () => 5 } } as never))).toBe("unsupported_value");
  });

  it("results own their keys and have ordinary prototypes", () => {
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const field = bare.jsonStringToField(text) as object;
    expect(Object.keys(field)).toEqual(["__proto__", "constructor"]);
    expect([Object.prototype, null]).toContain(Object.getPrototypeOf(field));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    const json = bare.fieldToJson(field as JsonObject) as object;
    expect(Object.keys(json)).toEqual(["__proto__", "constructor"]);
    const message = bare.fromJsonString(text);
    expect(Object.keys(message.fields)).toEqual(["__proto__", "constructor"]);
    expect(Object.hasOwn(message.fields, "__proto__")).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("a message whose string has an unpaired surrogate is refused", () => {
    expect(codesOf(() => bare.toJsonString(fieldToStruct({ a: "x\ud800" })))).toBe("invalid_utf8");
    expect(codesOf(() => bare.fieldToJsonString({ a: "x\ud800" }))).toBe("invalid_utf8");
  });

  it("what is no message is refused, not written as {}", () => {
    for (const message of [undefined, null, 5, "x", [], {}, new Date(0), { fields: 5 }]) {
      expect(() => bare.toJsonString(message as unknown as Struct)).toThrow();
    }
  });

  it.each<[string, unknown]>([
    ["a Map", new Map([["a", 1]])],
    ["a class instance", new URL("x:y")],
    ["a list", []],
    ["null", null],
  ])("a message whose fields are %s is refused, at any depth", (_, fields) => {
    const message = { $typeName: "google.protobuf.Struct", fields };
    const inner = { $typeName: "google.protobuf.Value", kind: { case: "structValue", value: message } };
    const outer = { $typeName: "google.protobuf.Struct", fields: { a: inner } };
    for (const run of [(m: Struct) => bare.toJson(m), (m: Struct) => bare.toJsonString(m)]) {
      expect(codesOf(() => run(message as Struct))).toBe("unsupported_value");
      expect(codesOf(() => run(outer as unknown as Struct))).toBe("unsupported_value");
    }
  });

  it("a field that holds what a Struct cannot is refused", () => {
    for (const value of [5n, () => 1, Symbol("x"), new Date(0), new Map()]) {
      expect(() => bare.fieldToJsonString({ a: value } as unknown as JsonObject), String(value)).toThrow();
    }
  });

  it("inputs are not changed and not kept", () => {
    const json = { a: [1, { b: "x" }] };
    const before = structuredClone(json);
    const field = bare.jsonToField(json) as { a: JsonValue[] };
    const message = bare.fromJson(json);
    expect(json).toEqual(before);
    json.a.push(3);
    (json.a[1] as { b: string }).b = "y";
    expect(field).toEqual(before);
    expect(structToField(message)).toEqual(before);
  });
});

describe("wire bytes", () => {
  const encoders = (codec: AnyCodec) => pathsOf(codec, "encode").filter((path) => path.from === "binary");

  /** A Struct of one member that holds lists in lists, built from the inside without copying each level. */
  function lists(depth: number): Uint8Array {
    const leaf = num(1);
    const heads: Uint8Array[] = [];
    let length = leaf.length;
    for (let i = 0; i < depth; i++) {
      const item = bytes(0x0a, varint(length));
      length += item.length;
      const value = bytes(0x32, varint(length));
      length += value.length;
      heads.push(item, value);
    }
    const value = new Uint8Array(length);
    let at = length - leaf.length;
    value.set(leaf, at);
    for (const head of heads) {
      at -= head.length;
      value.set(head, at);
    }
    return struct(["a", value]);
  }

  it("100,000 levels of lists are refused", () => {
    const wire = lists(100_000);
    for (const path of encoders(bare)) {
      expect(
        codesOf(() => convert(bare, path, wire)),
        path.method,
      ).toBe("depth_exceeded");
    }
  });

  it("200,000 levels of lists work where the limit is raised", () => {
    const codec = createStructCodec(undefined, { limits: { depth: 1_000_010 } });
    const text = `{"a":${"[".repeat(200_000)}1${"]".repeat(200_000)}}`;
    for (const path of encoders(codec).filter((path) => path.to === "jsonString")) {
      expect(convert(codec, path, lists(200_000)) === text, path.method).toBe(true);
    }
  });

  it("100 containers are read, 101 are not", () => {
    for (const path of encoders(bare)) {
      expect(
        codesOf(() => convert(bare, path, lists(99))),
        path.method,
      ).toBeUndefined();
      expect(
        codesOf(() => convert(bare, path, lists(100))),
        path.method,
      ).toBe("depth_exceeded");
    }
  });

  it("2,000,000 nested unknown groups are refused or skipped without overflow", () => {
    const n = 1_000_000;
    const wire = new Uint8Array(2 * n);
    wire.fill(0x3b, 0, n);
    wire.fill(0x3c, n);
    for (const path of encoders(bare)) {
      expect([undefined, "depth_exceeded", "invalid_wire"], path.method).toContain(
        codesOf(() => convert(bare, path, wire)),
      );
    }
  });

  it("a million unknown fields are skipped", () => {
    const wire = new Uint8Array(2_000_000);
    for (let i = 0; i < wire.length; i += 2) {
      wire[i] = 0x38;
      wire[i + 1] = 1;
    }
    for (const path of encoders(bare).filter((path) => path.to === "jsonString")) {
      expect(convert(bare, path, wire)).toBe("{}");
    }
  });

  it("an object repeated in one value and doubled at every level is read in linear work", () => {
    // Two struct_values per Value at 16 levels: a reader that looks at each twice would make 2^16 times as many looks.
    let wire: Uint8Array = obj(["x", num(1)]);
    for (let i = 0; i < 16; i++) {
      wire = bytes(obj(["a", wire]), obj(["a", wire]));
    }
    for (const path of encoders(bare).filter((path) => path.to === "jsonString")) {
      expect(typeof convert(bare, path, struct(["v", wire]))).toBe("string");
    }
  });

  it("a view into a larger buffer is read as the view, and not kept", () => {
    const inner = struct(["a", num(5)]);
    const buffer = new Uint8Array(inner.length + 20).fill(0xff);
    buffer.set(inner, 10);
    const view = buffer.subarray(10, 10 + inner.length);
    for (const path of encoders(bare)) {
      const output = convert(bare, path, view);
      if (path.to === "json") {
        expect(output).toEqual({ a: 5 });
      }
    }
    for (const path of pathsOf(bare, "decode").filter((path) => path.method === "jsonBytesToBinary")) {
      const text = Buffer.from('xx{"a":"b"}xx').subarray(2, 11);
      const wire = convert(bare, path, text) as Uint8Array;
      const copy = Uint8Array.from(wire);
      text.fill(0);
      expect(wire).toEqual(copy);
    }
  });

  for (const input of [undefined, null, 5, "x", [], {}, new ArrayBuffer(4), new DataView(new ArrayBuffer(4))]) {
    it(`${Object.prototype.toString.call(input)} is no bytes`, () => {
      for (const path of pathsOf(bare).filter((path) => path.from === "binary" || path.from === "jsonBytes")) {
        expect(() => convert(bare, path, input), path.method).toThrow();
      }
    });
  }

  const jsonBytes = () => new TextEncoder().encode('{"a":1}');

  it("a detached buffer is no empty document", () => {
    for (const [run, input] of [
      [bare.binaryToJsonString, struct(["a", num(1)])],
      [bare.binaryToJsonBytes, struct(["a", num(1)])],
      [bare.binaryToJson, struct(["a", num(1)])],
      [bare.jsonBytesToBinary, jsonBytes()],
    ] as const) {
      const own = new Uint8Array(input);
      structuredClone(own.buffer, { transfer: [own.buffer] });
      expect(codesOf(() => run(own))).toBe("unsupported_value");
    }
  });

  it("a view that its buffer has outgrown is no empty document", () => {
    for (const run of [bare.binaryToJsonString, bare.binaryToJsonBytes, bare.jsonBytesToBinary]) {
      // TypeScript's library of this target does not know resizable buffers.
      const Resizable = ArrayBuffer as unknown as new (
        length: number,
        options: object,
      ) => ArrayBuffer & { resize(length: number): void };
      const buffer = new Resizable(16, { maxByteLength: 32 });
      const view = new Uint8Array(buffer, 8, 8);
      buffer.resize(4);
      expect(codesOf(() => run(view))).toBe("unsupported_value");
    }
  });

  it("a subclass is read whatever it calls itself", () => {
    class Named extends Uint8Array {
      override get [Symbol.toStringTag](): "Uint8Array" {
        return "Bytes" as "Uint8Array";
      }
    }
    const wire = struct(["a", num(1)]);
    expect(bare.binaryToJsonString(new Named(wire))).toBe('{"a":1}');
    expect(bare.binaryToJson(new Named(wire))).toEqual({ a: 1 });
    expect(bare.jsonBytesToBinary(new Named(jsonBytes()))).toEqual(wire);
    const fake = Object.create(Uint8Array.prototype);
    for (const run of [bare.binaryToJsonString, bare.binaryToJson, bare.jsonBytesToBinary]) {
      expect(codesOf(() => run(fake))).toBe("unsupported_value");
    }
  });

  it("these tests build lists as the small helper does", () => {
    expect(lists(3)).toEqual(struct(["a", list(list(list(num(1))))]));
    expect(lists(3)).toEqual(structToBinary(fieldToStruct({ a: [[[1]]] })));
  });
});

describe("schemas", () => {
  it("a schema object with a cycle compiles", () => {
    const node: Record<string, unknown> = { type: "object", properties: { v: INT } };
    (node.properties as Record<string, unknown>).next = node;
    const codec = compiles(node as HintSource);
    expect(codec.fieldToJsonString({ next: { next: { v: 1e21 } } })).toBe(
      '{"next":{"next":{"v":1000000000000000000000}}}',
    );
  });

  it("a schema object that is its own allOf compiles", () => {
    const node: Record<string, unknown> = { properties: { v: INT } };
    node.allOf = [node];
    expect(compiles(node as HintSource).fieldToJsonString({ v: 1e21 })).toBe('{"v":1000000000000000000000}');
    for (const keyword of ["anyOf", "oneOf"]) {
      const other: Record<string, unknown> = {};
      other[keyword] = [other, other];
      compiles(other as HintSource);
    }
  });

  it("a schema whose data is cyclic compiles", () => {
    const data: unknown[] = [];
    data.push(data);
    compiles({ properties: { v: { type: "integer", default: data, examples: data, "x-y": data } } });
  });

  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    it(`40 levels of ${keyword}: [x, x] as a shared object`, () => {
      let node: object = { properties: { v: INT } };
      for (let i = 0; i < 40; i++) {
        node = { [keyword]: [node, node] };
      }
      expect(compiles(node as HintSource).fieldToJsonString({ v: 1e21 })).toBe('{"v":1000000000000000000000}');
    });

    it(`40 levels of ${keyword}: [x, x] by reference`, () => {
      const $defs: Record<string, object> = { n0: { properties: { v: INT } } };
      for (let i = 1; i <= 40; i++) {
        $defs[`n${i}`] = { [keyword]: [{ $ref: `#/$defs/n${i - 1}` }, { $ref: `#/$defs/n${i - 1}` }] };
      }
      const codec = compiles({ $ref: "#/$defs/n40", $defs } as HintSource);
      expect(codec.fieldToJsonString({ v: 1e21 })).toBe('{"v":1000000000000000000000}');
    });

    it(`40 levels of ${keyword} in properties: [x, x] as a shared object`, () => {
      let node: object = INT;
      for (let i = 0; i < 40; i++) {
        node = { [keyword]: [{ properties: { a: node } }, { properties: { b: node } }] };
      }
      compiles(node as HintSource);
    });
  }

  it("a product of 30 unions in allOf", () => {
    const allOf = Array.from({ length: 30 }, (_, i) => ({
      anyOf: [{ properties: { [`k${i}`]: { const: 1 }, v: INT } }, { properties: { [`k${i}`]: { const: 2 }, v: NUM } }],
    }));
    compiles({ allOf } as HintSource);
  });

  it("100,000 properties", () => {
    const properties = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, INT]));
    const codec = createStructCodec({ properties });
    expect(codec.fieldToJsonString({ k1: 1e21, zzz: 1e21 })).toBe('{"k1":1000000000000000000000,"zzz":1e+21}');
  });

  it("100,000 distinct properties: what lies beyond the limit has no hint, and one issue says so", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, i) => [`k${i}`, { type: "integer", minimum: 0, maximum: i }]),
    );
    const codec = createStructCodec({ properties });
    expect(codec.fieldToJsonString({ zzz: 1e21 })).toBe('{"zzz":1e+21}');
    expect(codec.schemaIssues.filter((issue) => issue.code === "too_large")).toHaveLength(1);
  });

  it("20,000 branches", () => {
    compiles({
      oneOf: Array.from({ length: 20_000 }, (_, i) => ({ properties: { k: { const: i }, v: i % 2 ? INT : STR } })),
    });
  });

  it("200,000 enum members", () => {
    const members = Array.from({ length: 200_000 }, (_, i) => i);
    expect(compiles({ properties: { v: { enum: members } } }).fieldToJsonString({ v: "5" })).toBe('{"v":5}');
  });

  it("a small schema whose subsets explode stops at the limit", () => {
    // The n-th key from the end decides: a deterministic automaton needs 2^n states.
    const n = 24;
    const $defs: Record<string, object> = {
      s0: {
        properties: {
          x: { $ref: "#/$defs/s0" },
          y: { allOf: [{ $ref: "#/$defs/s0" }, { $ref: "#/$defs/s1" }] },
        },
      },
    };
    for (let i = 1; i < n; i++) {
      $defs[`s${i}`] = { properties: { x: { $ref: `#/$defs/s${i + 1}` }, y: { $ref: `#/$defs/s${i + 1}` } } };
    }
    $defs[`s${n}`] = { properties: { v: INT } };
    const codec = compiles({ $ref: "#/$defs/s0", $defs } as HintSource);
    expect(codec.schemaIssues.filter((issue) => issue.code === "too_large").length).toBeLessThanOrEqual(1);
  });

  it("unions that explode stop at the limit", () => {
    const n = 24;
    const $defs: Record<string, object> = {
      s0: {
        properties: {
          x: { anyOf: [{ $ref: "#/$defs/s0" }, { type: "null" }] },
          y: { anyOf: [{ $ref: "#/$defs/s0" }, { $ref: "#/$defs/s1" }] },
        },
      },
    };
    for (let i = 1; i < n; i++) {
      $defs[`s${i}`] = { properties: { x: { $ref: `#/$defs/s${i + 1}` }, y: { $ref: `#/$defs/s${i + 1}` } } };
    }
    $defs[`s${n}`] = { properties: { v: INT } };
    compiles({ $ref: "#/$defs/s0", $defs } as HintSource);
  });

  it("selections that would multiply stop at the limit", () => {
    const oneOf = Array.from({ length: 64 }, (_, i) => ({
      properties: {
        a: { enum: [i % 2, 5] },
        b: { enum: [i % 3, 5] },
        c: { enum: [i % 5, 5] },
        d: { enum: [i % 7, 5] },
        v: i % 2 ? INT : STR,
        w: i % 3 ? NUM : INT64,
      },
    }));
    const codec = compiles({ oneOf } as HintSource);
    expect(codec.fieldToJsonString({ a: 0, v: "5", w: 2.5 })).toBe('{"a":0,"v":"5","w":2.5}');
  });

  const numbered = <T>(count: number, of: (i: number) => [string, T]): { [key: string]: T } =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => of(i)));

  const laborious: { readonly [name: string]: object } = {
    "400 patterns that are large automata": {
      patternProperties: numbered(400, (i) => [`^[a-z]{3,9}${i}(x|y|[0-9]+)*(foo|bar){2,5}[A-Z]*$`, INT]),
    },
    "5,000 patterns by 9,000 names": {
      patternProperties: numbered(5000, (i) => [`^b${i}`, INT]),
      properties: numbered(9000, (i) => [`b${i}`, INT]),
    },
    "900 branches with ten constants of their own": {
      anyOf: Array.from({ length: 900 }, (_, i) => ({
        properties: numbered(10, (j) => [`k${i}_${j}`, { const: j }]),
      })),
    },
    "900 branches with ten constants in common": {
      anyOf: Array.from({ length: 900 }, (_, i) => ({
        properties: numbered(10, (j) => [`k${j}`, { const: i * 10 + j }]),
      })),
    },
    "80 unions that recurse into each other": {
      $defs: numbered(80, (i) => [
        `u${i}`,
        {
          anyOf: Array.from({ length: 80 }, (_, j) => ({
            properties: {
              kind: { const: `${i}-${j}` },
              next: { $ref: `#/$defs/u${(i * 7 + j) % 80}` },
              v: j % 2 ? INT : NUM,
            },
          })),
        },
      ]),
      $ref: "#/$defs/u0",
    },
  };

  for (const [name, schema] of Object.entries(laborious)) {
    it(`${name} are compiled as far as the budget of steps goes`, () => {
      const codec = compiles(schema as HintSource);
      expect(codec.schemaIssues.map((issue) => issue.code)).toContain("too_large");
    });
  }

  it("3,000 arrays in arrays, each under a name of its own, are compiled in full", () => {
    const $defs = numbered(3001, (i) => [
      `d${3000 - i}`,
      i === 3000 ? INT : { items: { $ref: `#/$defs/d${2999 - i}` } },
    ]);
    const codec = compiles({
      $defs,
      properties: numbered(3000, (i) => [`m${i}`, { $ref: `#/$defs/d${i}` }]),
    } as HintSource);
    expect(codec.schemaIssues).toEqual([]);
    expect(codec.fieldToJsonString({ m2: [["5"]] })).toBe('{"m2":[[5]]}');
  });

  it("a chain of 10,000 references", () => {
    const $defs: Record<string, object> = { n0: INT };
    for (let i = 1; i <= 10_000; i++) {
      $defs[`n${i}`] = { $ref: `#/$defs/n${i - 1}` };
    }
    compiles({ properties: { v: { $ref: "#/$defs/n10000" } }, $defs } as HintSource);
  });

  for (const [name, step] of [
    ["properties", (inner: object) => ({ properties: { a: inner } })],
    ["items", (inner: object) => ({ items: inner })],
    ["allOf", (inner: object) => ({ allOf: [inner] })],
    ["anyOf", (inner: object) => ({ anyOf: [inner] })],
    ["not", (inner: object) => ({ not: inner })],
    ["default", (inner: object) => ({ default: inner })],
  ] as const) {
    it(`200,000 levels of ${name} in a schema object`, () => {
      let node: object = INT;
      for (let i = 0; i < 200_000; i++) {
        node = step(node);
      }
      compiles(node as HintSource);
    });
  }

  for (const [name, open, close] of [
    ["properties", '{"properties":{"a":', "}}"],
    ["items", '{"items":', "}"],
    ["default", '{"default":[', "]}"],
  ] as const) {
    it(`200,000 levels of ${name} in a schema text`, () => {
      // A text may be refused for its depth or size; nothing else may happen.
      const text = `${open.repeat(200_000)}{}${close.repeat(200_000)}`;
      try {
        compileHint(text, { limits: { schemaBytes: 64 << 20 } });
      } catch (error) {
        expect(error).toBeInstanceOf(StructSchemaError);
      }
    });
  }

  it("a schema text over schemaBytes is too large", () => {
    const text = `{"description":"${"x".repeat(5000)}"}`;
    let issues: readonly string[] = [];
    try {
      issues = compileHint(text, { limits: { schemaBytes: 1000 } }).schemaIssues.map((issue) => issue.code);
    } catch (error) {
      issues = [(error as StructSchemaError).code];
    }
    expect(issues).toEqual(["too_large"]);
  });

  it("a description of 8 MiB in a schema object is no matter", () => {
    const codec = compiles({ description: "x".repeat(8 << 20), properties: { v: INT } });
    expect(codec.fieldToJsonString({ v: 1e21 })).toBe('{"v":1000000000000000000000}');
  });

  for (const pattern of [
    "(a+)+$",
    "(.*)*x",
    "(x+x+)+y",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "^(?:a?){1000}a{1000}$",
    "a{1,100000}",
    "(((a{1,100}){1,100}){1,100}){1,100}",
    "[",
    "(",
    "*",
    "a{2,1}",
    "\\",
    "(?<name>a)\\k<name>",
    "(?i)a",
    "[[:alpha:]]",
    "\\u{110000}",
    "a".repeat(1 << 20),
    `(${"|a".repeat(50_000)})`,
    "(".repeat(100_000),
    "(".repeat(50_000) + ")".repeat(50_000),
  ]) {
    it(`the pattern ${pattern.slice(0, 40)} (${pattern.length} characters)`, () => {
      const codec = compiles({ patternProperties: { [pattern]: INT }, properties: { v: INT } });
      const key = "a".repeat(30_000);
      expect(codec.jsonStringToField(`{"${key}!":"x","v":"5"}`)).toEqual({ [`${key}!`]: "x", v: "5" });
      expect(codec.fieldToJsonString({ v: "5" })).toBe('{"v":5}');
    });
  }

  it("nothing is fetched", () => {
    const original = globalThis.fetch;
    let called = false;
    globalThis.fetch = () => {
      called = true;
      return Promise.reject(new Error("no"));
    };
    try {
      for (const $ref of ["https://example.com/s.json", "http://localhost:1/s", "file:///etc/passwd"]) {
        const codec = createStructCodec({ properties: { v: { $ref } } });
        expect(codec.schemaIssues.map((issue) => issue.code)).toEqual(["unresolved_ref"]);
      }
    } finally {
      globalThis.fetch = original;
    }
    expect(called).toBe(false);
  });

  it("a deep-frozen schema is read and not changed", () => {
    const schema = deepFreeze({
      $defs: { n: { type: "integer", format: "int64" } },
      properties: { v: { $ref: "#/$defs/n" }, l: { items: { anyOf: [{ type: "integer" }, { type: "null" }] } } },
    });
    const before = JSON.stringify(schema);
    const codec = createStructCodec(schema as never, { int64: "schema" });
    expect(codec.fieldToJsonString({ v: "5", l: [1e21] })).toBe('{"v":5,"l":[1000000000000000000000]}');
    expect(JSON.stringify(schema)).toBe(before);
  });

  it("a schema with getters and a Proxy is read without surprises", () => {
    const proxy = new Proxy({ type: "integer" }, {});
    const schema = {
      get properties() {
        return { v: proxy };
      },
    };
    expect(createStructCodec(schema as never).fieldToJsonString({ v: 1e21 })).toBe('{"v":1000000000000000000000}');
  });

  it("malformed keywords all over", () => {
    const values = [
      null,
      0,
      -1,
      1.5,
      "x",
      "",
      true,
      false,
      [],
      [null],
      {},
      { x: null },
      Number.NaN,
      5n,
      "9".repeat(5000),
    ];
    const keywords = [
      ...[
        "type",
        "format",
        "enum",
        "const",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
      ],
      ...["properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"],
      ...["items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "allOf", "anyOf", "oneOf", "not"],
      ...[
        "if",
        "then",
        "else",
        "dependentSchemas",
        "dependencies",
        "$ref",
        "$dynamicRef",
        "$recursiveRef",
        "$id",
        "id",
      ],
      ...[
        "$anchor",
        "$dynamicAnchor",
        "$schema",
        "$defs",
        "definitions",
        "components",
        "nullable",
        "discriminator",
        "ref",
        "defs",
      ],
    ];
    for (const keyword of keywords) {
      for (const value of values) {
        for (const schema of [{ [keyword]: value }, { properties: { a: { [keyword]: value }, v: INT } }]) {
          const codec = compiles(schema as HintSource);
          if ("properties" in schema && keyword !== "properties") {
            expect(codec.fieldToJsonString({ v: 1e21 }), `${keyword} ${String(value)}`).toMatch(
              /^\{"v":1(e\+21|0{21})\}$/,
            );
          }
        }
      }
    }
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

describe("a polluted Object.prototype", () => {
  const polluted = [
    "type",
    "properties",
    "$ref",
    "items",
    "format",
    "enum",
    "additionalProperties",
    "depth",
    "limits",
    "int64",
    "get",
    "value",
    "fields",
    "kind",
    "exact",
    "~standard",
    "onFinding",
  ];

  afterEach(() => {
    for (const key of polluted) {
      delete (Object.prototype as Record<string, unknown>)[key];
    }
  });

  const evil: { readonly [key: string]: unknown } = {
    type: "integer",
    properties: { v: INT },
    $ref: "#/$defs/evil",
    items: INT,
    format: "int64",
    enum: [1],
    additionalProperties: INT,
    depth: 1,
    limits: { depth: 1 },
    int64: "bigint",
    get: () => 5,
    value: 5,
    fields: {},
    kind: { case: "numberValue", value: 5 },
    exact: "all",
    "~standard": { version: 1, vendor: "x", jsonSchema: { input: () => INT, output: () => INT } },
    onFinding: () => expect.fail("a finding was told to nobody's function"),
  };

  for (const key of polluted) {
    it(`${key} changes nothing`, () => {
      const results: string[] = [];
      for (const dirty of [false, true]) {
        if (dirty) {
          (Object.prototype as Record<string, unknown>)[key] = evil[key];
        }
        try {
          const codec = createStructCodec(
            { properties: { w: { type: "string" }, n: { type: "number" }, o: { type: "object" } } },
            {},
          );
          const value = createValueCodec({});
          const tool = createToolCodec({ name: "t", inputSchema: { properties: { count: { type: "integer" } } } });
          results.push(JSON.stringify(tool.tool), JSON.stringify(rewriteSchema({ properties: { limit: INT } })));
          results.push(
            [
              codec.jsonStringToField('{"v":"5","w":1e21,"o":{"x":[1,{"y":"7"}]}}'),
              codec.fromJsonString('{"v":"5","n":9007199254740993}'),
            ]
              .map((result) => JSON.stringify(result))
              .join() +
              codec.fieldToJsonString({ v: "5", n: "7", o: { x: [1e21, "5"] } }) +
              value.fieldToJsonString([1e21, "5", { v: "5" }]) +
              value.toJsonString(value.fromJsonString('[1e21,"5",{"v":"5"}]')),
          );
        } finally {
          delete (Object.prototype as Record<string, unknown>)[key];
        }
      }
      expect(results.slice(results.length / 2)).toEqual(results.slice(0, results.length / 2));
    });
  }
});

describe("a polluted toJSON", () => {
  it.each<[string, object]>([
    ["Object.prototype", Object.prototype],
    ["Array.prototype", Array.prototype],
  ])("of %s is not called", (_, prototype) => {
    const write = () => {
      const codec = createStructCodec({ properties: { n: { type: "integer" } } });
      const field = { n: 5, raw: 1e21, list: [1, { a: "x" }] };
      const message = codec.fromJson(field);
      return [
        codec.fieldToJsonString(field),
        codec.fieldToJsonString({ ...field, n: 1e21 }),
        codec.toJsonString(message),
        String(codec.jsonToBinary(field)),
        codec.binaryToJsonString(codec.jsonToBinary(field)),
        createStructCodec(undefined, { prettySpaces: 2, limits: { depth: 1e6 } }).fieldToJsonString(field),
        createStructCodec(undefined, { unsafeIntegers: "round" }).jsonStringToField('{"a":[9007199254740993]}'),
        compileHint('{"properties":{"n":{"const":9007199254740993}}}').explain("/n").summary,
      ];
    };
    const clean = write();
    Object.defineProperty(prototype, "toJSON", { configurable: true, value: () => "hijacked" });
    let dirty: unknown[];
    try {
      dirty = write();
    } finally {
      delete (prototype as { toJSON?: unknown }).toJSON;
    }
    expect(dirty).toEqual(clean);
  });
});

describe("near the stack limit", () => {
  const codec = createStructCodec({ properties: { a: { items: INT } } });
  const text = '{"a":[1,{"b":[2,{"c":"x"}]}]}';
  const field = codec.jsonStringToField(text);
  const message = codec.fromJsonString(text);

  /** Runs as deep in the stack as it gets, with a few frames left. */
  function deep<T>(spare: number, run: () => T): T {
    let limit = 0;
    const measure = (depth: number): void => {
      limit = depth;
      measure(depth + 1);
    };
    try {
      measure(0);
    } catch {
      // that is the limit
    }
    const dive = (depth: number): T => (depth <= 0 ? run() : dive(depth - 1));
    return dive(limit - spare);
  }

  for (const [name, run, expected] of [
    ["fromJsonString", () => structToField(codec.fromJsonString(text)), field],
    ["jsonStringToField", () => codec.jsonStringToField(text), field],
    ["fieldToJsonString", () => codec.fieldToJsonString(field), text],
    ["toJsonString", () => codec.toJsonString(message), text],
    ["fieldToJson", () => JSON.stringify(codec.fieldToJson(field)), text],
    ["compileHint", () => compileHint({ properties: { v: INT } }).explain("/v").number, "integer"],
  ] as const) {
    it(`${name} gives the right answer or an error, and works afterwards`, () => {
      for (const spare of [2000, 500, 200, 100, 50]) {
        try {
          expect(deep(spare, run as () => unknown)).toEqual(expected);
        } catch (error) {
          // With too few frames left the engine may refuse; nothing else may come out.
          const isOurs = error instanceof StructCodecError || error instanceof StructSchemaError;
          expect(isOurs || error instanceof RangeError, String(error)).toBe(true);
        }
        expect((run as () => unknown)()).toEqual(expected);
      }
    });
  }
});
