import fc from "fast-check";
import { expect, it } from "vitest";
import { createToolCodec, type ExactJson, type RewriteFinding, StructCodecError } from "../../src/schema.js";
import { runs } from "../support/arbitraries.js";
import { difference } from "../support/exact-json.js";
import { evaluate, type Json, type Located, type Schema } from "./evaluate.js";

// Not what the hint says of a schema, but what validation does with it, decides here which places are wide: whichever place
// of a document an applied schema declares to be digits as text must be converted.

const names = ["id", "aId", "n", "kind", "xs", "x-1"] as const;

const conditionKeywords = ["if", "then", "else"];

const leaves = fc.constantFrom<Schema[]>(
  ...Array.from({ length: 10 }, () => ({ type: "integer", format: "int64" })),
  { type: "integer" },
  { type: ["integer", "null"], format: "int64" },
  { type: "integer", minimum: 0, maximum: 9 },
  { type: "number" },
  { type: "string" },
  { type: "string", pattern: "^-?[0-9]+$" },
  { type: ["string", "integer"], pattern: "^\\d+$", format: "int64" },
  { type: "null" },
  { const: "a" },
  { const: 5 },
  { enum: [1, "b"] },
  { minimum: 3 },
  { not: { type: "string" } },
  { not: { const: 7 } },
  {},
);
const references = fc.constantFrom<Schema[]>({ $ref: "#/$defs/I" }, { $ref: "#/$defs/x" }, { $ref: "#/$defs/y" });

const { schema: schemas } = fc.letrec<{ schema: Schema; object: Schema; condition: Schema }>((tie) => ({
  object: fc
    .record({
      type: fc.option(fc.constant("object"), { nil: undefined }),
      properties: fc.option(fc.dictionary(fc.constantFrom(...names), tie("schema"), { maxKeys: 3 }), {
        nil: undefined,
      }),
      required: fc.option(fc.subarray([...names], { maxLength: 2 }), { nil: undefined }),
      additionalProperties: rarely(fc.oneof(fc.constant(false), tie("schema"))),
      patternProperties: rarely(
        fc.dictionary(fc.constantFrom("^x", "d$", "^(?:n|id)$", "^(?=i)"), tie("schema"), { maxKeys: 2 }),
      ),
      items: rarely(tie("schema")),
      prefixItems: rarely(fc.array(tie("schema"), { minLength: 1, maxLength: 2 })),
      not: rarely(tie("schema")),
      contains: rarely(tie("schema")),
    })
    .map(definedOnly),
  condition: fc.oneof(
    fc
      .tuple(tie("schema"), fc.option(tie("schema"), { nil: undefined }), fc.option(tie("schema"), { nil: undefined }))
      .map(([asked, met, unmet]) =>
        definedOnly(Object.fromEntries(conditionKeywords.map((keyword, i) => [keyword, [asked, met, unmet][i]]))),
      ),
    fc.dictionary(fc.constantFrom(...names), tie("schema"), { minKeys: 1, maxKeys: 2 }).map((dependentSchemas) => ({
      dependentSchemas,
    })),
  ),
  schema: fc.oneof(
    { maxDepth: 4, depthIdentifier: "schema" },
    leaves,
    references,
    tie("object"),
    tie("object"),
    fc.tuple(tie("object"), tie("condition")).map(([object, condition]) => ({ ...object, ...condition })),
    fc
      .tuple(
        fc.constantFrom("anyOf", "anyOf", "oneOf", "allOf"),
        fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
        fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, leaves, references, tie("condition")),
      )
      .map(([keyword, list, beside]): Schema => ({ ...beside, [keyword]: list })),
    fc
      .tuple(tie("object"), tie("condition"))
      .map(
        ([object, condition]): Schema => ({ anyOf: [{ type: "null" }, { type: "object", ...object, ...condition }] }),
      ),
    // Branches that a member tells apart, for certain or not.
    fc
      .tuple(fc.array(tie("schema"), { minLength: 2, maxLength: 3 }), fc.boolean(), fc.constantFrom("anyOf", "oneOf"))
      .map(
        ([list, isRequired, keyword]): Schema => ({
          [keyword]: list.map((id, i) => ({
            properties: { kind: { const: "abc"[i] }, id },
            ...(isRequired && { required: ["kind"] }),
          })),
        }),
      ),
  ),
}));

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, arbitrary);
}

