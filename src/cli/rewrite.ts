import { type RewriteFinding, rewriteSchema, StructSchemaError } from "../schema.js";
import { type Command, type ExitCode, type Invocation, type Io, readChoice, UsageError } from "./command.js";
import { printText, readText } from "./files.js";
import { escapeControls, writeLines } from "./terminal.js";

/** Longest schema that is read. */
const mostBytes = 1024 * 1024;

/** Rewrites a schema for a model. */
export const rewrite: Command = {
  name: "rewrite",
  operands: "[FILE]",
  summary: "Rewrite a JSON Schema for a model: 64-bit integers become strings of decimal digits",
  notes: [
    "Reads FILE, or standard input without one, and prints the schema. What had to stay a number is told on standard " +
      "error, and the exit code is then 1.",
  ],
  flags: [
    {
      name: "exact",
      value: "WHICH",
      help: "which integers of unproven width to rewrite: ids (default), those with id-like names; all; declared, none",
    },
  ],
  run: runRewrite,
};

async function runRewrite({ values, positionals }: Invocation, io: Io): Promise<ExitCode> {
  if (positionals.length > 1) throw new UsageError("rewrite takes one FILE");
  const exact = readChoice(values, "exact", ["ids", "all", "declared"] as const) ?? "ids";
  const text = await readText(positionals[0] ?? "-", io, mostBytes);
  const findings: RewriteFinding[] = [];
  const rewritten = rewriteText(text, exact, findings);
  await printText(io, `${rewritten}\n`);
  if (findings.length === 0) return 0;
  await writeLines(io.stderr, findings.map(({ message }) => escapeControls(message)).join("\n"));
  return 1;
}

function rewriteText(text: string, exact: "ids" | "all" | "declared", findings: RewriteFinding[]): string {
  try {
    return rewriteSchema(text, { exact, onFinding: (finding) => findings.push(finding) });
  } catch (error) {
    if (!(error instanceof StructSchemaError)) throw error;
    throw new UsageError(error.message);
  }
}
