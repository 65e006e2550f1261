import type { PageState } from "./page-state.js";
import type { Input } from "./read-input.js";
import { toCodecOptions } from "./settings.js";

/** The program that does what the page does, with the options that were chosen. */
export function writeCode(state: PageState, input: Input): string {
  const create = state.root === "struct" ? "createStructCodec" : "createValueCodec";
  const options = writeOptions(state);
  const lines = [
    `import { ${create} } from "protobuf-struct-codec";`,
    "",
    ...(state.schema.trim() === "" ? [] : [`const schema = ${state.schema.trim()};`]),
    ...(state.documents.trim() === "" ? [] : [`const documents = ${state.documents.trim()};`]),
    `const codec = ${create}(${state.schema.trim() === "" ? "undefined" : "schema"}${options}); // once, then reuse`,
    "",
    ...(input.format === "json"
      ? ["const bytes = codec.jsonStringToBinary(text); // or fromJsonString, for a message"]
      : []),
    "codec.binaryToJsonString(bytes); // or toJsonString, of a message",
  ];
  return `${lines.join("\n")}\n`;
}

function writeOptions({ options, documents }: PageState): string {
  const entries = Object.entries(toCodecOptions(options)).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  if (documents.trim() !== "") entries.push("documents");
  return entries.length === 0 ? "" : `, { ${entries.join(", ")} }`;
}
