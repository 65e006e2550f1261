import type { Note } from "../model/note.js";
import { createElement } from "./element.js";

/** A line below a text: a note, or something that went well. */
export interface NoteLine {
  readonly badge: Note["severity"] | "good" | "changed";
  readonly message: string;
  /** Goes to the place that the line is about. */
  readonly onClick?: (() => void) | undefined;
}

const words: { readonly [badge in NoteLine["badge"]]: string } = {
  error: "error",
  warning: "issue",
  info: "note",
  good: "ok",
  changed: "changed",
};

/** Most lines that are shown; the rest is counted. */
const mostLines = 100;

/** Show lines below a text; where nothing changed, nothing is read out again. */
export function showNotes(list: HTMLElement, all: readonly NoteLine[]): void {
  const more: NoteLine[] =
    all.length > mostLines ? [{ badge: "info", message: `and ${all.length - mostLines} more` }] : [];
  const lines = [...all.slice(0, mostLines), ...more];
  const text = (line: NoteLine) => `${words[line.badge]}${line.message}`;
  const isSame =
    list.children.length === lines.length && lines.every((line, i) => text(line) === list.children[i]?.textContent);
  // The functions behind lines that read the same may be others, so only the announcement is spared.
  list.setAttribute("aria-live", isSame ? "off" : "polite");
  list.replaceChildren(...lines.map(lineElement));
}

function lineElement({ badge, message, onClick }: NoteLine): HTMLElement {
  const mark = createElement("span", { class: `badge ${badge}`, text: words[badge] });
  if (onClick === undefined) return createElement("li", {}, mark, createElement("span", { text: message }));
  const button = createElement("button", { text: message, attributes: { type: "button" } });
  button.addEventListener("click", onClick);
  return createElement("li", {}, mark, button);
}
