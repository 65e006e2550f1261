import {
  fromBinary,
  fromJson,
  fromJsonString,
  type JsonObject,
  type JsonValue,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStructCodec, type HintSource, type Issue, type StructCodec } from "../../src/index.js";
import { convert, type Path, pathsOf } from "../paths.js";
import { fields, plainPairs, plainSchemas, plainTextPairs, runs, schemas, texts } from "../support/arbitraries.js";
import { difference, integerDigits, readTree, type Tree } from "../support/exact-json.js";
import { fieldToStruct, structFromBinary, structToBinary, structToField } from "../support/forms.js";
import { pointerOf } from "../support/hint-case.js";
import { plainAnswer } from "../support/plain-hint.js";

/** A way from JSON text to the Struct side and back to JSON text. */
function roundTrips(codec: StructCodec): readonly { there: Path; back: Path }[] {
  const out = pathsOf(codec, "decode").filter((path) => path.from === "jsonString");
  const back = pathsOf(codec, "encode").filter((path) => path.to === "jsonString");
  return out.flatMap((there) => back.filter((path) => path.from === there.to).map((path) => ({ there, back: path })));
}

type Steps = readonly (string | number)[];

/** Visit the scalars of two trees of one shape side by side; members by key. */
function pairs(a: Tree, b: Tree, visit: (a: string, b: string, steps: Steps) => void, steps: Steps = []): void {
  if (a.kind === "object" && b.kind === "object") {
    expect(b.members.map(([key]) => key).sort()).toEqual(a.members.map(([key]) => key).sort());
    for (const [key, , value] of a.members) {
      const other = b.members.find(([name]) => name === key);
      pairs(value, other?.[2] as Tree, visit, [...steps, key]);
    }
  } else if (a.kind === "array" && b.kind === "array") {
    expect(b.items.length).toBe(a.items.length);
    for (const [i, item] of a.items.entries()) {
      pairs(item, b.items[i] as Tree, visit, [...steps, i]);
    }
  } else if (a.kind === "scalar" && b.kind === "scalar") {
    visit(a.raw, b.raw, steps);
  } else {
    expect.fail(`another shape at ${pointerOf(steps)}`);
  }
}

const isNumber = (raw: string) => /^[-0-9]/.test(raw);
const unquoted = (raw: string) => (raw.startsWith('"') ? (JSON.parse(raw) as string) : raw);

/** The text of a field with every integer in full, and -0 as 0. */
function exactText(field: JsonValue): string {
  if (typeof field === "number") {
    return Number.isInteger(field) ? BigInt(field).toString() : String(field);
  }
  if (Array.isArray(field)) {
    return `[${field.map(exactText).join(",")}]`;
  }
  if (typeof field === "object" && field !== null) {
    return `{${Object.keys(field)
      .map((key) => `${JSON.stringify(key)}:${exactText(field[key] as JsonValue)}`)
      .join(",")}}`;
  }
  return JSON.stringify(field);
}

describe("guarantee 1: text to Struct to text keeps the digits of integers", () => {
  it("at integer positions whatever the spelling, elsewhere of those without point and exponent", () => {
    let checked = 0;
    fc.assert(
      fc.property(fc.oneof(plainTextPairs, fc.tuple(plainSchemas, texts)), ([schema, text]) => {
        const codec = createStructCodec(schema, { int64: "schema" });
        for (const { there, back } of roundTrips(codec)) {
          const output = convert(codec, back, convert(codec, there, text)) as string;
          pairs(readTree(text), readTree(output), (before, after, steps) => {
            const digits = isNumber(before) ? integerDigits(before) : undefined;
            if (digits === undefined) {
              return;
            }
            if (plainAnswer(schema as never, steps) === "integer" || /^-?[0-9]+$/.test(before)) {
              checked++;
              const read = unquoted(after);
              // A double's own spelling may be kept as that spelling.
              expect([digits, before], pointerOf(steps)).toContain(integerDigits(read) ?? read);
            }
          });
        }
      }),
      runs(400),
    );
    expect(checked).toBeGreaterThan(400);
  });

  it("keeps the order of keys where no JS object is in between", () => {
    fc.assert(
      fc.property(schemas, texts, (schema, text) => {
        const codec = createStructCodec(schema);
        const keys = (tree: Tree): unknown =>
          tree.kind === "object"
            ? tree.members.map(([key, , value]) => [key, keys(value)])
            : tree.kind === "array"
              ? tree.items.map(keys)
              : null;
        for (const { there, back } of roundTrips(codec).filter(({ there }) => there.to === "binary")) {
          const output = convert(codec, back, convert(codec, there, text)) as string;
          expect(keys(readTree(output))).toEqual(keys(readTree(text)));
        }
      }),
      runs(200),
    );
  });
});

