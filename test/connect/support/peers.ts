import * as http from "node:http";
import * as http2 from "node:http2";
import type { AddressInfo } from "node:net";
import {
  type ConnectRouter,
  type ConnectRouterOptions,
  createRouterTransport,
  type Interceptor,
  type Transport,
} from "@connectrpc/connect";
import {
  connectNodeAdapter,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import { afterEach } from "vitest";

/** What stands on either side of a call. */
export interface PeerOptions {
  readonly routes: (router: ConnectRouter) => void;
  readonly server?: readonly Interceptor[];
  readonly client?: readonly Interceptor[];
  readonly jsonOptions?: ConnectRouterOptions["jsonOptions"];
}

/** A way to call a server, with what tells it apart. */
export interface Peer {
  readonly name: string;
  readonly isJson: boolean;
  /** Whether requests may go on while responses come. */
  readonly hasBidi: boolean;
  connect(options: PeerOptions): Promise<Transport>;
}

const cleanups: (() => Promise<void> | void)[] = [];

/** Close what tests have opened, last first. */
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Serve over HTTP/2 without TLS, on loopback; gives the URL. */
export async function serveHttp2(options: PeerOptions): Promise<string> {
  const server = http2.createServer(adapterOf(options));
  const sessions = new Set<http2.Http2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  const url = await listen(server);
  cleanups.push(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const session of sessions) session.destroy();
    await closed;
  });
  return url;
}

/** Serve over HTTP/1.1, on loopback; gives the URL. */
export async function serveHttp1(options: PeerOptions): Promise<string> {
  const server = http.createServer(adapterOf(options));
  const url = await listen(server);
  cleanups.push(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  });
  return url;
}

function adapterOf({ routes, server = [], jsonOptions = {} }: PeerOptions): ReturnType<typeof connectNodeAdapter> {
  return connectNodeAdapter({ routes, interceptors: [...server], jsonOptions });
}

async function listen(server: http.Server | http2.Http2Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A session that ends with the test. */
function sessionTo(url: string): Http2SessionManager {
  const manager = new Http2SessionManager(url);
  cleanups.push(() => manager.abort());
  return manager;
}

function overHttp2(name: string, isJson: boolean, create: (options: never) => Transport): Peer {
  return {
    name,
    isJson,
    hasBidi: true,
    async connect(options) {
      const baseUrl = await serveHttp2(options);
      const { client = [], jsonOptions = {} } = options;
      const transport = {
        baseUrl,
        httpVersion: "2",
        useBinaryFormat: !isJson,
        interceptors: [...client],
        jsonOptions,
        sessionManager: sessionTo(baseUrl),
      };
      return create(transport as never);
    },
  };
}

function overHttp1(name: string, isJson: boolean, create: (options: never) => Transport): Peer {
  return {
    name,
    isJson,
    hasBidi: false,
    async connect(options) {
      const { client = [], jsonOptions = {} } = options;
      const transport = {
        baseUrl: await serveHttp1(options),
        httpVersion: "1.1",
        useBinaryFormat: !isJson,
        interceptors: [...client],
        jsonOptions,
      };
      return create(transport as never);
    },
  };
}

function inProcess(name: string, isJson: boolean): Peer {
  return {
    name,
    isJson,
    hasBidi: true,
    async connect({ routes, server = [], client = [], jsonOptions = {} }) {
      return createRouterTransport(routes, {
        router: { interceptors: [...server], jsonOptions },
        transport: { interceptors: [...client], useBinaryFormat: !isJson, jsonOptions } as never,
      });
    },
  };
}

/** Every protocol and format that connect-node speaks, and a router in process. */
export const peers: readonly Peer[] = [
  inProcess("in process, binary", false),
  inProcess("in process, JSON", true),
  overHttp2("Connect, binary", false, createConnectTransport),
  overHttp2("Connect, JSON", true, createConnectTransport),
  overHttp1("Connect over HTTP/1.1, JSON", true, createConnectTransport),
  overHttp2("gRPC, binary", false, createGrpcTransport),
  overHttp2("gRPC, JSON", true, createGrpcTransport),
  overHttp2("gRPC-Web, binary", false, createGrpcWebTransport),
  overHttp1("gRPC-Web over HTTP/1.1, JSON", true, createGrpcWebTransport),
];
