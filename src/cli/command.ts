import type { Readable, Writable } from "node:stream";

/** The streams that a command talks to: those of the process, or those of a test. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined };
}

/** What a command was called with. */
export interface Invocation {
  readonly values: FlagValues;
  readonly positionals: readonly string[];
}

export type FlagValues = { readonly [flag: string]: string | boolean | readonly (string | boolean)[] | undefined };

/** One flag of a command, as it is read and as the help shows it. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** What stands for the value in the help; without one the flag takes none. */
  readonly value?: string;
  /** The value that the bare flag stands for, where the value may be left out. */
  readonly bare?: string;
  readonly multiple?: boolean;
  readonly help: string;
}

/** A command of the tool. A new one is a file of its own and a line in the table of `run`. */
export interface Command {
  readonly name: string;
  readonly operands: string;
  readonly summary: string;
  /** Paragraphs of the help between the summary and the flags. */
  readonly notes: readonly string[];
  readonly flags: readonly Flag[];
  run(invocation: Invocation, io: Io): Promise<ExitCode>;
}

/** 0 done, 1 the data is at fault, 2 the call is: flags, files, schema. */
export type ExitCode = 0 | 1 | 2;

/** The call is at fault; the tool says so and ends with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The value of a flag that is given at most once. */
export function readFlag(values: FlagValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** The values of a flag that may be repeated. */
export function readFlags(values: FlagValues, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The value of a flag, one of those listed. */
export function readChoice<T extends string>(values: FlagValues, name: string, choices: readonly T[]): T | undefined {
  const value = readFlag(values, name);
  if (value === undefined) return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw new UsageError(`--${name} must be one of ${choices.join(", ")}`);
  return chosen;
}

/** The value of a flag, a whole number from 0. */
export function readCount(value: string, flag: string): number {
  if (!/^[0-9]{1,15}$/.test(value)) throw new UsageError(`--${flag} must be a whole number from 0`);
  return Number(value);
}
