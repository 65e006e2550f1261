import { findElement } from "./element.js";

/** A row of tabs over one panel, as the keyboard expects it: arrows, Home and End go along the row. */
export class Tabs {
  readonly #tabs: readonly HTMLElement[];
  readonly #panel: HTMLElement;
  readonly #onSelect: (id: string) => void;

  constructor(ids: readonly string[], panel: HTMLElement, onSelect: (id: string) => void) {
    this.#tabs = ids.map((id) => findElement(id, HTMLElement));
    this.#panel = panel;
    this.#onSelect = onSelect;
    for (const [i, tab] of this.#tabs.entries()) {
      tab.addEventListener("click", () => this.#select(i));
      tab.addEventListener("keydown", (event) => this.#onKey(event, i));
    }
  }

  #onKey(event: KeyboardEvent, i: number): void {
    const last = this.#tabs.length - 1;
    const targets = new Map([
      ["ArrowRight", i === last ? 0 : i + 1],
      ["ArrowLeft", i === 0 ? last : i - 1],
      ["Home", 0],
      ["End", last],
    ]);
    const target = targets.get(event.key);
    if (target === undefined) return;
    event.preventDefault();
    this.#select(target);
    this.#tabs[target]?.focus();
  }

  #select(selected: number): void {
    for (const [i, tab] of this.#tabs.entries()) {
      tab.setAttribute("aria-selected", String(i === selected));
      tab.tabIndex = i === selected ? 0 : -1;
    }
    const { id } = this.#tabs[selected] as HTMLElement;
    this.#panel.setAttribute("aria-labelledby", id);
    this.#onSelect(id);
  }
}
