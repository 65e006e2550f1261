import { writeFileSync } from "node:fs";
import { generatedFiles } from "./generated-files.js";

// npm run docs: writes what is generated of the documentation. A test fails where it was not run.
for (const { path, text } of generatedFiles()) {
  writeFileSync(path, text);
  console.log(`wrote ${path}`);
}
