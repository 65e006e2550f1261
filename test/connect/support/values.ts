import type { JsonObject } from "@bufbuild/protobuf";
import { IntegerLiteral } from "../../../src/index.js";

const integer = { type: "integer", format: "int64" } as const;

/** The schema of the values below. */
export const schema = {
  type: "object",
  properties: {
    above: integer,
    lowest: integer,
    highest: { type: "integer", format: "uint64" },
    literal: integer,
    raw: integer,
    huge: { type: "integer" },
    zero: { type: "number" },
    whole: { type: "integer" },
    fraction: { type: "number" },
    nothing: { type: ["integer", "null"] },
    list: { type: "array", items: integer },
    deep: { $ref: "#/$defs/deep" },
  },
  $defs: { deep: { type: "object", properties: { down: { $ref: "#/$defs/deep" }, id: integer } } },
} as const;

const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;

function own(object: object, key: string, value: unknown): object {
  return Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function nest(innermost: object): object {
  let object = innermost;
  for (let depth = 0; depth < 30; depth++) object = { down: object };
  return object;
}

/** What careless programs put into a field of type Struct. Typed as what the field takes, which it is not. */
export function careless(): JsonObject {
  const members = {
    above: 9007199254740993n,
    lowest: -(2n ** 63n),
    highest: 2n ** 64n - 1n,
    literal: new IntegerLiteral("1955516024755728386"),
    raw: rawJson?.("-9007199254740993") ?? -9007199254740993n,
    huge: 1e21,
    zero: -0,
    whole: 5.0,
    fraction: 0.1,
    nothing: null,
    gone: undefined,
    list: [9007199254740993n, 7n, { id: 2n ** 62n, gone: undefined }],
    deep: nest({ id: 9007199254740995n }),
  };
  return own(members, "__proto__", { x: 9007199254740993n }) as JsonObject;
}

/** What a Struct holds then. JSON, as JavaScript writes it, has no −0. */
export function structSide(isJson: boolean): JsonObject {
  const members = {
    above: "9007199254740993",
    lowest: "-9223372036854775808",
    highest: "18446744073709551615",
    literal: "1955516024755728386",
    raw: "-9007199254740993",
    huge: 1e21,
    zero: isJson ? 0 : -0,
    whole: 5,
    fraction: 0.1,
    nothing: null,
    list: ["9007199254740993", 7, { id: "4611686018427387904" }],
    deep: nest({ id: "9007199254740995" }),
  };
  return own(members, "__proto__", { x: "9007199254740993" }) as JsonObject;
}

/** The text that a typed server has to get of it, character by character. */
export function exactText(isJson: boolean): string {
  const deep = `${'{"down":'.repeat(30)}{"id":9007199254740995}${"}".repeat(30)}`;
  return (
    '{"above":9007199254740993,"lowest":-9223372036854775808,"highest":18446744073709551615,"literal":1955516024755728386,' +
    '"raw":-9007199254740993,"huge":1000000000000000000000,' +
    `"zero":${isJson ? 0 : "-0"},"whole":5,"fraction":0.1,"nothing":null,` +
    `"list":[9007199254740993,7,{"id":"4611686018427387904"}],"deep":${deep},"__proto__":{"x":"9007199254740993"}}`
  );
}