describe("guarantee 2: Struct to text to Struct keeps values", () => {
  it("without a hint every value with its kind", () => {
    fc.assert(
      fc.property(fields, (field) => {
        const codec = createStructCodec();
        expect(difference(codec.jsonStringToField(codec.fieldToJsonString(field)), field)).toBeUndefined();
        const message = codec.fromJsonString(codec.toJsonString(fieldToStruct(field)));
        expect(difference(structToField(message), field)).toBeUndefined();
        expect(difference(codec.jsonToField(codec.fieldToJson(field)), field)).toBeUndefined();
      }),
      runs(500),
    );
  });

  it("with a hint every value, and the kind of numbers at number positions", () => {
    fc.assert(
      fc.property(
        fc.oneof(plainPairs, fc.tuple(plainSchemas, fields)),
        fc.constantFrom("string", "schema", "safe", "bigint"),
        ([schema, field], int64) => {
          const codec = createStructCodec(schema, { int64 });
          const back = codec.jsonStringToField(codec.fieldToJsonString(field));
          sameValues(schema, back, field);
          sameValues(schema, codec.jsonToField(codec.fieldToJson(field)), field);
        },
      ),
      runs(500),
    );
  });
});

function sameValues(schema: HintSource, after: JsonValue, before: JsonValue, steps: Steps = []): void {
  if (typeof before === "object" && before !== null) {
    const keys = Object.keys(before);
    expect(Object.keys(after as object)).toEqual(keys);
    for (const key of keys) {
      const step = Array.isArray(before) ? Number(key) : key;
      const [a, b] = [(after as JsonObject)[key] as JsonValue, (before as JsonObject)[key] as JsonValue];
      sameValues(schema, a, b, [...steps, step]);
    }
    return;
  }
  const pointer = pointerOf(steps);
  if (typeof before === "number" && typeof after === "string") {
    expect(after, pointer).toBe(BigInt(before).toString());
    expect(plainAnswer(schema as never, steps), pointer).not.toBe("number");
  } else if (typeof before === "string" && typeof after === "number") {
    expect([BigInt(after).toString(), String(after)], pointer).toContain(before);
  } else if (typeof before === "number") {
    expect(after === before, `${pointer}: ${before} became ${String(after)}`).toBe(true);
  } else {
    expect(after, pointer).toBe(before);
  }
}

describe("guarantee 3: every integer at an integer position is spelled in full", () => {
  it("without point or exponent, with the exact digits", () => {
    let checked = 0;
    fc.assert(
      fc.property(fc.oneof(plainPairs, fc.tuple(plainSchemas, fields)), ([schema, field]) => {
        const codec = createStructCodec(schema);
        for (const path of pathsOf(codec, "encode").filter((path) => path.to === "jsonString")) {
          const text = convert(codec, path, inputOf(path, field)) as string;
          pairs(readTree(exactText(field)), readTree(text), (exact, spelled, steps) => {
            if (
              isNumber(exact) &&
              integerDigits(exact) === exact &&
              plainAnswer(schema as never, steps) === "integer"
            ) {
              expect(unquoted(spelled), pointerOf(steps)).toBe(exact);
              checked++;
            }
          });
        }
      }),
      runs(500),
    );
    expect(checked).toBeGreaterThan(300);
  });
});

describe("guarantee 5: a hint changes spelling, never the outcome", () => {
  it("of Struct to JSON: the same doubles and strings as without it", () => {
    const bare = createStructCodec();
    fc.assert(
      fc.property(fc.oneof(plainPairs, fc.tuple(schemas, fields)), ([schema, field]) => {
        const codec = createStructCodec(schema);
        const without = readTree(bare.fieldToJsonString(field));
        const withHint = readTree(codec.fieldToJsonString(field));
        pairs(without, withHint, (a, b, steps) => {
          const pointer = pointerOf(steps);
          if (isNumber(a)) {
            // -0 and 0 are one number.
            expect(Number(unquoted(b)) + 0, pointer).toBe(Number(a) + 0);
          } else {
            expect(unquoted(b), pointer).toBe(unquoted(a));
          }
        });
      }),
      runs(500),
    );
  });

  it("of JSON to Struct: it does not fail, and a changed number is exact", () => {
    const bare = createStructCodec();
    fc.assert(
      fc.property(fc.oneof(plainTextPairs, fc.tuple(schemas, texts)), ([schema, text]) => {
        const codec = createStructCodec(schema);
        const without = readTree(JSON.stringify(bare.jsonStringToField(text)));
        const withHint = readTree(JSON.stringify(codec.jsonStringToField(text)));
        const tokens = new Map<string, string>();
        pairs(readTree(text), withHint, (token, _, steps) => tokens.set(pointerOf(steps), token));
        pairs(without, withHint, (a, b, steps) => {
          if (a !== b) {
            expect(unquoted(b), pointerOf(steps)).toBe(integerDigits(tokens.get(pointerOf(steps)) as string));
          }
        });
      }),
      runs(500),
    );
  });
});

