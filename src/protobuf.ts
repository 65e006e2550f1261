export { StructCodecError, StructSchemaError } from "./base/errors.js";
export { IntegerLiteral } from "./base/integer-literal.js";
export { checkStructs } from "./protobuf/check-structs.js";
export type { FieldCodec, FieldValue } from "./protobuf/field-codec.js";
export type { FieldHint, HintFunction, HintTable } from "./protobuf/hint-table.js";
export type {
  FieldSchemaIssue,
  FoundHint,
  MessageHints,
  MessageHintsOptions,
} from "./protobuf/message-hints.js";
export { createMessageHints } from "./protobuf/message-hints.js";
export { normalizeStructs } from "./protobuf/normalize-structs.js";
