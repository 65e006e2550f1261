import { type McpTransport, markExact } from "./mcp-transport.js";
import { readMessages } from "./read-message.js";
import { writeMessage } from "./write-message.js";

type Receive = NonNullable<McpTransport["onmessage"]>;

/**
 * Make a transport that passes objects, as the SDKs' in-memory pairs do, behave as if there were exact text between its
 * ends. One end is enough. Changes the transport and gives it back.
 */
export function exactInMemory<T extends McpTransport>(transport: T): T {
  const through = (message: never): never => readMessages(writeMessage(message)) as never;
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => send(through(message), options);
  let receive = wrap(transport.onmessage, through);
  // The other end looks the handler up for each message.
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    enumerable: true,
    get: () => receive,
    set: (handler: Receive | undefined) => {
      receive = wrap(handler, through);
    },
  });
  return markExact(transport, () => true);
}

function wrap(handler: Receive | undefined, through: (message: never) => never): Receive | undefined {
  return handler && ((message, extra) => handler(through(message), extra));
}
