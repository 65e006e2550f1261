import { readSync, writeSync } from "node:fs";
import { field as lengthPrefixed } from "../../support/wire.js";
import { findAll, findFirst, readFields, type WireField } from "./wire-fields.js";

/** What the runner asks: a message in one format, wanted in another. */
export interface Question {
  readonly messageType: string;
  readonly json: string | undefined;
  readonly wire: Uint8Array | undefined;
  readonly wants: "json" | "protobuf" | undefined;
  readonly ignoresUnknown: boolean;
}

/** What a testee may say. Strings are JSON, or why there is none. */
export type Answer =
  | { readonly json: string }
  | { readonly protobuf: Uint8Array }
  | { readonly parseError: string }
  | { readonly serializeError: string }
  | { readonly skipped: string };

/** Thrown where a question is about something that the testee is not for. */
export class OutOfScope extends Error {}

/** Fields of ConformanceResponse. */
const results = { parseError: 1, protobuf: 3, json: 4, skipped: 5, serializeError: 6 } as const;

/** Answer the questions that come over standard input, until it ends. */
export function answerAll(answer: (question: Question) => Answer): void {
  for (let request = readFrame(); request !== undefined; request = readFrame()) {
    writeFrame(writeAnswer(answerOne(readQuestion(readFields(request)), answer)));
  }
}

function answerOne(question: Question, answer: (question: Question) => Answer): Answer {
  // The first question is which tests are known to fail: none that the runner is not told of.
  if (question.messageType === "conformance.FailureSet") return { protobuf: new Uint8Array() };
  try {
    return answer(question);
  } catch (error) {
    if (error instanceof OutOfScope) return { skipped: error.message };
    throw error;
  }
}

function readQuestion(request: readonly WireField[]): Question {
  const [wire] = findAll(request, 1);
  const [json] = findAll(request, 2);
  const format = findAll(request, 3)[0]?.varint;
  return {
    messageType: decodeText(findFirst(request, 4)),
    json: json && decodeText(json.payload),
    wire: wire?.payload,
    wants: format === 1 ? "protobuf" : format === 2 ? "json" : undefined,
    ignoresUnknown: findAll(request, 5)[0]?.varint === 3,
  };
}

function writeAnswer(answer: Answer): Uint8Array {
  const [[result, content]] = Object.entries(answer) as [[keyof typeof results, string | Uint8Array]];
  const payload = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return lengthPrefixed(results[result] * 8 + 2, payload);
}

export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** A frame is its length, four bytes from the lowest, and so many bytes. */
function readFrame(): Uint8Array | undefined {
  const head = readBytes(4);
  return head && readBytes(new DataView(head.buffer).getUint32(0, true));
}

function readBytes(count: number): Uint8Array | undefined {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; ) {
    const read = readSync(0, bytes, at, count - at, null);
    if (read === 0) return undefined;
    at += read;
  }
  return bytes;
}

function writeFrame(response: Uint8Array): void {
  const frame = new Uint8Array(4 + response.length);
  new DataView(frame.buffer).setUint32(0, response.length, true);
  frame.set(response, 4);
  for (let at = 0; at < frame.length; ) at += writeSync(1, frame, at);
}
