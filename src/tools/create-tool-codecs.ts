import {
  compileTool,
  createMissingToolCodec,
  readToolOptions,
  type ToolCodec,
  type ToolCodecOptions,
} from "./create-tool-codec.js";
import type { AdvertisedTool, ToolLike } from "./tool.js";

/** The codecs of all tools of an endpoint, by name. */
export interface ToolCodecs<Tool> {
  /** Advertise these, in the order they came. */
  readonly tools: readonly AdvertisedTool<Tool>[];
  /** The codec of a tool. For a name that is not listed it hints nothing, and its conversions have the issue `no_schema`. */
  get(name: string): ToolCodec<Tool | { readonly name: string }>;
  /** Take another list, as after `tools/list_changed`. Codecs handed out before keep their schemas. */
  update(tools: readonly Tool[]): void;
}

/** Create the codecs of a list of tools. Of two tools with one name the last counts. */
export function createToolCodecs<Tool extends ToolLike>(
  tools: readonly Tool[],
  options: ToolCodecOptions = {},
): ToolCodecs<Tool> {
  const own = readToolOptions(options);
  let codecs: readonly ToolCodec<Tool>[] = [];
  let byName: ReadonlyMap<string, ToolCodec<Tool>> = new Map();
  const update = (list: readonly Tool[]): void => {
    codecs = list.map((tool) => compileTool(tool, own));
    byName = new Map(codecs.map((codec, i) => [(list[i] as Tool).name, codec]));
  };
  update(tools);
  return {
    get tools() {
      return codecs.map(({ tool }) => tool);
    },
    get: (name) => byName.get(name) ?? createMissingToolCodec(name, own),
    update,
  };
}
