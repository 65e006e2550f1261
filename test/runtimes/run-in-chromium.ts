import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { build, type Plugin } from "esbuild";
import { chromium } from "playwright-core";
import type { Report } from "./collect-tests.js";

/** Run the case table in a page of a headless Chromium, under a policy that forbids code made of strings. */
export async function runInChromium(program: string, folder: string, format: "esm" | "cjs"): Promise<Report> {
  const server = await serve(await bundlePage(folder, format));
  const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const found = await page
      .waitForFunction("globalThis.report", undefined, { timeout: 300_000 })
      .catch(() => undefined);
    if (found === undefined) throw new Error(`the page gave no report\n${faults.join("\n")}`);
    return (await found.jsonValue()) as Report;
  } finally {
    await browser.close();
    server.close();
  }
}

/** The version of a Chromium, or undefined where it does not start. */
export async function versionOfChromium(program: string): Promise<string | undefined> {
  try {
    const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
    const version = browser.version();
    await browser.close();
    return version;
  } catch {
    return undefined;
  }
}

async function bundlePage(folder: string, format: "esm" | "cjs"): Promise<string> {
  // A bundler takes the files of a package that are for how it was asked: by import or by require.
  const load =
    format === "esm"
      ? 'import { runCaseTable } from "./cases.mjs";'
      : 'const { runCaseTable } = require("./cases.cjs");';
  const { outputFiles } = await build({
    stdin: {
      contents: `${load}\nrunCaseTable().then((report) => { globalThis.report = report; });`,
      resolveDir: folder,
    },
    write: false,
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    logLevel: "warning",
    plugins: [otherRealm],
  });
  return outputFiles[0]?.text ?? "";
}

/** Rows that need an object of another realm have it made by `node:vm`. Pages have frames for that. */
const otherRealm: Plugin = {
  name: "other-realm",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:vm$/ }, () => ({ path: "vm", namespace: "other-realm" }));
    onLoad({ filter: /.*/, namespace: "other-realm" }, () => ({ contents: runInFrame }));
  },
};

// Rows write literals only; as JSON they can be made where no code may be.
const runInFrame = `
export function runInNewContext(code) {
  const frame = document.body.appendChild(document.createElement("iframe"));
  const json = code.replace(/^\\(|\\)$/g, "").replace(/(\\w+):/g, '"$1":').replaceAll("'", '"');
  return frame.contentWindow.JSON.parse(json);
}`;

function serve(script: string): Promise<Server> {
  const server = createServer(({ url }, response) => {
    const [type, body] =
      url === "/cases.js"
        ? ["text/javascript", script]
        : ["text/html", '<!doctype html><meta charset="utf-8"><body><script src="/cases.js"></script>'];
    response.setHeader("content-security-policy", "default-src 'self'");
    // Without these pages have no shared memory.
    response.setHeader("cross-origin-opener-policy", "same-origin");
    response.setHeader("cross-origin-embedder-policy", "require-corp");
    response.setHeader("content-type", `${type}; charset=utf-8`);
    response.end(body);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
