import type { MethodDefinition } from "@grpc/proto-loader";
import { StructCodecError, StructSchemaError } from "../index.js";
import type { LoaderForm } from "./loader-form.js";

/** Leads the interceptor of `./grpc` from a function of a method definition to the method. */
const interceptedMethod = Symbol.for("protobuf-struct-codec.InterceptedMethod");

/** One method of a service: the functions of a package definition, with plain values in their objects. */
export class LoaderMethod {
  readonly definition: MethodDefinition<object, object>;
  readonly #writeResponse: (response: object) => Buffer;
  /** Problems of requests, for an interceptor to take. */
  readonly #problems = new WeakMap<object, unknown>();
  /** Responses that an interceptor had written to find problems. */
  readonly #written = new WeakMap<object, Buffer>();
  #isIntercepted = false;

  constructor(method: MethodDefinition<object, object>, input: LoaderForm, output: LoaderForm) {
    const readRequest = (bytes: Buffer): object => input.read(bytes, method.requestDeserialize);
    this.#writeResponse = (response) => output.write(response, method.responseSerialize);
    this.definition = {
      ...method,
      requestSerialize: (request) => withCode(() => input.write(request, method.requestSerialize)),
      requestDeserialize: Object.assign((bytes: Buffer) => this.#readRequest(() => readRequest(bytes)), {
        [interceptedMethod]: this,
      }),
      responseSerialize: (response) => this.#takeWritten(response) ?? withCode(() => this.#writeResponse(response)),
      responseDeserialize: (bytes) => withCode(() => output.read(bytes, method.responseDeserialize)),
    };
  }

  /** An interceptor hears of problems from now on; without one, grpc-js makes a status of what is thrown. */
  intercept(): void {
    this.#isIntercepted = true;
  }

  takeProblem(request: object): unknown {
    return this.#problems.get(request);
  }

  /** Write a response ahead of grpc-js. Throws its problem. */
  writeResponse(response: object): void {
    this.#written.set(response, this.#writeResponse(response));
  }

  #takeWritten(response: object): Buffer | undefined {
    const written = this.#written.get(response);
    // The handler may change the object and send it again.
    this.#written.delete(response);
    return written;
  }

  #readRequest(read: () => object): object {
    if (!this.#isIntercepted) return withCode(read);
    try {
      return read();
    } catch (error) {
      if (error instanceof StructSchemaError) throw error;
      // The interceptor looks for it before anybody sees the object.
      const unread = {};
      this.#problems.set(unread, error);
      return unread;
    }
  }
}

/** Of an error, grpc-js passes on no more than the message. */
function withCode<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof StructCodecError)) throw error;
    const { code, direction, pointer, schemaPointer, cause } = error;
    const coded = new StructCodecError(code, direction, `${error.message} [${code}]`, { pointer, schemaPointer });
    if (cause !== undefined)
      Object.defineProperty(coded, "cause", { value: cause, configurable: true, writable: true });
    throw coded;
  }
}
