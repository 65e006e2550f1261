import { createRequire } from "node:module";
import { UsageError } from "./command.js";

/** Where a live endpoint is: a command that speaks on its standard streams, or a URL. */
export type Endpoint =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: URL; readonly headers: { readonly [name: string]: string } };

/** An endpoint that never ends its list gets no further than this. */
const mostPages = 1000;
const mostTools = 20_000;

/** Ask an endpoint for all its tools, page by page. Nothing of what it answers is trusted. */
export async function listTools(endpoint: Endpoint, timeoutMs: number): Promise<unknown[]> {
  const sdk = await loadSdk();
  const { transport, kill } = createTransport(endpoint, sdk);
  const client = new sdk.Client({ name: "protobuf-struct-codec", version: "0" });
  try {
    await client.connect(transport, { timeout: timeoutMs });
    return await readPages(client, sdk, timeoutMs);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot list the tools: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    // An endpoint that cannot be reached cannot be closed either.
    await client.close().catch(() => undefined);
    kill();
  }
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
  const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]));
  const { command, args } = endpoint;
  const transport = new sdk.StdioClientTransport({ command, args: [...args], env, stderr: "inherit" });
  let pid: number | null = null;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    pid = transport.pid;
  };
  // After a failure the SDK is still waiting for the process to end by itself when this one is long gone.
  return { transport, kill: () => killProcess(pid) };
}

function killProcess(pid: number | null): void {
  if (pid === null) return;
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // It has ended, as it should.
  }
}

async function readPages(client: SdkClient, sdk: Sdk, timeoutMs: number): Promise<unknown[]> {
  const tools: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    // Asked without the SDK's schema of a tool: a broken tool is a finding and not the end.
    const page = await client.request({ method: "tools/list", params }, sdk.ResultSchema, { timeout: timeoutMs });
    if (!Array.isArray(page.tools)) throw new UsageError("the endpoint answered tools/list without a list of tools");
    tools.push(...page.tools);
    cursor = typeof page.nextCursor === "string" ? page.nextCursor : undefined;
    if (cursor !== undefined && cursors.has(cursor)) throw new UsageError("the endpoint gives the same page again");
    if (cursor !== undefined) cursors.add(cursor);
    if (cursors.size >= mostPages || tools.length > mostTools) throw new UsageError("the endpoint's list does not end");
  } while (cursor !== undefined);
  return tools;
}
