import { describe, expect, it } from "vitest";
import { createStructCodec, type ExactJsonObject, type StructCodec } from "../../src/index.js";
import { fieldToStruct, structToBinary } from "../support/forms.js";

// Code of the caller that runs in the middle of a conversion, a getter or an injected matcher, may use a codec itself.

const wide = { type: "object", properties: { id: { type: "integer", format: "int64" }, big: { type: "integer" } } };

describe("a getter that uses the codec that converts it", () => {
  const codec = createStructCodec(wide, { int64: "schema" });

  function withGetter(run: () => unknown): ExactJsonObject {
    return {
      a: -0,
      get b() {
        run();
        return 1e21;
      },
      big: 1e21,
      c: -0,
    } as never;
  }

  const uses: { readonly [name: string]: () => unknown } = {
    fieldToJson: () => codec.fieldToJson({ big: 1e21 }),
    fieldToJsonString: () => codec.fieldToJsonString({ big: 1e21 }),
    "fieldToJsonString of small numbers": () => codec.fieldToJsonString({ a: 1 }),
    jsonStringToField: () => codec.jsonStringToField('{"a":1,"b":{"c":2}}'),
    binaryToJsonString: () => codec.binaryToJsonString(structToBinary(fieldToStruct({ big: 1e21 }))),
    jsonStringToBinary: () => codec.jsonStringToBinary('{"big":1000000000000000000000}'),
  };

  for (const [name, run] of Object.entries(uses)) {
    it(`${name} inside fieldToJsonString`, () => {
      expect(codec.fieldToJsonString(withGetter(run) as never)).toBe(
        '{"a":-0,"b":1e+21,"big":1000000000000000000000,"c":-0}',
      );
    });

    it(`${name} inside jsonToBinary and jsonToField`, () => {
      const json = withGetter(run);
      const field = { a: -0, b: 1e21, big: 1e21, c: -0 };
      expect(codec.jsonToField(json)).toEqual(field);
      expect(codec.binaryToJsonString(codec.jsonToBinary(json))).toBe(
        '{"a":-0,"b":1e+21,"big":1000000000000000000000,"c":-0}',
      );
    });
  }

  it("keeps the count of values of each document to itself", () => {
    const small = createStructCodec(undefined, { limits: { values: 8 } });
    const json = {
      a: 1,
      get b() {
        return small.jsonToField({ a: 1, b: 2, c: 3, d: 4 });
      },
    };
    expect(small.jsonToField(json)).toEqual({ a: 1, b: { a: 1, b: 2, c: 3, d: 4 } });
  });
});

describe("a matcher that uses a codec", () => {
  const other = createStructCodec();
  const text = '{"x1":"5","y":[1,2,3],"x2":"007","nested":{"x3":"6"}}';
  // Set once the codec is made: patterns are asked while it is made too.
  let same: StructCodec | undefined;
  const codec = createStructCodec(
    {
      patternProperties: { "^x": { type: "integer" } },
      properties: { nested: { patternProperties: { "^x": { type: "integer" } } } },
    },
    {
      matchPattern: () => (key) => {
        other.binaryToJsonString(other.jsonStringToBinary('{"quite":"another document","of":[1,2,3,4,5,6,7,8]}'));
        const used = same;
        // Or it would ask itself without end.
        same = undefined;
        used?.binaryToJsonString(used.jsonStringToBinary('{"x9":"9","more":"text than the outer one has so far"}'));
        same = used;
        return key.startsWith("x");
      },
    },
  );
  same = codec;
  const read = '{"x1":5,"y":[1,2,3],"x2":"007","nested":{"x3":6}}';

  it("disturbs no path", () => {
    const bytes = codec.jsonStringToBinary(text);
    expect(codec.binaryToJsonString(bytes)).toBe(read);
    expect(new TextDecoder().decode(codec.binaryToJsonBytes(bytes))).toBe(read);
    expect(codec.fieldToJsonString(codec.jsonStringToField(text))).toBe(read);
    expect(codec.toJsonString(codec.fromJsonString(text))).toBe(read);
  });
});

it("a codec is used in its own onIssues", () => {
  const seen: unknown[] = [];
  const codec = createStructCodec(
    { properties: { n: { type: "integer" } } },
    { onIssues: (issues) => seen.push(issues.length, codec.jsonStringToField('{"n":1}')) },
  );
  expect(codec.binaryToJsonString(codec.jsonStringToBinary('{"n":1.5}'))).toBe('{"n":1.5}');
  expect(seen).toEqual([1, { n: 1 }, 1, { n: 1 }]);
});
