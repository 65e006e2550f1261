import { ConnectError } from "@connectrpc/connect";
import { readDetails } from "./error-details.js";
import type { StructProblem } from "./struct-problem.js";

/**
 * What the error of a call says about the data of the call, whether it comes from an interceptor of this process or of the peer.
 * Empty where it is about something else.
 */
export function findStructProblems(error: unknown): readonly StructProblem[] {
  return error instanceof ConnectError ? readDetails(error.details, error.rawMessage) : [];
}
