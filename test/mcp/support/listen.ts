import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that listens on loopback. */
export interface Listening {
  readonly url: URL;
  close(): Promise<void>;
}

/** Listen on loopback. */
export async function listen(listener: RequestListener): Promise<Listening> {
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
