import type { DescMethod, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type {
  CallOptions,
  Client,
  ClientDuplexStream,
  ClientReadableStream,
  ClientUnaryCall,
  ClientWritableStream,
  deserialize,
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  Metadata,
  requestCallback,
  serialize,
} from "@grpc/grpc-js";

type Input<Method> = Method extends DescMethod ? MessageShape<Method["input"]> : never;
type Output<Method> = Method extends DescMethod ? MessageShape<Method["output"]> : never;
/** What is sent may be what `create` takes. */
type InputInit<Method> = Method extends DescMethod ? MessageInitShape<Method["input"]> : never;
type OutputInit<Method> = Method extends DescMethod ? MessageInitShape<Method["output"]> : never;

/** What `addService` and `makeGenericClientConstructor` of grpc-js take. */
export type GrpcServiceDefinition<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]: GrpcMethod<Service["method"][Name]>;
};

interface GrpcMethod<Method> {
  readonly path: string;
  readonly originalName: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: serialize<InputInit<Method>>;
  readonly requestDeserialize: deserialize<Input<Method>>;
  readonly responseSerialize: serialize<OutputInit<Method>>;
  readonly responseDeserialize: deserialize<Output<Method>>;
}

/** The handlers of a service, for `addService`. */
export type GrpcHandlers<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]: Handler<Service["method"][Name]>;
};

type Handler<Method> = Method extends { readonly methodKind: "unary" }
  ? handleUnaryCall<Input<Method>, OutputInit<Method>>
  : Method extends { readonly methodKind: "server_streaming" }
    ? handleServerStreamingCall<Input<Method>, OutputInit<Method>>
    : Method extends { readonly methodKind: "client_streaming" }
      ? handleClientStreamingCall<Input<Method>, OutputInit<Method>>
      : handleBidiStreamingCall<Input<Method>, OutputInit<Method>>;

/** An instance of what `makeGenericClientConstructor` makes of a definition; grpc-js itself knows no more than `Function`. */
export type GrpcClient<Service extends DescService> = Client & {
  readonly [Name in keyof Service["method"]]: Caller<Service["method"][Name]>;
};

type Caller<Method> = Method extends { readonly methodKind: "unary" }
  ? UnaryCaller<InputInit<Method>, Output<Method>>
  : Method extends { readonly methodKind: "server_streaming" }
    ? ServerStreamCaller<InputInit<Method>, Output<Method>>
    : Method extends { readonly methodKind: "client_streaming" }
      ? ClientStreamCaller<InputInit<Method>, Output<Method>>
      : BidiStreamCaller<InputInit<Method>, Output<Method>>;

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
