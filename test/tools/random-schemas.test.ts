import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createToolCodec, type ExactJson, rewriteSchema } from "../../src/schema.js";
import { runs } from "../support/arbitraries.js";

type Schema = { readonly [keyword: string]: unknown };

const names = ["id", "aId", "n", "kind", "ids"] as const;

/** Schemas that combine everything that decides whether an integer may become text. */
const schemas = fc.letrec<{ schema: Schema; leaf: Schema; branch: Schema }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom<Schema[]>(
      { type: "integer" },
      { type: "integer", format: "int64" },
      { type: "integer", minimum: 0 },
      { type: "integer", minimum: 0, maximum: 9 },
      { type: "number" },
      { type: "string" },
      { type: "string", pattern: "^-?[0-9]+$" },
      { type: ["integer", "null"] },
      { type: ["string", "integer"], pattern: "^-?(?:0|[1-9]\\d*)$" },
      { type: "null" },
      { type: "boolean" },
      { const: "a" },
      { const: "b" },
      { const: 5 },
      { enum: [1, 2, "x"] },
      { minimum: 3 },
      { multipleOf: 1 },
      { $ref: "#/$defs/x" },
      { $ref: "#/$defs/y" },
      {},
    ),
  ),
  branch: fc
    .record({
      keyword: fc.constantFrom("anyOf", "oneOf", "allOf"),
      list: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
      beside: fc.oneof(fc.constant({}), tie("leaf")),
    })
    .map(({ keyword, list, beside }) => ({ ...beside, [asNegation(keyword, list) ? "anyOf" : keyword]: list })),
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: "schema" },
    tie("leaf"),
    tie("branch"),
    fc
      .record({
        properties: fc.dictionary(fc.constantFrom(...names), tie("schema"), { maxKeys: 3 }),
        required: fc.subarray([...names], { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.constant(undefined), fc.constant(false), tie("schema")),
        not: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, tie("leaf")),
      })
      .map((object) => definedOnly({ type: "object", ...object })),
    fc
      .record({
        items: tie("schema"),
        contains: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, tie("leaf")),
      })
      .map((array) => definedOnly({ type: "array", ...array })),
  ),
})).schema;

/** `oneOf` with a branch that takes everything says what must not be; that is not looked for. */
function asNegation(keyword: string, list: readonly Schema[]): boolean {
  return keyword === "oneOf" && list.some(isOpen);
}

function isOpen(schema: Schema): boolean {
  return Object.entries(schema).every(([keyword, value]) => {
    if (keyword === "anyOf" || keyword === "oneOf") return (value as Schema[]).some(isOpen);
    return keyword === "allOf" && (value as Schema[]).every(isOpen);
  });
}

function definedOnly(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** References only lead on, since the validator does not end on cycles. */
function withoutReferences(schema: Schema, names: RegExp): boolean {
  return !names.test(JSON.stringify(schema));
}

const roots = fc
  .record({
    root: schemas,
    other: schemas,
    x: schemas.filter((schema) => withoutReferences(schema, /defs.[xy]/) && !isOpen(schema)),
    y: schemas.filter((schema) => withoutReferences(schema, /defs/) && !isOpen(schema)),
  })
  .map(
    ({ root, other, x, y }): Schema => ({
      type: "object",
      properties: { id: root, n: other, kind: x },
      $defs: { x, y },
    }),
  );

const scalars = fc.constantFrom<ExactJson[]>(
  0,
  1,
  2,
  5,
  7,
  -3,
  1.5,
  123456,
  "a",
  "b",
  "x",
  "5",
  "007",
  "-3",
  null,
  true,
);
const documents = fc.letrec<{ json: ExactJson }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthIdentifier: "json" },
    scalars,
    fc.array(tie("json"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...names), tie("json"), { maxKeys: 3 }) as fc.Arbitrary<ExactJson>,
  ),
})).json;
const objects = fc.dictionary(fc.constantFrom(...names), documents, { maxKeys: 3 }) as fc.Arbitrary<ExactJson>;

function isValid(schema: object, json: ExactJson): boolean {
  return new Validator(schema as never, "2020-12").validate(json).valid;
}

/** Integers and their digits are the same thing here: a place that takes both may be given either. */
function digitsAlike(json: ExactJson): ExactJson {
  if (typeof json === "number" && Number.isInteger(json)) return String(json);
  if (Array.isArray(json)) return json.map(digitsAlike);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, digitsAlike(value as ExactJson)]));
}

/** A number that is no integer fits a `number`-typed id and no decimal text. */
function hasFraction(json: ExactJson): boolean {
  return JSON.stringify(json).includes("1.5");
}

it.each(["ids", "all", "declared"] as const)("what fits a schema fits its rewriting, and comes back: %s", (exact) => {
  let carried = 0;
  fc.assert(
    fc.property(roots, fc.array(objects, { minLength: 20, maxLength: 20 }), (schema, list) => {
      const rewritten = rewriteSchema(schema, { exact }) as Schema;
      expect(rewriteSchema(rewritten, { exact })).toEqual(rewritten);
      if (isSameJson(rewritten, schema)) return;
      const t = createToolCodec({ name: "t", inputSchema: schema, outputSchema: schema }, { exact });
      for (const json of list) {
        if (hasFraction(json) || !isValid(schema, json)) continue;
        const atModel = t.toModel(json);
        const atServer = t.toServer(atModel);
        carried++;
        expect(isValid(rewritten, atModel), JSON.stringify([schema, json, rewritten, atModel])).toBe(true);
        // A place that takes both may have been given text, which a bound beside it does not mind.
        if (isSameJson(atServer, json))
          expect(isValid(schema, atServer), JSON.stringify([schema, atServer])).toBe(true);
        expect(digitsAlike(atServer)).toEqual(digitsAlike(json));
      }
    }),
    runs(800),
  );
  console.info(`exact ${exact}: ${carried} documents carried`);
  expect(carried).toBeGreaterThan(100);
});

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
