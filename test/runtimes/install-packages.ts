import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Ended, runCommand } from "./run-command.js";

/** Install packages from the registry into a folder of their own, without running any of their scripts. */
export async function installPackages(folder: string, specs: readonly string[]): Promise<Ended> {
  await mkdir(folder, { recursive: true });
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) await writeFile(manifest, '{ "private": true }\n');
  const quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"];
  return runCommand("npm", ["install", ...quiet, ...specs], { cwd: folder });
}
