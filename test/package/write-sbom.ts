import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// npm run sbom [-- FILE]: what the package consists of and what it is used with, as CycloneDX. `npm run sbom -- FILE --all` has
// the packages that it is built and tested with too.

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const args = process.argv.slice(2);
const [file] = args.filter((arg) => arg !== "--all");

const omit = args.includes("--all") ? [] : ["--omit", "dev"];
const npm = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "library", "--package-lock-only", ...omit];
const bill = JSON.parse(execFileSync("npm", npm, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }));

// npm names the package after its folder, and leaves out the peers, which are installed by whoever uses it.
bill.metadata.component.name = manifest.name;
const self = bill.metadata.component["bom-ref"];
for (const [name, range] of Object.entries(manifest.peerDependencies)) {
  const isOptional = manifest.peerDependenciesMeta?.[name]?.optional === true;
  bill.components.push({
    "bom-ref": `${name}@peer`,
    type: "library",
    name,
    scope: isOptional ? "optional" : "required",
    purl: `pkg:npm/${encodeURIComponent(name).replace("%2F", "/")}`,
    properties: [{ name: "cdx:npm:package:peer", value: String(range) }],
  });
  if (!isOptional) bill.dependencies.find(({ ref }: { ref: string }) => ref === self)?.dependsOn.push(`${name}@peer`);
}

const text = `${JSON.stringify(bill, null, 2)}\n`;
if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text);
