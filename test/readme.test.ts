import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StructCodecError, StructSchemaError } from "../src/index.js";
import { compileSnippet, importsOf, readSnippets, readSteps, type Snippet, typeCheck } from "./support/snippets.js";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const documents = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);
const snippets = documents.flatMap((name) =>
  readSnippets(join(root, name)).map((snippet) => ({ ...snippet, file: name })),
);
const programs = snippets.filter(({ language }) => language === "ts" || language === "js");

/** A specifier of this package as the file of `src` that it opens; what readers would generate is generated for tests here. */
function sourceOf(specifier: string): string {
  if (specifier === "./gen/agent_pb.js") return "../gen/structcodec/test/v1/agent_pb.js";
  const door = /^protobuf-struct-codec(?:\/(.*))?$/.exec(specifier);
  return door === null ? specifier : `../src/${door[1] ?? "index"}.js`;
}

describe("programs in the documents", () => {
  it("are there, and say what they give", () => {
    expect(programs.length).toBeGreaterThan(8);
  });

  for (const snippet of programs) {
    it(`runs ${snippet.file} line ${snippet.line}`, async () => {
      const modules = new Map<string, unknown>();
      for (const name of importsOf(snippet)) {
        const file = sourceOf(name);
        modules.set(name, await import(file.startsWith(".") ? new URL(file, import.meta.url).href : file));
      }
      await runProgram(snippet, (name) => modules.get(name));
    });
  }

  it("pass the compiler", () => {
    expect(typeCheck(root, programs, sourceOf)).toEqual([]);
  });
});

async function runProgram(snippet: Snippet, require: (name: string) => unknown): Promise<void> {
  const body = compileSnippet(snippet);
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...args: unknown[]) => Promise<void>;
  const check = (actual: unknown, expected: string): void => {
    expect(typeof actual === "string" ? actual : inspect(actual, { breakLength: Number.POSITIVE_INFINITY })).toBe(
      expected,
    );
  };
  const checkThrows = async (run: () => Promise<unknown>, expected: string): Promise<void> => {
    const error = await run().then(
      () => expect.fail(`no error, but ${expected} was expected`),
      (reason: unknown) => reason,
    );
    expect(describeError(error)).toBe(expected);
  };
  await new AsyncFunction("require", "exports", "check", "checkThrows", body)(require, {}, check, checkThrows);
}

function describeError(error: unknown): string {
  if (error instanceof StructCodecError) return `${error.name} ${error.code} at ${error.pointer}`;
  if (error instanceof StructSchemaError) return `${error.name} ${error.code}`;
  throw error;
}

describe("commands in the documents", () => {
  const folder = mkdtempSync(join(tmpdir(), "protobuf-struct-codec-"));
  const bin = mkdtempSync(join(tmpdir(), "protobuf-struct-codec-"));

  beforeAll(() => {
    const command = join(bin, "protobuf-struct-codec");
    const loader = fileURLToPath(import.meta.resolve("tsx"));
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" --import "${loader}" "${root}/src/cli.ts" "$@"\n`);
    chmodSync(command, 0o755);
  });
  afterAll(() => {
    for (const path of [folder, bin]) rmSync(path, { recursive: true });
  });

  for (const snippet of snippets.filter(({ language }) => language === "console")) {
    it(`prints what ${snippet.file} line ${snippet.line} says`, async () => {
      for (const { command, output } of readSteps(snippet)) {
        const printed = await new Promise<string>((resolve) => {
          const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
          execFile("bash", ["-c", `{ ${command}\n} 2>&1`], { cwd: folder, env }, (_error, stdout) => resolve(stdout));
        });
        expect(printed, command).toBe(output);
      }
    });
  }

  it("has only scripts that the package has", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    for (const { text } of snippets.filter(({ language }) => language === "sh")) {
      for (const [, name] of text.matchAll(/\bnpm (?:run )?(?!ci\b|install\b)(\w+)/g)) {
        expect(Object.keys(scripts)).toContain(name);
      }
    }
  });
});