function definedOnly(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

const roots = fc
  .record({
    id: schemas,
    n: schemas,
    xs: schemas,
    beside: fc.oneof(fc.constant<Schema>({}), schemas),
    x: schemas,
    y: schemas,
  })
  .map(
    ({ id, n, xs, beside, x, y }): Schema =>
      // A copy, since an object that stands at two places is one schema.
      JSON.parse(
        JSON.stringify({
          ...beside,
          type: "object",
          properties: { ...(beside.properties as object), id, n, xs },
          $defs: { x, y, I: { type: "integer", format: "int64" } },
        }),
      ),
  );

const scalars: readonly Json[] = [0, 1, 5, 7, -3, 123456, "a", "b", "5", "-3", null, true];

/** Make a document that a schema may well take; `choose` gives a whole number below its argument. */
function makeInstance(root: Schema, schema: Schema, choose: (count: number) => number, levels = 6): Json {
  if (schema === undefined || levels === 0 || choose(12) === 0) return pick(scalars, choose);
  const make = (part: unknown): Json =>
    part === false ? pick(scalars, choose) : makeInstance(root, part as Schema, choose, levels - 1);
  if (typeof schema.$ref === "string") return make((root.$defs as Schema)[schema.$ref.slice("#/$defs/".length)]);
  if ("const" in schema) return schema.const as Json;
  if (schema.type === "null") return null;
  if (schema.type === "string") return String(choose(9));
  if (schema.format === "int64" || schema.type === "integer") return choose(9);
  const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  const parts = [
    schema,
    ...(branches === undefined ? [] : [branches[choose(branches.length)]]),
    ...((schema.allOf as Schema[] | undefined) ?? []),
    ...[schema.then, schema.else].filter(() => choose(2) === 0),
    ...Object.values((schema.dependentSchemas as Schema | undefined) ?? {}),
  ] as Schema[];
  if (schema.items !== undefined || schema.prefixItems !== undefined) {
    return [...((schema.prefixItems as Schema[] | undefined) ?? []), schema.items].map(make);
  }
  const made: { [key: string]: Json } = {};
  let isObject = schema.type === "object";
  for (const part of parts) {
    if (part === undefined) continue;
    const properties = (part.properties as Schema | undefined) ?? {};
    const dependent = Object.keys((part.dependentSchemas as Schema | undefined) ?? {});
    for (const name of [...Object.keys(properties), ...dependent, ...((part.required as string[] | undefined) ?? [])]) {
      if (choose(5) > (schema === root ? 2 : 0)) made[name] = make(properties[name]);
    }
    if (part.additionalProperties !== undefined) made.zId = make(part.additionalProperties);
    for (const below of Object.values((part.patternProperties as Schema | undefined) ?? {})) made["x-1"] = make(below);
    isObject ||= Object.keys(made).length > 0;
  }
  const other = branches?.[choose(branches.length)] ?? parts[choose(parts.length)];
  return isObject || other === undefined || other === schema ? made : make(other);
}

function pick<T>(list: readonly T[], choose: (count: number) => number): T {
  return list[choose(list.length)] as T;
}

/** Whole numbers by chance, the same ones for the same seed (mulberry32). */
function createChooser(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}

/** The schemas of a rewritten document that are not what they were, by pointer. */
function listRewritten(before: unknown, after: unknown, pointer = "", found = new Set<string>()): Set<string> {
  if (typeof after !== "object" || after === null || typeof before !== "object" || before === null) return found;
  const [from, to] = [before as Schema, after as Schema];
  if (typeof to.pattern === "string" && from.pattern !== to.pattern) found.add(pointer);
  else if (typeof to.pattern === "string" && JSON.stringify(from.type) !== JSON.stringify(to.type)) found.add(pointer);
  for (const key of Object.keys(to)) listRewritten(from[key], to[key], `${pointer}/${escapeToken(key)}`, found);
  return found;
}

function escapeToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function valueAt(json: Json, pointer: string): Json {
  const tokens = pointer.split("/").slice(1);
  return tokens.reduce<Json>((value, token) => (value as { [key: string]: Json })[token] as Json, json);
}

/** The document with another value at one place. */
function withValue(json: Json, pointer: string, value: ExactJson): ExactJson {
  const copy = structuredClone({ root: json }) as { root: Json };
  const tokens = ["root", ...pointer.split("/").slice(1)];
  const last = tokens.pop() as string;
  const parent = tokens.reduce<Json>(
    (parent, token) => (parent as { [key: string]: Json })[token] as Json,
    copy as never,
  );
  (parent as { [key: string]: ExactJson })[last] = value;
  return copy.root;
}

function codeOf(convert: () => unknown): string {
  try {
    convert();
    return "no error";
  } catch (error) {
    if (error instanceof StructCodecError) return `${error.code} ${error.pointer}`;
    throw error;
  }
}

/** Applied schemas that were rewritten, at places that hold an integer or its digits. */
function widePlaces(applied: readonly Located[], rewritten: ReadonlySet<string>, json: Json): string[] {
  const places = applied.filter(({ schemaPointer }) => rewritten.has(schemaPointer)).map(({ pointer }) => pointer);
  return [...new Set(places)].filter((pointer) => {
    const value = valueAt(json, pointer);
    return Number.isInteger(value) || (typeof value === "string" && /^(?:0|-?[1-9][0-9]*)$/.test(value));
  });
}

it.each(["declared", "ids", "all"] as const)("whatever is declared wide is converted: %s", (exact) => {
  const options = runs(400);
  const counts = { schemas: 0, rewritten: 0, places: 0, kept: 0 };
  fc.assert(
    fc.property(roots, fc.nat(), (schema, chance) => {
      const choose = createChooser(chance);
      const list = Array.from({ length: 30 }, () => makeInstance(schema, schema, choose));
      const findings: RewriteFinding[] = [];
      const t = createToolCodec(
        { name: "t", inputSchema: schema, outputSchema: schema },
        { exact, onFinding: (finding) => findings.push(finding) },
      );
      const after = t.tool.inputSchema as Schema;
      const rewritten = listRewritten(schema, after);
      counts.schemas++;
      if (rewritten.size > 0) counts.rewritten++;
      const told = new Set(findings.map(({ schemaPointer }) => schemaPointer.replace(/^\/(?:in|out)putSchema/, "")));
      for (const json of list) {
        const isFit = evaluate(schema, json);
        const atModel = t.toModel(json) as Json;
        const say = (): string => JSON.stringify([schema, json, after, atModel]);
        // What is valid for the model is converted for the server, and digits at the model are digits.
        for (const sent of [json, atModel]) {
          const applied = evaluate(after, sent);
          if (applied === undefined) continue;
          const atServer = t.toServer(sent) as Json;
          for (const pointer of widePlaces(applied, rewritten, sent)) {
            counts.places++;
            expect(typeof valueAt(sent, pointer), `${pointer} ${say()}`).toBe("string");
            expect(typeof valueAt(atServer, pointer), `${pointer} to the server ${say()}`).toBe("number");
            expect(typeof valueAt(t.toModel(atServer) as Json, pointer), `${pointer} to the model ${say()}`).toBe(
              "string",
            );
            const unsafe = withValue(sent, pointer, 2 ** 60);
            const expected = `unsafe_integer ${pointer}`;
            expect(
              codeOf(() => t.toServer(unsafe)),
              `${pointer} unsafe ${say()}`,
            ).toBe(expected);
            expect(
              codeOf(() => t.model.args.fromJson(unsafe)),
              `${pointer} unsafe ${say()}`,
            ).toBe(expected);
            const field = t.server.result.jsonToField(atServer);
            expect(typeof valueAt(t.model.result.fieldToJson(field) as Json, pointer), `${pointer} ${say()}`).toBe(
              "string",
            );
          }
        }
        // There and back is the document, but that digits which a place took beside integers are one there.
        if (isFit === undefined) continue;
        const back = t.toServer(atModel);
        expect(difference(t.toModel(back), atModel), say()).toBeUndefined();
        if (!JSON.stringify(schema).includes('"pattern"')) expect(difference(back, json), say()).toBeUndefined();
        // What declares 64 bits and is applied is rewritten, or there is a finding.
        for (const { pointer, schemaPointer, schema: applied } of isFit) {
          if (applied.type !== "integer" || applied.format !== "int64") continue;
          // Another schema there proves it small, maybe one of the branch alone that the document chooses.
          if (t.server.args.explain(pointer).width === "small") continue;
          if (isFit.some((other) => other.pointer === pointer && provesSmall(other.schema))) continue;
          counts.kept += told.has(schemaPointer) ? 1 : 0;
          expect(rewritten.has(schemaPointer) || told.has(schemaPointer), `${schemaPointer} ${say()}`).toBe(true);
        }
      }
    }),
    options,
  );
  console.info(`exact ${exact}, seed ${options.seed}: ${JSON.stringify(counts)}`);
  expect(counts.places).toBeGreaterThan(100);
});

function provesSmall(schema: Schema): boolean {
  return "const" in schema || "enum" in schema || ("minimum" in schema && "maximum" in schema);
}
