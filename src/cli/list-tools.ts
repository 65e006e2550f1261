import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { UsageError } from "./command.js";
import { CommandTransport } from "./command-transport.js";

/** Where a live endpoint is: a command that speaks on its standard streams, or a URL. */
export type Endpoint =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: URL; readonly headers: { readonly [name: string]: string } };

/** An endpoint that never ends its list gets no further than this. */
const mostPages = 1000;
const mostTools = 20_000;

/** Ask an endpoint for all its tools, page by page, within some milliseconds. Nothing of what it answers is trusted. */
export async function listTools(endpoint: Endpoint, timeoutMs: number): Promise<unknown[]> {
  const sdk = await loadSdk();
  const { transport, kill } = createTransport(endpoint, sdk);
  const client = new sdk.Client({ name: "protobuf-struct-codec", version: "0" });
  const deadline = startDeadline(timeoutMs);
  try {
    return await Promise.race([deadline.passed, connectAndRead(client, transport, sdk, deadline)]);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot list the tools: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    deadline.end();
    // An endpoint that cannot be reached cannot be closed either, and one that does not answer is not waited for.
    // The client forgets a transport that it has begun to close.
    const closed = Promise.allSettled([client.close(), transport.close()]);
    await Promise.race([closed, sleep(mostCloseMs, undefined, { ref: false })]);
    kill();
  }
}

/** Milliseconds that closing may take; the transports give a process less than that. */
const mostCloseMs = 5000;

/** The end of the time that all answers of an endpoint may take together. */
interface Deadline {
  /** Rejects once the time is over. */
  readonly passed: Promise<never>;
  remaining(): number;
  end(): void;
}

function startDeadline(timeoutMs: number): Deadline {
  const at = performance.now() + timeoutMs;
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        reject(new UsageError(`cannot list the tools: timed out after ${timeoutMs / 1000} seconds`));
      },
      Math.min(timeoutMs, longestTimer),
    );
  });
  passed.catch(() => undefined);
  return {
    passed,
    // A little longer than it is, so that one message tells of the end.
    remaining: () => Math.min(Math.max(0, at - performance.now()) + 1000, longestTimer),
    end: () => clearTimeout(timer),
  };
}

/** Node.js takes longer times for none at all. */
const longestTimer = 2 ** 31 - 1;

async function connectAndRead(
  client: SdkClient,
  transport: SdkTransport,
  sdk: Sdk,
  deadline: Deadline,
): Promise<unknown[]> {
  await client.connect(transport, { timeout: deadline.remaining() });
  return readPages(client, sdk, deadline);
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;
type SdkClient = InstanceType<Sdk["Client"]>;
type SdkTransport = Parameters<SdkClient["connect"]>[0];

async function loadSdk() {
  try {
    const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }, { ResultSchema }] =
      await Promise.all([
        import("@modelcontextprotocol/sdk/client/index.js"),
        import("@modelcontextprotocol/sdk/client/stdio.js"),
        import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
        import("@modelcontextprotocol/sdk/types.js"),
      ]);
    return { Client, StdioClientTransport, StreamableHTTPClientTransport, ResultSchema };
  } catch (error) {
    if (isInstalled()) throw error;
    throw new UsageError("the audit of an endpoint needs the package @modelcontextprotocol/sdk; npm install it");
  }
}

function isInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve("@modelcontextprotocol/sdk/client/index.js");
    return true;
  } catch {
    return false;
  }
}

interface Connection {
  readonly transport: SdkTransport;
  /** End the process of a command, whatever it is doing. */
  kill(): void;
}

function createTransport(endpoint: Endpoint, sdk: Sdk): Connection {
  if ("url" in endpoint) {
    const { url, headers } = endpoint;
    // The SDK's own transports do not fit its own interface under exactOptionalPropertyTypes.
    const transport = new sdk.StreamableHTTPClientTransport(url, { requestInit: { headers } }) as SdkTransport;
    return { transport, kill: () => undefined };
  }
  const { command, args } = endpoint;
  if (process.platform !== "win32") {
    const transport = new CommandTransport(command, args);
    // Its messages are whatever the command says; the client looks at them.
    return { transport: transport as unknown as SdkTransport, kill: transport.kill };
  }
  const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]));
  // It finds the scripts that npm installs, and Windows has no groups of processes.
  const transport = new sdk.StdioClientTransport({ command, args: [...args], env, stderr: "inherit" });
  let pid: number | null = null;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    pid = transport.pid;
  };
  return { transport, kill: () => killTree(pid) };
}

function killTree(pid: number | null): void {
  if (pid === null) return;
  const killer = spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
  // Where it is not there, the process itself has been asked to end.
  killer.on("error", () => undefined);
  killer.unref();
}

async function readPages(client: SdkClient, sdk: Sdk, deadline: Deadline): Promise<unknown[]> {
  const tools: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    // Asked without the SDK's schema of a tool: a broken tool is a finding and not the end.
    const options = { timeout: deadline.remaining() };
    const page = await client.request({ method: "tools/list", params }, sdk.ResultSchema, options);
    if (!Array.isArray(page.tools)) throw new UsageError("the endpoint answered tools/list without a list of tools");
    tools.push(...page.tools);
    cursor = readCursor(page.nextCursor);
    if (cursor !== undefined && cursors.has(cursor)) throw errSamePage(cursor);
    if (cursor !== undefined) cursors.add(cursor);
    if (cursors.size >= mostPages || tools.length > mostTools) throw new UsageError("the endpoint's list does not end");
  } while (cursor !== undefined);
  return tools;
}

/** Only a cursor that is not there, or null, ends the list: an empty one is a cursor too (MCP 2026-07-28, pagination). */
function readCursor(cursor: unknown): string | undefined {
  if (cursor === undefined || cursor === null) return undefined;
  if (typeof cursor === "string") return cursor;
  throw new UsageError("the endpoint gave a nextCursor that is no string");
}

function errSamePage(cursor: string): UsageError {
  const reason = cursor === "" ? ": its nextCursor is empty, and should be left out at the end" : "";
  return new UsageError(`the endpoint gives the same page again${reason}`);
}
