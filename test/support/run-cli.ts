import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { run } from "../../src/cli/run.js";

/** What a run of the command left. */
export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** Standard input, as one chunk or as many. */
  readonly input?: string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  readonly stderrIsTTY?: boolean;
}

/** Run the command in this process. Standard output is given as latin1, one character for each byte. */
export async function runCli(
  args: readonly string[],
  { input = "", stderrIsTTY }: CliOptions = {},
): Promise<CliResult> {
  const stdin = typeof input === "string" || input instanceof Uint8Array ? [Buffer.from(input as string)] : input;
  const stdout = collect();
  const stderr = collect();
  const code = await run(args, {
    stdin: Readable.from(stdin, { objectMode: false }),
    stdout: stdout.stream,
    stderr: Object.assign(stderr.stream, { isTTY: stderrIsTTY }),
  });
  return { code, stdout: stdout.bytes().toString("latin1"), stderr: stderr.bytes().toString("utf8") };
}

function collect(): { readonly stream: Writable; bytes(): Buffer } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, bytes: () => Buffer.concat(chunks) };
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Run the command as a process of its own, as a shell would. */
export function spawnCli(args: readonly string[], input: string | Uint8Array = ""): Promise<CliResult> {
  const child = spawn(process.execPath, ["--import", "tsx", "src/cli.ts", ...args], { cwd: root });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      const text = (chunks: Buffer[], encoding: BufferEncoding) => Buffer.concat(chunks).toString(encoding);
      resolve({ code: code ?? -1, stdout: text(stdout, "latin1"), stderr: text(stderr, "utf8") });
    });
  });
}
