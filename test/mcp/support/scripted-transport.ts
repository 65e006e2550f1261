import type { McpTransport } from "../../../src/mcp.js";

/** What a server answers to a request: a result, an error, nothing ever, or text that is put on the wire as it is. */
export type Answer = { result: unknown } | { error: { code: number; message: string } } | { hang: true };

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly cursor?: string; readonly [member: string]: unknown };
}

/** A transport to a server that exists only as a function of requests. */
export class ScriptedTransport implements McpTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
  /** The requests that came, but for the handshake. */
  readonly requests: Request[] = [];
  readonly #answer: (request: Request) => Answer;

  constructor(answer: (request: Request) => Answer) {
    this.#answer = answer;
  }

  async start(): Promise<void> {
    // There is nothing to start.
  }

  async send(message: unknown): Promise<void> {
    const request = message as Request;
    if (request.id === undefined) return;
    if (request.method !== "initialize") this.requests.push(request);
    const answer = request.method === "initialize" ? handshake(request) : this.#answer(request);
    if ("hang" in answer) return;
    queueMicrotask(() => this.onmessage?.({ jsonrpc: "2.0", id: request.id, ...answer }));
  }

  /** Tell the client something. */
  notify(method: string): void {
    this.onmessage?.({ jsonrpc: "2.0", method });
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  /** How often a method was asked for. */
  count(method: string): number {
    return this.requests.filter((request) => request.method === method).length;
  }
}

function handshake({ params }: Request): Answer {
  const { protocolVersion } = params as { protocolVersion: string };
  const capabilities = { tools: { listChanged: true } };
  return { result: { protocolVersion, capabilities, serverInfo: { name: "scripted", version: "1" } } };
}
