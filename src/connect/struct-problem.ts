import type { CodecErrorCode } from "../index.js";

/** What is wrong with the data of a call, and where. */
export interface StructProblem {
  /** The code of a `StructCodecError`; "schema_mismatch" where a validator found it. */
  readonly code: CodecErrorCode | "schema_mismatch";
  /** JSON Pointer from the root of the request or the response. */
  readonly pointer: string;
  /** JSON Pointer into the schema, where a schema decided. Of those that came over the network only the first has it. */
  readonly schemaPointer?: string | undefined;
  /** Says what was expected, and quotes no data. */
  readonly message: string;
}
