import type { InputFormat } from "./read-input.js";
import { defaultOptions, type PageOptions } from "./settings.js";

/** Everything that the page is about: what was typed and chosen. The rest follows from it. */
export interface PageState {
  /** Text of the schema; blank is none. */
  readonly schema: string;
  /** What was pasted: JSON, or bytes as hex or base64. */
  readonly input: string;
  readonly format: InputFormat | "auto";
  readonly root: "struct" | "value";
  readonly options: PageOptions;
  /** Text of an object of further schemas by URI; blank is none. */
  readonly documents: string;
  /** Which integers of unproven width the rewritten schema shows as text. */
  readonly rewrite: "ids" | "declared" | "all";
  /** Which Struct the other runtimes are shown with: that of the codec, or one that was read without it. */
  readonly reader: "codec" | "none";
}

export const emptyState: PageState = {
  schema: "",
  input: "",
  format: "auto",
  root: "struct",
  options: defaultOptions,
  documents: "",
  rewrite: "ids",
  reader: "codec",
};
