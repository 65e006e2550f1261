import { rewriteForModel } from "../model/for-model.js";
import { indexPlaces, listPlaces } from "../model/json-places.js";
import type { PageState } from "../model/page-state.js";
import { Editor } from "./editor.js";
import { createElement } from "./element.js";
import type { View } from "./views.js";

const choices: readonly (readonly [PageState["rewrite"], string])[] = [
  ["ids", "ids: also those with id-like names"],
  ["declared", "declared: those that the schema declares"],
  ["all", "all: every one that is not proven small"],
];

/** The schema that a model should see, with what changed in it. */
export const showModel: View = (panel, { state, change, showSchema, copy }) => {
  const { text, findings, error } = rewriteForModel(state.schema, state.rewrite);
  const host = createElement("div", { class: "editor" });
  const select = createElement("select", { attributes: { id: "rewrite" } });
  for (const [value, label] of choices) select.append(new Option(label, value, false, value === state.rewrite));
  select.addEventListener("change", () =>
    change({ rewrite: choices.find(([value]) => value === select.value)?.[0] ?? "ids" }),
  );
  const button = createElement("button", { text: "Copy", attributes: { type: "button" } });
  button.addEventListener("click", () => copy(text, "Schema"));
  panel.replaceChildren(
    createElement("p", {
      class: "hint",
      text:
        "A model that is asked for an integer writes a number, and rounds an id. So the schema that it sees asks for decimal digits as " +
        "text; rewriteSchema of protobuf-struct-codec/schema writes it.",
    }),
    createElement(
      "div",
      { class: "choice" },
      createElement("label", { attributes: { for: "rewrite" }, text: "Rewrite" }),
      select,
      button,
    ),
    host,
    createElement(
      "ul",
      { class: "findings" },
      ...(error === undefined ? [] : [error]).map((message) => createElement("li", {}, badge("error"), message)),
      ...findings.map(({ schemaPointer, message }) => {
        const link = createElement("button", { class: "link", text: message, attributes: { type: "button" } });
        link.addEventListener("click", () => showSchema(schemaPointer));
        return createElement("li", {}, badge("warning"), link);
      }),
    ),
  );
  const editor = new Editor({ host, label: "The schema for a model", readOnly: true });
  editor.setText(text);
  editor.setMarks(changedLines(state.schema, text));
};

/** Marks on what stands in the new schema and not in the old one. */
function changedLines(before: string, after: string): { from: number; to: number; class: string }[] {
  const old = indexPlaces(listPlaces(before));
  return listPlaces(after)
    .filter(({ kind }) => kind !== "object" && kind !== "array")
    .filter(({ pointer, from, to }) => {
      const was = old.get(pointer);
      return was === undefined || before.slice(was.from, was.to) !== after.slice(from, to);
    })
    .map(({ from, to }) => ({ from, to, class: "changed" }));
}

/** A word for how bad something is. */
export function badge(severity: "error" | "warning" | "info"): HTMLElement {
  return createElement("span", { class: `badge ${severity}`, text: severity });
}
