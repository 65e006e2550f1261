export type { SchemaErrorCode, SchemaIssue } from "./base/errors.js";
export { StructCodecError, StructSchemaError } from "./base/errors.js";
export type { RewriteFinding, RewriteFindingCode } from "./tools/rewrite-finding.js";
export type { RewriteOptions } from "./tools/rewrite-schema.js";
export { rewriteSchema } from "./tools/rewrite-schema.js";
