import { codecFlags, createCodec, readSchema, recordBytes, schemaFlags } from "./codec-flags.js";
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
import { convertRecords, describe, type Job } from "./convert-records.js";
import { isStandard, readChunks, Sink } from "./files.js";
import { chooseFormats, formatNames } from "./formats.js";
import { createRecordReader } from "./read-records.js";
import { type FileUse, refuseSharedFiles } from "./refuse-shared-files.js";
import { Report } from "./report.js";

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

async function runConvert({ values, positionals }: Invocation, io: Io): Promise<ExitCode> {
  if (positionals.length > 1) throw new UsageError("convert takes one FILE");
  const input = positionals[0] ?? "-";
  const output = readFlag(values, "output") ?? "-";
  refuseSharedStreams(input, output, values);
  refuseSharedFiles(listRead(input, values, io), listWritten(output, values, io));
  const job = await createJob(values, input, output, io);
  await job.report.open();
  job.report.schemaIssues(job.codec.schemaIssues);
  try {
    const isComplete = await convertRecords(job, readChunks(input, io));
    if (isComplete || job.output.isOpen) await job.output.close();
    return job.report.failed > 0 ? 1 : 0;
  } finally {
    await job.report.close();
  }
}

/** Two things cannot come from standard input, nor go to standard output. */
function refuseSharedStreams(input: string, output: string, values: FlagValues): void {
  const inputs = [input, readFlag(values, "schema") ?? "", ...listDocuments(values)].filter(isStandard);
  if (inputs.length > 1) throw new UsageError("only one FILE can be standard input");
  if (isStandard(output) && isStandard(readFlag(values, "report") ?? "")) {
    throw new UsageError("output and report cannot both go to standard output");
  }
}

function listDocuments(values: FlagValues): string[] {
  return readFlags(values, "document").map((pair) => pair.slice(pair.lastIndexOf("=") + 1));
}

function listRead(input: string, values: FlagValues, { stdin }: Io): FileUse[] {
  const schema = readFlag(values, "schema");
  return [
    { role: "input", file: input, stream: stdin },
    ...(schema === undefined ? [] : [{ role: "schema", file: schema, stream: stdin }]),
    ...listDocuments(values).map((file) => ({ role: "document", file, stream: stdin })),
  ];
}

function listWritten(output: string, values: FlagValues, { stdout, stderr }: Io): FileUse[] {
  const report = readFlag(values, "report");
  const written: FileUse[] = [{ role: "output", file: output, stream: stdout }];
  if (report !== undefined)
    written.push({ role: "report", file: report || "-", stream: report === "" ? stderr : stdout });
  return written;
}

async function createJob(values: FlagValues, input: string, output: string, io: Io): Promise<Job> {
  const { from, to } = chooseFormats(
    { format: readChoice(values, "from", formatNames), file: input },
    { format: readChoice(values, "to", formatNames), file: output },
  );
  if (to.name !== "json" && Number(readFlag(values, "pretty") ?? 0) !== 0) {
    throw new UsageError(`--pretty is for --to json; a record of ${to.name} has no lines of its own`);
  }
  const report = new Report(io, readFlag(values, "report"));
  const schema = await readSchema(values, io);
  const codec = await createCodec(values, io, schema, (issues, dropped) => {
    for (const issue of issues) report.issue({ record: job.record, line: job.line, ...describe(job, issue) });
    if (dropped > 0) report.dropped(job.record, dropped);
  });
  const job: Job = {
    codec,
    from,
    to,
    reader: createRecordReader(from, recordBytes(values)),
    output: new Sink(output, io.stdout),
    report,
    isSkipping: readChoice(values, "on-error", ["stop", "skip"]) === "skip",
    record: 0,
    line: undefined,
    bytes: new Uint8Array(),
  };
  return job;
}
