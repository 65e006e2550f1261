import { StructSchemaError } from "../../src/index.js";
import { type AuditFinding, auditTools, type RewriteFinding, rewriteSchema } from "../../src/schema.js";
import { formatJson } from "./format-json.js";

/** The schema as a model should see it, and what had to stay. */
export interface SchemaForModel {
  readonly text: string;
  readonly findings: readonly RewriteFinding[];
  readonly error?: string;
}

/** Rewrite the text of a schema for a model. */
export function rewriteForModel(schema: string, exact: "ids" | "declared" | "all"): SchemaForModel {
  const findings: RewriteFinding[] = [];
  try {
    const text =
      schema.trim() === "" ? "" : rewriteSchema(schema, { exact, onFinding: (found) => findings.push(found) });
    return { text: formatJson(text), findings };
  } catch (error) {
    if (!(error instanceof StructSchemaError)) throw error;
    return { text: "", findings: [], error: error.message };
  }
}

/** A finding of the audit, with its pointer into the schema alone. */
export type PageFinding = Pick<AuditFinding, "code" | "severity" | "message" | "fix"> & { readonly pointer: string };

/** Audit a schema as the input schema of a tool. */
export function auditSchema(schema: string): PageFinding[] {
  if (schema.trim() === "") return [];
  const prefix = "/inputSchema";
  return auditTools([{ name: "tool", inputSchema: schema }]).map(({ code, severity, message, fix, schemaPointer }) => ({
    code,
    severity,
    message,
    fix: fix.replaceAll(`${prefix}/`, "/"),
    pointer: schemaPointer.startsWith(prefix) ? schemaPointer.slice(prefix.length) : "",
  }));
}
