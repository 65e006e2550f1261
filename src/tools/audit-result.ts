import { isCanonicalDecimal } from "../base/decimal.js";
import { type Place, StructCodecError, StructSchemaError } from "../base/errors.js";
import { IntegerLiteral } from "../base/integer-literal.js";
import { parsePointer } from "../base/pointer.js";
import { unpackPosition } from "../base/position.js";
import { createContext } from "../codec/context.js";
import { Conversion } from "../codec/conversion.js";
import type { ExactJson } from "../codec/exact-json.js";
import { resolveOptions } from "../codec/options.js";
import { analyzeSchema } from "../hint/analyze-schema.js";
import type { HintSource } from "../hint/compile-hint.js";
import { isIdLikeName } from "../hint/exact.js";
import type { HintNode } from "../hint/node.js";
import { type AuditCode, type AuditFinding, createAuditFinding, sortFindings } from "./audit-finding.js";
import type { AuditOptions } from "./audit-tools.js";
import { convertPlaces } from "./convert-places.js";
import { requireTool, type ToolLike } from "./tool.js";

/** Most findings about one result. */
const mostFindings = 100;

/**
 * Find where the numbers of a structured result disagree with the tool's output schema: digits as text for an integer,
 * fractions, integers that lost digits on the way. At most 100 are told. For all the rest of a schema use `createChecker`.
 */
export function auditResult(
  tool: ToolLike,
  structured: ExactJson | undefined,
  options: AuditOptions = {},
): AuditFinding[] {
  const { name, outputSchema } = requireTool(tool);
  if (outputSchema === undefined) return [];
  if (structured === undefined) {
    const message = "tool has an outputSchema and gave no structured result";
    return [createAuditFinding("result_mismatch", name, "/outputSchema", message, "give structuredContent")];
  }
  const findings: AuditFinding[] = [];
  try {
    const { hint } = analyzeSchema(outputSchema as HintSource, { ...options, io: "output" });
    walk(hint.root, structured, ([code, message, fix], { pointer, schemaPointer = "" }) => {
      if (findings.length >= mostFindings) return;
      const found = createAuditFinding(
        code,
        name,
        `/outputSchema${schemaPointer}`,
        `${message} at ${pointer || "/"}`,
        fix,
      );
      findings.push({ ...found, pointer });
    });
  } catch (error) {
    // A schema that is none is told by `auditTools`; a result that is no JSON ends here.
    if (error instanceof StructSchemaError) return [];
    if (!(error instanceof StructCodecError)) throw error;
    const found = createAuditFinding("result_mismatch", name, "/outputSchema", error.message, "give JSON");
    findings.push({ ...found, pointer: error.pointer });
  }
  return sortFindings(findings);
}

function walk(root: HintNode, structured: ExactJson, tell: (verdict: Verdict, place: Place) => void): void {
  const context = createContext("tool result", root, resolveOptions({}), false);
  const everywhere = { has: () => true, size: 1 };
  convertPlaces(new Conversion(context, "encode"), structured, root, everywhere, (value, conversion, node) => {
    const verdict = judge(value, node);
    if (verdict === undefined) return value;
    // An error knows where the walk is; it is not thrown.
    const place = conversion.fail("unexpected_type", verdict[1]);
    if (verdict !== rounded || mayBeRounded(value, node, place)) tell(verdict, place);
    return value;
  });
}

/** A schema that says `number` promises no digits, but for an id. What is written with an exponent was never one. */
function mayBeRounded(value: ExactJson, node: HintNode, { pointer }: Place): boolean {
  const { number, string } = unpackPosition(node.position);
  if (number === "integer" || (number === "none" && string === "decimal")) return true;
  if (Math.abs(Number(value)) >= 1e21) return false;
  const name = (parsePointer(pointer) ?? []).reverse().find((token) => !/^[0-9]+$/.test(token));
  return number !== "number" || (name !== undefined && isIdLikeName(name));
}

type Verdict = readonly [code: AuditCode, message: string, fix: string];

function judge(value: ExactJson, node: HintNode): Verdict | undefined {
  const answers = unpackPosition(node.position);
  if (typeof value === "string") {
    if (answers.number !== "integer" || answers.string !== "none" || !isCanonicalDecimal(value)) return undefined;
    return [
      "result_mismatch",
      "digits as text where the schema says integer",
      "say string in the schema, or send a number",
    ];
  }
  if (typeof value !== "number" && typeof value !== "bigint" && !(value instanceof IntegerLiteral)) return undefined;
  if (answers.number === "none" && answers.string !== "any") {
    return ["result_mismatch", "number where the schema takes none", "send a string of the digits, as the schema says"];
  }
  if (typeof value !== "number" || Number.isSafeInteger(value)) return undefined;
  if (!Number.isInteger(value)) {
    if (answers.number !== "integer") return undefined;
    return ["result_mismatch", "number with a fraction where the schema says integer", "say number in the schema"];
  }
  return rounded;
}

const rounded: Verdict = [
  "result_rounded",
  "integer beyond ±(2^53−1) went through a double",
  "send a string of the digits",
];
