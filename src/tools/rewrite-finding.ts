import { printable } from "../base/errors.js";

/** Why a wide integer was left as it is. */
export type RewriteFindingCode =
  /** The schema also serves a place that is no wide integer, and one node cannot be both. */
  | "shared_schema"
  /** Strings are accepted there too, and digits in a string would be a number all of a sudden. */
  | "text_union"
  /** Numbers that need not be integers are accepted there too. */
  | "number_union"
  /**
   * The hint knows nothing of it at a place where it holds: in a union or combination that fits no value or takes everything,
   * in a condition inside of a union, or beyond a limit.
   */
  | "contradiction"
  /** A branch of `oneOf` would accept what another branch accepts. */
  | "ambiguous_one_of"
  /** `not`, `if`, `contains`, `propertyNames` or `contentSchema` looks at the number, or a keyword about text would at its digits. */
  | "tested_value"
  /** The schema does not stand where a schema of this document can stand. */
  | "foreign_schema"
  /** A constant beyond ±(2^53−1) was a JS number, so its digits were lost before; give the schema as JSON text. */
  | "inexact_constant"
  /** It was made text although, having no type, it accepted values of every kind; text is all it accepts now. */
  | "untyped_integer";

/** Something that `rewriteSchema` could not do, or had to do on a guess. */
export interface RewriteFinding {
  readonly code: RewriteFindingCode;
  /** JSON Pointer into the schema. */
  readonly schemaPointer: string;
  readonly message: string;
}

const reasons: Record<RewriteFindingCode, string> = {
  shared_schema: "wide integer is kept, the schema is shared with a place that is none",
  text_union: "wide integer is kept, strings are accepted there too",
  number_union: "wide integer is kept, numbers with a fraction are accepted there too",
  contradiction: "wide integer is kept, it stands in a union, combination or condition that gives no hint",
  ambiguous_one_of: "wide integer is kept, as text it would match another branch of oneOf",
  tested_value: "wide integer is kept, another keyword tests the number",
  foreign_schema: "wide integer is kept, the schema stands outside of what can be rewritten",
  untyped_integer: "integer without a type is made text, values of other kinds no longer fit",
  inexact_constant: "constant beyond ±(2^53−1) came as a number that may be rounded",
};

/** Build a finding. */
export function createFinding(code: RewriteFindingCode, schemaPointer: string): RewriteFinding {
  return { code, schemaPointer, message: `${reasons[code]} at ${printable(schemaPointer) || "/"}` };
}
