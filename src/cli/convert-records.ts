import { type Issue, StructCodecError } from "../index.js";
import type { AnyCodec } from "./codec-flags.js";
import type { Sink } from "./files.js";
import type { Format } from "./formats.js";
import type { RawRecord, RecordReader } from "./read-records.js";
import type { Finding, Report } from "./report.js";
import { layOut } from "./write-record.js";

/** Output gathered before it is written within one chunk of input, which may grow much. */
const mostPending = 1024 * 1024;

/** What a run of the command converts, and how. */
export interface Job {
  readonly codec: AnyCodec;
  readonly from: Format;
  readonly to: Format;
  readonly reader: RecordReader;
  readonly output: Sink;
  readonly report: Report;
  readonly isSkipping: boolean;
  /** The record at hand: its number, its line, and its bytes as the codec gets them. */
  record: number;
  line: number | undefined;
  bytes: Uint8Array;
}

/** Convert record after record. Gives whether the output is complete; where not, it ends with a whole record. */
export async function convertRecords(job: Job, chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  let written = 0;
  for await (const records of readBatches(job, chunks)) {
    for (const record of records) {
      startRecord(job, record);
      const converted = written === 1 && job.to.isSingle ? failSecond(job) : convertRecord(job, record);
      if (converted === "stop") {
        await flush(job);
        return false;
      }
      if (converted === "skip") continue;
      for (const piece of layOut(job.to, converted)) job.output.add(piece);
      written++;
      if (job.output.pending > mostPending) await flush(job);
    }
    await flush(job);
  }
  if (!job.to.isSingle || written === 1) return true;
  if (job.report.failed === 0) fail(job, { code: "invalid_syntax", message: "there is no record" }, job.record + 1);
  return false;
}

async function* readBatches(job: Job, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Iterable<RawRecord>> {
  for await (const chunk of chunks) {
    yield job.reader.push(chunk);
    await job.report.progress(chunk.length);
  }
  yield job.reader.end();
}

/** Write what is complete. An output of one record is so only at the end of the input. */
async function flush(job: Job): Promise<void> {
  if (!job.to.isSingle) await job.output.flush();
  await job.report.flush();
}

function startRecord(job: Job, { line }: RawRecord): void {
  job.record++;
  job.line = line;
  job.report.record();
}

function convertRecord(job: Job, { content }: RawRecord): Uint8Array | "skip" | "stop" {
  if (!(content instanceof Uint8Array)) {
    fail(job, { code: content.code, message: content.reason });
    return job.isSkipping && !content.isFatal ? "skip" : "stop";
  }
  job.bytes = content;
  try {
    return convertBytes(job, content);
  } catch (error) {
    if (!(error instanceof StructCodecError)) throw error;
    fail(job, describe(job, error));
    return job.isSkipping ? "skip" : "stop";
  }
}

function convertBytes({ codec, from, to }: Job, bytes: Uint8Array): Uint8Array {
  const binary = from.side === "json" ? codec.jsonBytesToBinary(bytes) : bytes;
  // What only moves from one file to another is read all the same, so that no broken message is passed on.
  const json = from.side === "json" && to.side === "struct" ? undefined : codec.binaryToJsonBytes(binary);
  return to.side === "json" && json !== undefined ? json : binary;
}

function failSecond(job: Job): "stop" {
  fail(job, { code: "invalid_syntax", message: `--to ${job.to.name} takes one record, and this is a second` });
  return "stop";
}

function fail(job: Job, finding: Omit<Finding, "kind" | "record">, record: number = job.record): void {
  job.report.error({ record, line: job.line, ...finding });
}

/** An error or issue of the codec as a finding about the record at hand. */
export function describe(job: Job, found: Issue | StructCodecError): Omit<Finding, "kind" | "record"> {
  const { code, direction, pointer, schemaPointer, offset } = found;
  const place = placeOf(job, found);
  // The codec counts from the start of the record, which would contradict the line of the input.
  const message = place === undefined ? found.message : found.message.replace(/ \([^()]*\d\)$/, "");
  return { ...place, code, direction, pointer, schemaPointer, offset, message };
}

/** Line and column in the whole input. Offsets point into the record, and into JSON only on the way from it. */
function placeOf(
  job: Job,
  { direction, offset }: Pick<Issue, "direction" | "offset">,
): { line: number; column: number } | undefined {
  if (job.line === undefined || offset === undefined) return undefined;
  if (job.from.side !== "json" || direction !== "decode") return undefined;
  const before = new TextDecoder().decode(job.bytes.subarray(0, offset)).split("\n");
  return { line: job.line + before.length - 1, column: (before.at(-1) as string).length + 1 };
}
