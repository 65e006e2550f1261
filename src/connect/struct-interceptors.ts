import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { checkStructs, normalizeStructs } from "../protobuf.js";
import type { CheckIssue } from "../schema.js";
import { callErrorOf, errMismatch, type Side } from "./call-error.js";
import { interceptMessages } from "./intercept-messages.js";
import { type InterceptorTools, prepareInterceptor, type StructInterceptorOptions } from "./interceptor-options.js";

/**
 * An interceptor for clients. What the Structs of a request hold is brought to what a Struct can hold, in a copy: `bigint`,
 * `IntegerLiteral` and raw JSON become numbers or digits, `undefined` members go. What cannot be sent fails the call with
 * `Code.InvalidArgument` before anything leaves; a response that cannot be read or does not fit its schema with `Code.Internal`.
 * `findStructProblems` says where it is wrong.
 */
export function createClientStructInterceptor(options?: StructInterceptorOptions): Interceptor {
  const tools = prepareInterceptor(options);
  return interceptMessages(
    (desc, message) => normalize(tools, desc, message, "request"),
    (desc, message) => check(tools, desc, message, "response"),
  );
}

/**
 * An interceptor for servers. A request whose Structs cannot be read, or do not fit their schema, fails with
 * `Code.InvalidArgument` before the handler sees it; on a stream, where the handler asks for it. What handlers answer is brought
 * to what a Struct can hold, in a copy, or fails with `Code.Internal`. Errors say where in their details.
 */
export function createServerStructInterceptor(options?: StructInterceptorOptions): Interceptor {
  const tools = prepareInterceptor(options);
  return interceptMessages(
    (desc, message) => check(tools, desc, message, "request"),
    (desc, message) => normalize(tools, desc, message, "response"),
  );
}

function normalize({ hints }: InterceptorTools, desc: DescMessage, message: Message, side: Side): Message {
  try {
    return normalizeStructs(desc, message, hints);
  } catch (error) {
    throw callErrorOf(error, side);
  }
}

function check({ hints, checker }: InterceptorTools, desc: DescMessage, message: Message, side: Side): Message {
  let issues: readonly CheckIssue[] | undefined;
  try {
    checkStructs(desc, message, hints);
    issues = checker?.check(desc, message);
  } catch (error) {
    throw callErrorOf(error, side);
  }
  if (issues !== undefined && isFull(issues)) throw errMismatch(desc, issues, side);
  return message;
}

function isFull(issues: readonly CheckIssue[]): issues is readonly [CheckIssue, ...CheckIssue[]] {
  return issues.length > 0;
}
