import { createServer, type Http2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { ToolService } from "../../gen/structcodec/test/v1/agent_pb.js";
import type { CallTool } from "./backend.js";
import type { GrpcServer } from "./grpc-server.js";

/** Serve gRPC with connect-node over HTTP/2, on loopback. */
export async function serveConnect(callTool: CallTool): Promise<GrpcServer> {
  const server = createServer(
    connectNodeAdapter({ routes: (router) => void router.service(ToolService, { callTool }) }),
  );
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
