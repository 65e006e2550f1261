import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { StructCodecError } from "../index.js";
import type { CheckIssue } from "../schema.js";
import { cutText } from "./cut-text.js";
import { writeDetails } from "./error-details.js";
import type { StructProblem } from "./struct-problem.js";

/** Whose data a message is. */
export type Side = "request" | "response";

/** Longest message: gRPC sends it in a trailer, twice, once with three characters for each byte that is not ASCII. */
const longestMessage = 300;

/** What a call is to fail with, where its data could not be converted or checked; whatever else was thrown is passed on. */
export function callErrorOf(error: unknown, side: Side): unknown {
  if (!(error instanceof StructCodecError)) return error;
  // A hint function that throws says what the call is to fail with, or has failed itself, which is not the sender's doing.
  if (error.cause instanceof ConnectError) return error.cause;
  const { code, pointer, schemaPointer, message } = error;
  const problem: StructProblem = { code, pointer, ...(schemaPointer !== undefined && { schemaPointer }), message };
  return errCall([problem], error.cause === undefined ? side : "response", error);
}

/** The data does not fit the schema. */
export function errMismatch(
  desc: DescMessage,
  issues: readonly [CheckIssue, ...CheckIssue[]],
  side: Side,
): ConnectError {
  const [first, ...others] = issues.map(({ pointer, schemaPointer, message }): StructProblem => {
    return { code: "schema_mismatch", pointer, schemaPointer, message: `cannot read ${desc.typeName}: ${message}` };
  }) as [StructProblem, ...StructProblem[]];
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return errCall([{ ...first, message: first.message + more }, ...others], side);
}

function errCall(problems: [StructProblem, ...StructProblem[]], side: Side, cause?: unknown): ConnectError {
  const isRequest = side === "request";
  const message = cutText(problems[0].message, longestMessage);
  const code = isRequest ? Code.InvalidArgument : Code.Internal;
  const error = new ConnectError(message, code, undefined, undefined, cause);
  error.details = writeDetails(problems, isRequest);
  return error;
}
