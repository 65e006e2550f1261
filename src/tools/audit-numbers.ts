import { getOwn } from "../base/own.js";
import { childPointer } from "../base/pointer.js";
import type { AnalyzedPosition, SchemaAnalysis } from "../hint/analyze-schema.js";
import { promoteFacts } from "../hint/exact.js";
import { answersOf, Kind } from "../hint/facts.js";
import type { Atom } from "../hint/terms.js";
import {
  type AuditCode,
  type AuditFinding,
  createAuditFinding,
  isRounded,
  type PatchOperation,
} from "./audit-finding.js";
import { type RewritePlan, statingNumbers } from "./plan-rewrite.js";
import type { RewriteFindingCode } from "./rewrite-finding.js";
import { rewriteNode } from "./rewrite-node.js";

/** A schema of a tool, compiled with the ids promoted, and what rewriting would do with it. */
export interface AuditedSchema {
  readonly tool: string;
  /** Pointer of the schema in the tool. */
  readonly pointer: string;
  readonly analysis: SchemaAnalysis;
  readonly plan: RewritePlan;
}

/** Find integers that a model would round, or that nothing proves it would not. Each schema is told once, for its worst. */
export function auditNumbers(audited: AuditedSchema): AuditFinding[] {
  const codes = new Map<Atom, NumberCode>();
  for (const position of audited.analysis.positions) {
    for (const atom of statingNumbers(position)) {
      const code = judge(position, atom);
      const known = codes.get(atom);
      if (code !== undefined && (known === undefined || rank.indexOf(code) < rank.indexOf(known)))
        codes.set(atom, code);
    }
  }
  return [...codes].map(([atom, found]) => {
    const pointer = audited.pointer + atom.place.pointer;
    const code = Object.hasOwn(atom.schema, "x-mcp-header") ? "header_integer" : found;
    return createAuditFinding(code, audited.tool, pointer, messages[code], fixOf(audited, atom, code, pointer));
  });
}

type NumberCode = keyof typeof messages;

const messages = {
  wide_integer: "integer of 64 bits is a number to the model, which rounds it beyond 2^53",
  unproven_id: "id is an integer of unproven width, and a model rounds it beyond 2^53",
  number_id: "id is a number, and a model rounds it beyond 2^53",
  unproven_integer: "nothing proves that this integer stays within ±(2^53−1)",
  mixed_union: "branches disagree about numbers, so digits as text and a number are not told apart",
  header_integer: "integer in a header is not proven within ±(2^53−1)",
} as const satisfies Partial<Record<AuditCode, string>>;

const rank: readonly NumberCode[] = ["wide_integer", "mixed_union", "unproven_id", "number_id", "unproven_integer"];

function judge({ answers }: AnalyzedPosition, atom: Atom): NumberCode | undefined {
  const { own } = atom;
  const isInteger = own.number === "integer";
  const ownWidth = answersOf(own).width;
  if (answers.number !== "integer") return isInteger && ownWidth !== "small" ? "mixed_union" : undefined;
  if (answers.width === "small") return undefined;
  if (answers.width === "unknown") return isInteger && ownWidth !== "small" ? "unproven_integer" : undefined;
  const isId = promoteFacts(atom, "ids") !== own;
  if (!isId && !(isInteger && ownWidth === "wide")) return undefined;
  if (answers.string === "text") return "mixed_union";
  if (!isId) return "wide_integer";
  return isInteger ? "unproven_id" : "number_id";
}

function fixOf(
  audited: AuditedSchema,
  atom: Atom,
  code: NumberCode,
  pointer: string,
): string | readonly PatchOperation[] {
  if (code === "unproven_integer" || code === "header_integer") return bounds(atom, pointer);
  if (audited.plan.rewritten.has(atom.schema)) {
    const { schema, description, isInexact } = rewriteNode(atom.schema, atom.own);
    if (isInexact || boundKeywords.some((keyword) => isRoundedBound(getOwn(atom.schema, keyword)))) {
      return otherFixes.inexact_constant;
    }
    return [{ op: "replace", path: pointer, value: description === undefined ? schema : { ...schema, description } }];
  }
  const reason = audited.plan.findings.find(({ schemaPointer }) => schemaPointer === atom.place.pointer)?.code;
  return reason === undefined ? otherFixes.number_union : otherFixes[reason];
}

/** Their values become words of the description. */
const boundKeywords = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/** The ends of 64-bit types are known, however they were rounded. */
function isRoundedBound(value: unknown): boolean {
  return isRounded(value) && ![2 ** 63, -(2 ** 63), 2 ** 64].includes(value as number);
}

const otherFixes: Record<RewriteFindingCode, string> = {
  shared_schema: "give the id a schema of its own, apart from the places that are no ids, and make it a decimal string",
  text_union: "accept only one of string and integer; for an id, a string of decimal digits",
  number_union: "accept only integers there, as a string of decimal digits if they may have 64 bits",
  contradiction: "remove the schema that contradicts the others",
  ambiguous_one_of: "use anyOf, or drop the integer and keep the string of decimal digits",
  tested_value: "make it a string of decimal digits, and let the keyword that tests it test that string",
  foreign_schema: "move the schema under $defs and make it a string of decimal digits",
  inexact_constant: "make it a decimal string, and write its constants and bounds as text with all their digits",
  untyped_integer: "give it a type",
};

/** Bounds prove that an integer is small; where that is true of the data. */
function bounds({ schema, own }: Atom, pointer: string): readonly PatchOperation[] | string {
  if ((own.kinds & Kind.number) === 0) return otherFixes.number_union;
  const missing = ([name, limit]: readonly [string, number]): PatchOperation[] => {
    const value = getOwn(schema, name);
    const isProof = typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    if (isProof) return [];
    return [{ op: value === undefined ? "add" : "replace", path: childPointer(pointer, name), value: limit }];
  };
  const lowest = own.lowest >= -Number.MAX_SAFE_INTEGER ? [] : missing(["minimum", -Number.MAX_SAFE_INTEGER]);
  const highest = own.highest <= Number.MAX_SAFE_INTEGER ? [] : missing(["maximum", Number.MAX_SAFE_INTEGER]);
  return [...lowest, ...highest];
}
