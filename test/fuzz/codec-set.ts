import {
  createStructCodec,
  type HintSource,
  type Issue,
  type StructCodec,
  type StructCodecOptions,
} from "../../src/index.js";

/** A codec that keeps the issues of its last conversion. */
export interface FuzzCodec {
  readonly codec: StructCodec;
  readonly issues: Issue[];
  readonly options: StructCodecOptions;
}

/** Options that a fault may hide behind. None makes a hint refuse what goes without one. */
export const optionSets: readonly StructCodecOptions[] = [
  {},
  { int64: "schema" },
  { int64: "safe", structInt64: "string" },
  { int64: "bigint" },
  { wholeNumbers: "fraction", unsetValue: "null" },
  { exact: "ids" },
  { exact: "all", int64: "schema", duplicateKeys: "last" },
  { unsafeIntegers: "round" },
  { quoteData: true, limits: { depth: 5, values: 60 } },
];

export function createFuzzCodec(schema: HintSource, options: StructCodecOptions): FuzzCodec {
  const issues: Issue[] = [];
  const codec = createStructCodec(schema, { ...options, onIssues: (found) => void issues.push(...found) });
  return { codec, issues, options };
}

/** The same without a schema. */
export function withoutSchema({ exact: _, ...options }: StructCodecOptions): FuzzCodec {
  return createFuzzCodec(undefined, options);
}

/** Schemas that speak about the keys which seeds have, so that documents meet hints. */
export const schemas: readonly HintSource[] = [
  {
    properties: {
      a: { type: "integer" },
      b: { type: "string" },
      id: { type: "integer", format: "int64" },
      v: { type: ["integer", "string"], format: "int64" },
      n: { type: "number" },
      list: { prefixItems: [{ type: "integer" }, { type: "string", format: "uint64" }], items: { $ref: "#" } },
    },
    patternProperties: { "^n_": { type: "integer", format: "uint64" } },
    additionalProperties: { $ref: "#" },
  },
  {
    additionalProperties: {
      anyOf: [{ type: "integer", format: "int64" }, { items: { type: "integer" } }, { $ref: "#" }],
    },
  },
  {
    oneOf: [
      { properties: { kind: { const: "a" }, v: { type: "integer" }, a: { type: "string", format: "int64" } } },
      { properties: { kind: { const: "b" }, v: { type: "string" }, a: { type: "number" } } },
      { properties: { kind: { const: 5 }, v: { $ref: "#" }, list: { items: { $ref: "#" } } } },
    ],
    additionalProperties: { $ref: "#" },
  },
];
