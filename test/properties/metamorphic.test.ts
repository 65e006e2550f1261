import type { JsonObject } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStructCodec, type HintSource, type Issue } from "../../src/index.js";
import { convert, pathsOf } from "../paths.js";
import { fields, plainPairs, plainTextPairs, runs, schemas, texts } from "../support/arbitraries.js";
import { fieldToStruct, structToBinary, structToField } from "../support/forms.js";
import { toHex } from "../support/wire.js";

type SchemaObject = { readonly [keyword: string]: unknown };

/** Everything that a codec does with one field and one text, as one string. */
function behaviour(schema: HintSource, field: JsonObject, text: string): string {
  const results: string[] = [];
  for (const int64 of ["string", "schema"] as const) {
    const issues: Issue[] = [];
    const codec = createStructCodec(schema, { int64, onIssues: (found) => issues.push(...found) });
    const inputs = {
      field,
      message: fieldToStruct(field),
      binary: structToBinary(fieldToStruct(field)),
      jsonString: text,
      jsonBytes: new TextEncoder().encode(text),
    };
    for (const path of pathsOf(codec).filter((path) => path.from !== "json" && path.to !== "json")) {
      const output = convert(codec, path, inputs[path.from as keyof typeof inputs]);
      const shown =
        output instanceof Uint8Array
          ? toHex(output)
          : path.to === "message"
            ? JSON.stringify(structToField(output as never))
            : typeof output === "string"
              ? output
              : JSON.stringify(output);
      results.push(`${path.method} ${shown}`);
    }
    results.push(...issues.map((issue) => `${issue.code} ${issue.pointer}`).sort());
  }
  return results.join("\n");
}

/** A made-up schema with its $defs kept at the root. */
function wrapped(schema: HintSource, wrap: (inner: SchemaObject) => SchemaObject): HintSource {
  const { $defs, ...inner } = schema as SchemaObject;
  return { $defs, ...wrap(inner) } as HintSource;
}

/**
 * Whether an allOf asks for an object and for something else at once. As a branch it says nothing about members, because
 * no object satisfies it; alone it may. Both are right, so such schemas are not compared.
 */
function mixesKinds(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) {
    return false;
  }
  const { allOf } = schema as { allOf?: unknown };
  const isMixed = Array.isArray(allOf) && allOf.length > 1 && /"(?:properties|items|#)"/.test(JSON.stringify(allOf));
  return isMixed || Object.values(schema).some(mixesKinds);
}

const samples: fc.Arbitrary<[HintSource, JsonObject, string]> = fc.oneof(
  fc.tuple(plainPairs, texts).map(([[schema, field], text]): [HintSource, JsonObject, string] => [schema, field, text]),
  fc
    .tuple(plainTextPairs, fields)
    .map(([[schema, text], field]): [HintSource, JsonObject, string] => [schema, field, text]),
  fc.tuple(schemas, fields, texts),
);

describe("schemas that mean the same do the same", () => {
  const same: { readonly [name: string]: (schema: HintSource) => HintSource } = {
    "allOf of one": (schema) => wrapped(schema, (inner) => ({ allOf: [inner] })),
    "allOf of it twice": (schema) => wrapped(schema, (inner) => ({ allOf: [inner, structuredClone(inner)] })),
    "allOf with true": (schema) => wrapped(schema, (inner) => ({ allOf: [true, inner, {}] })),
    "anyOf of one": (schema) => wrapped(schema, (inner) => ({ anyOf: [inner] })),
    "anyOf of it twice": (schema) => wrapped(schema, (inner) => ({ anyOf: [inner, structuredClone(inner)] })),
    "oneOf with null": (schema) => wrapped(schema, (inner) => ({ oneOf: [{ type: "null" }, inner] })),
    "anyOf with false": (schema) => wrapped(schema, (inner) => ({ anyOf: [inner, false] })),
    "behind a reference": (schema) => {
      const { $defs, ...inner } = schema as SchemaObject;
      return { $ref: "#/$defs/self", $defs: { ...($defs as object), self: inner } } as HintSource;
    },
    "as a text": (schema) => JSON.stringify(schema),
    "with what says nothing": (schema) => ({
      ...(schema as SchemaObject),
      title: "x",
      description: "integer",
      default: { a: 1 },
      examples: [{ type: "integer" }],
      "x-note": { type: "integer" },
      required: ["a"],
      minProperties: 0,
    }),
  };
  for (const [name, change] of Object.entries(same)) {
    it(name, () => {
      fc.assert(
        fc.property(samples, ([schema, field, text]) => {
          fc.pre(!mixesKinds(schema));
          expect(behaviour(change(schema), field, text)).toBe(behaviour(schema, field, text));
        }),
        runs(100),
      );
    });
  }

  it("branches in any order", () => {
    fc.assert(
      fc.property(fc.array(schemas, { minLength: 2, maxLength: 3 }), fields, texts, (branches, field, text) => {
        const union = (of: readonly HintSource[]): HintSource => ({
          $defs: { n: { type: "integer" } },
          anyOf: of.map((schema) => ({ ...(schema as SchemaObject), $defs: undefined })),
        });
        const clean = (schema: HintSource) => JSON.parse(JSON.stringify(schema)) as HintSource;
        expect(behaviour(clean(union([...branches].reverse())), field, text)).toBe(
          behaviour(clean(union(branches)), field, text),
        );
      }),
      runs(100),
    );
  });
});

describe("a branch that the value selects does what it does alone", () => {
  const branch = (schema: HintSource, i: number): SchemaObject => {
    const { $defs: _, ...inner } = JSON.parse(
      JSON.stringify(schema).replaceAll('"#"', '"#/$defs/root"'),
    ) as SchemaObject;
    return { type: "object", properties: { k: { const: `k${i}` }, v: inner } };
  };
  const $defs = { n: { type: "integer" }, root: { type: "object" } };

  for (const order of ["first", "last"] as const) {
    it(`with the deciding member ${order}`, () => {
      fc.assert(
        fc.property(
          fc.array(schemas, { minLength: 2, maxLength: 4 }),
          fc.nat(3),
          fields,
          texts,
          (all, n, field, text) => {
            const chosen = n % all.length;
            const together = { $defs, oneOf: all.map(branch) } as HintSource;
            const alone = { $defs, ...branch(all[chosen] as HintSource, chosen) } as HintSource;
            const key = `k${chosen}`;
            const data = order === "first" ? { k: key, v: field } : { v: field, k: key };
            const json = order === "first" ? `{"k":"${key}","v":${text}}` : `{"v":${text},"k":"${key}"}`;
            expect(behaviour(together, data, json)).toBe(behaviour(alone, data, json));
          },
        ),
        runs(200),
      );
    });
  }

  it("in a list, each item for itself", () => {
    fc.assert(
      fc.property(
        fc.array(schemas, { minLength: 2, maxLength: 3 }),
        fc.array(fc.tuple(fc.nat(2), fields), { maxLength: 3 }),
        (all, picks) => {
          const together = { $defs, properties: { l: { items: { oneOf: all.map(branch) } } } } as HintSource;
          const codec = createStructCodec(together);
          const items = picks.map(([n, field]): JsonObject => ({ v: field, k: `k${n % all.length}` }));
          const expected = picks.map(([n], i) => {
            const chosen = n % all.length;
            const alone = createStructCodec({ $defs, ...branch(all[chosen] as HintSource, chosen) } as HintSource);
            return alone.fieldToJsonString(items[i] as JsonObject);
          });
          expect(codec.fieldToJsonString({ l: items })).toBe(`{"l":[${expected.join(",")}]}`);
        },
      ),
      runs(200),
    );
  });
});
