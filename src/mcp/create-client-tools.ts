import {
  type AdvertisedTool,
  createToolCodec,
  createToolCodecs,
  type ToolCodec,
  type ToolCodecOptions,
} from "../schema.js";
import { onListChanged } from "./list-changed.js";
import { listPages, type McpTool } from "./list-pages.js";
import type { McpClient } from "./mcp-client.js";
import type { McpTransport } from "./mcp-transport.js";

/** Options of the tools of a client: those of a tool codec, and how they are listed. */
export interface ClientToolsOptions extends ToolCodecOptions {
  /** Defaults to 10,000 milliseconds for all pages together. Calls go on without what did not come. */
  listTimeout?: number | undefined;
  /** Hears why the list could not be had, or not all of it. Calls go on; what is missing is not hinted. */
  onListError?: ((error: unknown) => void) | undefined;
}

/** The tools of an endpoint: listed when they are first needed, all pages of them, and again after they have changed. */
export interface ClientTools {
  /** Advertise these to a model: the tools with their schemas rewritten. */
  list(): Promise<readonly AdvertisedTool<McpTool>[]>;
  /**
   * The codec of a tool. For a name that is not listed it hints nothing, and its conversions have the issue `no_schema`.
   * Where the list has failed or timed out it is asked for again meanwhile, and not waited for.
   */
  get(name: string): Promise<ToolCodec<McpTool | { readonly name: string }>>;
  /** Have the tools listed again when they are next needed, as `notifications/tools/list_changed` does. */
  expire(): void;
  /** Stop hearing of changes. */
  close(): void;
}

/** Milliseconds after an answer, or the lack of one, before a list is asked for again because it failed, or lacks a name. */
const retryAfter = 5000;

/** Create the tools of a connected client of either SDK. Nothing is asked before it is needed. */
export function createClientTools(client: McpClient, options: ClientToolsOptions = {}): ClientTools {
  const { listTimeout = 10_000, onListError, ...codecOptions } = options;
  if (!(listTimeout > 0)) throw new TypeError("listTimeout must be a positive number of milliseconds");
  const cache = new ToolCache(client, codecOptions, listTimeout, onListError);
  return {
    list: () => cache.list(),
    get: (name) => cache.get(name),
    expire: () => cache.expire(),
    close: () => cache.close(),
  };
}

type Codec = ToolCodec<McpTool | { readonly name: string }>;

class ToolCache {
  readonly #client: McpClient;
  readonly #options: ToolCodecOptions;
  readonly #timeout: number;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #unlisted: { get(name: string): Codec };
  #tools: ReadonlyMap<string, McpTool> = new Map();
  /** Compiled when a tool is first used: an endpoint may list thousands. */
  #codecs = new Map<string, ToolCodec<McpTool>>();
  #isStale = true;
  /** When the list may be asked for again; infinite while it is under way and no change was heard of. */
  #nextAt = Number.NEGATIVE_INFINITY;
  /** Whether the last list failed or took all its time: calls must not wait for such a one again. */
  #isFailing = false;
  #loading: Promise<void> | undefined;
  #transport: McpTransport | undefined;
  #stopListening: (() => void) | undefined;

  constructor(
    client: McpClient,
    options: ToolCodecOptions,
    timeout: number,
    onError: ((error: unknown) => void) | undefined,
  ) {
    this.#client = client;
    this.#options = options;
    this.#timeout = timeout;
    this.#onError = onError;
    this.#unlisted = createToolCodecs<McpTool>([], options);
    this.#listen();
  }

  async list(): Promise<readonly AdvertisedTool<McpTool>[]> {
    this.#refresh();
    await this.#loading;
    return [...this.#tools.values()].map((tool) => this.#codecOf(tool).tool);
  }

  async get(name: string): Promise<Codec> {
    this.#refresh(name);
    if (!this.#isFailing) await this.#loading;
    const tool = this.#tools.get(name);
    return tool === undefined ? this.#unlisted.get(name) : this.#codecOf(tool);
  }

  expire(): void {
    this.#isStale = true;
    this.#nextAt = Number.NEGATIVE_INFINITY;
  }

  close(): void {
    this.#stopListening?.();
  }

  #codecOf(tool: McpTool): ToolCodec<McpTool> {
    const known = this.#codecs.get(tool.name);
    if (known !== undefined) return known;
    const codec = createToolCodec(tool, this.#options);
    this.#codecs.set(tool.name, codec);
    return codec;
  }

  /** Ask for a list unless there is one no older than the last change, with the name in it, or one was asked for just now. */
  #refresh(name?: string): void {
    this.#listen();
    const isKnown = name === undefined || this.#tools.has(name);
    if (this.#loading !== undefined || Date.now() < this.#nextAt || (!this.#isStale && isKnown)) return;
    this.#loading = this.#load().finally(() => {
      this.#loading = undefined;
    });
  }

  async #load(): Promise<void> {
    const deadline = Date.now() + this.#timeout;
    // A change that is heard of from now on may not be in this list.
    this.#isStale = false;
    this.#nextAt = Number.POSITIVE_INFINITY;
    try {
      const { tools, problem } = await listPages(this.#client, this.#timeout);
      this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
      this.#codecs = new Map();
      this.#isFailing = Date.now() >= deadline;
      if (problem !== undefined) this.#onError?.(problem);
    } catch (error) {
      this.#isStale = true;
      this.#isFailing = true;
      this.#onError?.(error);
    } finally {
      // A change that was heard of meanwhile does not wait.
      if (this.#nextAt === Number.POSITIVE_INFINITY) this.#nextAt = Date.now() + retryAfter;
    }
  }

  /** A client that was connected again has another transport, and maybe another server behind it. */
  #listen(): void {
    const { transport } = this.#client;
    if (transport === undefined || transport === this.#transport) return;
    this.#stopListening?.();
    this.#transport = transport;
    this.#stopListening = onListChanged(transport, () => this.expire());
    this.#isFailing = false;
    this.expire();
  }
}
