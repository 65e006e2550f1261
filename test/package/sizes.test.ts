import { describe, expect, it } from "vitest";
import { doors, measureDoor, readStatedSizes } from "./door-sizes.js";

describe("the table of sizes in docs/releasing.md", () => {
  const stated = readStatedSizes();

  it("has a row for every door", () => {
    expect([...stated.keys()]).toEqual(doors);
  });

  // "npm run sizes" measures again. A door that grows says so in its commit.
  it.each([...stated])("says how large %s is", async (door, { minified, gzipped }) => {
    const measured = await measureDoor(door);
    expect(measured.minified).toBeLessThanOrEqual(minified * 1000);
    expect(measured.gzipped).toBeLessThanOrEqual(gzipped * 1000);
    expect(measured.gzipped).toBeGreaterThan(gzipped * 900);
  });
});
