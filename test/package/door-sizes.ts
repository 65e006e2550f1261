import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const document = `${root}docs/releasing.md`;
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
  exports: { [door: string]: string | object };
  peerDependencies: { [name: string]: string };
};

/** The doors of the package that are code. */
export const doors: readonly string[] = Object.keys(manifest.exports).filter(
  (door) => typeof manifest.exports[door] !== "string",
);

/** Bytes of what a bundle has of everything behind a door, minified; peers are not counted. */
export interface DoorSize {
  readonly minified: number;
  readonly gzipped: number;
}

export async function measureDoor(door: string): Promise<DoorSize> {
  const { outputFiles } = await build({
    entryPoints: [`${root}src/${door === "." ? "index" : door.slice(2)}.ts`],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    external: [...Object.keys(manifest.peerDependencies), "node:*"],
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}

/** Sizes in kB as the document states them, by door. */
export function readStatedSizes(): ReadonlyMap<string, DoorSize> {
  const rows = readFileSync(document, "utf8").matchAll(/^\| `(\.[^`]*)` \| (\d+) kB \| (\d+) kB \|$/gm);
  return new Map(
    [...rows].map(([, door, minified, gzipped]) => [
      door as string,
      { minified: Number(minified), gzipped: Number(gzipped) },
    ]),
  );
}

/** npm run sizes: measure every door, and write the table. */
async function writeTable(): Promise<void> {
  const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`;
  const rows: string[] = [];
  for (const door of doors) {
    const { minified, gzipped } = await measureDoor(door);
    rows.push(`| \`${door}\` | ${kilobytes(minified)} | ${kilobytes(gzipped)} |`);
  }
  const table = ["| door | minified | gzip |", "|---|---|---|", ...rows].join("\n");
  const text = readFileSync(document, "utf8");
  writeFileSync(document, text.replace(/^\| door \|.*\n(?:\|.*\n)*/m, `${table}\n`));
  console.log(table);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeTable();
