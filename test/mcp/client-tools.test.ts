import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Issue } from "../../src/index.js";
import {
  type ClientTools,
  type ClientToolsOptions,
  createClientTools,
  createMcpBridge,
  exactInMemory,
} from "../../src/mcp.js";
import { createClosing } from "./support/closing.js";
import { type Answer, ScriptedTransport } from "./support/scripted-transport.js";
import { sdks, type TestClient } from "./support/sdks.js";

const closing = createClosing();

/** A tool whose one argument is an id, of a type. */
const idTool = (name: string, type = "integer") => ({
  name,
  inputSchema: { type: "object", properties: { id: { type, ...(type === "integer" && { format: "int64" }) } } },
});

const list = (tools: unknown, nextCursor?: string): Answer => ({
  result: { tools, ...(nextCursor && { nextCursor }) },
});
const called: Answer = { result: { content: [], structuredContent: { done: true } } };

/** The text that a tool's arguments become; digits are bare where the schema is known. */
async function spell(tools: ClientTools, name: string): Promise<string> {
  const { server } = await tools.get(name);
  return server.args.fieldToJsonString({ id: "9007199254740993" });
}
const bare = '{"id":9007199254740993}';
const quoted = '{"id":"9007199254740993"}';

describe.each(sdks.map((sdk) => [sdk.name, sdk] as const))("the tools of a client of SDK %s", (_version, sdk) => {
  let client: TestClient;
  let transport: ScriptedTransport;
  let errors: unknown[];

  async function open(
    answer: ConstructorParameters<typeof ScriptedTransport>[0],
    options: ClientToolsOptions = {},
  ): Promise<ClientTools> {
    errors = [];
    transport = new ScriptedTransport(answer);
    client = closing(await sdk.connect(exactInMemory(transport)));
    return closing(createClientTools(client, { onListError: (error) => void errors.push(error), ...options }));
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("are listed once, when they are first needed, for however many ask together", async () => {
    const tools = await open(() => list([idTool("a")]));
    expect(transport.requests).toEqual([]);
    expect(await Promise.all([spell(tools, "a"), spell(tools, "a"), spell(tools, "a")])).toEqual([bare, bare, bare]);
    expect(await spell(tools, "a")).toBe(bare);
    expect(transport.count("tools/list")).toBe(1);
  });

  it("are the tools of all pages, advertised with ids as text", async () => {
    const pages = new Map([
      [undefined, list([idTool("a")], "2")],
      ["2", list([idTool("b")], "3")],
      ["3", list([idTool("c")])],
    ]);
    const tools = await open(({ params }) => pages.get(params?.cursor) as Answer);
    const advertised = (await tools.list()) as unknown as {
      name: string;
      inputSchema: { properties: { id: { type: string } } };
    }[];
    expect(advertised.map(({ name, inputSchema }) => [name, inputSchema.properties.id.type])).toEqual([
      ["a", "string"],
      ["b", "string"],
      ["c", "string"],
    ]);
    expect(errors).toEqual([]);
  });

  it("are listed again after they have changed", async () => {
    let type = "string";
    const tools = await open(() => list([idTool("a", type)]));
    expect(await spell(tools, "a")).toBe(quoted);
    type = "integer";
    transport.notify("notifications/tools/list_changed");
    expect(await spell(tools, "a")).toBe(bare);
    expect(transport.count("tools/list")).toBe(2);
  });

  it("are listed again where they change while they are listed", async () => {
    const tools = await open(() => {
      if (transport.count("tools/list") === 1) transport.notify("notifications/tools/list_changed");
      return list([idTool("a", transport.count("tools/list") === 1 ? "string" : "integer")]);
    });
    expect(await spell(tools, "a")).toBe(quoted);
    expect(await spell(tools, "a")).toBe(bare);
  });

  it("leave the owner's handlers of the client alone", async () => {
    const tools = await open(() => list([]));
    await tools.list();
    const seen: string[] = [];
    const before = transport.onmessage;
    transport.onmessage = (message) => {
      seen.push((message as { method: string }).method);
      before?.(message);
    };
    transport.notify("notifications/tools/list_changed");
    expect(seen).toEqual(["notifications/tools/list_changed"]);
  });

  it("no longer hear of changes once they are closed", async () => {
    const tools = await open(() => list([idTool("a")]));
    await tools.list();
    tools.close();
    transport.notify("notifications/tools/list_changed");
    await tools.list();
    expect(transport.count("tools/list")).toBe(1);
  });

  it("convert without a hint, and say so, where a name is not listed; and look again for it later", async () => {
    const issues: Issue[] = [];
    let name = "old";
    const tools = await open(() => list([idTool(name)]), { onIssues: (found) => void issues.push(...found) });
    expect(await spell(tools, "old")).toBe(bare);
    name = "new";
    expect(await spell(tools, "new")).toBe(quoted);
    expect(issues.map(({ code }) => code)).toEqual(["no_schema"]);
    // Not for every call: an agent may ask for any name.
    expect(await spell(tools, "new")).toBe(quoted);
    expect(transport.count("tools/list")).toBe(1);
    vi.setSystemTime(Date.now() + 5000);
    expect(await spell(tools, "new")).toBe(bare);
    expect(transport.count("tools/list")).toBe(2);
  });

  it("are kept where they cannot be listed again, and asked for later", async () => {
    let isBroken = false;
    const tools = await open(() =>
      isBroken ? { error: { code: -32603, message: "out of order" } } : list([idTool("a")]),
    );
    expect(await spell(tools, "a")).toBe(bare);
    isBroken = true;
    tools.expire();
    expect(await spell(tools, "a")).toBe(bare);
    expect(String(errors)).toContain("out of order");
    const asked = transport.count("tools/list");
    expect(await spell(tools, "a")).toBe(bare);
    expect(transport.count("tools/list")).toBe(asked);
    vi.setSystemTime(Date.now() + 5000);
    isBroken = false;
    await spell(tools, "a");
    expect(transport.count("tools/list")).toBe(asked + 1);
  });

  it("come without those that are no tools", async () => {
    const broken = [null, 5, "x", [], {}, { name: 7 }, { name: "b", inputSchema: "none" }, { name: "c" }];
    const tools = await open(() => list([...broken, idTool("a")]));
    expect(await spell(tools, "a")).toBe(bare);
    expect((await tools.list()).map(({ name }) => name)).toEqual(["b", "c", "a"]);
    expect(await spell(tools, "b")).toBe(quoted);
    expect(errors).toHaveLength(1);
  });

  it.each([
    ["no list", { result: { tools: 5 } }],
    ["nothing", { result: {} }],
    ["an error", { error: { code: -32601, message: "Method not found" } }],
  ] as const)("hint nothing where the answer is %s", async (_, answer) => {
    const tools = await open(() => answer as Answer);
    expect(await spell(tools, "a")).toBe(quoted);
    expect(errors).toHaveLength(1);
  });

  it.each([
    ["repeat themselves", () => "again"],
    ["do not end", (page: number) => String(page)],
  ])("are those of the first pages where pages %s", async (_, next) => {
    let page = 0;
    const tools = await open(() => list([idTool(`t${++page}`)], next(page)));
    const listed = await tools.list();
    expect(await spell(tools, listed[0]?.name ?? "")).toBe(bare);
    expect(listed.length).toBeGreaterThan(1);
    expect(listed.length).toBeLessThanOrEqual(1000);
    expect(errors).toHaveLength(1);
  });

  it("are not waited for longer than was said", async () => {
    const tools = await open(() => ({ hang: true }), { listTimeout: 50 });
    expect(await spell(tools, "a")).toBe(quoted);
    expect(errors).toHaveLength(1);
  });

  it("hold up no call once they have hung, however long they go on to, and are asked for in the background", async () => {
    let isHanging = true;
    const issues: Issue[] = [];
    const tools = await open(() => (isHanging ? { hang: true } : list([idTool("a")])), {
      listTimeout: 100,
      onIssues: (found) => void issues.push(...found),
    });
    const first = spell(tools, "a");
    // Time that the list takes does not count.
    vi.setSystemTime(Date.now() + 60_000);
    expect(await first).toBe(quoted);
    expect(await spell(tools, "a")).toBe(quoted);
    expect(transport.count("tools/list")).toBe(1);
    vi.setSystemTime(Date.now() + 5000);
    expect(await spell(tools, "a")).toBe(quoted);
    expect(await spell(tools, "a")).toBe(quoted);
    // They were not waited for: that attempt has still to fail.
    expect(errors).toHaveLength(1);
    expect(issues.map(({ code }) => code)).toEqual(Array(4).fill("no_schema"));
    await expect.poll(() => errors.length).toBe(2);
    isHanging = false;
    vi.setSystemTime(Date.now() + 5000);
    expect(await spell(tools, "a")).toBe(quoted);
    await expect.poll(() => spell(tools, "a")).toBe(bare);
  });

  it("are waited for by who wants the list itself, also after a failure", async () => {
    let isBroken = true;
    const tools = await open(() => (isBroken ? { error: { code: -32603, message: "no" } } : list([idTool("a")])));
    expect(await tools.list()).toEqual([]);
    isBroken = false;
    vi.setSystemTime(Date.now() + 5000);
    expect((await tools.list()).map(({ name }) => name)).toEqual(["a"]);
  });

  it("are listed again where the client was connected again", async () => {
    const tools = await open(() => list([idTool("a", "string")]));
    expect(await spell(tools, "a")).toBe(quoted);
    await client.close();
    transport = new ScriptedTransport(() => list([idTool("a")]));
    await (client as unknown as { connect(it: unknown): Promise<void> }).connect(exactInMemory(transport));
    expect(await spell(tools, "a")).toBe(bare);
  });

  it("let calls through whose tool has vanished or been renamed", async () => {
    let tools: unknown = [idTool("a")];
    await open(({ method, params }) => {
      if (method === "tools/list") return list(tools);
      if (JSON.stringify(tools).includes(`"${params?.name}"`)) return called;
      return { error: { code: -32602, message: `no tool ${params?.name}` } };
    });
    const bridge = closing(createMcpBridge(client));
    const field = { id: "9007199254740993" };
    expect((await bridge.callTool("a", { field })).structured?.toField()).toEqual({ done: true });
    tools = [idTool("b")];
    await expect(bridge.callTool("a", { field })).rejects.toMatchObject({ code: -32602 });
    // That was reason enough to look again.
    expect((await bridge.prepare("b", { field })).text).toBe(bare);
    expect((await bridge.callTool("b", { field })).structured?.toField()).toEqual({ done: true });
  });
});

it("refuses options that nobody reads", () => {
  const client = {} as TestClient;
  expect(() => createClientTools(client, { exakt: "ids" } as ClientToolsOptions)).toThrow(
    new TypeError('unknown option "exakt"'),
  );
  expect(() => createClientTools(client, { listTimeout: 0 })).toThrow(TypeError);
});
