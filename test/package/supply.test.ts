import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { listLicenses } from "./list-licenses.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

/** Licences of what is used to develop and test; none of that code is in the package. */
const usable = [
  ...["MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "BlueOak-1.0.0", "MIT OR Apache-2.0"],
  ...["(Apache-2.0 AND BSD-3-Clause)", "(BSD-3-Clause AND Apache-2.0)", "(MIT AND Zlib)", "(MIT OR GPL-3.0-or-later)"],
  // Files under it stay under it; they are used as they come.
  "MPL-2.0",
];

/** Packages that say where their licence stands rather than which it is, and which it is. */
const looked: { readonly [name: string]: string } = {
  "@modelcontextprotocol/server-everything": "MIT and Apache-2.0, by its LICENSE",
};

describe("the package", () => {
  it("depends on nothing but its one peer", () => {
    expect(manifest.dependencies).toBeUndefined();
    expect(manifest.optionalDependencies).toBeUndefined();
    expect(manifest.bundleDependencies).toBeUndefined();
    const required = Object.keys(manifest.peerDependencies).filter(
      (name) => manifest.peerDependenciesMeta[name]?.optional !== true,
    );
    expect(required).toEqual(["@bufbuild/protobuf"]);
  });

  it("runs nothing when it is installed", () => {
    const hooks = ["preinstall", "install", "postinstall", "prepare", "prepublish"];
    expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toEqual([]);
  });

  // Compiled code is there where there was a build, as in .ci/run.
  it("holds compiled code and its types, protos, vectors, and nothing else", () => {
    const [{ files }] = JSON.parse(
      execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root, encoding: "utf8" }),
    ) as [{ files: { path: string }[] }];
    const allowed = [
      /^(?:LICENSE|README\.md|CHANGELOG\.md|package\.json|docs\/vectors\.json)$/,
      /^proto\/structcodec\/v1\/\w+\.proto$/,
      /^dist\/cjs\/package\.json$/,
      /^dist\/(?:esm|cjs)\/(?:src|gen\/structcodec\/v1)\/[\w/-]+\.(?:js|d\.ts)$/,
    ];
    const paths = files.map(({ path }) => path);
    expect(paths.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md", "CHANGELOG.md", "package.json"]));
  });
});

describe("licences", () => {
  const licensed = listLicenses();

  it("are known of all packages that are locked", () => {
    expect(licensed.length).toBeGreaterThan(100);
    const odd = licensed.filter(({ name, license }) => !usable.includes(license) && looked[name] === undefined);
    expect(odd).toEqual([]);
  });

  it("are looked at where a package does not say which", () => {
    for (const name of Object.keys(looked)) {
      expect(licensed.find((found) => found.name === name)?.license).toMatch(/^SEE LICENSE IN /);
    }
  });

  it("of peers let anybody use them", () => {
    const peers = licensed.filter(({ name }) => Object.hasOwn(manifest.peerDependencies, name));
    expect(peers.length).toBe(Object.keys(manifest.peerDependencies).length);
    const permissive = /^\(?(?:MIT|Apache-2\.0|BSD-3-Clause)(?: AND (?:MIT|Apache-2\.0|BSD-3-Clause))?\)?$/;
    expect(peers.filter(({ license }) => !permissive.test(license))).toEqual([]);
  });
});

describe("the bill of materials", () => {
  const write = (args: readonly string[]) =>
    JSON.parse(
      execFileSync(process.execPath, ["--import", "tsx", "test/package/write-sbom.ts", ...args], {
        cwd: root,
        encoding: "utf8",
      }),
    ) as {
      bomFormat: string;
      metadata: { component: { name: string; version: string } };
      components: { name: string; scope: string; "bom-ref": string }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    };

  it("names the package and its peers", () => {
    const { bomFormat, metadata, components, dependencies } = write([]);
    expect(bomFormat).toBe("CycloneDX");
    expect(metadata.component).toMatchObject({ name: manifest.name, version: manifest.version });
    expect(components.map(({ name }) => name)).toEqual(Object.keys(manifest.peerDependencies));
    expect(components.filter(({ scope }) => scope === "required").map(({ name }) => name)).toEqual([
      "@bufbuild/protobuf",
    ]);
    expect(dependencies).toEqual([
      { ref: `${manifest.name}@${manifest.version}`, dependsOn: ["@bufbuild/protobuf@peer"] },
    ]);
  });

  it("names what it is built with when it is asked to", () => {
    expect(write(["--all"]).components.length).toBeGreaterThan(100);
  });
});
