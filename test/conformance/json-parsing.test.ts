import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonValue } from "@bufbuild/protobuf";
import type { Value } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { createValueCodec, StructCodecError, type ValueCodec } from "../../src/index.js";
import { convert, pathsOf } from "../paths.js";
import { describeCorpus } from "../support/corpus.js";
import { difference } from "../support/exact-json.js";
import { valueFromBinary, valueToField } from "../support/forms.js";
import { knownFailures } from "./known-failures.js";

/** Of the 35 files that a reader may take or refuse, these are taken; the integers keep their digits as text. */
const takenFiles: { readonly [name: string]: JsonValue } = {
  "i_number_double_huge_neg_exp.json": [0],
  "i_number_real_underflow.json": [0],
  "i_number_too_big_neg_int.json": ["-123123123123123123123123123123"],
  // 10^20 is how its double is spelled.
  "i_number_too_big_pos_int.json": [1e20],
  "i_number_very_big_negative_int.json": ["-237462374673276894279832749832423479823246327846"],
};

const duplicates = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"];

/** The paths that read JSON text, each as a function from bytes to the plain form of what it read. */
function readers(codec: ValueCodec): { method: string; read: (bytes: Uint8Array) => JsonValue | undefined }[] {
  return pathsOf(codec, "decode")
    .filter((path) => path.from !== "json")
    .map((path) => ({
      method: path.method,
      read: (bytes) => {
        const input = path.from === "jsonBytes" ? bytes : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
        const output = convert(codec, path, input);
        switch (path.to) {
          case "message":
            return valueToField(output as Value);
          case "binary":
            return valueToField(valueFromBinary(output as Uint8Array));
          default:
            return output as JsonValue;
        }
      },
    }));
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

describeCorpus("JSONTestSuite", "corpus/json-test-suite/test_parsing", (folder) => {
  const codec = createValueCodec();
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const executed = { y: 0, n: 0, i: 0 };

  for (const name of names) {
    const test = knownFailures.jsonParsing.includes(name) ? it.fails : it;
    test(name, () => {
      const bytes = new Uint8Array(readFileSync(join(folder, name)));
      for (const { method, read } of readers(codec)) {
        if (method !== "jsonBytesToBinary" && !isUtf8(bytes)) {
          continue; // no string says these bytes
        }
        checkFile(name, bytes, method, read);
      }
      executed[name.charAt(0) as "y" | "n" | "i"]++;
    });
  }

  for (const name of duplicates) {
    it(`${name} under duplicateKeys last`, () => {
      const bytes = new Uint8Array(readFileSync(join(folder, name)));
      for (const { method, read } of readers(createValueCodec(undefined, { duplicateKeys: "last" }))) {
        expect(difference(read(bytes), JSON.parse(new TextDecoder().decode(bytes))), method).toBeUndefined();
      }
    });
  }

  it("ran all 318 files by at least one path", () => {
    expect(readers(codec).length).toBeGreaterThan(0);
    expect(executed).toEqual({ y: 95, n: 188, i: 35 });
  });
});

function checkFile(
  name: string,
  bytes: Uint8Array,
  method: string,
  read: (bytes: Uint8Array) => JsonValue | undefined,
): void {
  const taken = Object.hasOwn(takenFiles, name);
  if (taken || (name.startsWith("y_") && !duplicates.includes(name))) {
    const expected = taken ? takenFiles[name] : (JSON.parse(new TextDecoder().decode(bytes)) as unknown);
    expect(difference(read(bytes), expected), method).toBeUndefined();
    return;
  }
  const error = thrownBy(() => read(bytes));
  expect(error, method).toBeInstanceOf(StructCodecError);
  if (duplicates.includes(name)) {
    expect((error as StructCodecError).code).toBe("duplicate_key");
  }
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
