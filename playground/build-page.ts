import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { examples } from "./model/examples.js";
import { escapeHtml, renderExamples, renderLegend, renderOptions } from "./render-page.js";

/** A file of the page as it is served. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * What the page may do: run its own script, use its own style sheet and picture. Nothing inline, nothing from elsewhere, no
 * connections, no code from strings, and no HTML from strings either.
 */
export const contentSecurityPolicy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Build the page: its files by their names. Any web server, or a folder, can hold them. */
export async function buildPage(): Promise<ReadonlyMap<string, PageFile>> {
  return new Map([
    ["index.html", textFile("text/html", renderPage(await readText("index.html")))],
    ["style.css", textFile("text/css", await readText("style.css"))],
    ["icon.svg", textFile("image/svg+xml", await readText("icon.svg"))],
    ["app.js", { type: "text/javascript; charset=utf-8", bytes: await bundle() }],
  ]);
}

/** What stands in the page from the start need not appear later and push other things away. */
function renderPage(template: string): string {
  const parts = new Map([
    ["policy", contentSecurityPolicy],
    ["examples", renderExamples(examples)],
    ["lesson", escapeHtml(examples[0]?.lesson ?? "")],
    ["legend", renderLegend()],
    ["options", renderOptions()],
  ]);
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => parts.get(name) ?? "");
}

async function bundle(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [inPlayground("app/main.ts")],
    bundle: true,
    minify: true,
    write: false,
    // A classic script, so that the page also opens from a folder without a server.
    format: "iife",
    target: "es2022",
    legalComments: "none",
    tsconfig: inPlayground("tsconfig.json"),
  });
  return (outputFiles[0] as { contents: Uint8Array }).contents;
}

function textFile(type: string, text: string): PageFile {
  return { type: `${type}; charset=utf-8`, bytes: new TextEncoder().encode(text) };
}

function readText(name: string): Promise<string> {
  return readFile(inPlayground(name), "utf8");
}

function inPlayground(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
