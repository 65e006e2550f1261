import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** What stands behind a door of its own, and comes in through the doors like any user. */
const adapters = ["connect", "grpc", "proto-loader", "mcp", "cli"];

/** Folders that the files of a folder may import from, beside their own. */
const layers: { readonly [layer: string]: readonly string[] } = {
  base: [],
  text: ["base"],
  wire: ["base"],
  "json-schema": ["base", "text"],
  hint: ["base", "json-schema"],
  codec: ["base", "text", "wire", "json-schema", "hint"],
  // Beside codec: it builds codecs for tools, and codec does not know it.
  tools: ["base", "text", "json-schema", "hint", "codec"],
  // Whole messages around Structs; it derives schemas from descriptors as the tools do.
  protobuf: ["base", "text", "wire", "json-schema", "hint", "codec", "tools"],
};
const everyLayer = Object.keys(layers);

interface Import {
  readonly from: string;
  readonly to: string;
}

const source = fileURLToPath(new URL("../../src", import.meta.url)).replaceAll("\\", "/");

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts"));

/** Import and export lines, dynamic imports, types: whatever names another file. */
const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(join(source, file), "utf8");
  const names = text.matchAll(/^(?:import|export)\b(?:[^;"`]*\bfrom)? "([^"]+)"|\b(?:import|require)\("([^"]+)"\)/gm);
  return [...names].map(([, line, call]) => ({ from: file, to: resolve(file, (line ?? call) as string) }));
});

/** A file of `src`, or the specifier of a package. */
function resolve(file: string, name: string): string {
  if (!name.startsWith(".")) return name;
  return relative(source, join(source, dirname(file), name)).replace(/\.js$/, ".ts");
}

function folderOf(file: string): string | undefined {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : undefined;
}

/** A door opens on everything below the adapters, or on one adapter. */
function isDoor(file: string): boolean {
  return files.includes(file) && folderOf(file) === undefined;
}

function isAdapterDoor(file: string): boolean {
  return isDoor(file) && adapters.includes(file.slice(0, -".ts".length));
}

function isAllowed({ from, to }: Import): boolean {
  if (!files.includes(to)) return isForeign(to) && allowsPackage(from, to);
  const folder = folderOf(from);
  const target = folderOf(to);
  if (folder !== undefined && folder === target) return true;
  if (folder !== undefined && layers[folder] !== undefined) return layers[folder].includes(target ?? "");
  const adapter = folder ?? from.slice(0, -".ts".length);
  if (adapters.includes(adapter)) return target === adapter || (isDoor(to) && !isAdapterDoor(to));
  return isDoor(from) && everyLayer.includes(target ?? "");
}

/** A package, or generated code; but never a file of the repository outside of `src` and `gen`. */
function isForeign(to: string): boolean {
  return !to.startsWith(".") || to.startsWith("../gen/structcodec/v1/");
}

/** Only adapters need anything but the peer dependency. */
function allowsPackage(from: string, to: string): boolean {
  const adapter = folderOf(from) ?? from.slice(0, -".ts".length);
  return adapters.includes(adapter) || to.startsWith("@bufbuild/protobuf") || to.startsWith("../gen/");
}

describe("layers", () => {
  it("finds the files and their imports", () => {
    expect(files).toContain("index.ts");
    expect(imports).toContainEqual({ from: "index.ts", to: "base/errors.ts" });
    expect(imports).toContainEqual({ from: "codec/struct-codec.ts", to: "@bufbuild/protobuf" });
  });

  it("has only folders that the table knows", () => {
    const folders = new Set(files.map(folderOf).filter((folder) => folder !== undefined));
    expect([...folders].filter((folder) => layers[folder] === undefined && !adapters.includes(folder))).toEqual([]);
  });

  it("has no import that the table forbids", () => {
    expect(imports.filter((line) => !isAllowed(line)).map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it("has no cycle, types included", () => {
    expect(findCycles()).toEqual([]);
  });

  it.each([
    ["base/errors.ts", "hint/node.ts"],
    ["text/reader.ts", "wire/reader.ts"],
    ["text/reader.ts", "hint/node.ts"],
    ["hint/node.ts", "codec/options.ts"],
    ["hint/node.ts", "index.ts"],
    ["cli/run.ts", "codec/options.ts"],
    ["cli/run.ts", "base/errors.ts"],
    ["codec/options.ts", "node:fs"],
    ["index.ts", "cli/run.ts"],
    ["cli/run.ts", "../test/cases.test.ts"],
  ])("would find %s importing %s", (from, to) => {
    expect(isAllowed({ from, to })).toBe(false);
  });
});

describe("doors", () => {
  it("has no index file below src and no files without a subject", () => {
    expect(files.filter((file) => /\/index\.ts$|\b(?:utils?|helpers?|common|misc)\b/.test(file))).toEqual([]);
  });

  it("has re-exports only in the doors of the layers", () => {
    for (const door of files.filter((file) => isDoor(file) && !isAdapterDoor(file))) {
      const text = readFileSync(join(source, door), "utf8");
      const rest = text.replace(/^export (?:type )?(?:\{[^}]*\}|\*) from "[^"]+";$/gm, "").trim();
      expect(rest, door).toBe("");
    }
  });

  it("has no default export", () => {
    const found = files.filter((file) => /^export default\b/m.test(readFileSync(join(source, file), "utf8")));
    expect(found).toEqual([]);
  });
});

/** Groups of files that import each other in a circle, each named once, in the order of the circle. */
function findCycles(): string[] {
  const edges = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const { from, to } of imports) if (edges.has(to)) edges.get(from)?.push(to);
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      cycles.push([...trail.slice(trail.indexOf(file)), file].join(" -> "));
      return;
    }
    if (done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return cycles;
}
