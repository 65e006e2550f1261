import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A Chromium that is installed, by the variable CHROMIUM or by its usual names; undefined where there is none. */
export function findChromium(): string | undefined {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const named = process.env.CHROMIUM === undefined ? [] : [process.env.CHROMIUM];
  return [...named, ...folders.flatMap((folder) => names.map((name) => join(folder, name)))].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
