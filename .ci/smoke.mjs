// Unpacks the tarball named by the argument beside nothing but its peers and checks that every door opens, with import
// and with require, to the same names, and that the command starts.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const repository = resolve(import.meta.dirname, "..");
const tarball = process.argv[2];
if (tarball === undefined) throw new Error("usage: node .ci/smoke.mjs TARBALL");

const folder = mkdtempSync(join(tmpdir(), "smoke-"));
try {
  const manifest = unpack(resolve(tarball), folder);
  for (const [door, target] of Object.entries(manifest.exports)) {
    if (typeof target === "string") continue;
    openDoor(door === "." ? manifest.name : `${manifest.name}${door.slice(1)}`);
  }
  for (const [name, file] of Object.entries(manifest.bin ?? {})) {
    run([join(folder, "node_modules", manifest.name, file), "--help"]);
    console.log(`ok  ${name} --help`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function unpack(archive, into) {
  const { name, peerDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  const home = join(into, "node_modules", name);
  mkdirSync(home, { recursive: true });
  execFileSync("tar", ["-xzf", archive, "--strip-components=1", "-C", home]);
  for (const peer of Object.keys(peerDependencies ?? {})) {
    const source = join(repository, "node_modules", peer);
    if (!existsSync(source)) throw new Error(`${peer}, a peer dependency, is not installed`);
    mkdirSync(dirname(join(into, "node_modules", peer)), { recursive: true });
    symlinkSync(source, join(into, "node_modules", peer), "dir");
  }
  return JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
}

function openDoor(specifier) {
  const imported = run([
    "--input-type=module",
    "--eval",
    `import * as door from ${JSON.stringify(specifier)}; console.log(Object.keys(door).sort().join());`,
  ]);
  const required = run([
    "--input-type=commonjs",
    "--eval",
    `console.log(Object.keys(require(${JSON.stringify(specifier)})).sort().join());`,
  ]);
  if (imported !== required) {
    throw new Error(`${specifier} imports as ${imported || "nothing"}, but requires as ${required || "nothing"}`);
  }
  console.log(`ok  ${specifier}: ${imported}`);
}

function run(args) {
  return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).trim();
}
