import { fileURLToPath } from "node:url";
import { writeApiReference } from "./api-reference.js";
import { readDoors, readManifest } from "./read-doors.js";
import { writeSummary } from "./summary.js";
import { vectorsFile } from "./vectors.js";

/** A file of the documentation that is made of the source. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** The generated files as they ought to be. */
export function generatedFiles(): GeneratedFile[] {
  const manifest = readManifest();
  const doors = readDoors();
  return [
    { path: inDocs("api.md"), text: writeApiReference(manifest.name, doors) },
    { path: inDocs("summary.json"), text: writeSummary(manifest, doors) },
    { path: inDocs("vectors.json"), text: vectorsFile() },
  ];
}

function inDocs(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url));
}
