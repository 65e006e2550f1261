import { mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildPage } from "./build-page.js";
import { servePage } from "./serve-page.js";

// npm run playground: builds the page and serves it on this machine only, or with --out FOLDER writes its files there.
const { values } = parseArgs({ options: { port: { type: "string", default: "4173" }, out: { type: "string" } } });
const files = await buildPage();
if (values.out === undefined) serve(Number(values.port));
else write(values.out);

function serve(port: number): void {
  const server = servePage(files);
  server.once("error", (error) => {
    console.error(`cannot serve the playground: ${error.message}; another port: npm run playground -- --port 0`);
    process.exitCode = 1;
  });
  server.listen(port, "127.0.0.1", () => {
    console.log(`playground at http://127.0.0.1:${(server.address() as AddressInfo).port}/  (Ctrl-C ends it)`);
  });
}

function write(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, { bytes }] of files) writeFileSync(join(folder, name), bytes);
  console.log(`wrote ${files.size} files to ${folder}`);
}
