import { createStructCodec, createValueCodec } from "../../src/index.js";
import { listChanges, type PlacedText } from "../model/changes.js";
import { indexPlaces, listPlaces } from "../model/json-places.js";
import { runtimes } from "../model/runtimes/all.js";
import { type Runtime, writeAs } from "../model/runtimes/runtime.js";
import type { StructNode } from "../model/struct-node.js";
import { dissectWire } from "../model/wire-rows.js";
import { createElement } from "./element.js";
import type { View, ViewContext } from "./views.js";

/** What runtimes of other languages write for the same Struct. */
export const showRuntimes: View = (panel, context) => {
  const { input } = context.result;
  const without = input.format === "json" ? readWithoutCodec(input.text, context.state.root) : undefined;
  const root = (context.state.reader === "none" ? without : undefined) ?? context.result.wire?.root;
  const cards = createElement("div", { class: "cards" });
  cards.append(ourCard(context), ...runtimes.map((runtime) => cardOf(runtime, root, context.result.output)));
  panel.replaceChildren(
    createElement("p", {
      class: "hint",
      text:
        "The same Struct as other runtimes write it, by their rules. What differs from the JSON above is underlined: a typed reader may " +
        "refuse it, or take it for another number.",
    }),
    ...(without === undefined ? [] : [sourceChoice(context)]),
    root === undefined ? createElement("p", { class: "hint", text: "No message yet." }) : cards,
  );
};

function sourceChoice({ state, change }: ViewContext): HTMLElement {
  const choices = [
    ["codec", "the Struct of this codec"],
    ["none", "a Struct read without the codec, where every number is a double"],
  ] as const;
  const labels = choices.map(([reader, text]) => {
    const radio = createElement("input", { attributes: { type: "radio", name: "reader", id: `reader-${reader}` } });
    radio.checked = reader === state.reader;
    radio.addEventListener("change", () => change({ reader }));
    return createElement("label", {}, radio, ` ${text}`);
  });
  const legend = createElement("legend", { class: "unseen", text: "Which Struct" });
  return createElement("fieldset", { class: "choice" }, legend, ...labels);
}

/** The message that protobuf-es, or any other runtime, makes of a JSON text. */
function readWithoutCodec(text: string, root: "struct" | "value"): StructNode | undefined {
  const create = root === "struct" ? createStructCodec : createValueCodec;
  try {
    const bytes = create(undefined, { unsafeIntegers: "round", duplicateKeys: "last" }).jsonStringToBinary(text);
    return dissectWire(bytes, root === "struct" ? "Struct" : "Value").root;
  } catch {
    return undefined;
  }
}

function ourCard({ result }: ViewContext): HTMLElement {
  const text = compact(result.output.text);
  return createElement(
    "article",
    { class: "card ours" },
    createElement("h3", {}, "This codec", createElement("code", { text: "binaryToJsonString" })),
    createElement("pre", { text: text === "" ? "—" : cut(text) }),
  );
}

function cardOf(runtime: Runtime, root: StructNode | undefined, ours: PlacedText): HTMLElement {
  const { name, writer, note } = runtime;
  const written = root === undefined ? { error: "no message" } : writeAs(runtime, root);
  return createElement(
    "article",
    { class: "card" },
    createElement("h3", {}, name, createElement("code", { text: writer })),
    "text" in written
      ? createElement("pre", {}, ...markDifferences(written.text, ours))
      : createElement("pre", { class: "refusal", text: `Error: ${written.error}` }),
    ...(note === undefined ? [] : [createElement("small", { text: note })]),
  );
}

/** Longest text of a card. */
const longestText = 4000;

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

/** The begin of a text, which is all that is shown of a long one, with what is spelled another way than in ours. */
function markDifferences(text: string, ours: PlacedText): (Node | string)[] {
  const shown = cut(text);
  // A value at the cut is not whole.
  const places = listPlaces(shown).filter(({ to }) => to < longestText);
  const index = indexPlaces(places);
  const found = listChanges(ours, { text: shown, places }).flatMap(({ pointer }) => index.get(pointer) ?? []);
  const parts: (Node | string)[] = [];
  let at = 0;
  for (const { from, to } of found.sort((a, b) => a.from - b.from)) {
    parts.push(shown.slice(at, from), createElement("span", { class: "differs", text: shown.slice(from, to) }));
    at = to;
  }
  return [...parts, shown.slice(at)];
}

/** JSON text without the white space between its tokens. */
function compact(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}
