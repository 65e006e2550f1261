import type { Runtime } from "./runtime.js";

export const go: Runtime = {
  name: "Go",
  writer: "protojson.Marshal",
  note: "Go puts a space behind commas and colons or does not, differently in each binary.",
  numeral: (value) => (Object.is(value, -0) ? "-0" : String(value)),
  notFinite: undefined,
  quote: (value) => JSON.stringify(value),
  unset: undefined,
  sortsKeys: true,
  comma: ",",
  colon: ":",
  deepest: { messages: 10_000 },
};
