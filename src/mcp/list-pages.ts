import { isObject } from "./exact-text.js";
import { listTools, listToolsLoosely, type McpClient } from "./mcp-client.js";

/** A tool as an endpoint lists it. Only its name has been looked at. */
export interface McpTool {
  readonly name: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly [member: string]: unknown;
}

/** The tools of an endpoint, and why they may not be all of them. */
export interface ListedTools {
  readonly tools: readonly McpTool[];
  readonly problem?: unknown;
}

/** A list that does not end gets no further than this. */
const mostPages = 1000;
const mostTools = 20_000;

/** Asks for the page at a cursor, or for the first one. */
type ListPage = (cursor: string | undefined) => Promise<unknown>;

/**
 * Ask for all tools, page by page, within some milliseconds. What the SDK does not take for a list is read without it.
 * Throws where there is not even a first page.
 */
export async function listPages(client: McpClient, timeout: number): Promise<ListedTools> {
  const deadline = Date.now() + timeout;
  const pagesBy = (list: typeof listTools): ListPage => {
    return (cursor) => withinTime(deadline, (options) => list(client, cursor, options));
  };
  return walkPages(pagesBy(listTools), true).catch(async (problem: unknown) => {
    if (Date.now() >= deadline) throw problem;
    const listed = await walkPages(pagesBy(listToolsLoosely), false);
    return { problem, ...listed };
  });
}

/** Each request has a signal of its own: v1 never takes its listeners off one. */
async function withinTime(deadline: number, request: (options: object) => Promise<unknown>): Promise<unknown> {
  const timeout = Math.max(0, deadline - Date.now());
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error("the list of tools takes too long")), timeout);
  try {
    // A list is asked for because what is known may be old; v2 would answer from what it remembers.
    return await request({ signal: controller.signal, timeout, cacheMode: "refresh" });
  } finally {
    clearTimeout(timer);
  }
}

async function walkPages(listPage: ListPage, isStrict: boolean): Promise<ListedTools> {
  const tools: McpTool[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages && tools.length < mostTools; pages++) {
    try {
      const page = readPage(await listPage(cursor));
      for (const tool of page.tools) tools.push(tool);
      ({ cursor } = page);
    } catch (problem) {
      if (pages === 0 || isStrict) throw problem;
      return { tools, problem };
    }
    if (cursor === undefined) return { tools };
    if (cursors.has(cursor)) return { tools, problem: new Error("the endpoint gives the same page of tools again") };
    cursors.add(cursor);
  }
  return { tools: tools.slice(0, mostTools), problem: new Error("the endpoint's list of tools does not end") };
}

interface Page {
  readonly tools: readonly McpTool[];
  readonly cursor: string | undefined;
}

function readPage(page: unknown): Page {
  const { tools, nextCursor } = isObject(page) ? page : {};
  if (!Array.isArray(tools)) throw new Error("the endpoint answered tools/list without a list of tools");
  return { tools: tools.filter(isTool), cursor: typeof nextCursor === "string" ? nextCursor : undefined };
}

function isTool(tool: unknown): tool is McpTool {
  return isObject(tool) && typeof tool.name === "string";
}
