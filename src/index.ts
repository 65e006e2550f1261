export type {
  CodecErrorCode,
  Direction,
  Issue,
  IssueCode,
  Place,
  SchemaErrorCode,
  SchemaIssue,
} from "./base/errors.js";
export { StructCodecError, StructSchemaError } from "./base/errors.js";
export { IntegerLiteral } from "./base/integer-literal.js";
export type { ExactJson, ExactJsonObject } from "./codec/exact-json.js";
export type { CodecLimits, CodecOptions } from "./codec/options.js";
export type { RecordStreamOptions } from "./codec/record-streams.js";
export type { JsonCodec, StructCodec, StructCodecOptions, ValueCodec } from "./codec/struct-codec.js";
export { createStructCodec, createValueCodec } from "./codec/struct-codec.js";
export type { PatternMatcher } from "./hint/children.js";
export type { CompiledHint, HintLimits, HintOptions, HintSource } from "./hint/compile-hint.js";
export { compileHint } from "./hint/compile-hint.js";
export type { ExactOption } from "./hint/exact.js";
export type { Explanation } from "./hint/explain.js";
export type { JsonSchema, JsonSchemaObject } from "./json-schema/json-schema.js";
export type { StandardJsonSchema } from "./json-schema/standard-schema.js";
