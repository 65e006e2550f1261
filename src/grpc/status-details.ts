import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { ServiceError } from "@grpc/grpc-js";
import type { CallProblem } from "./call-problem.js";
import type { StructProblem } from "./struct-problem.js";

/** Where gRPC has the details of a status, as a google.rpc.Status. */
export const detailsKey = "grpc-status-details-bin";

/** The domain of `google.rpc.ErrorInfo`, by which our reasons are known from others. */
const domain = "protobuf-struct-codec";
const errorInfoUrl = "type.googleapis.com/google.rpc.ErrorInfo";

const longestText = 200;

/** Write a problem as a google.rpc.Status with a google.rpc.ErrorInfo, for peers in any language. */
export function writeStatusDetails({ status, details, problem }: CallProblem): Buffer | undefined {
  if (problem === undefined) return undefined;
  const info = writeErrorInfo(problem);
  const any = writeFields([
    [1, errorInfoUrl],
    [2, info],
  ]);
  const bytes = new BinaryWriter()
    .tag(1, WireType.Varint)
    .int32(status)
    .raw(
      writeFields([
        [2, details],
        [3, any],
      ]),
    )
    .finish();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function writeErrorInfo({ code, pointer, schemaPointer }: StructProblem): Uint8Array {
  const metadata = { pointer, ...(schemaPointer !== undefined && { schemaPointer }) };
  const entries = Object.entries(metadata).map(
    ([key, value]) =>
      [
        3,
        writeFields([
          [1, key],
          [2, cut(value)],
        ]),
      ] as const,
  );
  return writeFields([[1, code.toUpperCase()], [2, domain], ...entries]);
}

function writeFields(fields: readonly (readonly [number, string | Uint8Array])[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, value] of fields) {
    writer.tag(number, WireType.LengthDelimited);
    if (typeof value === "string") writer.string(value);
    else writer.bytes(value);
  }
  return writer.finish();
}

/**
 * What the error of a call says about the data of the call: with a server that has the interceptor, code and pointers of
 * the first problem. Undefined where it is about something else.
 */
export function readStructProblem(error: Pick<ServiceError, "details" | "metadata">): StructProblem | undefined {
  for (const value of error.metadata?.get(detailsKey) ?? []) {
    if (typeof value === "string") continue;
    try {
      const problem = readStatus(value, error.details);
      if (problem !== undefined) return problem;
    } catch {
      // Malformed, and of a peer: nothing is known then.
    }
  }
  return undefined;
}

function readStatus(bytes: Uint8Array, message: string): StructProblem | undefined {
  const anys = readFields(bytes).filter(({ number }) => number === 3);
  const infos = anys.map(({ value }) => readFields(value)).filter((any) => textOf(any, 1) === errorInfoUrl);
  for (const any of infos) {
    const info = readFields(bytesOf(any, 2));
    if (textOf(info, 2) !== domain) continue;
    const entries = info.filter(({ number }) => number === 3).map(({ value }) => readFields(value));
    const metadata = new Map(entries.map((entry) => [textOf(entry, 1), textOf(entry, 2)]));
    const schemaPointer = metadata.get("schemaPointer");
    // What a peer of another version says may be a code that this one does not know.
    const code = textOf(info, 1).toLowerCase() as StructProblem["code"];
    return {
      code,
      pointer: metadata.get("pointer") ?? "",
      ...(schemaPointer !== undefined && { schemaPointer }),
      message,
    };
  }
  return undefined;
}

interface BytesField {
  readonly number: number;
  readonly value: Uint8Array;
}

/** The fields that have a length. */
function readFields(bytes: Uint8Array): BytesField[] {
  const reader = new BinaryReader(bytes);
  const fields: BytesField[] = [];
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (type === WireType.LengthDelimited) fields.push({ number, value: reader.bytes() });
    else reader.skip(type, number);
  }
  return fields;
}

function bytesOf(fields: readonly BytesField[], number: number): Uint8Array {
  return fields.findLast((field) => field.number === number)?.value ?? new Uint8Array();
}

function textOf(fields: readonly BytesField[], number: number): string {
  return new TextDecoder().decode(bytesOf(fields, number));
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}
