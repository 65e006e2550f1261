import { rewriteForModel, type SchemaForModel } from "../model/for-model.js";
import { indexPlaces, listPlaces } from "../model/json-places.js";
import type { PageState } from "../model/page-state.js";
import { Editor } from "./editor.js";
import { createElement } from "./element.js";
import type { View, ViewContext } from "./views.js";

const choices: readonly (readonly [PageState["rewrite"], string])[] = [
  ["ids", "ids: also those with id-like names"],
  ["declared", "declared: those that the schema declares"],
  ["all", "all: every one that is not proven small"],
];

/** The schema that a model should see, with what changed in it. Its editor is made once and shown again. */
export function createModelView(): View {
  const host = createElement("div", { class: "editor" });
  const editor = new Editor({ host, label: "The schema for a model", readOnly: true });
  return (panel, context) => {
    const rewritten = rewriteForModel(context.state.schema, context.state.rewrite);
    editor.setText(rewritten.text);
    editor.setMarks(changedPlaces(context.state.schema, rewritten.text));
    panel.replaceChildren(
      createElement("p", {
        class: "hint",
        text:
          "A model that is asked for an integer writes a number, and rounds an id. So the schema that it sees asks for decimal digits " +
          "as text; rewriteSchema of protobuf-struct-codec/schema writes it.",
      }),
      controls(context, rewritten.text),
      host,
      findingsList(rewritten, context.showSchema),
    );
  };
}

function controls({ state, change, copy }: ViewContext, text: string): HTMLElement {
  const label = createElement("label", { attributes: { for: "rewrite" }, text: "Rewrite" });
  const select = createElement("select", { attributes: { id: "rewrite" } });
  for (const [value, meaning] of choices) select.append(new Option(meaning, value, false, value === state.rewrite));
  select.addEventListener("change", () => {
    change({ rewrite: choices.find(([value]) => value === select.value)?.[0] ?? "ids" });
  });
  const button = createElement("button", { text: "Copy", attributes: { type: "button" } });
  button.addEventListener("click", () => copy(text, "Schema"));
  return createElement("div", { class: "choice" }, label, select, button);
}

function findingsList({ findings, error }: SchemaForModel, showSchema: (pointer: string) => void): HTMLElement {
  const list = createElement("ul", { class: "findings" });
  if (error !== undefined) list.append(createElement("li", {}, badge("error"), error));
  for (const { schemaPointer, message } of findings) {
    const link = createElement("button", { class: "link", text: message, attributes: { type: "button" } });
    link.addEventListener("click", () => showSchema(schemaPointer));
    list.append(createElement("li", {}, badge("warning"), link));
  }
  return list;
}

/** Marks on what stands in the new schema and not in the old one. */
function changedPlaces(before: string, after: string): { from: number; to: number; class: string }[] {
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
