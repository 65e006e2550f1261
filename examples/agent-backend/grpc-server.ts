/** A gRPC server on loopback. */
export interface GrpcServer {
  readonly url: string;
  close(): Promise<void>;
}
