import type { ChildProcess, SpawnOptions } from "node:child_process";
import type { PassThrough, Readable } from "node:stream";
import { StreamTransport, type StreamTransportOptions } from "./stream-transport.js";

/** Parameters of a server to start, as the SDKs have them. */
export interface ExactStdioServerParameters extends StreamTransportOptions {
  command: string;
  args?: string[] | undefined;
  /** Added to the few variables that a server gets in any case; not to all those of this process. */
  env?: Record<string, string> | undefined;
  /** Defaults to "inherit". "pipe" gives `stderr` of the transport. */
  stderr?: "inherit" | "ignore" | "pipe" | undefined;
  cwd?: string | undefined;
  /** Defaults to that of Node.js. On Windows that of `cross-spawn` also finds commands that are scripts, such as npx. */
  spawn?: ((command: string, args: string[], options: SpawnOptions) => ChildProcess) | undefined;
}

/** How long a server has to leave by itself, and again after it was asked to. */
const patience = 2000;

/**
 * A client transport that starts a server and speaks to it over its streams, for the client of either SDK: in place of
 * their `StdioClientTransport`, with exact integers in calls and results in every version of Node.js.
 */
export class ExactStdioClientTransport extends StreamTransport {
  readonly #parameters: ExactStdioServerParameters;
  readonly #stderr: PassThrough | null;
  #child: ChildProcess | undefined;

  constructor(parameters: ExactStdioServerParameters) {
    super(parameters);
    this.#parameters = parameters;
    this.#stderr = parameters.stderr === "pipe" ? new (builtin("node:stream").PassThrough)() : null;
  }

  /** The error output of the server, if it was asked for; there before the server starts. */
  get stderr(): Readable | null {
    return this.#stderr;
  }

  /** The process of the server; null before it starts and after it ends. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  override start(): Promise<void> {
    if (this.#child !== undefined) throw new Error("ExactStdioClientTransport has been started");
    const { command, args = [], env, stderr = "inherit", cwd, spawn } = this.#parameters;
    const child = (spawn ?? builtin("node:child_process").spawn)(command, args, {
      env: { ...inheritedEnvironment(), ...env },
      stdio: ["pipe", "pipe", stderr],
      windowsHide: true,
      ...(cwd !== undefined && { cwd }),
    });
    this.#child = child;
    return new Promise((resolve, reject) => {
      child.once("spawn", () => resolve());
      child.once("error", (error) => {
        reject(error);
        this.fail(error);
      });
      child.once("close", () => {
        this.#child = undefined;
        this.end();
      });
      if (child.stdout !== null && child.stdin !== null) this.open(child.stdout, child.stdin);
      if (this.#stderr !== null) child.stderr?.pipe(this.#stderr);
    });
  }

  /** End the server: first its input ends, then it is asked to, then it is made to. */
  override async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid !== undefined) {
      const isClosed = new Promise<true>((resolve) => child.once("close", () => resolve(true)));
      child.stdin?.end();
      if (!(await within(isClosed)) && child.kill("SIGTERM") && !(await within(isClosed))) child.kill("SIGKILL");
      // What the server has started may hold the other end.
      child.stdout?.destroy();
    }
    this.end();
  }
}

async function within(isClosed: Promise<true>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), patience).unref();
  });
  const isEnded = await Promise.race([isClosed, isLate]);
  clearTimeout(timer);
  return isEnded;
}

/** Asked for when it is needed, so that this package can be bundled for a browser. */
function builtin<Name extends "node:child_process" | "node:stream">(name: Name) {
  return process.getBuiltinModule(name);
}

const inheritedNames = {
  posix: ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"],
  windows: [
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
  ],
};

/** What a server needs to start. The rest of the environment may be secrets that are none of its business. */
function inheritedEnvironment(): Record<string, string> {
  const names = inheritedNames[process.platform === "win32" ? "windows" : "posix"];
  const entries = names.map((name) => [name, process.env[name]] as const);
  // A shell may keep functions there.
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1]?.startsWith("()") === false));
}
