import { Validator } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createChecker, type JsonSchema, type SchemaValidator, useAjv, useCfworker } from "../../src/schema.js";

/** A schema about integers, and what it says of one by BigInt alone. */
interface Rule {
  readonly text: string;
  fits(value: bigint): boolean;
}

const edge = 2n ** 53n;

/** Integers around those that doubles lose. */
const integers = fc.oneof(
  fc.bigInt({ min: -12n, max: 12n }),
  ...[edge, -edge, 2n ** 63n, 10n ** 20n].map((center) => fc.bigInt({ min: center - 6n, max: center + 6n })),
);

const steps = fc.oneof(fc.bigInt({ min: 1n, max: 6n }), fc.constant(edge + 1n));

const leaves: fc.Arbitrary<Rule> = fc.oneof(
  integers.map((limit): Rule => ({ text: `{"minimum":${limit}}`, fits: (value) => value >= limit })),
  integers.map((limit): Rule => ({ text: `{"maximum":${limit}}`, fits: (value) => value <= limit })),
  integers.map((limit): Rule => ({ text: `{"exclusiveMinimum":${limit}}`, fits: (value) => value > limit })),
  integers.map((limit): Rule => ({ text: `{"exclusiveMaximum":${limit}}`, fits: (value) => value < limit })),
  integers.map((only): Rule => ({ text: `{"const":${only}}`, fits: (value) => value === only })),
  fc
    .array(integers, { minLength: 1, maxLength: 4 })
    .map((list): Rule => ({ text: `{"enum":[${list.join()}]}`, fits: (value) => list.includes(value) })),
  steps.map((step): Rule => ({ text: `{"multipleOf":${step}}`, fits: (value) => value % step === 0n })),
);

const { rule } = fc.letrec<{ rule: Rule; some: Rule[] }>((tie) => ({
  some: fc.array(tie("rule"), { minLength: 1, maxLength: 3 }),
  rule: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaves,
    tie("rule").map(({ text, fits }): Rule => ({ text: `{"not":${text}}`, fits: (value) => !fits(value) })),
    tie("some").map(
      (list): Rule => ({
        text: `{"anyOf":[${list.map(({ text }) => text).join()}]}`,
        fits: (value) => list.some(({ fits }) => fits(value)),
      }),
    ),
    tie("some").map(
      (list): Rule => ({
        text: `{"oneOf":[${list.map(({ text }) => text).join()}]}`,
        fits: (value) => list.filter(({ fits }) => fits(value)).length === 1,
      }),
    ),
    tie("some").map(
      (list): Rule => ({
        text: `{"multipleOf":2,"allOf":[${list.map(({ text }) => text).join()}]}`,
        fits: (value) => value % 2n === 0n && list.every(({ fits }) => fits(value)),
      }),
    ),
  ),
}));

const validators: [name: string, validator: SchemaValidator][] = [
  ["@cfworker/json-schema", useCfworker(Validator)],
  ["ajv", useAjv(new Ajv2020({ strict: false }))],
];

/** As few validators write JSON: a JS number where it says the same. */
function plain(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

describe.each(validators)("createChecker with %s", (_, validator) => {
  it("judges every integer as BigInt does", () => {
    fc.assert(
      fc.property(rule, fc.array(integers, { minLength: 1, maxLength: 8 }), ({ text, fits }, values) => {
        const checker = createChecker(text, validator);
        for (const value of values) {
          expect(checker.check(plain(value)).length === 0, `${value} under ${text}`).toBe(fits(value));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("finds equal integers among many", () => {
    fc.assert(
      fc.property(fc.array(integers, { maxLength: 12 }), fc.array(integers, { maxLength: 3 }), (values, constants) => {
        const schema: JsonSchema = { uniqueItems: true, $defs: { a: { enum: constants } } };
        const issues = createChecker(schema, validator).check(values.map(plain));
        expect(issues.length === 0).toBe(new Set(values).size === values.length);
      }),
      { numRuns: 300 },
    );
  });
});
