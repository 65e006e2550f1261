import { type AuditFinding, type AuditSeverity, printSchemaText } from "../schema.js";
import { escapeControls } from "./terminal.js";

export const findingFormats = ["table", "json", "sarif", "github"] as const;
export type FindingFormat = (typeof findingFormats)[number];

/** Print findings for people, for programs, for code scanning, or as annotations of a GitHub workflow. */
export function formatFindings(findings: readonly AuditFinding[], format: FindingFormat): string {
  switch (format) {
    case "table":
      return formatTable(findings);
    case "json":
      return `${printSchemaText(findings, 2)}\n`;
    case "sarif":
      return `${printSchemaText(toSarif(findings), 2)}\n`;
    case "github":
      return findings.map(toAnnotation).join("");
    default:
      throw new TypeError(format satisfies never);
  }
}

function formatTable(findings: readonly AuditFinding[]): string {
  const rows = findings.map((finding) => {
    // A line break in a name would begin a line of its own, which a workflow may take for a command.
    const said = [finding.tool, finding.schemaPointer, finding.message, finding.fix];
    const [tool, schemaPointer, message, fix] = said.map(escapeControls);
    const { severity, code } = finding;
    return `${severity.padEnd(8)}${code.padEnd(18)}${tool} ${schemaPointer}\n        ${message}\n        fix: ${fix}\n`;
  });
  const counts = (["error", "warning", "info"] as const).map((severity) => {
    return `${findings.filter((finding) => finding.severity === severity).length} ${severity}`;
  });
  return `${rows.join("")}${counts.join(", ")}\n`;
}

const sarifLevels: Record<AuditSeverity, string> = { error: "error", warning: "warning", info: "note" };

function toSarif(findings: readonly AuditFinding[]): object {
  const rules = [...new Set(findings.map(({ code }) => code))].map((id) => ({ id }));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "protobuf-struct-codec", rules } },
        results: findings.map(({ code, severity, tool, schemaPointer, message, fix }) => ({
          ruleId: code,
          level: sarifLevels[severity],
          message: { text: `${message}. Fix: ${fix}` },
          locations: [
            { logicalLocations: [{ name: tool, fullyQualifiedName: `${tool}#${schemaPointer}`, kind: "member" }] },
          ],
          partialFingerprints: { finding: `${tool} ${code} ${schemaPointer}` },
        })),
      },
    ],
  };
}

const annotations: Record<AuditSeverity, string> = { error: "error", warning: "warning", info: "notice" };

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function toAnnotation({ severity, code, tool, schemaPointer, message, fix }: AuditFinding): string {
  const title = escapeData(`${code}: ${tool}`).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${annotations[severity]} title=${title}::${escapeData(`${schemaPointer}: ${message}. Fix: ${fix}`)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
