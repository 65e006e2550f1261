import type { Runtime } from "./runtime.js";

export const javascript: Runtime = {
  name: "JavaScript",
  writer: "toJsonString of protobuf-es",
  numeral: (value) => JSON.stringify(value),
  notFinite: undefined,
  quote: (value) => JSON.stringify(value),
  unset: undefined,
  sortsKeys: false,
  comma: ",",
  colon: ":",
  deepest: { messages: Number.POSITIVE_INFINITY, levels: 50 },
};
