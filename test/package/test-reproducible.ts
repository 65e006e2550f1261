import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packHead } from "../runtimes/pack-head.js";
import { runCommand } from "../runtimes/run-command.js";

// npm run test:reproducible: what is committed, built and packed twice, has to be the same tarball to the byte, whatever the
// folder and the time. Prints its integrity, as the registry and lockfiles write it.

const commit = (await runCommand("git", ["rev-parse", "HEAD"])).stdout.trim();
const folder = await mkdtemp(join(tmpdir(), "reproducible-"));
try {
  const one = await integrityOf("one");
  const other = await integrityOf("another/and-deeper");
  console.log(`${commit}\n${one}`);
  if (one !== other) {
    console.error(`packed again it is ${other}`);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function integrityOf(place: string): Promise<string> {
  const home = join(folder, place);
  await mkdir(home, { recursive: true });
  const tarball = await readFile(await packHead(home, commit));
  return `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
}
