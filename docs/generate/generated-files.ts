import { fileURLToPath } from "node:url";
import { vectorsFile } from "./vectors.js";

/** A file of the documentation that is made of the source. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** The generated files as they ought to be. */
export function generatedFiles(): GeneratedFile[] {
  return [{ path: inDocs("vectors.json"), text: vectorsFile() }];
}

function inDocs(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}
