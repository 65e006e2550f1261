import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildPage, contentSecurityPolicy, type PageFile } from "../../playground/build-page.js";
import { examples } from "../../playground/model/examples.js";
import { packState } from "../../playground/model/share.js";
import { servePage } from "../../playground/serve-page.js";
import { createStructCodec } from "../../src/index.js";
import { findChromium } from "./find-chromium.js";

const executablePath = findChromium();
let files: ReadonlyMap<string, PageFile>;
let server: Server;
let address: string;

beforeAll(async () => {
  files = await buildPage();
  server = servePage(files);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

describe("the files of the page", () => {
  it("have less than 300 kB of script, as gzip sends it", () => {
    const size = gzipSync(files.get("app.js")?.bytes as Uint8Array).length;
    expect(size).toBeLessThan(300_000);
    // What the page really has; a jump is worth a thought.
    expect(size).toBeLessThan(200_000);
  });

  it("hold nothing inline and nothing from elsewhere", () => {
    const html = new TextDecoder().decode(files.get("index.html")?.bytes);
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:|https?:\/\//i);
    expect(html).not.toContain("{{");
    const css = new TextDecoder().decode(files.get("style.css")?.bytes);
    expect(css).not.toMatch(/url\(|@import/);
  });

  it("are all that the server gives, under the policy", async () => {
    for (const [name, { type }] of files) {
      const answer = await fetch(address + name);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe(type);
      expect(answer.headers.get("content-security-policy")).toContain(contentSecurityPolicy);
      await answer.arrayBuffer();
    }
    for (const path of ["../package.json", "%2e%2e/package.json", "app/main.ts", "__proto__", "index.html/"]) {
      expect((await fetch(address + path)).status, path).toBe(404);
    }
    expect((await fetch(address, { method: "POST" })).status).toBe(405);
    expect((await fetch(address, { method: "HEAD" })).headers.get("content-length")).not.toBe("0");
  });
});

if (executablePath === undefined) {
  describe("the page in a browser", () => {
    it.skip("skipped: no Chromium was found; install one, or name it in the variable CHROMIUM", () => {});
  });
}

describe.skipIf(executablePath === undefined)("the page in a browser", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: executablePath as string,
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    });
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    complaints = [];
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("crash", () => complaints.push("the page crashed"));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.addInitScript(() => {
      addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
        console.error(`policy: ${violatedDirective} ${blockedURI}`);
      });
    });
  });
  afterEach(async () => {
    await context.close();
    // Also what the policy refuses is written to the console.
    expect(complaints).toEqual([]);
  });

  const editor = (name: string): Locator => page.locator(`#${name}-editor .cm-content`);
  const notes = (name: string): Locator => page.locator(`#${name}-notes`);
  const text = async (name: string): Promise<string> =>
    (await editor(name).locator(".cm-line").allInnerTexts()).join("\n");
  const outputs = (expected: string) =>
    expect.poll(async () => (await text("output")).replace(/\s/g, ""), { timeout: 20_000 }).toBe(expected);
  const choose = async (i: number): Promise<void> => {
    await page.selectOption("#example", String(i));
    await expect.poll(() => page.locator("#lesson").textContent()).toBe(examples[i]?.lesson);
  };
  const type = async (name: "schema" | "input", content: string): Promise<void> => {
    await editor(name).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(content);
  };
  const open = async (hash = ""): Promise<void> => {
    await page.goto(address + hash);
    await expect.poll(() => page.locator("#panel").textContent()).not.toBe("");
  };

  it("begins with an example, and says what was changed", async () => {
    await open();
    await outputs('{"pathInProject":"cmd/main.go","line":7,"column":6}');
    expect(await notes("output").textContent()).toContain("/line: 7.0 → 7");
    expect(await notes("output").textContent()).toContain("the same Struct");
    expect(await editor("input").locator(".changed").allInnerTexts()).toEqual(["7.0", "6.0"]);
    expect(await editor("output").locator(".changed.mark-unknown").allInnerTexts()).toEqual(["7", "6"]);
  });

  it("follows what is typed", async () => {
    await open();
    await type("schema", '{"properties":{"id":{"type":"integer","format":"int64"},"p":{"type":"number"}}}');
    await type("input", '{"id":1955516024755728386,"p":1.0}');
    await outputs('{"id":"1955516024755728386","p":1}');
    expect(await editor("output").locator(".mark-wide").allInnerTexts()).toEqual(['"1955516024755728386"']);
    expect(await editor("output").locator(".mark-number").allInnerTexts()).toEqual(["1"]);
    expect(await page.locator("#example").inputValue()).toBe("");
  });

  it("colours every kind of place", async () => {
    await open();
    await choose(4);
    await expect.poll(() => editor("output").locator(".mark-digits").count()).toBe(1);
    expect(await editor("output").locator(".mark-integer").allInnerTexts()).toEqual(["30"]);
    await choose(9);
    await expect.poll(() => editor("output").locator(".mark-ambiguous").count()).toBe(3);
  });

  it("shows errors and issues in the text, and goes there", async () => {
    await open();
    await type("schema", '{"properties":{"a":{"type":"integer"},"b":{"$ref":"#/x"}}}');
    await type("input", '{"a":1e400}');
    await expect.poll(() => notes("input").textContent()).toContain("beyond the range of doubles at /a");
    expect(await editor("input").locator(".cm-lintRange-error").textContent()).toBe("1e400");
    expect(await notes("schema").textContent()).toContain("#/x");
    await type("input", '{"a":2.5}');
    await outputs('{"a":2.5}');
    expect(await editor("output").locator(".cm-lintRange-warning").textContent()).toBe("2.5");
    await notes("input").getByRole("button").first().click();
    await page.keyboard.insertText("3.0");
    await outputs('{"a":3}');
  });

  it("explains the place of the cursor, and shows what belongs to it", async () => {
    await open();
    await choose(1);
    await outputs('{"note_id":"1955516024755728386","topic_id":1955516024755728387,"page":1}');
    await editor("output").locator(".mark-wide").click();
    await expect
      .poll(() => page.locator("#output-where").textContent())
      .toBe("/note_id  numbers: integer, wide (int64); strings: none; from /properties/note_id");
    expect(await editor("input").locator(".linked").textContent()).toBe("1955516024755728386");
    expect((await editor("schema").locator(".linked").allInnerTexts()).join("")).toContain('"int64"');
  });

  it("reads hex and base64", async () => {
    await open();
    const bytes = createStructCodec().jsonStringToBinary('{"n":5}');
    await type("schema", "");
    for (const format of ["hex", "base64"] as const) {
      await type("input", Buffer.from(bytes).toString(format));
      await outputs('{"n":5}');
      await expect.poll(() => notes("input").textContent()).toContain(`Read as ${format}: ${bytes.length} bytes`);
    }
    await page.selectOption("#format", "hex");
    await expect.poll(() => notes("input").textContent()).toContain("not a hexadecimal digit");
  });

  it("takes files that are dropped or chosen", async () => {
    await open();
    await type("schema", "");
    const binary = Buffer.from(createStructCodec().jsonStringToBinary('{"dropped":true}'));
    const data = await page.evaluateHandle(
      (numbers) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(numbers)], "message.binpb"));
        return transfer;
      },
      [...binary],
    );
    await editor("input").dispatchEvent("drop", { dataTransfer: data });
    await outputs('{"dropped":true}');
    expect(await page.locator("#format").inputValue()).toBe("base64");
    await page.setInputFiles("#input-file", {
      name: "a.json",
      mimeType: "application/json",
      buffer: Buffer.from('{"chosen":1.0}'),
    });
    await outputs('{"chosen":1}');
    await page.setInputFiles("#schema-file", {
      name: "s.json",
      mimeType: "application/json",
      buffer: Buffer.from('{"x-y":1}'),
    });
    await expect.poll(() => text("schema")).toBe('{"x-y":1}');
    await page.setInputFiles("#input-file", { name: "big", mimeType: "text/plain", buffer: Buffer.alloc(5 * 2 ** 20) });
    await expect.poll(() => page.locator("#status").textContent()).toContain("larger than 4 MiB");
  });

  it("has a switch for every option, which does what it says", async () => {
    await open();
    await type(
      "schema",
      '{"properties":{"id":{"type":"integer","format":"int64"},"n":{"type":"number"},"userId":{"type":"integer"}}}',
    );
    await type("input", '{"id":9007199254740993,"n":1,"userId":7}');
    await outputs('{"id":"9007199254740993","n":1,"userId":7}');
    const option = (name: string) => page.locator(`#options [name="${name}"]`);
    await option("int64").selectOption("schema");
    await outputs('{"id":9007199254740993,"n":1,"userId":7}');
    await option("int64").selectOption("string");
    await option("exact").selectOption("ids");
    await outputs('{"id":"9007199254740993","n":1,"userId":"7"}');
    await page.locator("#options summary").click();
    await option("wholeNumbers").selectOption("fraction");
    await outputs('{"id":"9007199254740993","n":1.0,"userId":"7"}');
    await option("prettySpaces").fill("0");
    await expect.poll(() => text("output")).toBe('{"id":"9007199254740993","n":1.0,"userId":"7"}');
    await option("unsafeIntegers").selectOption("error");
    await expect.poll(() => notes("input").textContent()).toContain("error");
    await option("unsafeIntegers").selectOption("round");
    await outputs('{"id":"9007199254740992","n":1.0,"userId":"7"}');
    await option("limits.depth").fill("0");
    await expect.poll(() => notes("input").textContent()).toContain("0");
    await page.locator("#reset-options").click();
    await outputs('{"id":"9007199254740993","n":1,"userId":7}');
    await option("strict.rounded").check();
    await type("input", '{"n":9007199254740993.0}');
    await expect.poll(() => notes("input").textContent()).toContain("error");
    await option("strict.rounded").uncheck();
    await option("documents").fill("{");
    await expect.poll(() => notes("schema").textContent()).toContain("JSON");
  });

  it("shows the wire bytes beside their values", async () => {
    await open();
    await choose(1);
    await page.click("#tab-wire");
    const rows = page.locator(".wire tbody tr");
    await expect.poll(() => rows.count()).toBe(12);
    expect((await rows.nth(3).locator("td").allInnerTexts()).map((cell) => cell.trim())).toEqual([
      "000d",
      "1a 13 31 39 35 35 35 31 36 30 32 34 37 35 35 37 32 38 33 38 36",
      "string_value",
      '"1955516024755728386"',
      '"1955516024755728386"',
    ]);
    await rows.nth(3).getByRole("button").click();
    await expect.poll(() => page.locator("#output-where").textContent()).toContain("/note_id");
    await type("input", "0a0e0a0176120911000000");
    await expect.poll(() => page.locator(".wire .wrong").textContent()).toContain("malformed");
  });

  it("shows what other runtimes write, for both Structs", async () => {
    await open();
    await choose(1);
    const card = (name: string) => page.locator(".card", { has: page.locator(`h3:has-text("${name}")`) });
    await expect
      .poll(() => card("Java").locator("pre").last().textContent())
      .toContain('"note_id":"1955516024755728386"');
    await page.check("#reader-none");
    await expect.poll(() => card("JavaScript").locator("pre").textContent()).toContain('"note_id":1955516024755728400');
    expect(await card("Java").locator("pre").last().textContent()).toContain('"page":1.0');
    expect(await card("Python").locator(".differs").allInnerTexts()).toEqual([
      "1.9555160247557284e+18",
      "1.9555160247557284e+18",
      "1.0",
    ]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("reader-none");
  });

  it("shows the schema for a model, and the audit", async () => {
    await open();
    await choose(1);
    await page.click("#tab-model");
    const rewritten = page.locator("#panel .cm-content");
    await expect.poll(() => rewritten.textContent()).toContain("Decimal digits as text");
    expect(await rewritten.locator(".changed").count()).toBe(6);
    await page.selectOption("#rewrite", "declared");
    await expect.poll(() => rewritten.locator(".changed").count()).toBe(3);
    await page.click("#tab-audit");
    await expect.poll(() => page.locator(".findings li").count()).toBe(3);
    expect(await page.locator(".findings").textContent()).toContain("wide_integer");
    await page.locator(".findings").getByRole("button", { name: "/properties/topic_id" }).click();
    await expect.poll(() => page.locator("#schema-where").textContent()).toContain("/properties/topic_id");
  });

  it("writes the program that does the same", async () => {
    await open();
    await choose(4);
    await page.click("#tab-code");
    await expect
      .poll(() => page.locator(".source").textContent())
      .toContain('createStructCodec(schema, { int64: "schema"');
  });

  it("is shared by its address", async () => {
    await open();
    await type("schema", '{"properties":{"id":{"type":"integer"}}}');
    await type("input", '{"id":1e21}');
    await page.selectOption('#options [name="int64"]', "safe");
    await outputs('{"id":1000000000000000000000}');
    await page.click("#copy-link");
    await expect.poll(() => page.locator("#status").textContent()).toBe("Link copied.");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toContain("#1");
    await page.goto("about:blank");
    await page.goto(link);
    await outputs('{"id":1000000000000000000000}');
    expect(await page.locator('#options [name="int64"]').inputValue()).toBe("safe");
    expect(await page.locator("#status").textContent()).toBe("Opened from a link.");
  });

  it("opens another link while it is there, and says where one is none", async () => {
    await open("#1nonsense");
    expect(await page.locator("#status").textContent()).toBe("");
    await outputs('{"pathInProject":"cmd/main.go","line":7,"column":6}');
    const packed = await packState((examples[6] as (typeof examples)[number]).state);
    await page.evaluate((hash) => void (location.hash = hash), packed);
    await outputs('{"start_time":"1730419200123456768","bytes_sent":11576,"method":"GET","response_code":200}');
    await page.evaluate(() => void (location.hash = "1broken!"));
    await expect.poll(() => page.locator("#status").textContent()).toBe("The link could not be read.");
  });

  it("is worked with the keyboard alone", async () => {
    await open();
    await page.locator("#example").focus();
    // Out of the example, through the first pane into its editor and out of it again: Tab is not caught.
    const visited: string[] = [];
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      visited.push(
        await page.evaluate(() => {
          const { activeElement } = document;
          return activeElement?.id || activeElement?.getAttribute("name") || activeElement?.closest("[id]")?.id || "";
        }),
      );
    }
    for (const stop of [
      "schema-editor",
      "schema-file",
      "root",
      "format",
      "input-editor",
      "output-editor",
      "copy-output",
    ]) {
      expect(visited).toContain(stop);
    }
    for (const stop of ["int64", "tab-runtimes", "panel"]) expect(visited).toContain(stop);
    await page.locator("#tab-runtimes").focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("tab-wire");
    await expect.poll(() => page.locator(".wire").count()).toBe(1);
    await page.keyboard.press("End");
    await expect.poll(() => page.locator(".source").count()).toBe(1);
  });

  it("shows strangers' texts as text", async () => {
    await open();
    const nasty = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    await type(
      "schema",
      JSON.stringify({ properties: { [nasty]: { type: "integer", description: nasty } }, $ref: `#/${nasty}` }),
    );
    await type("input", JSON.stringify({ [nasty]: 5.5, [`${nasty}2`]: nasty, __proto__: 1 }));
    await expect.poll(() => notes("output").textContent()).not.toBe("");
    for (const tab of ["wire", "runtimes", "model", "audit", "code"]) {
      await page.click(`#tab-${tab}`);
      expect(await page.locator("#panel img, #panel script").count()).toBe(0);
    }
  });

  it("stays where it is while it comes to life", async () => {
    for (const width of [1440, 900, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto("about:blank");
      await open();
      await page.waitForTimeout(800);
      const shift = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => resolve(sum), 200);
          }),
      );
      expect(shift, `${width} px`).toBeLessThan(0.001);
    }
  });

  it("fits 360 pixels without scrolling sideways", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open();
    await choose(3);
    for (const tab of ["wire", "runtimes", "model", "audit", "code"]) {
      await page.click(`#tab-${tab}`);
      const { scrollWidth, clientWidth } = await page.evaluate(() => {
        const { documentElement: root } = document;
        return { scrollWidth: root.scrollWidth, clientWidth: root.clientWidth };
      });
      expect(scrollWidth, tab).toBeLessThanOrEqual(clientWidth);
    }
    await page.click("#options summary");
    const { scrollWidth } = await page.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth }));
    expect(scrollWidth).toBeLessThanOrEqual(360);
  });

  it("is light or dark as the system is, or as it is told", async () => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: "light" });
    await open();
    const light = await background();
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.click("#theme");
    expect(await background()).toBe(light);
    await page.reload();
    expect(await background()).toBe(light);
    expect(await page.locator("#theme").textContent()).toBe("Theme: light");
  });

  it("counts what is too much to list", async () => {
    await open();
    await type("schema", "");
    await type("input", JSON.stringify({ v: Array.from({ length: 500 }, () => 1.5) }).replaceAll("1.5", "2.0"));
    await expect.poll(() => notes("output").textContent()).toContain("and 401 more");
    expect(await notes("output").locator("li").count()).toBe(101);
  });

  it("follows a text of a hundred thousand characters", async () => {
    await open();
    const rows = Array.from({ length: 2500 }, (_, i) => ({ id: i, name: `row number ${i}` }));
    await type("schema", '{"properties":{"rows":{"items":{"properties":{"id":{"type":"integer"}}}}}}');
    await type("input", JSON.stringify({ rows }));
    const size = createStructCodec().jsonToBinary({ rows }).length;
    await expect.poll(() => notes("input").textContent(), { timeout: 60_000 }).toContain(`${size} bytes`);
    expect(size).toBeGreaterThan(100_000);
    expect(await notes("output").textContent()).toContain("the same Struct");
    await page.click("#copy-link");
    await expect.poll(() => page.locator("#status").textContent(), { timeout: 30_000 }).not.toBe("");
  });
});
