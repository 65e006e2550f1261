import { printable } from "../base/errors.js";
import { copyPlain } from "./copy-plain.js";
import { findCycle } from "./find-cycle.js";
import { printSchemaText } from "./print-schema-text.js";

/** How bad a finding is: a tool that fails or rounds, one that may, one that could be plainer. */
export type AuditSeverity = "error" | "warning" | "info";

/** What an audit finds. */
export type AuditCode =
  /** An integer of more than 53 bits that a model is asked for as a number. */
  | "wide_integer"
  /** An id typed `integer` whose width nothing proves. */
  | "unproven_id"
  /** An id typed `number`. */
  | "number_id"
  /** Another integer whose width nothing proves. */
  | "unproven_integer"
  /** Branches that disagree about what a number, or a string of digits, is there. */
  | "mixed_union"
  /** A header takes integers only within ±(2^53−1). */
  | "header_integer"
  | "unresolved_ref"
  /** A reference to another document; no client fetches it. */
  | "remote_ref"
  | "contradiction"
  | "unsupported_pattern"
  | "over_limit"
  /** A keyword that does not do what it looks like. */
  | "keyword_mistake"
  | "broken_schema"
  | "broken_tool"
  /** A result that its output schema does not describe. */
  | "result_mismatch"
  /** A number of a result that went through a double and lost digits. */
  | "result_rounded";

/** A change of the tool, as JSON Patch (RFC 6902). */
export interface PatchOperation {
  readonly op: "add" | "remove" | "replace";
  readonly path: string;
  readonly value?: unknown;
}

/** Something about a tool that goes wrong, may go wrong, or could be plainer. */
export interface AuditFinding {
  readonly code: AuditCode;
  readonly severity: AuditSeverity;
  /** Name of the tool. */
  readonly tool: string;
  /** JSON Pointer into the tool. */
  readonly schemaPointer: string;
  /** JSON Pointer into the result, for findings about one. */
  readonly pointer?: string | undefined;
  readonly message: string;
  /** What to do about it; where a patch can do it, the patch in words. */
  readonly fix: string;
  readonly patch?: readonly PatchOperation[] | undefined;
}

const severities: Record<AuditCode, AuditSeverity> = {
  wide_integer: "error",
  unproven_id: "warning",
  number_id: "warning",
  unproven_integer: "info",
  mixed_union: "warning",
  header_integer: "error",
  unresolved_ref: "error",
  remote_ref: "error",
  contradiction: "warning",
  unsupported_pattern: "warning",
  over_limit: "error",
  keyword_mistake: "warning",
  broken_schema: "error",
  broken_tool: "error",
  result_mismatch: "error",
  result_rounded: "error",
};

/** Build a finding; its severity is the code's. A patch with numbers that may be rounded is none, and said in words. */
export function createAuditFinding(
  code: AuditCode,
  tool: string,
  schemaPointer: string,
  message: string,
  fix: string | readonly PatchOperation[],
): AuditFinding {
  const found = { code, severity: severities[code], tool, schemaPointer, message: printable(message) };
  if (typeof fix === "string") return { ...found, fix };
  if (fix.every(({ value }) => isWritable(value)))
    return { ...found, fix: describePatch(fix, printSchemaText), patch: fix };
  return { ...found, fix: describePatch(fix, () => "what the schema says") };
}

/** Whether a value can be written as JSON, and its numbers are those of whoever wrote the schema. */
function isWritable(value: unknown): boolean {
  if (findCycle(value) !== undefined) return false;
  let isExact = true;
  copyPlain(value, (number) => {
    // One beyond the range of doubles has become Infinity.
    if (isRounded(number) || (typeof number === "number" && !Number.isFinite(number))) isExact = false;
    return number;
  });
  return isExact;
}

/** Whether an integer came as a JS number beyond ±(2^53−1), which may not be what was written. */
export function isRounded(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** A patch in words, with the JSON to write. */
function describePatch(patch: readonly PatchOperation[], print: (value: unknown) => string): string {
  return patch
    .map(({ op, path, value }) => {
      if (op === "remove") return `remove ${path}`;
      return op === "add" ? `add ${path}: ${print(value)}` : `replace ${path} with ${print(value)}`;
    })
    .join("; ");
}

const order: readonly AuditSeverity[] = ["error", "warning", "info"];

/** Put the worst first; within a severity the order stays. */
export function sortFindings(findings: readonly AuditFinding[]): AuditFinding[] {
  return [...findings].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}
