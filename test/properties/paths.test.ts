import type { JsonObject } from "@bufbuild/protobuf";
import type { Struct } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createStructCodec,
  createValueCodec,
  type Issue,
  type StructCodec,
  StructCodecError,
} from "../../src/index.js";
import { type AnyCodec, convert, type Direction, type Path, pathsOf } from "../paths.js";
import { fields, plainPairs, plainTextPairs, runs, schemas, texts } from "../support/arbitraries.js";
import { difference, inObjectOrder, readTree, toExact } from "../support/exact-json.js";
import { fieldToStruct, structFromBinary, structToBinary, structToField } from "../support/forms.js";

type Options = NonNullable<Parameters<typeof createStructCodec>[1]>;

const optionSets: fc.Arbitrary<Options> = fc.record({
  int64: fc.constantFrom("string", "schema", "safe", "bigint"),
  structInt64: fc.constantFrom("auto", "string"),
  unsafeIntegers: fc.constantFrom("string", "error", "round"),
  wholeNumbers: fc.constantFrom("shortest", "fraction"),
  strict: fc.constantFrom<Options["strict"][]>(false, true, ["fractional"], ["rounded"]) as fc.Arbitrary<boolean>,
  exact: fc.constantFrom("declared", "ids", "all"),
});

interface Outcome {
  readonly output?: unknown;
  readonly error?: string;
  readonly issues: string;
}

function outcome(
  schema: Parameters<typeof createStructCodec>[0],
  options: Options,
  path: Path,
  input: unknown,
): Outcome {
  const issues: Issue[] = [];
  const codec = createStructCodec(schema, { ...options, onIssues: (found) => issues.push(...found) });
  const list = () => JSON.stringify(issues.map((issue) => `${issue.code} ${issue.pointer}`).sort());
  try {
    return { output: convert(codec, path, input), issues: list() };
  } catch (error) {
    if (error instanceof StructCodecError) {
      return { error: `${error.code} ${error.pointer}`, issues: list() };
    }
    throw error;
  }
}

function paths(direction: Direction): readonly Path[] {
  return pathsOf(createStructCodec(), direction);
}

describe("all paths of one codec agree", () => {
  it("from the Struct side to JSON", () => {
    fc.assert(
      fc.property(fc.oneof(plainPairs, fc.tuple(schemas, fields)), optionSets, ([schema, field], options) => {
        const inputs = { field, message: fieldToStruct(field), binary: structToBinary(fieldToStruct(field)) };
        const [reference] = paths("encode").filter((path) => path.method === "fieldToJsonString");
        const expected = outcome(schema, options, reference as Path, field);
        const json = outcome(schema, options, { ...(reference as Path), method: "fieldToJson" }, field);
        expect(json.error).toBe(expected.error);
        for (const path of paths("encode")) {
          const actual = outcome(schema, options, path, inputs[path.from as keyof typeof inputs]);
          expect(actual.error, path.method).toBe(expected.error);
          expect(actual.issues, path.method).toBe(expected.issues);
          if (actual.error !== undefined) {
            continue;
          }
          if (path.to === "json") {
            expect(difference(actual.output, json.output), path.method).toBeUndefined();
          } else {
            const text =
              path.to === "jsonBytes"
                ? new TextDecoder().decode(actual.output as Uint8Array)
                : (actual.output as string);
            expect(inObjectOrder(text), path.method).toBe(inObjectOrder(expected.output as string));
          }
        }
      }),
      runs(400),
    );
  });

  it("from JSON to the Struct side", () => {
    fc.assert(
      fc.property(fc.oneof(plainTextPairs, fc.tuple(schemas, texts)), optionSets, ([schema, text], options) => {
        const json = toExact(readTree(text), "literal");
        const inputs = { jsonString: text, jsonBytes: new TextEncoder().encode(text), json };
        const [reference] = paths("decode").filter((path) => path.method === "jsonStringToField");
        const expected = outcome(schema, options, reference as Path, text);
        for (const path of paths("decode")) {
          if (path.from === "json" && json === undefined) {
            continue;
          }
          const actual = outcome(schema, options, path, inputs[path.from as keyof typeof inputs]);
          // A JSON value has the order of a JS object, so another one of several errors may come first.
          if (expected.error !== undefined || actual.error !== undefined) {
            expect(actual.error !== undefined, path.method).toBe(expected.error !== undefined);
            expect(path.from === "json" ? undefined : actual.error, path.method).toBe(
              path.from === "json" ? undefined : expected.error,
            );
            continue;
          }
          expect(actual.issues, path.method).toBe(expected.issues);
          expect(difference(asField(path, actual.output), expected.output), path.method).toBeUndefined();
        }
      }),
      runs(400),
    );
  });

  it("text to bytes to text is text to message to text, but for the order of array-index keys", () => {
    fc.assert(
      fc.property(schemas, texts, (schema, text) => {
        const codec = createStructCodec(schema);
        const viaMessage = codec.toJsonString(codec.fromJsonString(text));
        expect(codec.fieldToJsonString(codec.jsonStringToField(text))).toBe(viaMessage);
        for (const there of pathsOf(codec, "decode").filter((path) => path.method === "jsonStringToBinary")) {
          for (const back of pathsOf(codec, "encode").filter((path) => path.method === "binaryToJsonString")) {
            expect(inObjectOrder(convert(codec, back, convert(codec, there, text)) as string)).toBe(viaMessage);
          }
        }
      }),
      runs(300),
    );
  });

  it("a codec gives the same twice, and does not touch its input", () => {
    fc.assert(
      fc.property(schemas, fields, (schema, field) => {
        const codec = createStructCodec(schema);
        const before = structToBinary(fieldToStruct(field));
        const message = fieldToStruct(field);
        expect(codec.toJsonString(message)).toBe(codec.toJsonString(message));
        expect(structToBinary(message)).toEqual(before);
        expect(codec.fieldToJsonString(deepFreeze(field))).toBe(codec.toJsonString(message));
      }),
      runs(200),
    );
  });
});

