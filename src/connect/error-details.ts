import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { ConnectError } from "@connectrpc/connect";
import { cutText } from "./cut-text.js";
import type { StructProblem } from "./struct-problem.js";

type Details = ConnectError["details"];
type Detail = Details[number];

/** The domain of `google.rpc.ErrorInfo`, by which our reasons are known from others. */
const domain = "protobuf-struct-codec";
const errorInfoName = "google.rpc.ErrorInfo";
const badRequestName = "google.rpc.BadRequest";

// gRPC sends details in a trailer, in base64 and beside the message, and peers in C++ and Java take 8 kB of trailers.

/** Most bytes of violations. */
const mostBytes = 1300;
/** Longest text in details, of up to three bytes for each unit. */
const longestText = 200;

/**
 * Write problems as error details of the usual kind: `google.rpc.ErrorInfo` with the first one, and, where a request is at fault,
 * `google.rpc.BadRequest` with as many as there is room for. `findStructProblems` reads them.
 */
export function writeDetails(problems: readonly [StructProblem, ...StructProblem[]], isRequest: boolean): Details {
  const info = writeErrorInfo(problems[0]);
  return isRequest ? [info, writeBadRequest(problems)] : [info];
}

function writeErrorInfo({ code, pointer, schemaPointer }: StructProblem): Detail {
  const reason = code.toUpperCase();
  const metadata = {
    pointer: cutText(pointer, longestText),
    ...(schemaPointer !== undefined && { schemaPointer: cutText(schemaPointer, longestText) }),
  };
  const writer = writeFields([reason, domain]);
  for (const entry of Object.entries(metadata))
    writer.tag(3, WireType.LengthDelimited).bytes(writeFields(entry).finish());
  return { type: errorInfoName, value: writer.finish(), debug: { reason, domain, metadata } };
}

function writeBadRequest(problems: readonly StructProblem[]): Detail {
  const writer = new BinaryWriter();
  const fieldViolations: { field: string; description: string; reason: string }[] = [];
  let room = mostBytes;
  for (const { code, pointer, message } of problems) {
    const violation = {
      field: cutText(pointer, longestText),
      description: cutText(message, longestText),
      reason: code.toUpperCase(),
    };
    const bytes = writeFields(Object.values(violation)).finish();
    room -= bytes.length;
    if (room < 0 && fieldViolations.length > 0) break;
    writer.tag(1, WireType.LengthDelimited).bytes(bytes);
    fieldViolations.push(violation);
  }
  return { type: badRequestName, value: writer.finish(), debug: { fieldViolations } };
}

/** Read what `writeDetails` wrote. What others wrote, or what is malformed, is none of ours. */
export function readDetails(details: Details, message: string): StructProblem[] {
  const infos = bytesOf(details, errorInfoName).map(readErrorInfo);
  const info = infos.find((found) => found?.domain === domain);
  if (info === undefined) return [];
  const { reason, metadata } = info;
  const { pointer = "", schemaPointer } = Object.fromEntries(metadata);
  const first = { code: codeOf(reason), pointer, ...(schemaPointer !== undefined && { schemaPointer }), message };
  const [described, ...others] = bytesOf(details, badRequestName).flatMap(readBadRequest);
  return [{ ...first, ...described }, ...others];
}

function bytesOf(details: Details, type: string): Uint8Array[] {
  return details.flatMap((detail) => ("type" in detail && detail.type === type ? [detail.value] : []));
}

interface ErrorInfo {
  readonly reason: string;
  readonly domain: string;
  readonly metadata: readonly (readonly [string, string])[];
}

function readErrorInfo(bytes: Uint8Array): ErrorInfo | undefined {
  const fields = readFields(bytes);
  if (fields === undefined) return undefined;
  const entries = fields.filter(({ number }) => number === 3).map(({ value }) => readFields(value) ?? []);
  const metadata = entries.map((entry) => [textOf(entry, 1), textOf(entry, 2)] as const);
  return { reason: textOf(fields, 1), domain: textOf(fields, 2), metadata };
}

function readBadRequest(bytes: Uint8Array): StructProblem[] {
  const violations = readFields(bytes)?.filter(({ number }) => number === 1) ?? [];
  return violations.flatMap(({ value }) => {
    const fields = readFields(value);
    if (fields === undefined) return [];
    return { code: codeOf(textOf(fields, 3)), pointer: textOf(fields, 1), message: textOf(fields, 2) };
  });
}

/** What a peer of another version says may be a code that this one does not know. */
function codeOf(reason: string): StructProblem["code"] {
  return reason.toLowerCase() as StructProblem["code"];
}

/** Fields with the numbers from 1 on. */
function writeFields(texts: readonly string[]): BinaryWriter {
  const writer = new BinaryWriter();
  for (const [i, text] of texts.entries()) writer.tag(i + 1, WireType.LengthDelimited).string(text);
  return writer;
}

interface BytesField {
  readonly number: number;
  readonly value: Uint8Array;
}

/** The fields that have a length; undefined where the bytes are malformed. */
function readFields(bytes: Uint8Array): BytesField[] | undefined {
  try {
    const reader = new BinaryReader(bytes);
    const fields: BytesField[] = [];
    while (reader.pos < reader.len) {
      const [number, type] = reader.tag();
      if (type === WireType.LengthDelimited) fields.push({ number, value: reader.bytes() });
      else reader.skip(type, number);
    }
    return fields;
  } catch {
    // It came from a peer and is shown to people at most.
    return undefined;
  }
}

function textOf(fields: readonly BytesField[], number: number): string {
  const field = fields.findLast((found) => found.number === number);
  return field === undefined ? "" : new TextDecoder().decode(field.value);
}
