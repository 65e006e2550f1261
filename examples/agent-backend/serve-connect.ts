import { createServer, type Http2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import type { ConnectRouter } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { ToolService } from "../../gen/structcodec/test/v1/agent_pb.js";
import { createServerStructInterceptor } from "../../src/connect.js";
import type { CallTool } from "./backend.js";
import type { GrpcServer } from "./grpc-server.js";

/** Serve gRPC with connect-node over HTTP/2, on loopback. With the codec, Structs are checked before a handler sees them. */
export async function serveConnect(callTool: CallTool, isExact: boolean): Promise<GrpcServer> {
  const interceptors = isExact ? [createServerStructInterceptor()] : [];
  const routes = (router: ConnectRouter): void => void router.service(ToolService, { callTool });
  const server = createServer(connectNodeAdapter({ routes, interceptors }));
  const sessions = new Set<Http2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.close();
      }),
  };
}
