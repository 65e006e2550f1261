import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../../runtimes/install-packages.js";
import { packHead } from "../../runtimes/pack-head.js";
import { runCommand } from "../../runtimes/run-command.js";

// npm run test:types: what users write, compiled by the compilers that users have, against the packed tarball.

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const manifest = JSON.parse(await readFile(join(repository, "package.json"), "utf8"));

const compilers = ["~5.5.0", "~6.0.0", "~7.0.0"];

/** How a project resolves packages, and how its file must be named for that. */
const projects = [
  { name: "nodenext, import", file: "consumer.mts", options: { module: "nodenext", moduleResolution: "nodenext" } },
  { name: "nodenext, require", file: "consumer.cts", options: { module: "nodenext", moduleResolution: "nodenext" } },
  { name: "bundler", file: "consumer.ts", options: { module: "esnext", moduleResolution: "bundler" } },
];

/** Streams are declared by the types of Node.js or by those of a browser. */
const libraries = [
  { name: "types of Node.js", options: { lib: ["es2022"], types: ["node"] } },
  { name: "types of browsers", options: { lib: ["es2022", "dom", "dom.iterable"], types: [] } },
];

const folder = await mkdtemp(join(tmpdir(), "types-"));
try {
  const app = await prepareApp(process.argv[2] ?? (await packHead(folder)));
  for (const version of compilers) await testCompiler(app, version);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A project with the package and its peers. Those that adapters are for are the ones of this repository. */
async function prepareApp(tarball: string): Promise<string> {
  const app = join(folder, "app");
  const { devDependencies, peerDependencies } = manifest;
  const own = ["@bufbuild/protobuf", "@types/node"];
  const installed = await installPackages(app, [tarball, ...own.map((name) => `${name}@${devDependencies[name]}`)]);
  if (!installed.ok) throw new Error(`the tarball cannot be installed:\n${installed.log}`);
  for (const peer of Object.keys(peerDependencies).filter((name) => !own.includes(name))) {
    const link = join(app, "node_modules", peer);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(repository, "node_modules", peer), link, "dir");
  }
  const consumer = await readFile(new URL("consumer.ts", import.meta.url), "utf8");
  const doors = Object.keys(manifest.exports).filter((door) => typeof manifest.exports[door] !== "string");
  const every = doors.map((door, i) => `export * as door${i} from "${nameOf(door)}";\n`).join("");
  for (const { file } of projects) {
    await writeFile(
      join(app, file),
      consumer.replace(/"(?:\.\.\/)+src\/(\w+)\.js"/g, (_, door) => `"${nameOf(door)}"`),
    );
    await writeFile(join(app, `every-${file}`), every);
  }
  return app;
}

function nameOf(door: string): string {
  const name = door.replace(/^\.\/?/, "");
  return name === "" || name === "index" ? manifest.name : `${manifest.name}/${name}`;
}

async function testCompiler(app: string, range: string): Promise<void> {
  const home = join(folder, `typescript-${range.slice(1)}`);
  const installed = await installPackages(home, [`typescript@${range}`]);
  if (!installed.ok) {
    console.log(`TypeScript ${range.slice(1)}: skipped, the registry has none for this system`);
    return;
  }
  const about = join(home, "node_modules/typescript/package.json");
  const { version, bin } = JSON.parse(await readFile(about, "utf8"));
  const program = join(dirname(about), bin.tsc);
  for (const project of projects) {
    for (const library of libraries) {
      const name = `TypeScript ${version}, ${project.name}, ${library.name}`;
      const options = { ...project.options, ...library.options };
      // The declarations of the package itself are checked, those of the frameworks are not.
      await compile(app, program, name, project.file, { ...options, skipLibCheck: false });
      await compile(app, program, `${name}, every door`, `every-${project.file}`, { ...options, skipLibCheck: true });
    }
  }
}

async function compile(app: string, program: string, name: string, file: string, options: object): Promise<void> {
  const compilerOptions = {
    target: "es2022",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    ...options,
  };
  await writeFile(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  const { ok, log } = await runCommand(process.execPath, [program, "-p", app], { cwd: app });
  const complaints = log.split("\n").filter((line) => /error TS\d+/.test(line));
  // protobuf-es is compiled for TypeScript 5.7 and later; its users with an older one have skipLibCheck.
  const isForeign = (line: string): boolean =>
    line.startsWith("node_modules/") && !line.startsWith(`node_modules/${manifest.name}/`);
  const own = complaints.filter((line) => !isForeign(line));
  const isGood = ok || (complaints.length > 0 && own.length === 0);
  const note = ok || !isGood ? "" : ` (but for ${complaints.length} complaints about declarations of others)`;
  console.log(`${isGood ? "ok    " : "FAILED"} ${name}${note}`);
  if (isGood) return;
  console.error(own.length === 0 ? log : own.join("\n"));
  process.exitCode = 1;
}
