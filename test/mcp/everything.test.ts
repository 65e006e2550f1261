import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createMcpBridge,
  ExactStdioClientTransport,
  exactHttp,
  type McpBridge,
  type McpTransport,
} from "../../src/mcp.js";
import { createClosingAtEnd } from "./support/closing.js";
import { type Sdk, sdks } from "./support/sdks.js";

const server = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
const preload = new URL("support/listen-on-loopback.mjs", import.meta.url).href;

/** The published server over Streamable HTTP, in a process of its own. */
let url: URL;
const child = fork(server, ["streamableHttp"], { execArgv: ["--import", preload], silent: true });
beforeAll(async () => {
  const port = await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", () => reject(new Error("the server did not start")));
  });
  url = new URL(`http://127.0.0.1:${port}/mcp`);
});
afterAll(async () => {
  if (child.exitCode !== null) return;
  await new Promise((resolve) => child.once("exit", resolve) && child.kill());
});

const transports: readonly (readonly [name: string, open: (sdk: Sdk) => McpTransport])[] = [
  [
    "stdio",
    () => new ExactStdioClientTransport({ command: process.execPath, args: [server, "stdio"], stderr: "ignore" }),
  ],
  ["Streamable HTTP", ({ http }) => exactHttp((fetch) => http(url, fetch))],
];

describe.each(sdks.map((sdk) => [sdk.name, sdk] as const))("server-everything by a client of SDK %s", (_, sdk) => {
  describe.each(transports)("over %s", (_name, open) => {
    const closing = createClosingAtEnd();
    let bridge: McpBridge;
    beforeAll(async () => {
      bridge = closing(createMcpBridge(closing(await sdk.connect(open(sdk)))));
    });

    const call = async (name: string, field: JsonObject): Promise<string | undefined> =>
      (await bridge.callTool(name, { field })).content[0]?.text;

    // The tool takes numbers and refuses text. It is written in JavaScript, so what it says of them is rounded.
    it.each([
      ["9007199254740993", "9007199254740992"],
      ["-9223372036854775808", "-9223372036854776000"],
      ["18446744073709551615", "18446744073709552000"],
      [1e21, "1e+21"],
      [-0, "0"],
      [5.0, "5"],
      [0.1, "0.1"],
    ])("gives %s to a tool as a number", async (a, said) => {
      expect(await call("get-sum", { a, b: 0 })).toMatch(`The sum of ${said} and 0 is `);
    });

    it("shows a number with all its digits", async () => {
      const { text } = await bridge.prepare("get-sum", { field: { a: "9007199254740993", b: -0 } });
      expect(text).toBe('{"a":9007199254740993,"b":-0}');
    });

    it("leaves text that looks like a number alone", async () => {
      expect(await call("echo", { message: "9007199254740993" })).toBe("Echo: 9007199254740993");
      expect(await call("echo", { message: "005930" })).toBe("Echo: 005930");
    });

    it("sends what no tool knows, and the tool leaves it out", async () => {
      const field: JsonObject = JSON.parse('{"message":"hello","nothing":null,"__proto__":{"a":[[[[1]]]]}}');
      expect(await call("echo", field)).toBe("Echo: hello");
    });

    it("is told by the server what it does not take", async () => {
      const { isError, content } = await bridge.callTool("get-sum", { field: { a: "many", b: 0 } });
      expect(isError).toBe(true);
      expect(content[0]?.text).toContain("expected number, received string");
    });

    it("gives a structured result as a Struct", async () => {
      const { structured } = await bridge.callTool("get-structured-content", { field: { location: "Chicago" } });
      expect(structured?.toField()).toEqual({ temperature: 36, conditions: "Light rain / drizzle", humidity: 82 });
    });
  });
});
