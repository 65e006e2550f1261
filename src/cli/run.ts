import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { audit } from "./audit.js";
import { type Command, type ExitCode, type Flag, type Invocation, type Io, UsageError } from "./command.js";
import { convert } from "./convert.js";
import { derive } from "./derive.js";
import { explain } from "./explain.js";
import { printText } from "./files.js";
import { commandHelp, helpFlag, toolHelp } from "./help.js";
import { rewrite } from "./rewrite.js";
import { isClosedPipe, silenceErrors, writeLines } from "./terminal.js";

const toolName = "protobuf-struct-codec";

const commands: readonly Command[] = [convert, explain, rewrite, derive, audit];

/** Run the tool on the arguments after its name. Gives the exit code, and never throws for what a user can do wrong. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  silenceErrors(io.stdout);
  silenceErrors(io.stderr);
  try {
    return await dispatch(argv, io);
  } catch (error) {
    // The reader has gone, as `head` does once it has enough. Nobody is left to be told.
    if (isClosedPipe(error)) return 0;
    if (!(error instanceof UsageError)) throw error;
    await writeLines(io.stderr, `${toolName}: ${error.message}`);
    return 2;
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rest] = argv;
  if (name === "--help" || name === "-h" || name === "help") return print(io, helpOf(rest[0]));
  if (name === "--version") return print(io, `${readVersion()}\n`);
  if (name === undefined) throw new UsageError(`a command is missing; see ${toolName} --help`);
  const command = findCommand(name);
  const invocation = parse(command, rest);
  if (invocation.values.help === true) return print(io, commandHelp(toolName, command));
  return command.run(invocation, io);
}

function helpOf(name: string | undefined): string {
  return name === undefined ? toolHelp(toolName, commands) : commandHelp(toolName, findCommand(name));
}

function findCommand(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) throw new UsageError(`there is no command "${name}"; see ${toolName} --help`);
  return command;
}

function parse(command: Command, args: readonly string[]): Invocation {
  const flags = [...command.flags, helpFlag];
  const options = Object.fromEntries(
    flags.map(({ name, short, value, multiple = false }) => [
      name,
      { type: value === undefined ? "boolean" : "string", multiple, ...(short !== undefined && { short }) } as const,
    ]),
  );
  try {
    return parseArgs({ args: spellOut(args, flags), options, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${error.message}; see ${toolName} ${command.name} --help`);
  }
}

/** Give bare flags their value: `parseArgs` knows no flag whose value may be left out. */
function spellOut(args: readonly string[], flags: readonly Flag[]): string[] {
  const end = args.indexOf("--");
  const bare = new Map(flags.flatMap((flag) => (flag.bare === undefined ? [] : [[`--${flag.name}`, flag.bare]])));
  return args.map((arg, i) => {
    const value = end >= 0 && i >= end ? undefined : bare.get(arg);
    return value === undefined ? arg : `${arg}=${value}`;
  });
}

async function print(io: Io, text: string): Promise<ExitCode> {
  await printText(io, text);
  return 0;
}

function readVersion(): string {
  // The package knows its own version wherever it is compiled to.
  const manifest = createRequire(import.meta.url)(`${toolName}/package.json`) as { version: string };
  return manifest.version;
}
