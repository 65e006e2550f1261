import { isObject } from "./exact-text.js";
import type { McpTransport } from "./mcp-transport.js";

const listenersMark: unique symbol = Symbol.for("protobuf-struct-codec.mcp.listeners") as never;

interface Heard {
  readonly [listenersMark]?: Set<() => void>;
}

/**
 * Hear of `notifications/tools/list_changed` on a connected transport, beside whatever handler its client has. Gives a
 * function that ends it.
 */
export function onListChanged(transport: McpTransport, listener: () => void): () => void {
  const listeners = (transport as Heard)[listenersMark] ?? tap(transport);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A client has one handler for a notification, and that is its owner's. So the message is seen on its way. */
function tap(transport: McpTransport): Set<() => void> {
  const listeners = new Set<() => void>();
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (isListChanged(message)) for (const listener of listeners) listener();
    receive?.(message, extra);
  };
  Object.defineProperty(transport, listenersMark, { value: listeners });
  return listeners;
}

function isListChanged(message: unknown): boolean {
  return isObject(message) && message.method === "notifications/tools/list_changed";
}
