import type { StatusObject } from "@grpc/grpc-js";
import { StructCodecError } from "../index.js";
import type { CheckIssue } from "../schema.js";
import type { StructProblem } from "./struct-problem.js";

/** The codes of gRPC that are used here. */
export const Status = { invalidArgument: 3, internal: 13 } as const;

/** Whose data a message is. */
export type Side = "request" | "response";

/** A call that cannot go on because of its data. */
export class CallProblem extends Error {
  readonly status: number;
  readonly details: string;
  /** Undefined where a hint function said with what the call is to fail. */
  readonly problem: StructProblem | undefined;

  constructor(status: number, details: string, problem: StructProblem | undefined, cause?: unknown) {
    // This is what grpc-js itself makes a status of, where it has no interceptor.
    super(details, { cause });
    this.status = status;
    this.details = details;
    this.problem = problem;
  }
}

/** Longest text of a status: it is a trailer, with three characters for each byte that is not ASCII. */
const longestDetails = 500;

/** Convert or check the data of a call: what is wrong with it becomes the problem of the call. */
export function withProblems<T>(side: Side, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw problemOf(error, side) ?? error;
  }
}

/** What an error says about the data of a call; undefined where it is about something else. */
export function problemOf(error: unknown, side: Side): CallProblem | undefined {
  if (error instanceof CallProblem) return error;
  return error instanceof StructCodecError ? createProblem(error, side) : undefined;
}

function createProblem(error: StructCodecError, side: Side): CallProblem {
  const { code, pointer, schemaPointer, message, cause } = error;
  // A hint function that throws says what the call is to fail with, or has failed itself, which is not the sender's doing.
  if (isStatus(cause)) return new CallProblem(cause.code, cut(cause.details), undefined, error);
  const problem: StructProblem = { code, pointer, ...(schemaPointer !== undefined && { schemaPointer }), message };
  const status = side === "request" && cause === undefined ? Status.invalidArgument : Status.internal;
  return new CallProblem(status, describe(problem), problem, error);
}

/** The data does not fit the schema. */
export function createMismatch(typeName: string, issues: readonly CheckIssue[], side: Side): CallProblem | undefined {
  const [first] = issues;
  if (first === undefined) return undefined;
  const more = issues.length === 1 ? "" : ` (and ${issues.length - 1} more)`;
  const { pointer, schemaPointer } = first;
  const message = `cannot read ${typeName}: ${first.message}${more}`;
  const problem: StructProblem = { code: "schema_mismatch", pointer, schemaPointer, message };
  return new CallProblem(side === "request" ? Status.invalidArgument : Status.internal, describe(problem), problem);
}

/** The bytes of a request are no message. */
export function createMalformed(what: string, cause: unknown): CallProblem {
  const message = `cannot read ${what}: message is malformed`;
  const problem: StructProblem = { code: "invalid_wire", pointer: "", message };
  return new CallProblem(Status.invalidArgument, describe(problem), problem, cause);
}

function isStatus(cause: unknown): cause is StatusObject {
  if (typeof cause !== "object" || cause === null) return false;
  const { code, details } = cause as Partial<StatusObject>;
  return typeof code === "number" && typeof details === "string";
}

function describe({ code, message }: StructProblem): string {
  return `${cut(message)} [${code}]`;
}

/** Never between the halves of a surrogate pair: grpc-js throws over one half, where nobody catches it. */
function cut(text: string): string {
  if (text.length <= longestDetails) return text;
  return `${text.slice(0, longestDetails).replace(/[\ud800-\udbff]$/, "")}…`;
}