describe("guarantee 6: without a schema the result is that of protobuf-es", () => {
  const codec = createStructCodec();

  it("toJson, but for -0 in text", () => {
    fc.assert(
      fc.property(fields, (field) => {
        const message = fieldToStruct(field);
        const theirs = toJson(StructSchema, message);
        expect(difference(codec.toJson(message), theirs)).toBeUndefined();
        expect(codec.toJsonString(message).replace(/([[:,])-0(?=[,\]}])/g, "$10")).toBe(
          JSON.stringify(theirs).replace(/([[:,])-0(?=[,\]}])/g, "$10"),
        );
      }),
      runs(500),
    );
  });

  it("fromJson, byte for byte", () => {
    fc.assert(
      fc.property(fields, (field) => {
        const theirs = toBinary(StructSchema, fromJson(StructSchema, field));
        expect(toBinary(StructSchema, codec.fromJson(field))).toEqual(theirs);
        for (const path of pathsOf(codec, "decode").filter((path) => path.method === "jsonToBinary")) {
          expect(convert(codec, path, field)).toEqual(theirs);
        }
      }),
      runs(500),
    );
  });

  it("fromJsonString, for texts whose integers are safe or their double's own spelling", () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!/(?<![0-9.eE+-])-?[0-9]{16,}(?![0-9.eE])/.test(text));
        const theirs = structToField(fromJsonString(StructSchema, text));
        expect(difference(codec.jsonStringToField(text), theirs)).toBeUndefined();
        expect(difference(structToField(codec.fromJsonString(text)), theirs)).toBeUndefined();
      }),
      runs(500),
    );
  });

  it("safe data under a schema has the bytes of protobuf-es too", () => {
    fc.assert(
      fc.property(fields, (field) => {
        // Objects under integer hints everywhere, except that no position is decimal text only.
        const hinted = createStructCodec({
          properties: { a: { type: "integer" } },
          additionalProperties: { $ref: "#" },
        });
        fc.pre(!/[0-9]{16}|e\+/.test(JSON.stringify(field)));
        const text = JSON.stringify(field);
        expect(toBinary(StructSchema, hinted.fromJsonString(text))).toEqual(
          toBinary(StructSchema, fromJsonString(StructSchema, text)),
        );
      }),
      runs(300),
    );
  });
});

describe("guarantee 7: nothing is lost silently", () => {
  it("a number that changes on its way into the Struct is reported", () => {
    fc.assert(
      fc.property(
        fc.oneof(plainTextPairs, fc.tuple(schemas, texts)),
        fc.constantFrom("string", "round"),
        ([schema, text], unsafeIntegers) => {
          const issues: Issue[] = [];
          let dropped = 0;
          const codec = createStructCodec(schema, {
            unsafeIntegers,
            onIssues: (found, more) => {
              issues.push(...found);
              dropped = more;
            },
          });
          const field = codec.jsonStringToField(text);
          fc.pre(dropped === 0);
          const reported = new Set(issues.map((issue) => issue.pointer));
          pairs(readTree(text), readTree(exactText(field)), (before, after, steps) => {
            const pointer = pointerOf(steps);
            const digits = isNumber(before) ? integerDigits(before) : undefined;
            if (digits !== undefined && unquoted(after) !== digits && !reported.has(pointer)) {
              // Only a double's own spelling may pass without a word.
              expect(integerDigits(String(Number(before))), pointer).toBe(digits);
            }
            if (!isNumber(before)) {
              expect(unquoted(after), pointer).toBe(unquoted(before));
            }
          });
        },
      ),
      runs(500),
    );
  });
});

function inputOf(path: Path, field: JsonObject): unknown {
  switch (path.from) {
    case "message":
      return fieldToStruct(field);
    case "binary":
      return structToBinary(fieldToStruct(field));
    default:
      return field;
  }
}

it("the forms of these tests agree with each other", () => {
  fc.assert(
    fc.property(fields, (field) => {
      expect(difference(structToField(fieldToStruct(field)), field)).toBeUndefined();
      expect(difference(structToField(structFromBinary(structToBinary(fieldToStruct(field)))), field)).toBeUndefined();
      expect(difference(structToField(fromBinary(StructSchema, structToBinary(fieldToStruct(field)))), field)).toBe(
        undefined,
      );
    }),
    runs(200),
  );
});
