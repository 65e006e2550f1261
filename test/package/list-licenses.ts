import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A package that is installed to develop, test or use this one. */
export interface Licensed {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every package of the lockfile, with the licence that it declares. */
export function listLicenses(): Licensed[] {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")) as {
    packages: { [path: string]: LockedPackage };
  };
  const entries = Object.entries(packages).filter(([path, { link }]) => path !== "" && link !== true);
  return entries.map(([path, { version = "", license }]) => ({
    name: path.replace(/^.*node_modules\//, ""),
    version,
    license: license ?? declaredLicense(path),
  }));
}

/** Older packages declare it in forms that the lockfile does not take over. */
function declaredLicense(path: string): string {
  try {
    const { license, licenses } = JSON.parse(readFileSync(`${root}${path}/package.json`, "utf8"));
    return license?.type ?? licenses?.[0]?.type ?? "none";
  } catch {
    // Optional packages for other systems are locked and not installed.
    return "none";
  }
}

/** npm run licenses: the packages under each licence. */
function printLicenses(): void {
  const byLicense = new Map<string, string[]>();
  for (const { name, version, license } of listLicenses()) {
    byLicense.set(license, [...(byLicense.get(license) ?? []), `${name}@${version}`]);
  }
  for (const [license, names] of [...byLicense].sort()) {
    console.log(`\n${license}: ${names.length}\n  ${names.sort().join("\n  ")}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printLicenses();
