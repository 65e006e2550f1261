import { inspect } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createStructCodec, type ExactJson, IntegerLiteral } from "../src/index.js";

const hasRawJson = typeof (JSON as { rawJSON?: unknown }).rawJSON === "function";
const big = "1955516024755728386";

describe("IntegerLiteral", () => {
  it("takes canonical decimals and bigint", () => {
    expect(new IntegerLiteral(big).digits).toBe(big);
    expect(new IntegerLiteral(1955516024755728386n).digits).toBe(big);
    expect(new IntegerLiteral("0").digits).toBe("0");
    expect(new IntegerLiteral("-5").digits).toBe("-5");
    expect(new IntegerLiteral(-5n).digits).toBe("-5");
    expect(new IntegerLiteral("1".repeat(300)).digits).toBe("1".repeat(300));
  });

  for (const digits of ["", "-", "-0", "+5", "007", "5.0", "1e3", "0x10", " 5", "5 ", "5\n", "٣", "five", "NaN"]) {
    it(`refuses ${JSON.stringify(digits)}`, () => {
      expect(() => new IntegerLiteral(digits)).toThrow(TypeError);
    });
  }

  it("refuses what is no string and no bigint", () => {
    for (const value of [5, null, undefined, {}, ["5"], true]) {
      expect(() => new IntegerLiteral(value as never)).toThrow(TypeError);
    }
  });

  it("gives its bigint", () => {
    expect(new IntegerLiteral(big).toBigInt()).toBe(1955516024755728386n);
    expect(new IntegerLiteral("-5").toBigInt()).toBe(-5n);
  });

  it("compares to bigint", () => {
    const literal = new IntegerLiteral(big) as unknown as bigint;
    expect(literal > 1955516024755728385n).toBe(true);
    expect(literal < 1955516024755728387n).toBe(true);
    expect(literal >= 1955516024755728386n && literal <= 1955516024755728386n).toBe(true);
    // biome-ignore lint/suspicious/noDoubleEquals: the loose comparison is what is asked
    expect(literal == 1955516024755728386n).toBe(true);
  });

  it("prints its digits in text", () => {
    expect(String(new IntegerLiteral(big))).toBe(big);
    expect(`${new IntegerLiteral(big)}`).toBe(big);
  });

  it("prints in inspect and in the console with its digits", () => {
    expect(inspect(new IntegerLiteral(big))).toContain(big);
    expect(inspect({ id: new IntegerLiteral(big) })).toContain(big);
  });

  it("is written by JSON.stringify with its digits, never rounded", () => {
    const text = JSON.stringify({ id: new IntegerLiteral(big), list: [new IntegerLiteral("-9007199254740993")] });
    expect(text).toBe(
      hasRawJson ? `{"id":${big},"list":[-9007199254740993]}` : `{"id":"${big}","list":["-9007199254740993"]}`,
    );
  });

  it("survives structuredClone with its digits", () => {
    const clone = structuredClone({ id: new IntegerLiteral(big) });
    expect(String(clone.id)).toBe(big);
  });

  it("is no own property that could be changed", () => {
    const literal = new IntegerLiteral(big);
    try {
      (literal as { digits: string }).digits = "5";
    } catch {
      // refusing is fine
    }
    expect(literal.digits).toBe(big);
    expect(String(literal)).toBe(big);
  });

  it("is recognised when it comes back", () => {
    const codec = createStructCodec();
    expect(codec.jsonToField({ id: new IntegerLiteral(big) })).toEqual({ id: big });
    expect(codec.jsonToField({ id: new IntegerLiteral("5") })).toEqual({ id: 5 });
  });
});

describe("the sides do not mix in types", () => {
  it("ExactJson is not assignable to JsonObject", () => {
    expectTypeOf<{ [key: string]: ExactJson }>().not.toExtend<JsonObject>();
    expectTypeOf<bigint>().toExtend<ExactJson>();
    expectTypeOf<IntegerLiteral>().toExtend<ExactJson>();
  });
});
