import { type SchemaIssue, StructSchemaError } from "../base/errors.js";
import { refuseUnknownNames } from "../base/option-names.js";
import { getOwn } from "../base/own.js";
import { analyzeSchema } from "../hint/analyze-schema.js";
import { type HintOptions, type HintSource, hintOptionNames } from "../hint/compile-hint.js";
import { isSchemaObject, type JsonSchemaObject } from "../json-schema/json-schema.js";
import { type AuditCode, type AuditFinding, createAuditFinding, sortFindings } from "./audit-finding.js";
import { auditKeywords } from "./audit-keywords.js";
import { auditNumbers } from "./audit-numbers.js";
import { planRewrite } from "./plan-rewrite.js";
import { requireTool, type ToolSchemaName } from "./tool.js";
import { walkSchema } from "./walk-schema.js";

/** Options of an audit: how to read the schemas. */
export type AuditOptions = Omit<HintOptions, "exact" | "io">;

/**
 * Find what goes wrong with the numbers of tools as an endpoint lists them, worst first: ids that a model would round,
 * references that lead nowhere, keywords that do nothing. Never throws for what a tool says.
 */
export function auditTools(tools: readonly unknown[], options: AuditOptions = {}): AuditFinding[] {
  refuseUnknownNames(
    options,
    hintOptionNames.filter((name) => name !== "exact" && name !== "io"),
    "option",
  );
  return sortFindings(tools.flatMap((tool, i) => auditTool(tool, i, options)));
}

function auditTool(tool: unknown, index: number, options: AuditOptions): AuditFinding[] {
  let name: string;
  try {
    ({ name } = requireTool(tool));
  } catch {
    // What an endpoint lists is its own affair; it is told like anything else.
    return [
      createAuditFinding("broken_tool", `#${index}`, "", "tool is no object with a name", "give the tool a name"),
    ];
  }
  const { inputSchema, outputSchema } = tool as { inputSchema?: unknown; outputSchema?: unknown };
  const fix = [{ op: "add", path: "/inputSchema", value: { type: "object" } }] as const;
  return [
    ...(inputSchema === undefined
      ? [createAuditFinding("broken_tool", name, "", "tool has no inputSchema", fix)]
      : auditSchema(name, "inputSchema", inputSchema, options)),
    ...(outputSchema === undefined ? [] : auditSchema(name, "outputSchema", outputSchema, options)),
  ];
}

function auditSchema(tool: string, member: ToolSchemaName, source: unknown, options: AuditOptions): AuditFinding[] {
  const pointer = `/${member}`;
  try {
    const io = member === "inputSchema" ? "input" : "output";
    const analysis = analyzeSchema(source as HintSource, { ...options, exact: "ids", io });
    const { schema, hint } = analysis;
    if (!isSchemaObject(schema)) return rootFindings(tool, member, {});
    const schemas = walkSchema(schema);
    return [
      ...rootFindings(tool, member, schema),
      ...auditNumbers({ tool, pointer, analysis, plan: planRewrite(analysis, "ids") }),
      ...hint.schemaIssues.map((issue) => fromIssue(tool, pointer, issue)),
      ...auditKeywords(tool, pointer, schemas),
    ];
  } catch (error) {
    if (!(error instanceof StructSchemaError)) throw error;
    return [createAuditFinding("broken_schema", tool, pointer, error.message, "serve a JSON Schema")];
  }
}

/** MCP: arguments are an object, and the schema says so. */
function rootFindings(tool: string, member: ToolSchemaName, schema: JsonSchemaObject): AuditFinding[] {
  const type = getOwn(schema, "type");
  if (member === "outputSchema" || (typeof type === "string" && type.toLowerCase() === "object")) return [];
  const path = `/${member}/type`;
  const fix = [{ op: type === undefined ? "add" : "replace", path, value: "object" }] as const;
  return [createAuditFinding("keyword_mistake", tool, `/${member}`, 'inputSchema must have type "object"', fix)];
}

const issueCodes: Record<SchemaIssue["code"], AuditCode> = {
  invalid_schema: "broken_schema",
  unresolved_ref: "unresolved_ref",
  contradiction: "contradiction",
  unsupported_pattern: "unsupported_pattern",
  too_large: "over_limit",
};

const issueFixes: Record<SchemaIssue["code"], string> = {
  invalid_schema: "write the keyword as JSON Schema defines it",
  unresolved_ref: "define what is referred to under $defs",
  contradiction: "remove one of the schemas that contradict each other",
  unsupported_pattern: "use a pattern without look-around and back-references",
  too_large: "make the schema smaller",
};

/** A reference that names another host or file; those inside the document have a fragment or a name only. */
const remoteReference = /"(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

function fromIssue(tool: string, pointer: string, { code, schemaPointer, message }: SchemaIssue): AuditFinding {
  const isRemote = code === "unresolved_ref" && remoteReference.test(message);
  return createAuditFinding(
    isRemote ? "remote_ref" : issueCodes[code],
    tool,
    pointer + schemaPointer,
    message,
    isRemote ? "copy what is referred to into $defs; clients fetch nothing" : issueFixes[code],
  );
}
