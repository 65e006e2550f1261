import { StructCodecError } from "../index.js";
import { type AnyCodec, codecFlags, createCodec, recordBytes, schemaFlags } from "./codec-flags.js";
import {
  type Command,
  type ExitCode,
  type FlagValues,
  type Invocation,
  type Io,
  readChoice,
  readFlag,
  readFlags,
  UsageError,
} from "./command.js";
import { isStandard, readChunks, refuseSameFile, Sink } from "./files.js";
import { chooseFormats, type Format, formatNames } from "./formats.js";
import { createRecordReader, type RawRecord, type RecordProblem, type RecordReader } from "./read-records.js";
import { Report } from "./report.js";
import { layOut } from "./write-record.js";

/** Output gathered before it is written within one chunk of input, which may grow much. */
const mostPending = 1024 * 1024;

/** Converts records between JSON and Struct, from any format to any. */
export const convert: Command = {
  name: "convert",
  operands: "[FILE]",
  summary: "Convert between JSON and google.protobuf.Struct as a JSON Schema says",
  notes: [
    "Reads FILE, or standard input without one, and writes standard output. A FILE that is - stands for these.",
    "Formats: json is one document and binary one message, each the whole of a file. The others hold any number of " +
      "records: ndjson, base64 and hex one in each line, delimited each behind its length as a varint. An empty line " +
      "is an empty Struct in base64 and hex, and nothing in ndjson.",
    "Without --from or --to the ending of the file says it (.json .ndjson .jsonl .binpb .pb .bin .base64 .b64 .hex " +
      ".delimited); without one, the other format: json goes with binary, ndjson with delimited, base64 and hex come " +
      "from json and go to ndjson. Without anything, json is converted to binary. From JSON to JSON goes through a " +
      "Struct; from Struct to Struct the bytes are checked and stay as they are.",
    "Exits with 0, with 1 where data could not be converted, with 2 where the call is wrong: flags, files, schema.",
  ],
  flags: [
    { name: "from", value: "FORMAT", help: `format of the input: ${formatNames.join(", ")}` },
    { name: "to", value: "FORMAT", help: "format of the output, one of the same" },
    { name: "output", short: "o", value: "FILE", help: "write FILE instead of standard output" },
    { name: "root", value: "struct|value", help: "what a record is: a Struct, or any Value; default struct" },
    ...schemaFlags,
    ...codecFlags,
    { name: "on-error", value: "stop|skip", help: "what to do at a record that cannot be converted; default stop" },
    {
      name: "report",
      value: "FILE",
      bare: "",
      help: "write errors and issues as lines of JSON to FILE, without one to standard error",
    },
  ],
  run: runConvert,
};

/** Everything that one run of the command holds. */
interface Job {
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
  written: number;
}

async function runConvert({ values, positionals }: Invocation, io: Io): Promise<ExitCode> {
  if (positionals.length > 1) throw new UsageError("convert takes one FILE");
  const input = positionals[0] ?? "-";
  const output = readFlag(values, "output") ?? "-";
  const report = readFlag(values, "report");
  refuseSharedStreams(input, output, values);
  refuseSameFile(input, output);
  const job = await createJob(values, input, output, new Report(io, report), io);
  job.report.schemaIssues(job.codec.schemaIssues);
  try {
    const isDone = await convertAll(job, readChunks(input, io));
    if (isDone) await job.output.close();
    return job.report.failed > 0 ? 1 : 0;
  } finally {
    await job.report.close();
  }
}

/** Two things cannot come from standard input, nor go to standard output. */
function refuseSharedStreams(input: string, output: string, values: FlagValues): void {
  const documents = readFlags(values, "document").map((pair) => pair.slice(pair.lastIndexOf("=") + 1));
  const inputs = [input, readFlag(values, "schema") ?? "", ...documents].filter(isStandard);
  if (inputs.length > 1) throw new UsageError("only one FILE can be standard input");
  if (isStandard(output) && isStandard(readFlag(values, "report") ?? "")) {
    throw new UsageError("output and report cannot both go to standard output");
  }
}

async function createJob(values: FlagValues, input: string, output: string, report: Report, io: Io): Promise<Job> {
  const { from, to } = chooseFormats(
    { format: readChoice(values, "from", formatNames), file: input },
    { format: readChoice(values, "to", formatNames), file: output },
  );
  if (to.name !== "json" && Number(readFlag(values, "pretty") ?? 0) !== 0) {
    throw new UsageError(`--pretty is for --to json; a record of ${to.name} has no lines of its own`);
  }
  const isSkipping = readChoice(values, "on-error", ["stop", "skip"]) === "skip";
  const job: Job = {
    codec: await createCodec(values, io, (issues, dropped) => {
      for (const issue of issues) report.issue({ ...placeOf(job, issue.offset), ...describe(issue) });
      if (dropped > 0) report.dropped(job.record, dropped);
    }),
    from,
    to,
    reader: createRecordReader(from, recordBytes(values)),
    output: new Sink(output, io.stdout),
    report,
    isSkipping,
    record: 0,
    line: undefined,
    bytes: new Uint8Array(),
    written: 0,
  };
  return job;
}

/** Convert until the input or the patience ends. Gives whether the output may be completed. */
async function convertAll(job: Job, chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  for await (const records of readBatches(job, chunks)) {
    for (const record of records) {
      if (!convertRecord(job, record)) {
        await flush(job);
        return false;
      }
      if (job.output.pending > mostPending) await flush(job);
    }
    await flush(job);
  }
  if (job.to.isSingle && job.written === 0) {
    if (job.report.failed === 0) fail(job, { ...describeProblem("input has no record"), record: 0 });
    return false;
  }
  return true;
}

async function* readBatches(job: Job, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Iterable<RawRecord>> {
  for await (const chunk of chunks) {
    yield job.reader.push(chunk);
    await job.report.progress(chunk.length);
  }
  yield job.reader.end();
}
