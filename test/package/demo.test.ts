import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("shows the demo as it must be, offline and within seconds", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const output = execFileSync(process.execPath, ["--import", "tsx", "examples/demo.ts"], {
    cwd: root,
    encoding: "utf8",
    timeout: 30_000,
  });
  expect(output).toMatch(/^mcp-servers\/everything [\d.]+, live over stdio: 13 tools, 0 issues in their schemas\n/);
  expect(output).toMatch(/materialId":1955516024755728400.*materialId":1955516024755728386.* ok\n/);
  expect(output).toContain("refused: expected number, received string at a");
  expect(output).toMatch(/\n15 of 15 are as they must be\n$/);
});
