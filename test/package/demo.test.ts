import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("the demo", () => {
  let output = "";
  let code: number | null = null;
  let group = 0;

  beforeAll(async () => {
    // A group of its own, so that whatever it leaves behind can be told.
    const child = spawn(process.execPath, ["--import", "tsx", "examples/demo.ts"], {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    group = child.pid as number;
    for await (const chunk of child.stdout) output += chunk;
    code = await new Promise((resolve) => {
      if (child.exitCode === null) child.once("exit", resolve);
      else resolve(child.exitCode);
    });
  }, 300_000);

  it("shows everything as it must be", () => {
    expect(output).toMatch(/\n39 of 39 are as they must be\n$/);
    expect(output).not.toContain("WRONG");
    expect(code).toBe(0);
  });

  it("talks to a published server", () => {
    expect(output).toMatch(/^mcp-servers\/everything [\d.]+, live over stdio: 13 tools, 0 issues in their schemas\n/);
    expect(output).toContain("refused: expected number, received string at a");
    expect(output).toMatch(/materialId":1955516024755728400.*materialId":1955516024755728386.* ok\n/);
  });

  it.each(["gRPC by connect-node, MCP SDK v1 over stdio", "gRPC by grpc-js, MCP SDK v2 over Streamable HTTP"])(
    "shows side by side what reaches a server: %s",
    (title) => {
      const table = output.slice(output.indexOf(title)).split("\n\n")[1] ?? "";
      expect(table).toMatch(/ {2}without the codec +with the codec\n/);
      expect(table).toMatch(/server got +\{"orderId":1955516024755728400\} +\{"orderId":1955516024755728386\} +ok\n/);
      expect(table).toMatch(
        /told +\{"orderId":1955516024755728400,"customer":"Mallory"\} +\{.*"customer":"Ada"\} +ok\n/,
      );
      expect(table).toMatch(/"wei":1e\+21,.*"wei":1000000000000000000000,.* ok\n/);
    },
  );

  it("leaves no process behind", async () => {
    await expect.poll(() => isRunning(-group), { timeout: 10_000 }).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
