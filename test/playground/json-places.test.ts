import { describe, expect, it } from "vitest";
import { formatJson } from "../../playground/model/format-json.js";
import { findSyntaxError, listPlaces } from "../../playground/model/json-places.js";

const list = (text: string) => listPlaces(text).map(({ pointer, from, to }) => [pointer, text.slice(from, to)]);

describe("listPlaces", () => {
  it("lists values with their pointers, in the order of the text", () => {
    expect(list('{"a":[1,{"b":"x"}],"c":null}')).toEqual([
      ["", '{"a":[1,{"b":"x"}],"c":null}'],
      ["/a", '[1,{"b":"x"}]'],
      ["/a/0", "1"],
      ["/a/1", '{"b":"x"}'],
      ["/a/1/b", '"x"'],
      ["/c", "null"],
    ]);
  });

  it("escapes keys as a pointer does, and reads their escapes", () => {
    expect(list('{"a/b~c":1,"\\u0041":2,"":3}').slice(1)).toEqual([
      ["/a~1b~0c", "1"],
      ["/A", "2"],
      ["/", "3"],
    ]);
  });

  it("reads a scalar at the root", () => {
    expect(list(" 5 ")).toEqual([["", "5"]]);
  });

  it.each(['{"a":1,', '{"a":1,"b"', '{"a":1,"b":}', '{"a":1 "b":2}', '{"a":1,]'])(
    "reads what there is of %s",
    (text) => {
      expect(list(text)).toContainEqual(["/a", "1"]);
    },
  );

  it("stops at a number of values", () => {
    expect(listPlaces("[1,2,3,4]", 3)).toHaveLength(3);
  });

  it("reads two thousand levels", () => {
    expect(listPlaces("[".repeat(2000) + "]".repeat(2000)).length).toBe(2000);
  });
});

describe("findSyntaxError", () => {
  it("names the first offset that is wrong", () => {
    expect(findSyntaxError('{"a":1}')).toBeUndefined();
    expect(findSyntaxError('{"a":x}')).toBe(5);
    expect(findSyntaxError('{"a":1')).toBe(6);
  });
});

describe("formatJson", () => {
  it("indents and keeps every digit", () => {
    expect(formatJson('{"a":[1.0,1e400],"b":{},"c":[ ],"d\\"":"x, y"}')).toBe(
      '{\n  "a": [\n    1.0,\n    1e400\n  ],\n  "b": {},\n  "c": [],\n  "d\\"": "x, y"\n}',
    );
  });

  it("changes nothing when it comes again", () => {
    const text = formatJson('{"a":[1,{"b":"{}"}],"c":"\\\\"}');
    expect(formatJson(text)).toBe(text);
  });

  it("loses nothing of a text that is broken", () => {
    for (const text of ['{"a":"x', "}}{{", '"\\', "[1,,2", "\ud800"]) {
      expect(formatJson(text).replace(/\s/g, "")).toBe(text);
    }
  });
});
