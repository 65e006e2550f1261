import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { runCli, spawnCli } from "../support/run-cli.js";
import { bookTool } from "./story/story-server.js";

const folder = mkdtempSync(join(tmpdir(), "struct-codec-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const wide = {
  name: "w",
  inputSchema: { type: "object", properties: { n: { type: "integer", format: "int64", title: "N" } } },
};

describe("rewrite", () => {
  it("prints the rewritten schema with the digits of the text", async () => {
    const result = await runCli(["rewrite"], {
      input: '{"properties":{"id":{"type":"integer"}},"default":12345678901234567890}',
    });
    expect(result).toEqual({
      code: 0,
      stdout:
        '{"properties":{"id":{"type":"string","pattern":"^-?(?:0|[1-9][0-9]*)$","description":"Decimal digits as text"}},"default":12345678901234567890}\n',
      stderr: "",
    });
  });

  it("tells what stayed a number, and ends with 1", async () => {
    const result = await runCli([
      "rewrite",
      file("union.json", { properties: { id: { type: ["integer", "string"] } } }),
    ]);
    expect(result.code).toBe(1);
    expect(result.stderr).toBe("wide integer is kept, strings are accepted there too at /properties/id\n");
  });

  it.each([[["rewrite", "a", "b"]], [["rewrite", "--exact", "some"]], [["rewrite", "nowhere.json"]]])(
    "refuses %j with 2",
    async (args) => {
      expect((await runCli(args, { input: "{}" })).code).toBe(2);
    },
  );

  it("refuses what is no schema with 2", async () => {
    expect(await runCli(["rewrite"], { input: "[]" })).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("derive", () => {
  const image = join(folder, "image.binpb");

  it("derives from an image that buf builds, with its comments", async () => {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    await promisify(execFile)(
      process.execPath,
      [join(root, "node_modules/@bufbuild/buf/bin/buf"), "build", "-o", image],
      { cwd: root },
    );
    const { code, stdout } = await runCli(["derive", "--image", image, "--message", "structcodec.test.v1.CallContext"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      description: "What a call carries beside its arguments.",
      properties: { metadata: { description: "Trace of the call." } },
    });
  });

  it.each([
    [["derive"]],
    [["derive", "--image", image, "--message", "no.Such"]],
    [["derive", "--image", fileURLToPath(import.meta.url), "--message", "a.B"]],
  ])("refuses %j with 2", async (args) => {
    expect((await runCli(args)).code).toBe(2);
  });
});

describe("audit of a file", () => {
  it("prints a table and ends with 0 where nothing is an error", async () => {
    const result = await runCli(["audit", file("ids.json", { tools: [bookTool] })]);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain(
      "warning unproven_id       book /inputSchema/properties/form/properties/lines/items/properties/materialId",
    );
    expect(result.stdout).toMatch(/\n0 error, 2 warning, 1 info\n$/);
  });

  it.each<[failOn: string[], code: number]>([
    [[], 0],
    [["--fail-on", "warning"], 1],
    [["--fail-on", "info"], 1],
    [["--fail-on", "never"], 0],
  ])("ends as %j says", async (failOn, code) => {
    expect((await runCli(["audit", file("ids.json", [bookTool]), ...failOn])).code).toBe(code);
  });

  it("ends with 1 on an error, but not on one of the baseline", async () => {
    const path = file("wide.json", { jsonrpc: "2.0", id: 1, result: { tools: [wide] } });
    const first = await runCli(["audit", path, "--format", "json"]);
    expect(first.code).toBe(1);
    expect(JSON.parse(first.stdout)).toMatchObject([{ code: "wide_integer", tool: "w" }]);
    const baseline = file("baseline.json", first.stdout);
    expect(await runCli(["audit", path, "--baseline", baseline])).toEqual({
      code: 0,
      stdout: "0 error, 0 warning, 0 info\n",
      stderr: "",
    });
  });

  it("prints SARIF and annotations of a workflow", async () => {
    const path = file("wide.json", wide);
    const sarif = JSON.parse((await runCli(["audit", path, "--format", "sarif"])).stdout);
    expect(sarif).toMatchObject({
      version: "2.1.0",
      runs: [{ results: [{ ruleId: "wide_integer", level: "error" }] }],
    });
    const github = (await runCli(["audit", path, "--format", "github"])).stdout;
    expect(github).toMatch(/^::error title=wide_integer%3A w::\/inputSchema\/properties\/n: integer of 64 bits .*\n$/);
  });

  it("keeps the digits of constants, in every format", async () => {
    const path = file(
      "constants.json",
      '[{"name":"t","inputSchema":{"type":"object","properties":{"id":{"type":"integer","enum":[9007199254740993],"x-first":9007199254740995}}}}]',
    );
    const { stdout } = await runCli(["audit", path, "--format", "json"]);
    const [{ patch, fix }] = JSON.parse(stdout);
    expect(patch[0].value).toMatchObject({ enum: ["9007199254740993"] });
    expect(fix).toContain('"x-first":9007199254740995');
    expect(stdout).toContain('"x-first": 9007199254740995');
    expect((await runCli(["audit", path])).stdout).toContain('"x-first":9007199254740995');
  });

  it("lets no tool steer the terminal", async () => {
    const { stdout } = await runCli(["audit", file("evil.json", [{ ...wide, name: "\u001b[2J::error::\n" }])]);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).not.toMatch(/^::error::/m);
  });

  it("reads half of a surrogate pair, and writes no number that it could not read", async () => {
    const properties =
      '{"id":{"type":"integer","x":"\\ud800","default":1e400},"n_id":{"type":"integer","examples":[{"a":1e400}]}}';
    const path = file("half.json", `[{"name":"t","inputSchema":{"type":"object","properties":${properties}}}]`);
    const { code, stdout } = await runCli(["audit", path]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n0 error, 2 warning, 0 info\n$/);
    expect(stdout).not.toContain("null");
  });

  it.each([
    [["audit"]],
    [["audit", "nowhere.json"]],
    [["audit", file("none.json", { a: 1 })]],
    [["audit", file("broken.json", "{")]],
    [["audit", file("ids.json", []), "--fail-on", "fatal"]],
    [["audit", "http://127.0.0.1:1/", "--header-env", "Authorization"]],
    [["audit", "http://127.0.0.1:1/", "--header-env", "Authorization=NO_SUCH_VARIABLE"]],
    [["audit", "http://127.0.0.1:1/"]],
    [["audit", "--", "no-such-command-anywhere", "x"]],
  ])("refuses %j with 2", async (args) => {
    const { code, stderr } = await runCli(args);
    expect(code).toBe(2);
    expect(stderr).not.toBe("");
  });
});

const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});

/** An endpoint that answers each method as told; what it is told may be a lie. */
async function serve(
  answer: (method: string, params: { cursor?: string }, request: IncomingMessage) => unknown,
): Promise<string> {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { id, method, params } = text === "" ? {} : JSON.parse(text);
    const result =
      method === "initialize"
        ? {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: "s", version: "1" },
          }
        : await answer(method, params ?? {}, request);
    if (id === undefined) return response.writeHead(request.method === "GET" ? 405 : 202).end();
    if (result === undefined) return undefined;
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(typeof result === "string" ? result : JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

describe("audit of an endpoint", () => {
  it("speaks to a command on its standard streams", async () => {
    const script = fileURLToPath(new URL("story/stdio-server.ts", import.meta.url));
    const { code, stdout } = await runCli([
      "audit",
      "--format",
      "json",
      "--",
      process.execPath,
      "--import",
      "tsx",
      script,
      "old",
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).map(({ code }: { code: string }) => code)).toEqual([
      "unproven_id",
      "unproven_id",
      "unproven_integer",
    ]);
  });

  it("reads all pages over HTTP, broken tools included, and sends the header of an environment variable", async () => {
    process.env.STORY_TOKEN = "Bearer secret";
    const seen = new Set<string | undefined>();
    const url = await serve((_, { cursor }, request) => {
      seen.add(request.headers.authorization);
      return cursor === undefined
        ? { tools: [bookTool], nextCursor: "2" }
        : { tools: [wide, 5, { name: "x", inputSchema: 7 }] };
    });
    const { code, stdout } = await runCli([
      "audit",
      url,
      "--format",
      "json",
      "--header-env",
      "Authorization=STORY_TOKEN",
    ]);
    expect(code).toBe(1);
    const codes = JSON.parse(stdout).map(({ code }: { code: string }) => code);
    expect(codes.slice(0, 3).sort()).toEqual(["broken_schema", "broken_tool", "wide_integer"]);
    expect([...seen]).toEqual(["Bearer secret"]);
  });

  it.each<[name: string, answer: () => unknown, message: RegExp]>([
    ["gives the same page for ever", () => ({ tools: [], nextCursor: "again" }), /same page again/],
    ["ends with an empty cursor", () => ({ tools: [], nextCursor: "" }), /same page again: its nextCursor is empty/],
    ["gives a cursor that is none", () => ({ tools: [], nextCursor: 2 }), /nextCursor that is no string/],
    ["gives no list", () => ({ tools: "none" }), /without a list of tools/],
    ["answers garbage", () => "}{", /cannot list the tools/],
    ["never answers", () => undefined, /cannot list the tools: .*[Tt]imed out/],
  ])("ends with 2 where the endpoint %s", async (_, answer, message) => {
    const result = await runCli(["audit", await serve(answer), "--timeout", "2"]);
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(message);
  });

  it("follows an empty cursor, and ends at one that is null", async () => {
    const cursors: (string | undefined)[] = [];
    const url = await serve((method, { cursor }) => {
      if (method === "tools/list") cursors.push(cursor);
      return cursor === undefined ? { tools: [], nextCursor: "" } : { tools: [wide], nextCursor: null };
    });
    expect((await runCli(["audit", url])).code).toBe(1);
    expect(cursors).toEqual([undefined, ""]);
  });

  it("ends with 2 where all pages together take too long", async () => {
    let page = 0;
    const url = await serve(async () => {
      await sleep(300);
      return { tools: [], nextCursor: String(page++) };
    });
    const result = await runCli(["audit", "--timeout", "1", url]);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringMatching(/timed out after 1 seconds/) });
  });

  it("keeps the digits of constants that a command serves", async () => {
    const script = `
      require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method, params } = JSON.parse(line);
        const info = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
        const tools = '{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"id":{"type":"integer","const":9007199254740993}}}}]}';
        if (id !== undefined) console.log('{"jsonrpc":"2.0","id":' + id + ',"result":' + (method === "initialize" ? JSON.stringify(info) : tools) + "}");
      });`;
    const { stdout } = await runCli(["audit", "--", process.execPath, "-e", script]);
    expect(stdout).toContain('"const":"9007199254740993"');
  });

  it.each([
    ["says nothing", "setInterval(() => {}, 1000)"],
    ["does not hear that it shall end", 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'],
    ["has ended", ""],
  ])("ends a command that %s, and what it has started", async (_, script) => {
    const pids = join(folder, "pids");
    const grandchild = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)`;
    const start = `
      const { pid } = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grandchild)}], { stdio: "inherit" });
      require("fs").writeFileSync(${JSON.stringify(pids)}, String(pid));
      ${script === "" ? "process.exit()" : script}`;
    // A process of its own, which ends only when nothing holds it any more.
    const { code, stderr } = await spawnCli(["audit", "--timeout", "2", "--", process.execPath, "-e", start]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/cannot list the tools/);
    // Gone, or dead and not buried yet.
    const state = spawnSync("ps", ["-o", "stat=", "-p", readFileSync(pids, "utf8")], { encoding: "utf8" }).stdout;
    expect(state.trim()).toMatch(/^(?:Z.*)?$/);
  });

  it("ends with 2 where pages never end", async () => {
    let page = 0;
    const result = await runCli(["audit", await serve(() => ({ tools: [], nextCursor: String(page++) }))]);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining("does not end") });
  });

  it("ends with 2 where a command says nothing", async () => {
    const result = await runCli([
      "audit",
      "--timeout",
      "1",
      "--",
      process.execPath,
      "-e",
      "setInterval(() => {}, 1000)",
    ]);
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/[Tt]imed out/);
  });
});