function asField(path: Path, output: unknown): JsonObject {
  switch (path.to) {
    case "message":
      return structToField(output as Struct);
    case "binary":
      return structToField(structFromBinary(output as Uint8Array));
    default:
      return output as JsonObject;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

/** Nothing but a value or our own error may come out, whatever goes in. */
function survives(codec: AnyCodec, path: Path, input: unknown): void {
  try {
    convert(codec, path, input);
  } catch (error) {
    if (!(error instanceof StructCodecError)) {
      throw error;
    }
    expect(error.direction).toBe(path.direction);
    expect(error.message.length).toBeLessThanOrEqual(1024);
  }
}

/** JSON texts with a few characters changed, cut or doubled. */
const damaged = fc
  .tuple(
    texts,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom("", '"', "\\", "{", "}", "[", "]", ",", ":", "0", "-", "e", ".", "\ud800", "\u0000"),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([text, edits]) =>
    edits.reduce((damaged, [at, put]) => {
      const i = at % (damaged.length + 1);
      return `${damaged.slice(0, i)}${put}${damaged.slice(i + (at % 2))}`;
    }, text),
  );

const anyStrings = fc.oneof(
  damaged,
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.string({ unit: fc.constantFrom(...'{}[]",:0123456789.eE+-truefalsn\\u \n') }),
);

const damagedWire = fc
  .tuple(fields, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }))
  .map(([field, edits]) => {
    const wire = structToBinary(fieldToStruct(field));
    for (const [at, byte] of edits) {
      if (wire.length > 0) {
        wire[at % wire.length] = byte;
      }
    }
    return wire.subarray(0, edits.length === 4 ? Math.floor(wire.length / 2) : wire.length);
  });

describe("any input gives a value or a StructCodecError", () => {
  const codecs = (schema: Parameters<typeof createStructCodec>[0]): AnyCodec[] => [
    createStructCodec(schema) as StructCodec,
    createValueCodec(schema),
  ];

  it("any text", () => {
    fc.assert(
      fc.property(schemas, anyStrings, (schema, text) => {
        for (const codec of codecs(schema)) {
          for (const path of pathsOf(codec, "decode").filter((path) => path.from === "jsonString")) {
            survives(codec, path, text);
          }
        }
      }),
      runs(1500),
    );
  });

  it("any bytes as JSON", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyStrings.map((text) => new TextEncoder().encode(text)),
          fc.uint8Array(),
        ),
        (bytes) => {
          for (const codec of codecs(undefined)) {
            for (const path of pathsOf(codec, "decode").filter((path) => path.from === "jsonBytes")) {
              survives(codec, path, bytes);
            }
          }
        },
      ),
      runs(1000),
    );
  });

  it("any bytes as wire", () => {
    fc.assert(
      fc.property(schemas, fc.oneof(damagedWire, fc.uint8Array()), (schema, bytes) => {
        for (const codec of codecs(schema)) {
          for (const path of pathsOf(codec, "encode").filter((path) => path.from === "binary")) {
            survives(codec, path, bytes);
          }
        }
      }),
      runs(1000),
    );
  });

  it("any JS value as JSON", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(schemas, anything, (schema, value) => {
        for (const codec of codecs(schema)) {
          for (const path of pathsOf(codec, "decode").filter((path) => path.from === "json")) {
            survives(codec, path, value);
            survives(codec, path, { a: value });
          }
        }
      }),
      runs(1000),
    );
  });

  it("what protobuf-es and our reader both take is the same value", () => {
    fc.assert(
      fc.property(damagedWire, (wire) => {
        const codec = createStructCodec();
        for (const path of pathsOf(codec, "encode").filter((path) => path.method === "binaryToJson")) {
          let ours: unknown;
          let theirs: unknown;
          try {
            ours = convert(codec, path, wire);
            theirs = codec.toJson(structFromBinary(wire));
          } catch {
            return;
          }
          expect(difference(ours, theirs)).toBeUndefined();
        }
      }),
      runs(1000),
    );
  });
});
