import { create, type DescMessage, type DescMethod, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import type { MethodDefinition } from "@grpc/grpc-js";
import { checkStructs, normalizeStructs } from "../protobuf.js";
import { CallProblem, createMalformed, createMismatch, type Side, withProblems } from "./call-problem.js";
import type { StructTools } from "./grpc-options.js";

/** Leads an interceptor from a function of a method definition to the method. Those of `./proto-loader` have it too. */
const interceptedMethod = Symbol.for("protobuf-struct-codec.InterceptedMethod");

/** What an interceptor asks a method for. */
export interface InterceptedMethod {
  /** An interceptor hears of problems from now on; without one, grpc-js makes a status of what is thrown. */
  intercept(): void;
  /** What is wrong with a request that was read, undefined where nothing is. */
  takeProblem(request: object): unknown;
  /** Write a response ahead of grpc-js. Throws its problem. */
  writeResponse(response: object): void;
}

/** One method of a service: how its messages become bytes and back, and what is wrong with them on the way. */
export class StructMethod implements InterceptedMethod {
  readonly definition: MethodDefinition<Message, Message>;
  readonly #tools: StructTools;
  readonly #output: DescMessage;
  /** Problems of requests, for an interceptor to take. */
  readonly #problems = new WeakMap<Message, CallProblem>();
  /** Responses that an interceptor had written to find problems. */
  readonly #written = new WeakMap<Message, Buffer>();
  #isIntercepted = false;

  constructor({ methodKind, name, input, output, parent }: DescMethod, tools: StructTools) {
    this.#tools = tools;
    this.#output = output;
    const requestDeserialize = (bytes: Buffer): Message => this.#readRequest(input, bytes);
    this.definition = {
      path: `/${parent.typeName}/${name}`,
      originalName: name,
      requestStream: methodKind === "client_streaming" || methodKind === "bidi_streaming",
      responseStream: methodKind === "server_streaming" || methodKind === "bidi_streaming",
      requestSerialize: (message) => this.#write(input, message, "request"),
      requestDeserialize: Object.assign(requestDeserialize, { [interceptedMethod]: this }),
      responseSerialize: (message) => this.#takeWritten(message) ?? this.#write(output, message, "response"),
      responseDeserialize: (bytes) => this.#read(output, bytes, "response"),
    };
  }

  intercept(): void {
    this.#isIntercepted = true;
  }

  takeProblem(request: Message): CallProblem | undefined {
    return this.#problems.get(request);
  }

  writeResponse(response: Message): void {
    this.#written.set(response, this.#write(this.#output, response, "response"));
  }

  #takeWritten(message: Message): Buffer | undefined {
    const written = this.#written.get(message);
    // The handler may change the message and send it again.
    this.#written.delete(message);
    return written;
  }

  /** Read a request; where something is wrong, an interceptor finds that before anybody sees the message. */
  #readRequest(desc: DescMessage, bytes: Buffer): Message {
    if (!this.#isIntercepted) return this.#read(desc, bytes, "request");
    let message: Message;
    try {
      message = fromBinary(desc, asBytes(bytes));
    } catch (error) {
      message = create(desc);
      this.#problems.set(message, createMalformed(desc.typeName, error));
      return message;
    }
    try {
      this.#check(desc, message, "request");
    } catch (error) {
      if (!(error instanceof CallProblem)) throw error;
      this.#problems.set(message, error);
    }
    return message;
  }

  #read(desc: DescMessage, bytes: Buffer, side: Side): Message {
    const message = fromBinary(desc, asBytes(bytes));
    this.#check(desc, message, side);
    return message;
  }

  #check(desc: DescMessage, message: Message, side: Side): void {
    const { hints, checker } = this.#tools;
    const issues = withProblems(side, () => {
      checkStructs(desc, message, hints);
      return checker?.check(desc, message) ?? [];
    });
    const mismatch = createMismatch(desc.typeName, issues, side);
    if (mismatch !== undefined) throw mismatch;
  }

  #write(desc: DescMessage, message: Message, side: Side): Buffer {
    const normal = withProblems(side, () => normalizeStructs(desc, create(desc, message), this.#tools.hints));
    const bytes = toBinary(desc, normal);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

/** The method that a function of a definition belongs to, where it is one of ours. */
export function methodOf(deserialize: unknown): InterceptedMethod | undefined {
  return typeof deserialize === "function"
    ? (deserialize as { [interceptedMethod]?: InterceptedMethod })[interceptedMethod]
    : undefined;
}

/** Fields of type bytes are to be no Buffers. */
function asBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
