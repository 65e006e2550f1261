import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../../runtimes/install-packages.js";
import { packHead } from "../../runtimes/pack-head.js";
import { runCommand } from "../../runtimes/run-command.js";

// npm run test:types: what users write, compiled by the compilers that users have, against the packed tarball and the
// frameworks as the registry has them. All with skipLibCheck off.

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const manifest = JSON.parse(await readFile(join(repository, "package.json"), "utf8"));

const compilers = ["~5.5.0", "~5.9.0", "~6.0.0", "~7.0.0"];

/** How a project resolves packages, and how its files must end for that. */
const projects = [
  { name: "node16, import", ending: "mts", options: { module: "node16", moduleResolution: "node16" } },
  { name: "node16, require", ending: "cts", options: { module: "node16", moduleResolution: "node16" } },
  { name: "nodenext, import", ending: "mts", options: { module: "nodenext", moduleResolution: "nodenext" } },
  { name: "nodenext, require", ending: "cts", options: { module: "nodenext", moduleResolution: "nodenext" } },
  { name: "bundler", ending: "ts", options: { module: "esnext", moduleResolution: "bundler" } },
];

const ofNode = { lib: ["es2022"], types: ["node"] };

/**
 * What is compiled. Streams are declared by the types of Node.js or by those of a browser; the declarations of frameworks want
 * Node.js, and are not all clean.
 */
const programs = [
  { name: "types of Node.js", files: ["consumer", "mistake"], options: ofNode, isCoreAlone: true },
  {
    name: "types of browsers",
    files: ["consumer", "mistake"],
    options: { lib: ["es2022", "dom", "dom.iterable"], types: [] },
    isCoreAlone: true,
  },
  { name: "every door", files: ["adapter-consumer", "every-door", "mistake"], options: ofNode, isCoreAlone: false },
];

/** Complained about in every compilation, or it was not one: after some complaints about others a compiler does not go on. */
const mistake = `import { createStructCodec } from "${manifest.name}";\nexport const codec: number = createStructCodec();\n`;

interface Compilation {
  readonly name: string;
  readonly app: string;
  readonly tsc: string;
  readonly files: readonly string[];
  readonly options: object;
  /** Whether the declarations of others may be complained about. */
  readonly toleratesOthers: boolean;
}

const folder = await mkdtemp(join(tmpdir(), "types-"));
try {
  const app = await prepareApp(process.argv[2] ?? (await packHead(folder)));
  for (const range of compilers) await testCompiler(app, range);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A project with the package and all its peers, and the files that are compiled. */
async function prepareApp(tarball: string): Promise<string> {
  const app = join(folder, "app");
  const { devDependencies, peerDependencies } = manifest;
  const names = [...Object.keys(peerDependencies), "@types/node"];
  const installed = await installPackages(app, [tarball, ...names.map((name) => `${name}@${devDependencies[name]}`)]);
  if (!installed.ok) throw new Error(`the tarball and its peers cannot be installed:\n${installed.log}`);
  const doors = Object.keys(manifest.exports).filter((door) => typeof manifest.exports[door] !== "string");
  const texts = {
    consumer: await readConsumer("consumer.ts"),
    "adapter-consumer": await readConsumer("adapter-consumer.ts"),
    mistake,
    "every-door": doors.map((door, i) => `export * as door${i} from "${nameOf(door)}";\n`).join(""),
  };
  for (const [name, text] of Object.entries(texts)) {
    for (const { ending } of projects) await writeFile(join(app, `${name}.${ending}`), text);
  }
  return app;
}

/** A file of this folder, which imports the sources, as it stands in a project that imports the package. */
async function readConsumer(file: string): Promise<string> {
  const text = await readFile(new URL(file, import.meta.url), "utf8");
  return text.replace(/"(?:\.\.\/)+src\/([\w-]+)\.js"/g, (_, door) => `"${nameOf(door)}"`);
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
  const tsc = join(dirname(about), bin.tsc);
  for (const project of projects) {
    for (const { name, files, options, isCoreAlone } of programs) {
      await compile({
        name: `TypeScript ${version}, ${project.name}, ${name}`,
        app,
        tsc,
        files: files.map((file) => `${file}.${project.ending}`),
        options: { ...project.options, ...options },
        // protobuf-es is compiled for TypeScript 5.7 and later; its users with an older one have skipLibCheck.
        toleratesOthers: !isCoreAlone || version.startsWith("5.5."),
      });
    }
  }
}

async function compile({ name, app, tsc, files, options, toleratesOthers }: Compilation): Promise<void> {
  const compilerOptions = {
    target: "es2022",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  };
  await writeFile(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const { log } = await runCommand(process.execPath, [tsc, "-p", app], { cwd: app });
  const complaints = log.split("\n").filter((line) => /error TS\d+/.test(line));
  const others = complaints.filter(isAboutOthers);
  const own = complaints.filter((line) => !isAboutOthers(line));
  const isSeen = own.length === 1 && /^mistake\.\w+\(2,\d+\): error TS2322/.test(own[0] as string);
  const isGood = isSeen && (toleratesOthers || others.length === 0);
  console.log(`${isGood ? "ok    " : "FAILED"} ${name}${isGood ? describeOthers(others) : ""}`);
  if (isGood) return;
  console.error(log.slice(-8000));
  process.exitCode = 1;
}

function isAboutOthers(complaint: string): boolean {
  return complaint.startsWith("node_modules/") && !complaint.startsWith(`node_modules/${manifest.name}/`);
}

function describeOthers(complaints: readonly string[]): string {
  if (complaints.length === 0) return "";
  const names = complaints.map((line) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(line)?.[1]);
  return ` (but for ${complaints.length} complaints about declarations of ${[...new Set(names)].join(", ")})`;
}
