import type { Command, Flag } from "./command.js";

export const helpFlag: Flag = { name: "help", short: "h", help: "print this help" };

/** Column at which the descriptions of flags and commands begin. */
const indent = 30;
/** Longest line of the help. */
const width = 100;

/** What the tool says about itself. */
export function toolHelp(tool: string, commands: readonly Command[]): string {
  const rows = commands.map((command) => formatRow(`  ${command.name}`, command.summary));
  return [
    `Usage: ${tool} COMMAND [OPTIONS] [ARGUMENTS]`,
    "",
    "JSON for google.protobuf.Struct that keeps what the JSON Schema knows about its numbers.",
    "",
    "Commands:",
    ...rows,
    "",
    `${tool} COMMAND --help tells more about a command; ${tool} --version prints the version.`,
    "",
  ].join("\n");
}

/** What a command says about itself. */
export function commandHelp(tool: string, command: Command): string {
  const rows = [...command.flags, helpFlag].map((flag) => formatRow(`  ${formatFlag(flag)}`, flag.help));
  return [
    `Usage: ${tool} ${command.name} [OPTIONS] ${command.operands}`,
    "",
    ...wrap(`${command.summary}.`, width),
    ...command.notes.flatMap((note) => ["", ...wrap(note, width)]),
    "",
    "Options:",
    ...rows,
    "",
  ].join("\n");
}

function formatFlag({ name, short, value, bare }: Flag): string {
  const long = short === undefined ? `--${name}` : `-${short}, --${name}`;
  if (value === undefined) return long;
  return bare === undefined ? `${long} ${value}` : `${long}[=${value}]`;
}

function formatRow(head: string, text: string): string {
  const lines = wrap(text, width - indent);
  const first = head.length < indent - 1 ? [head.padEnd(indent) + lines.shift()] : [head];
  return [...first, ...lines.map((line) => " ".repeat(indent) + line)].join("\n");
}

function wrap(text: string, longest: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > longest) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
