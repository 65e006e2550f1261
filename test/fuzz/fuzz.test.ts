import { describe, expect, it } from "vitest";
import { fieldToStruct, structToBinary } from "../support/forms.js";
import { bytes, hex, list, num, obj, str, struct, unset as unsetValue } from "../support/wire.js";
import { BytesTarget } from "./bytes-target.js";
import { attempt, Complaint } from "./outcome.js";
import { readTextReference } from "./reference-text.js";
import { readReference, textOfHeld } from "./reference-wire.js";
import { runTarget } from "./run-target.js";
import { SchemaTarget } from "./schema-target.js";
import { readSeeds } from "./seeds.js";
import { cutLengths, type Target } from "./target.js";
import { TextTarget } from "./text-target.js";

/** The same inputs in every run. Other ones, and more: npm run fuzz. */
const seed = 20_261_130;

describe("mutated documents and schemas", () => {
  // Without the corpora, so that a machine that has them does the same.
  const seeds = readSeeds(false);
  it.each([
    [new BytesTarget(seeds), 3000],
    [new TextTarget(seeds), 2000],
    [new SchemaTarget(seeds, false), 500],
  ] as const)("give a result or an error of ours: %o", (target, count) => {
    const run = runTarget(target as Target<unknown>, seed, (inputs) => inputs === count);
    expect(run.finds).toEqual([]);
    // Where nearly all were refused, or none was, little would have been tried.
    expect(run.accepted).toBeGreaterThan(count / 8);
    expect(run.accepted).toBeLessThan(count);
  });
});

describe("the reference for wire bytes", () => {
  const read = (wire: Uint8Array) => {
    const reference = readReference(wire, "struct");
    return reference.kind === "value" ? textOfHeld(reference.value) : reference;
  };

  it("reads what a writer writes", () => {
    const field = { a: [1, { b: "x", __proto__: null }], "": true, n: -0, e: 1e21 };
    expect(read(structToBinary(fieldToStruct(field)))).toBe('{"a":[1,{"b":"x"}],"":true,"n":-0,"e":1e+21}');
  });

  it("merges, and takes the last", () => {
    const twice = bytes(obj(["a", num(1)], ["b", num(2)]), obj(["a", str("x")]));
    expect(read(struct(["o", twice], ["p", num(1)], ["o", twice]))).toBe('{"o":{"a":"x","b":2},"p":1}');
    expect(read(struct(["l", bytes(list(num(1)), list(num(2)))]))).toBe('{"l":[1,2]}');
    expect(read(struct(["l", bytes(list(num(1)), num(5), list(num(2)))]))).toBe('{"l":[2]}');
  });

  it("skips what is unknown, and known fields of another type", () => {
    expect(read(bytes(hex("3b3b3c3c"), struct(["a", num(1)]), hex("0801")))).toBe('{"a":1}');
    expect(readReference(hex("0801"), "struct")).toMatchObject({ hasForeignTypes: true });
  });

  it("says what is malformed, and why", () => {
    const malformed = (reason: string) => ({ kind: "malformed", reason });
    expect(read(hex("0a05"))).toEqual(malformed("a length goes past the end"));
    expect(read(hex("0a030a0261"))).toEqual(malformed("a length goes past the end"));
    expect(read(hex("0a030a01ff"))).toEqual(malformed("a string is no UTF-8"));
    expect(read(hex("3b"))).toEqual(malformed("the bytes end too early"));
    expect(read(hex("3c"))).toEqual(malformed("a group ends that did not begin"));
    expect(read(hex("00"))).toEqual(malformed("there is no such tag"));
    expect(read(hex("38ffffffffffffffffff02"))).toEqual(malformed("a varint is too long"));
  });

  it("has no text for what JSON has none for", () => {
    expect(read(struct(["a", unsetValue()]))).toBeUndefined();
    expect(read(struct(["a", list(num(Number.NaN))]))).toBeUndefined();
  });
});

describe("the reference for JSON text", () => {
  const read = (text: string) => {
    const reference = readTextReference(text);
    return reference && [textOfHeld(reference.value), ...reference.objections];
  };

  it("keeps digits where a double would not", () => {
    expect(read('{"a":[9007199254740993,1e3,-0,1.50,100000000000000000000]}')).toEqual([
      '{"a":["9007199254740993",1000,-0,1.5,100000000000000000000]}',
    ]);
    expect(read(' { "a" : { } , "b" : [ ] } ')).toEqual(['{"a":{},"b":[]}']);
  });

  it("says what is no Struct", () => {
    expect(read("[1]")).toEqual(["[1]", "unexpected_type"]);
    expect(read('{"a":1,"\\u0061":2}')).toEqual(['{"a":2}', "duplicate_key"]);
    expect(read('{"a":1e400}')).toEqual([undefined, "out_of_range"]);
    expect(read('{"a":"\\ud800"}')?.[1]).toBe("invalid_utf8");
    expect(read(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`)?.[1]).toBe("depth_exceeded");
    expect(read(`{"a":${"[".repeat(99)}${"]".repeat(99)}}`)).toHaveLength(1);
    expect(read(`{"a":0.${"0".repeat(1100)}}`)?.[1]).toBe("too_large");
    expect(read("{'a':1}")).toBeUndefined();
  });
});

describe("a run", () => {
  /** Complains of every number that is divisible by 7 and 11. */
  class Numbers implements Target<number> {
    readonly name = "bytes";
    readonly gaps: Map<string, number> = new Map();
    readonly kept: number[] = [];
    #next = 0;

    make(): number {
      return this.#next++;
    }
    check(input: number): boolean {
      if (input > 0 && input % 77 === 0) throw new Complaint("divisible", String(input));
      if (input === 500) throw new TypeError("not by a conversion");
      return input % 2 === 0;
    }
    keep(input: number): void {
      this.kept.push(input);
    }
    *shrink(input: number): Generator<number> {
      yield input - 1;
      if (input > 77) yield input - 77;
    }
    show(input: number): string {
      return `number ${input}`;
    }
  }

  it("keeps one input of each complaint, the smallest that it comes to", () => {
    const target = new Numbers();
    const { inputs, accepted, finds } = runTarget(target, 1, (count) => count === 600);
    expect({ inputs, accepted }).toEqual({ inputs: 600, accepted: 300 - 1 - 3 });
    expect(target.kept).toHaveLength(accepted);
    expect(finds[0]).toEqual({ kind: "divisible", message: "divisible: 77", input: "number 77" });
    expect(finds[1]?.kind).toMatch(/^TypeError in at Numbers.check/);
    expect(finds).toHaveLength(2);
  });

  it("complains of errors that are none of ours", () => {
    const run = () => {
      throw new RangeError("Invalid string length");
    };
    expect(() => attempt("toJson", [], run)).toThrow("toJson throws RangeError");
  });

  it("leaves out parts of every length", () => {
    expect([...cutLengths(4)]).toEqual([
      [0, 2],
      [2, 4],
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ]);
    expect([...cutLengths(0)]).toEqual([]);
  });
});
