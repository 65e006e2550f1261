import { type CodecErrorCode, StructCodecError } from "../index.js";

// Two copies of the package must recognise each other's errors.
const brand = Symbol.for("protobuf-struct-codec.McpDataError");

/** Where data is wrong, as it goes into a JSON-RPC error. */
export interface McpErrorData {
  /** The code of the codec's error; "schema_mismatch" where a validator has found it. */
  readonly reason: CodecErrorCode | "schema_mismatch";
  /** JSON Pointer into the arguments or the result. */
  readonly pointer: string;
  readonly schemaPointer?: string | undefined;
}

/**
 * Arguments or a result that cannot be converted. Where a handler throws it, either SDK answers with a JSON-RPC error of
 * its `code`, message and `data`. Its `cause` is the codec's error.
 */
export class McpDataError extends Error {
  override readonly name = "McpDataError";
  /** −32602, invalid params, where the arguments are at fault; −32603, internal error, where the result is. */
  readonly code: -32602 | -32603;
  readonly data: McpErrorData;

  constructor(code: -32602 | -32603, message: string, data: McpErrorData, cause?: StructCodecError) {
    super(message, cause && { cause });
    this.code = code;
    this.data = data;
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[brand] === true;
  }
}

/** Convert arguments: what is wrong with them is the caller's to mend. */
export function convertArguments<T>(convert: () => T): T {
  return withCode(-32602, convert);
}

/** Convert a result: what is wrong with it is the server's to mend. */
export function convertResult<T>(convert: () => T): T {
  return withCode(-32603, convert);
}

function withCode<T>(code: McpDataError["code"], convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    if (!(error instanceof StructCodecError)) throw error;
    const { code: reason, pointer, schemaPointer } = error;
    const data = { reason, pointer, ...(schemaPointer !== undefined && { schemaPointer }) };
    throw new McpDataError(code, error.message, data, error);
  }
}
