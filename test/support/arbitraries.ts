import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import fc from "fast-check";
import type { HintSource } from "../../src/index.js";
import { own } from "./exact-json.js";
import { leafSchemas } from "./plain-hint.js";

/**
 * The same seed each time, so that a run tells about the change and not about luck. TEST_SEED=random takes another, which
 * fast-check prints with the counterexample of a failure, and TEST_SEED=NUMBER runs that again.
 */
export function runs(numRuns: number): { seed: number; numRuns: number } {
  const given = process.env.TEST_SEED ?? "20261130";
  return { seed: given === "random" ? Date.now() % 2 ** 31 : Number(given), numRuns };
}

const SAFE = Number.MAX_SAFE_INTEGER;

/** Doubles, with the ones that matter more often than chance would have it. */
export const doubles: fc.Arbitrary<number> = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.integer({ min: SAFE - 3, max: SAFE }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(Number),
  fc.constantFrom(0, -0, 5, -5, 0.5, 2 ** 53, -(2 ** 53), 2 ** 60, 2 ** 63, 1e20, 1e21, 1e22, 1e23, 1e-7, 5e-324),
);

/** Strings without unpaired surrogates, many of them numerals or nearly so. */
export const strings: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ maxLength: 8 }),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String),
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.constantFrom("007", "-0", "+5", "5.0", "1e3", "", " 5", "NaN", "٣", "9007199254740993", "005930"),
);

/** Keys that the schemas below know, and keys that nobody expects. */
export const keys: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "b", "c", "n_x", "id") },
  { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "", "0", "10", "9", "a/b", "a~b") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
);

function objectOf<T>(value: fc.Arbitrary<T>): fc.Arbitrary<{ [key: string]: T }> {
  return fc.uniqueArray(fc.tuple(keys, value), { selector: ([key]) => key, maxLength: 5 }).map((members) => {
    const object: { [key: string]: T } = {};
    for (const [key, member] of members) {
      own(object, key, member);
    }
    return object;
  });
}

/** What a Struct can hold, as a field. */
export const fields: fc.Arbitrary<JsonObject> = objectOf(
  fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      doubles,
      strings,
      fc.constantFrom<JsonValue>(null, true, false),
      fc.array(tie("value") as fc.Arbitrary<JsonValue>, { maxLength: 4 }),
      objectOf(tie("value") as fc.Arbitrary<JsonValue>),
    ),
  })).value,
);

const digits = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 66n }).map(String),
  fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 4n }).map(String),
  fc.nat(1000).map(String),
  fc.bigInt({ min: 0n, max: 10n ** 60n }).map(String),
);

/** Number tokens as JSON may spell them, within the range of doubles. */
export const numberTokens: fc.Arbitrary<string> = fc
  .tuple(
    fc.boolean(),
    digits,
    fc.option(fc.oneof(fc.constantFrom("0", "00", "5", "50"), fc.nat(999_999).map(String))),
    fc.option(fc.tuple(fc.constantFrom("e", "E", "e+", "e-"), fc.nat(30))),
  )
  .map(([negative, whole, fraction, exponent]) =>
    [
      negative ? "-" : "",
      whole,
      fraction === null ? "" : `.${fraction}`,
      exponent === null ? "" : exponent.join(""),
    ].join(""),
  );

