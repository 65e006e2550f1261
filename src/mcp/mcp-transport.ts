import { writesLiterals } from "./raw-json.js";

/** A transport of either SDK, as much of it as is used. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: never, options?: never): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
}

/** `fetch`, as the SDKs take it. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

const exactMark: unique symbol = Symbol.for("protobuf-struct-codec.mcp.exact") as never;

/** A transport of this package. */
interface ExactMarked {
  readonly [exactMark]?: () => boolean;
}

/** Say that a transport writes and reads exact text, from when the function says so. */
export function markExact<T extends object>(transport: T, isInUse: () => boolean): T {
  return Object.defineProperty(transport, exactMark, { value: isInUse });
}

/** How exact integers get through a transport: in text beside the arguments, as literals in them, or not at all. */
export function findCarriage(transport: McpTransport): "text" | "literals" | undefined {
  const isInUse = (transport as ExactMarked)[exactMark];
  if (isInUse !== undefined) return isInUse() ? "text" : undefined;
  return writesLiterals && !passesObjects(transport) ? "literals" : undefined;
}

/** The in-memory transports of the SDKs write no text; what they are given arrives as it is. */
function passesObjects(transport: McpTransport): boolean {
  return "_otherTransport" in transport || transport.constructor.name === "InMemoryTransport";
}
