import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { parseLoosely } from "./files.js";

/** Longest line that is read of a server. */
const mostLineBytes = 64 * 1024 * 1024;
/** Milliseconds that a server has to end by itself, and then after it was asked to. */
const patience = 500;

/**
 * Speaks with an MCP server that is a command, line by line on its standard streams. Unlike the transport of the SDK it ends
 * whatever the command started along with it, and keeps the digits of constants. For POSIX: the group of a process.
 */
export class CommandTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: never) => void;
  readonly #command: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #closed: Promise<void> | undefined;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(command: string, args: readonly string[]) {
    this.#command = command;
    this.#args = args;
  }

  async start(): Promise<void> {
    // A group of its own, so that all of it can be ended.
    const child = spawn(this.#command, this.#args, { detached: true, stdio: ["pipe", "pipe", "inherit"] });
    this.#child = child;
    child.stdin?.on("error", (error) => this.onerror?.(error));
    child.stdout?.on("data", (chunk: Buffer) => this.#read(chunk));
    child.stdout?.on("error", (error) => this.onerror?.(error));
    // What it has started may hold its streams for ever, but its last answer may be still on the way.
    child.once("exit", () => void Promise.race([once(child, "close"), sleep(patience)]).then(() => this.onclose?.()));
    for (const signal of signals) process.once(signal, this.#passOn);
    process.once("exit", this.kill);
    await once(child, "spawn");
    child.on("error", (error) => this.onerror?.(error));
  }

  async send(message: object): Promise<void> {
    const stdin = this.#child?.stdin as Writable;
    if (!stdin.write(`${JSON.stringify(message)}\n`)) await once(stdin, "drain");
  }

  /** End the server, gently at first, and everything that it started. What still holds its streams is not waited for. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.stdin?.end();
    const ended = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, "exit");
    await Promise.race([ended, sleep(patience)]);
    signalGroup(child, "SIGTERM");
    await Promise.race([ended, sleep(patience)]);
    this.kill();
    this.onclose?.();
  }

  /** End everything at once. */
  readonly kill = (): void => {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    signalGroup(child, "SIGKILL");
    child.stdin?.destroy();
    child.stdout?.destroy();
    child.unref();
    for (const signal of signals) process.removeListener(signal, this.#passOn);
    process.removeListener("exit", this.kill);
  };

  /** The group of the server does not hear what the terminal tells that of the tool. */
  readonly #passOn = (signal: NodeJS.Signals): void => {
    this.kill();
    process.kill(process.pid, signal);
  };

  #read(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      this.#gather(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      const line = Buffer.concat(this.#pieces).toString("utf8");
      this.#pieces = [];
      this.#size = 0;
      this.#receive(line);
    }
    this.#gather(rest);
  }

  #gather(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size <= mostLineBytes) this.#pieces.push(piece);
    else this.#fail(`the server wrote a line of more than ${mostLineBytes} bytes`);
  }

  #receive(line: string): void {
    if (line.trim() === "") return;
    try {
      this.onmessage?.(parseLoosely(line) as never);
    } catch (error) {
      // Servers print all sorts of things; the answer may still come.
      this.onerror?.(error as Error);
    }
  }

  #fail(reason: string): void {
    this.onerror?.(new Error(reason));
    this.kill();
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // All of it has ended.
  }
}
