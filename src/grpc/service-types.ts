import type { DescMethod, DescService, MessageShape } from "@bufbuild/protobuf";
import type {
  CallOptions,
  Client,
  ClientDuplexStream,
  ClientReadableStream,
  ClientUnaryCall,
  ClientWritableStream,
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  Metadata,
  MethodDefinition,
  requestCallback,
} from "@grpc/grpc-js";

type Input<Method> = Method extends DescMethod ? MessageShape<Method["input"]> : never;
type Output<Method> = Method extends DescMethod ? MessageShape<Method["output"]> : never;

/** What `addService` and `makeGenericClientConstructor` of grpc-js take. */
export type GrpcServiceDefinition<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]: MethodDefinition<
    Input<Service["method"][Name]>,
    Output<Service["method"][Name]>
  >;
};

/** The handlers of a service, for `addService`. */
export type GrpcHandlers<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]: Handler<Service["method"][Name]>;
};

type Handler<Method> = Method extends { readonly methodKind: "unary" }
  ? handleUnaryCall<Input<Method>, Output<Method>>
  : Method extends { readonly methodKind: "server_streaming" }
    ? handleServerStreamingCall<Input<Method>, Output<Method>>
    : Method extends { readonly methodKind: "client_streaming" }
      ? handleClientStreamingCall<Input<Method>, Output<Method>>
      : handleBidiStreamingCall<Input<Method>, Output<Method>>;

/** An instance of what `makeGenericClientConstructor` makes of a definition; grpc-js itself knows no more than `Function`. */
export type GrpcClient<Service extends DescService> = Client & {
  readonly [Name in keyof Service["method"]]: Caller<Service["method"][Name]>;
};

type Caller<Method> = Method extends { readonly methodKind: "unary" }
  ? UnaryCaller<Input<Method>, Output<Method>>
  : Method extends { readonly methodKind: "server_streaming" }
    ? ServerStreamCaller<Input<Method>, Output<Method>>
    : Method extends { readonly methodKind: "client_streaming" }
      ? ClientStreamCaller<Input<Method>, Output<Method>>
      : BidiStreamCaller<Input<Method>, Output<Method>>;

interface UnaryCaller<Request, Response> {
  (request: Request, callback: requestCallback<Response>): ClientUnaryCall;
  (request: Request, metadata: Metadata, callback: requestCallback<Response>): ClientUnaryCall;
  (request: Request, metadata: Metadata, options: CallOptions, callback: requestCallback<Response>): ClientUnaryCall;
}

interface ServerStreamCaller<Request, Response> {
  (request: Request, options?: CallOptions): ClientReadableStream<Response>;
  (request: Request, metadata: Metadata, options?: CallOptions): ClientReadableStream<Response>;
}

interface ClientStreamCaller<Request, Response> {
  (callback: requestCallback<Response>): ClientWritableStream<Request>;
  (metadata: Metadata, callback: requestCallback<Response>): ClientWritableStream<Request>;
  (metadata: Metadata, options: CallOptions, callback: requestCallback<Response>): ClientWritableStream<Request>;
}

interface BidiStreamCaller<Request, Response> {
  (options?: CallOptions): ClientDuplexStream<Request, Response>;
  (metadata: Metadata, options?: CallOptions): ClientDuplexStream<Request, Response>;
}
