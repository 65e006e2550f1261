import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { anchor } from "../../docs/generate/api-reference.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folders = ["", "docs/", "bench/", "examples/", "playground/"];
const documents = folders.flatMap((folder) =>
  readdirSync(root + folder)
    .filter((name) => name.endsWith(".md") || name === "llms.txt")
    .map((name) => folder + name),
);

/** A document without its fenced and indented code, in which nothing is a link or a heading. */
function proseOf(name: string): string {
  return readFileSync(root + name, "utf8")
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(/^ {4}.*$/gm, "");
}

/** The anchors of a document; a heading that comes again has a number. */
function anchorsOf(name: string): string[] {
  const seen = new Map<string, number>();
  return [...proseOf(name).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => {
    const plain = anchor((heading as string).replace(/`/g, ""));
    const count = seen.get(plain) ?? 0;
    seen.set(plain, count + 1);
    return count === 0 ? plain : `${plain}-${count}`;
  });
}

function linksOf(name: string): string[] {
  const text = proseOf(name).replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ""));
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string);
}

describe("links in the documents", () => {
  it("are looked at in every document", () => {
    expect(documents).toEqual(expect.arrayContaining(["README.md", "CONTRIBUTING.md", "llms.txt", "docs/README.md"]));
  });

  it.each(documents)("lead from %s to something that is there", (name) => {
    for (const link of linksOf(name).filter((target) => !/^https?:/.test(target))) {
      const [path = "", hash] = link.split("#");
      const target = path === "" ? name : normalize(join(dirname(name), path));
      expect(existsSync(root + target), link).toBe(true);
      if (hash !== undefined) expect(anchorsOf(target), link).toContain(hash);
    }
  });

  it.each(documents)("go out of %s by https", (name) => {
    expect(linksOf(name).filter((target) => target.startsWith("http:"))).toEqual([]);
  });
});

describe("llms.txt", () => {
  it("names every document of the folder", () => {
    const named = linksOf("llms.txt");
    expect(documents.filter((name) => name.startsWith("docs/") && !named.includes(name))).toEqual([]);
  });

  it("has the form that readers of such files expect", () => {
    const lines = readFileSync(`${root}llms.txt`, "utf8").split("\n");
    expect(lines[0]).toBe("# protobuf-struct-codec");
    expect(lines[2]).toMatch(/^> /);
    const items = lines.filter((line) => line.startsWith("- ["));
    for (const item of items) expect(item).toMatch(/^- \[[^\]]+\]\([^)]+\)(?:: .+)?$/);
  });
});
