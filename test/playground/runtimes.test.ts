import { fromBinary, type JsonObject, type JsonValue, toJsonString } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { cpp } from "../../playground/model/runtimes/cpp.js";
import { go } from "../../playground/model/runtimes/go.js";
import { java } from "../../playground/model/runtimes/java.js";
import { javascript } from "../../playground/model/runtimes/javascript.js";
import { python } from "../../playground/model/runtimes/python.js";
import { type Runtime, type Written, writeAs } from "../../playground/model/runtimes/runtime.js";
import { rust } from "../../playground/model/runtimes/rust.js";
import { dissectWire } from "../../playground/model/wire-rows.js";
import { createStructCodec } from "../../src/index.js";
import { describeCorpus, readJson } from "../support/corpus.js";
import { fieldToStruct, structFromBinary, structToBinary } from "../support/forms.js";
import { hex } from "../support/wire.js";

interface Writers {
  readonly structs: readonly {
    readonly id: string;
    readonly hex: string;
    readonly wrote: { readonly [runtime: string]: string | { readonly error: string } };
  }[];
}

const recorded: readonly (readonly [name: string, runtime: Runtime])[] = [
  ["go", go],
  ["java", java],
  ["python", python],
  ["cpp", cpp],
  ["rust", rust],
];

/** Doubles of which Java 17, which was recorded, prints other last digits than Java 19, which the rules follow. */
const otherDigitsBeforeJava19 = ["number 1e+23", "number 1152921504606847000", "number 1955516024755728400"];

/** A group is a kind of field of long ago, which readers skip; that of Rust, which was recorded, does not. */
const skipsGroups = (name: string) => name !== "rust";

/** What was recorded, without what is random (Go's spaces) or the order of a hash table. */
function normalize(name: string, text: string): unknown {
  const compact = name === "go" ? text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1") : text;
  return name === "cpp" || name === "python"
    ? compact
        .split(/(?<=[{,]) ?|(?=\})/)
        .map((s) => s.replace(/,$/, ""))
        .sort()
    : compact;
}

function writeHex(runtime: Runtime, bytes: string): Written {
  const { root } = dissectWire(hex(bytes), "Struct");
  return root === undefined ? { error: "malformed" } : writeAs(runtime, root);
}

describeCorpus("the rules of a runtime against what it wrote", "corpus/interop", (folder) => {
  const { structs } = readJson<Writers>(folder, "writers.json");
  for (const [name, runtime] of recorded) {
    describe(name, () => {
      for (const row of structs.filter(({ id }) => id !== "group" || skipsGroups(name))) {
        const wrote = row.wrote[name] as string | { error: string };
        it(row.id, () => {
          const written = writeHex(runtime, row.hex);
          if (typeof wrote !== "string") {
            expect(written).toHaveProperty("error");
            return;
          }
          if (!("text" in written)) throw new Error(`nothing written: ${written.error}`);
          if (name === "java" && otherDigitsBeforeJava19.includes(row.id)) {
            expect(written.text).not.toBe(wrote);
            expect(JSON.parse(written.text)).toEqual(JSON.parse(wrote));
            return;
          }
          expect(normalize(name, written.text)).toEqual(normalize(name, wrote));
        });
      }
    });
  }

  it("knows enough rows", () => {
    expect(structs.length).toBeGreaterThan(100);
  });
});

describe("numerals", () => {
  const numerals = (value: number) =>
    Object.fromEntries(recorded.map(([name, runtime]) => [name, runtime.numeral(value)]));

  it("are those of each language", () => {
    expect(numerals(5)).toEqual({ go: "5", java: "5.0", python: "5.0", cpp: "5", rust: "5.0" });
    expect(numerals(1e7)).toEqual({
      go: "10000000",
      java: "1.0E7",
      python: "10000000.0",
      cpp: "10000000",
      rust: "10000000.0",
    });
    expect(numerals(0)).toEqual({ go: "0", java: "0.0", python: "0.0", cpp: "0", rust: "0.0" });
  });

  it("round exact ties to the even digit in C++, as printf does", () => {
    expect(cpp.numeral(2 ** -25)).toBe("2.9802322387695312e-08");
    expect(cpp.numeral(-(2 ** -25))).toBe("-2.9802322387695312e-08");
    expect(cpp.numeral(3 * 2 ** -25)).toBe("8.9406967163085938e-08");
  });

  it("of Java have two digits at least, the closest ones", () => {
    expect(java.numeral(5e-324)).toBe("4.9E-324");
    expect(java.numeral(1e-323)).toBe("9.9E-324");
    expect(java.numeral(-2e-3)).toBe("-0.002");
  });

  it("are read back as the same double", () => {
    let state = 1;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    for (let i = 0; i < 2000; i++) {
      const value = (random() - 0.5) * 10 ** Math.floor(random() * 600 - 300);
      for (const [name, runtime] of recorded) expect(Number(runtime.numeral(value)), name).toBe(value);
    }
  });
});

describe("JavaScript", () => {
  it("is what protobuf-es writes", () => {
    const field = { n: 5, big: 2 ** 60, exp: 1e21, zero: -0, s: "a<\u2028\u007f", list: [1.5, null, true, {}] };
    const bytes = structToBinary(fieldToStruct(field));
    const { root } = dissectWire(bytes, "Struct");
    expect(root && writeAs(javascript, root)).toEqual({ text: toJsonString(StructSchema, structFromBinary(bytes)) });
  });

  it.each([
    ["objects", (inner: JsonValue) => ({ a: inner })],
    ["lists", (inner: JsonValue) => [inner]],
  ])("reads as many levels of %s as protobuf-es", (_, nest) => {
    const levels = (count: number): JsonObject => {
      let value: JsonValue = 5;
      for (let i = 1; i < count; i++) value = nest(value);
      return { a: value };
    };
    for (const count of [45, 46, 47, 48, 49, 50, 51, 52]) {
      const bytes = createStructCodec().jsonToBinary(levels(count));
      const { root } = dissectWire(bytes, "Struct");
      const reads = (() => {
        try {
          return fromBinary(StructSchema, bytes) !== undefined;
        } catch {
          return false;
        }
      })();
      expect(root && "text" in writeAs(javascript, root), `${count}`).toBe(reads);
    }
  });
});
