import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

function start(...args: string[]) {
  return spawn(process.execPath, ["--import", "tsx", "playground/playground.ts", ...args], { cwd: root });
}

it("serves the page with one command, on this machine only", async () => {
  const command = start("--port", "0");
  try {
    const line = await new Promise<string>((resolve) => {
      let printed = "";
      command.stdout.on("data", (data: Buffer) => {
        printed += data.toString();
        if (printed.includes("\n")) resolve(printed);
      });
    });
    const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(line)?.[0] ?? "";
    const answer = await fetch(address);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(await answer.text()).toContain("app.js");
  } finally {
    command.kill();
  }
});

it("writes plain files for any other server", async () => {
  const folder = mkdtempSync(join(tmpdir(), "playground-"));
  try {
    const command = start("--out", folder);
    expect(await new Promise((resolve) => command.on("close", resolve))).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(["app.js", "icon.svg", "index.html", "style.css"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
