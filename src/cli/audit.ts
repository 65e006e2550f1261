import { statSync } from "node:fs";
import { type AuditFinding, type AuditSeverity, auditTools } from "../schema.js";
import {
  type Command,
  type ExitCode,
  type FlagValues,
  type Invocation,
  type Io,
  readChoice,
  readCount,
  readFlag,
  readFlags,
  UsageError,
} from "./command.js";
import { isStandard, parseFile, printText, readText } from "./files.js";
import { findingFormats, formatFindings } from "./format-findings.js";
import { type Endpoint, listTools } from "./list-tools.js";
import { escapeControls } from "./terminal.js";

/** Longest file of tools, or of earlier findings. */
const mostBytes = 64 * 1024 * 1024;

/** Audits what an endpoint serves. */
export const audit: Command = {
  name: "audit",
  operands: "FILE | URL | -- COMMAND [ARG...]",
  summary: "Find what goes wrong with the numbers of MCP tools, as an endpoint really serves them",
  notes: [
    "A FILE holds what tools/list answers, or a list of tools. A URL is an endpoint of Streamable HTTP, and a COMMAND a " +
      "server on its standard streams; these need the package @modelcontextprotocol/sdk.",
    "Exits with 1 where a finding is as severe as --fail-on says. Nearly every endpoint has integers of unproven width; " +
      "those are warnings and infos, so the default is of use on the first day.",
  ],
  flags: [
    { name: "fail-on", value: "SEVERITY", help: "error (default), warning, info, or never" },
    { name: "baseline", value: "FILE", help: "leave out the findings in FILE, which --format json wrote before" },
    { name: "format", value: "FORMAT", help: `one of ${findingFormats.join(", ")}; the default is table` },
    {
      name: "header-env",
      value: "NAME=VAR",
      multiple: true,
      help: "send the header NAME with the value of the environment variable VAR, so that no secret is in a command line",
    },
    {
      name: "timeout",
      value: "SECONDS",
      help: "longest time in which the endpoint must have listed all its tools; the default is 30",
    },
  ],
  run: runAudit,
};

async function runAudit({ values, positionals }: Invocation, io: Io): Promise<ExitCode> {
  const failOn = readChoice(values, "fail-on", ["error", "warning", "info", "never"] as const) ?? "error";
  const format = readChoice(values, "format", findingFormats) ?? "table";
  const known = await readBaseline(readFlag(values, "baseline"), io);
  const tools = await readTools(values, positionals, io);
  const findings = auditTools(tools).filter((finding) => !known.has(identify(finding)));
  await printText(io, escapeLines(formatFindings(findings, format)));
  return failOn !== "never" && findings.some(({ severity }) => rank[severity] <= rank[failOn]) ? 1 : 0;
}

const rank: Record<AuditSeverity, number> = { error: 0, warning: 1, info: 2 };

/** What tools say of themselves must not steer a terminal. */
function escapeLines(text: string): string {
  return text.split("\n").map(escapeControls).join("\n");
}

function identify({ tool, code, schemaPointer }: Pick<AuditFinding, "tool" | "code" | "schemaPointer">): string {
  return JSON.stringify([tool, code, schemaPointer]);
}

async function readBaseline(file: string | undefined, io: Io): Promise<ReadonlySet<string>> {
  if (file === undefined) return new Set();
  const findings = parseFile(await readText(file, io, mostBytes), file);
  if (!Array.isArray(findings)) throw new UsageError(`"${file}" is no list of findings`);
  return new Set(findings.map((finding) => identify(Object(finding))));
}

async function readTools(values: FlagValues, positionals: readonly string[], io: Io): Promise<unknown[]> {
  const [first, ...args] = positionals;
  if (first === undefined) throw new UsageError("audit needs a FILE, a URL or a COMMAND");
  const timeoutMs = 1000 * readCount(readFlag(values, "timeout") ?? "30", "timeout");
  const headers = readHeaders(readFlags(values, "header-env"));
  if (args.length === 0 && isFile(first)) {
    const tools = findTools(parseFile(await readText(first, io, mostBytes), first));
    if (tools === undefined) throw new UsageError(`"${first}" holds no list of tools`);
    return tools;
  }
  return listTools(endpointOf(first, args, headers), timeoutMs);
}

/** A program is run; any other file is read. */
function isFile(name: string): boolean {
  if (isStandard(name)) return true;
  const found = statSync(name, { throwIfNoEntry: false });
  return name.endsWith(".json") || (found?.isFile() === true && (found.mode & 0o111) === 0);
}

function endpointOf(first: string, args: readonly string[], headers: Record<string, string>): Endpoint {
  if (args.length > 0 || !/^https?:/i.test(first)) return { command: first, args };
  if (!URL.canParse(first)) throw new UsageError(`"${first}" is no URL`);
  return { url: new URL(first), headers };
}

function readHeaders(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      const value = at < 1 ? undefined : process.env[pair.slice(at + 1)];
      if (at < 1) throw new UsageError("--header-env is written NAME=VAR");
      if (value === undefined) throw new UsageError(`the environment variable ${pair.slice(at + 1)} is not set`);
      return [pair.slice(0, at), value];
    }),
  );
}

/** Tools in a list, in the answer to tools/list, in its JSON-RPC response, or one alone. */
function findTools(json: unknown): unknown[] | undefined {
  if (Array.isArray(json)) return json;
  if (typeof json !== "object" || json === null) return undefined;
  const { tools, result, inputSchema } = json as { tools?: unknown; result?: unknown; inputSchema?: unknown };
  if (Array.isArray(tools)) return tools;
  return inputSchema === undefined ? findTools(result) : [json];
}
