import type { McpTransport } from "./mcp-transport.js";

/** The `Client` of SDK v1 or v2, as much of it as is used. */
export interface McpClient {
  readonly transport?: McpTransport | undefined;
  callTool(params: never, ...rest: never[]): Promise<unknown>;
  listTools(params?: never, options?: never): Promise<unknown>;
  request(request: never, ...rest: never[]): Promise<unknown>;
}

/** Options of a request; both SDKs have these, and what else they have is passed on. */
export interface McpRequestOptions {
  /** Gives the call up. */
  signal?: AbortSignal | undefined;
  /** Milliseconds to wait for an answer. */
  timeout?: number | undefined;
  /** Whatever else the SDK takes. */
  [option: string]: unknown;
}

/** A client as it is used: what is given to it was looked at before. */
interface AnyClient {
  callTool(params: object, ...rest: unknown[]): Promise<unknown>;
  listTools(params: object | undefined, options: object): Promise<unknown>;
  request(request: object, schema: object, options: object): Promise<unknown>;
  /** Only of v2. */
  getProtocolEra?(): unknown;
}

/** Call a tool; v1 takes the schema of the result before the options. */
export function callTool(client: McpClient, params: object, options: object | undefined): Promise<unknown> {
  const any = client as unknown as AnyClient;
  return any.getProtocolEra === undefined ? any.callTool(params, undefined, options) : any.callTool(params, options);
}

/** Ask for a page of tools; v2 gives all pages where none is named. */
export function listTools(client: McpClient, cursor: string | undefined, options: object): Promise<unknown> {
  const params = cursor === undefined ? undefined : { cursor };
  return (client as unknown as AnyClient).listTools(params, options);
}

/** Ask for a page of tools without the SDK's schema of them: one that is broken must not hide the others. */
export function listToolsLoosely(client: McpClient, cursor: string | undefined, options: object): Promise<unknown> {
  const request = { method: "tools/list", params: cursor === undefined ? {} : { cursor } };
  return (client as unknown as AnyClient).request(request, anyResult, options);
}

/** A schema that takes everything, in the words of v1 and of v2. */
const anyResult = {
  safeParse: (data: unknown) => ({ success: true, data }),
  "~standard": { version: 1, vendor: "protobuf-struct-codec", validate: (value: unknown) => ({ value }) },
};

/** Whether the client copies arguments into headers of its requests where a schema says `x-mcp-header`. */
export function mirrorsHeaders(client: McpClient): boolean {
  const isStdio = client.transport !== undefined && "stderr" in client.transport && "pid" in client.transport;
  return !isStdio && (client as unknown as AnyClient).getProtocolEra?.() === "modern";
}
