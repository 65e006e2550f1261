import type { JsonObject } from "@bufbuild/protobuf";
import type { Struct } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { createStructCodec, StructCodecError } from "../../src/index.js";
import { convert, type Path, pathsOf } from "../paths.js";
import { describeCorpus, readJson } from "../support/corpus.js";
import { canonical, readTree } from "../support/exact-json.js";
import { structFromBinary, structToField } from "../support/forms.js";
import { hex } from "../support/wire.js";
import { knownFailures } from "./known-failures.js";

type Wrote = string | { readonly error: string };
interface Writers {
  readonly structs: readonly { id: string; hex: string; wrote: { readonly [runtime: string]: Wrote } }[];
  readonly texts: readonly { id: string; text: string; wrote: { readonly [runtime: string]: Wrote } }[];
}

/** What other runtimes lose themselves: PHP does not merge an object that comes in two pieces. */
const lossy = ["struct twice in one value php"];

/** Deep enough for what the runtimes were asked, and numbers as they read them. */
const codec = createStructCodec(undefined, { unsafeIntegers: "round", limits: { depth: 2000 } });

const binaryToJson = pathsOf(codec).find((path) => path.method === "binaryToJson");
const hasBinary = binaryToJson !== undefined;

function plain(path: Path, output: unknown): unknown {
  switch (path.to) {
    case "jsonString":
      return JSON.parse(output as string);
    case "jsonBytes":
      return JSON.parse(new TextDecoder().decode(output as Uint8Array));
    case "message":
      return structToField(output as Struct);
    case "binary":
      // By our own reader: protobuf-es stops at about 50 levels.
      return convert(codec, binaryToJson as Path, output);
    default:
      return output;
  }
}

/** Equal as values: numbers as doubles, members in any order. */
function asValue(json: unknown): string {
  return canonical(readTree(stringify(json)));
}

function stringify(json: unknown): string {
  return JSON.stringify(json, (_, value: unknown) => (Object.is(value, -0) ? "number -0" : value));
}

function inputFor(path: Path, text: string): unknown {
  switch (path.from) {
    case "json":
      return JSON.parse(text);
    case "jsonBytes":
      return new TextEncoder().encode(text);
    default:
      return text;
  }
}

describeCorpus("Struct bytes and the texts that other runtimes write for them", "corpus/interop", (folder) => {
  const { structs } = readJson<Writers>(folder, "writers.json");
  let texts = 0;
  let refused = 0;
  for (const row of structs) {
    // Go is the strict one among them: what it refuses (NaN, unset kinds, malformed bytes), we refuse.
    const reference = row.wrote.go as Wrote;
    const test = knownFailures.interop.includes(row.id) ? it.fails : it;
    test(row.id, (context) => {
      const readers = pathsOf(codec, "encode").filter((path) => path.from === "binary");
      if (readers.length === 0) {
        context.skip("this codec reads no wire bytes yet");
      }
      if (typeof reference !== "string") {
        for (const path of readers) {
          expect(() => convert(codec, path, hex(row.hex)), path.method).toThrow(StructCodecError);
        }
        refused++;
        return;
      }
      const expected = asValue(JSON.parse(reference));
      for (const path of readers) {
        expect(asValue(plain(path, convert(codec, path, hex(row.hex)))), path.method).toBe(expected);
      }
      for (const [runtime, text] of Object.entries(row.wrote)) {
        if (typeof text === "string" && !lossy.includes(`${row.id} ${runtime}`)) {
          checkText(text, expected, runtime);
          texts++;
        }
      }
    });
  }
  it("read 744 texts of 100 Structs and refused 12", (context) => {
    if (!hasBinary) {
      context.skip("this codec reads no wire bytes yet");
    }
    expect({ rows: structs.length, texts, refused }).toEqual({ rows: 112, texts: 744, refused: 12 });
  });
});

function checkText(text: string, expected: string, runtime: string): void {
  for (const path of pathsOf(codec, "decode")) {
    expect(asValue(plain(path, convert(codec, path, inputFor(path, text)))), `${runtime}, ${path.method}`).toBe(
      expected,
    );
  }
}

describeCorpus("texts and the Struct bytes that other runtimes read from them", "corpus/interop", (folder) => {
  const { texts } = readJson<Writers>(folder, "writers.json");
  const shallow = createStructCodec();
  let read = 0;
  let refused = 0;
  for (const row of texts) {
    const reference = row.wrote.go as Wrote;
    const test = knownFailures.interop.includes(row.id) ? it.fails : it;
    test(row.id, (context) => {
      if (!hasBinary) {
        context.skip("this codec reads no wire bytes yet");
      }
      const paths = pathsOf(codec, "decode").filter((path) => path.from !== "json");
      expect(paths.length).toBeGreaterThan(0);
      for (const path of paths) {
        const input = inputFor(path, row.text);
        if (typeof reference !== "string") {
          expect(() => convert(codec, path, input), path.method).toThrow(StructCodecError);
        } else {
          expect(asValue(plain(path, convert(codec, path, input))), path.method).toBe(
            asValue(convert(codec, binaryToJson as Path, hex(reference))),
          );
        }
      }
      typeof reference === "string" ? read++ : refused++;
    });
  }

  it("without options an integer that a double does not spell is text, everything else the same", () => {
    let same = 0;
    let exact = 0;
    for (const row of texts) {
      const reference = row.wrote.go as Wrote;
      const value = /^\{"v":(-?[0-9]+)\}$/.exec(row.text)?.[1];
      if (typeof reference !== "string" || row.id.startsWith("depth")) {
        continue;
      }
      const field = structToField(shallow.fromJsonString(row.text)) as JsonObject;
      if (value !== undefined && !Number.isSafeInteger(Number(value)) && String(Number(value)) !== value) {
        expect(field, row.id).toEqual({ v: value });
        exact++;
      } else {
        expect(asValue(field), row.id).toBe(asValue(structToField(structFromBinary(hex(reference)))));
        same++;
      }
    }
    expect(exact).toBeGreaterThan(8);
    expect(same).toBeGreaterThan(60);
  });

  it("read what Go reads and refused what Go refuses", (context) => {
    if (!hasBinary) {
      context.skip("this codec reads no wire bytes yet");
    }
    expect(texts.length).toBe(131);
    expect(read + refused).toBe(131);
  });
});
