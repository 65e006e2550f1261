import type { Door, DoorExport } from "./read-doors.js";

/** `docs/api.md`: every export of every door, from the comments in the source. */
export function writeApiReference(name: string, doors: readonly Door[]): string {
  const documented = new Set<string>();
  const sections = doors.map((door) => writeDoor(name, door, documented));
  return `${[
    "# Everything that is exported",
    "",
    "Made by `npm run docs` from the comments in the source; what stands here is what an editor shows.",
    "",
    ...doors.map(
      ({ path, exports }) =>
        `- [\`${specifier(name, path)}\`](#${anchor(specifier(name, path))}): ${listValues(exports)}`,
    ),
    "",
    ...sections,
  ]
    .join("\n")
    .trimEnd()}\n`;
}

/** What a door is called in an import. */
export function specifier(name: string, path: string): string {
  return path === "." ? name : `${name}${path.slice(1)}`;
}

function listValues(exports: readonly DoorExport[]): string {
  const values = exports.filter(({ kind }) => kind === "function" || kind === "class" || kind === "constant");
  return values.map((found) => `\`${found.name}\``).join(", ");
}

function writeDoor(name: string, { path, exports }: Door, documented: Set<string>): string {
  const own = exports.filter(({ file, name: exported }) => !documented.has(`${file} ${exported}`));
  const others = exports.filter((found) => !own.includes(found));
  for (const { file, name: exported } of own) documented.add(`${file} ${exported}`);
  const links = others.map((found) => `[\`${found.name}\`](#${anchor(found.name)})`);
  return [
    `## ${specifier(name, path)}`,
    "",
    ...own.map(writeExport),
    ...(links.length === 0 ? [] : [`Also here, as above: ${links.join(", ")}.`, ""]),
  ].join("\n");
}

function writeExport({ name, comment, declaration }: DoorExport): string {
  // Not "ts": these are no programs, and the test of the documents would run them.
  return `### ${name}\n\n${comment === "" ? "" : `${comment}\n\n`}\`\`\`typescript\n${declaration}\n\`\`\`\n`;
}

/** The anchor that GitHub gives a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}