/** JSON texts of objects: tokens of every spelling, escapes, white space, no repeated keys. */
export const texts: fc.Arbitrary<string> = fc
  .letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 4, arbitrary: numberTokens },
      { weight: 2, arbitrary: strings.map((s) => JSON.stringify(s)) },
      { weight: 1, arbitrary: fc.constantFrom("null", "true", "false") },
      {
        weight: 2,
        arbitrary: fc
          .array(tie("value") as fc.Arbitrary<string>, { maxLength: 4 })
          .map((items) => `[${items.join(" ,")}]`),
      },
      { weight: 2, arbitrary: tie("object") as fc.Arbitrary<string> },
    ),
    object: fc
      .uniqueArray(fc.tuple(keys, tie("value") as fc.Arbitrary<string>), { selector: ([key]) => key, maxLength: 5 })
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(",\n")}}`),
  }))
  .object.map((text) => ` ${text} `);

const leaves: fc.Arbitrary<object | boolean> = fc.constantFrom<object | boolean>(
  ...leafSchemas.map(([schema]) => schema),
  { $ref: "#/$defs/n" },
);

function schemaTree(unions: boolean): fc.Arbitrary<object> {
  const { node } = fc.letrec<{ node: object | boolean }>((tie) => {
    const child = tie("node") as fc.Arbitrary<object | boolean>;
    const properties = fc
      .uniqueArray(fc.tuple(fc.constantFrom("a", "b", "c", "id", "__proto__", "0"), child), {
        selector: ([key]) => key,
        maxLength: 4,
      })
      .map((members) => {
        const map = {};
        for (const [key, schema] of members) {
          own(map, key, schema);
        }
        return map;
      });
    const containers: fc.Arbitrary<object>[] = [
      fc.record({ type: fc.constant("object"), properties }),
      fc.record({ properties, additionalProperties: child }),
      fc.record({ properties, patternProperties: child.map((schema) => ({ "^n_": schema })) }),
      fc.record({ type: fc.constant("array"), items: child }),
      fc.record({ prefixItems: fc.array(child, { maxLength: 2 }), items: child }),
      fc.array(child, { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
      fc.constant({ $ref: "#" }),
    ];
    if (unions) {
      containers.push(fc.array(child, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })));
      containers.push(
        fc.array(child, { minLength: 2, maxLength: 3 }).map((members) => ({
          oneOf: members.map((a, i) => ({ type: "object", properties: { b: { const: i }, a } })),
        })),
      );
    }
    return { node: fc.oneof({ depthSize: "small", withCrossShrink: true }, leaves, ...containers) };
  });
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom("a", "b", "c", "id", "n_x"), node), {
      selector: ([key]) => key,
      maxLength: 5,
    })
    .map((members) => ({
      type: "object",
      properties: Object.fromEntries(members),
      $defs: { n: { type: "integer" } },
    }));
}

/** Schemas whose answers at a place do not depend on the value there. */
export const plainSchemas: fc.Arbitrary<HintSource> = schemaTree(false) as fc.Arbitrary<HintSource>;

/** Schemas with unions, some of them selected by the value. */
export const schemas: fc.Arbitrary<HintSource> = schemaTree(true) as fc.Arbitrary<HintSource>;

type Node = { readonly [keyword: string]: unknown } | boolean;

/** Data in the shape of a made-up schema: where it speaks of a member or an item, there is one. */
function shaped<T>(
  root: Node,
  node: Node,
  leaf: fc.Arbitrary<T>,
  object: (members: [key: string, value: T][]) => T,
  array: (items: T[]) => T,
  budget: number,
): fc.Arbitrary<T> {
  const below = (schema: Node) => shaped(root, schema, leaf, object, array, budget - 1);
  if (typeof node === "boolean" || budget === 0) {
    return leaf;
  }
  if (node.$ref === "#") {
    return below(root);
  }
  const [branch] = (node.allOf ?? node.anyOf ?? node.oneOf ?? []) as Node[];
  if (branch !== undefined) {
    return below(branch);
  }
  if (node.items !== undefined) {
    const prefix = (node.prefixItems ?? []) as Node[];
    const rest = below(node.items as Node);
    return fc.tuple(...prefix.map(below), rest, rest).map(array);
  }
  const { properties, additionalProperties, patternProperties } = node as { [keyword: string]: object | undefined };
  if (properties === undefined) {
    return leaf;
  }
  const members = Object.entries(properties as { [key: string]: Node });
  if (additionalProperties !== undefined) {
    members.push(["x", additionalProperties as unknown as Node]);
  }
  for (const schema of Object.values(patternProperties ?? {}) as Node[]) {
    members.push(["n_y", schema]);
  }
  return fc
    .tuple(...members.map(([key, schema]) => below(schema).map((value): [string, T] => [key, value])))
    .map(object);
}

/** A schema without unions and a field in its shape. */
export const plainPairs: fc.Arbitrary<[schema: HintSource, field: JsonObject]> = plainSchemas.chain((schema) =>
  shaped<JsonValue>(
    schema as Node,
    schema as Node,
    fc.oneof(doubles, strings),
    (members) => {
      const object: JsonObject = {};
      for (const [key, value] of members) {
        own(object, key, value);
      }
      return object;
    },
    (items) => items,
    5,
  ).map((field): [HintSource, JsonObject] => [schema, field as JsonObject]),
);

/** A schema without unions and a text in its shape. */
export const plainTextPairs: fc.Arbitrary<[schema: HintSource, text: string]> = plainSchemas.chain((schema) =>
  shaped<string>(
    schema as Node,
    schema as Node,
    fc.oneof(
      numberTokens,
      numberTokens,
      strings.map((s) => JSON.stringify(s)),
    ),
    (members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`,
    (items) => `[${items.join(",")}]`,
    5,
  ).map((text): [HintSource, string] => [schema, text]),
);
