import { credentials, Server, ServerCredentials, type ServerOptions } from "@grpc/grpc-js";

/** A server on loopback, at any port that is free. */
export interface RunningServer {
  readonly address: string;
  close(): void;
}

export async function startServer(
  options: ServerOptions,
  addServices: (server: Server) => void,
): Promise<RunningServer> {
  const server = new Server(options);
  addServices(server);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { address: `127.0.0.1:${port}`, close: () => server.forceShutdown() };
}

export const insecure = credentials.createInsecure();
