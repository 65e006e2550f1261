/** Schemas that declare a 64-bit integer, as patterns for `deserialize`. */
type WidePatterns<Output> = [
  { pattern: { type: "integer"; format: "int64" }; output: Output },
  { pattern: { type: "integer"; format: "uint64" }; output: Output },
  { pattern: { type: "number"; format: "int64" }; output: Output },
  { pattern: { type: "number"; format: "uint64" }; output: Output },
];

/**
 * For `FromSchema<typeof schema, { deserialize: WideAsText }>` of json-schema-to-ts: declared 64-bit integers are strings, as
 * a codec writes them by default, and as a field of a message holds those beyond ±(2^53−1).
 */
export type WideAsText = WidePatterns<string>;

/** For `deserialize` too: declared 64-bit integers are `bigint`, as a codec with `int64: "bigint"` gives them. */
export type WideAsBigint = WidePatterns<bigint>;
