import type { Message } from "@bufbuild/protobuf";
import type { Metadata, ServerInterceptingCallInterface, ServerInterceptor } from "@grpc/grpc-js";
import { type CallProblem, createMalformed, problemOf } from "./call-problem.js";
import { detailsKey, writeStatusDetails } from "./status-details.js";
import { type InterceptedMethod, methodOf } from "./struct-method.js";

type InterceptingListener = Parameters<ServerInterceptingCallInterface["start"]>[0];

/**
 * An interceptor for a server of grpc-js (1.10 or later) with services of `toServiceDefinition`, or of `withStructs` in
 * `./proto-loader`. A request whose Structs cannot be read, or do not fit their schema, ends the call with INVALID_ARGUMENT
 * before the handler sees it; a response that cannot be written with INTERNAL. The status says where, and in its details what,
 * which `readStructProblem` reads. Without the interceptor both are INTERNAL, and grpc-js keeps the reason to itself. All servers
 * with a definition have it, or none.
 */
export function createStructInterceptor(): ServerInterceptor {
  return ({ requestDeserialize }, call) => {
    const method = methodOf(requestDeserialize);
    if (method === undefined) return call as ReturnType<ServerInterceptor>;
    method.intercept();
    // grpc-js asks for a class of its own; all it does is call these methods.
    return interceptCall(method, call) as ReturnType<ServerInterceptor>;
  };
}

function interceptCall(
  method: InterceptedMethod,
  call: ServerInterceptingCallInterface,
): ServerInterceptingCallInterface {
  const state = new CallState(method, call);
  return new Proxy(call, {
    get(target, name) {
      switch (name) {
        case "start":
          return (listener: InterceptingListener) => target.start(state.listen(listener));
        case "sendMessage":
          return (message: Message, callback: () => void) => state.sendMessage(message, callback);
        case "sendMetadata":
        case "sendStatus":
        case "startRead":
          // The handler goes on until it hears of the end.
          return (argument: never) => void (state.hasEnded || (target[name] as (argument: never) => void)(argument));
        default: {
          const value: unknown = Reflect.get(target, name);
          return typeof value === "function" ? value.bind(target) : value;
        }
      }
    },
  });
}

/** One call, as long as its data is fine. */
class CallState {
  readonly #method: InterceptedMethod;
  readonly #call: ServerInterceptingCallInterface;
  #metadata: Metadata | undefined;
  hasEnded = false;

  constructor(method: InterceptedMethod, call: ServerInterceptingCallInterface) {
    this.#method = method;
    this.#call = call;
  }

  listen(listener: InterceptingListener): InterceptingListener {
    return {
      onReceiveMetadata: (metadata) => {
        this.#metadata = metadata;
        listener.onReceiveMetadata(metadata);
      },
      onReceiveMessage: (message: Message) => {
        const problem = this.#method.takeProblem(message);
        if (problem !== undefined) this.#end(problemOf(problem, "request") ?? createMalformed("the request", problem));
        else if (!this.hasEnded) listener.onReceiveMessage(message);
      },
      onReceiveHalfClose: () => {
        if (!this.hasEnded) listener.onReceiveHalfClose();
      },
      onCancel: () => listener.onCancel(),
    };
  }

  sendMessage(message: Message, callback: () => void): void {
    if (this.hasEnded) return;
    try {
      this.#method.writeResponse(message);
    } catch (error) {
      const problem = problemOf(error, "response");
      if (problem !== undefined) {
        this.#end(problem);
        return;
      }
      // What else is wrong with it grpc-js meets again.
    }
    this.#call.sendMessage(message, callback);
  }

  #end(problem: CallProblem): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const { status: code, details } = problem;
    this.#call.sendStatus({ code, details, ...this.#trailers(problem) });
  }

  #trailers(problem: CallProblem): { metadata?: Metadata } {
    const bytes = writeStatusDetails(problem);
    if (bytes === undefined || this.#metadata === undefined) return {};
    // Of the copy of grpc-js that the server is of.
    const metadata = new (this.#metadata.constructor as new () => Metadata)();
    metadata.set(detailsKey, bytes);
    return { metadata };
  }
}
