import type { JsonPlace } from "../model/json-places.js";
import { type MarkedPlace, markClass, placeAt } from "../model/shown-texts.js";
import { Editor } from "./editor.js";
import { findElement } from "./element.js";
import { type NoteLine, showNotes } from "./notes-list.js";

export interface PaneOptions {
  /** Begin of the ids of its elements. */
  readonly name: "schema" | "input" | "output";
  readonly label: string;
  readonly onChange?: (text: string) => void;
  /** Hears which value the cursor is in. */
  readonly onPlace: (place: JsonPlace | undefined) => void;
  readonly describe: (place: JsonPlace) => string | undefined;
}

/** One of the three texts: an editor, the line that explains the place of the cursor, and notes. */
export class Pane {
  readonly editor: Editor;
  readonly #where: HTMLElement;
  readonly #notes: HTMLElement;
  #places: readonly JsonPlace[] = [];

  constructor({ name, label, onChange, onPlace, describe }: PaneOptions) {
    this.#where = findElement(`${name}-where`, HTMLElement);
    this.#notes = findElement(`${name}-notes`, HTMLElement);
    const describeAt = (offset: number): string | undefined => {
      const place = placeAt(this.#places, offset);
      return place && describe(place);
    };
    this.editor = new Editor({
      host: findElement(`${name}-editor`, HTMLElement),
      label,
      readOnly: onChange === undefined,
      ...(onChange !== undefined && { onChange }),
      describe: describeAt,
      onCursor: (offset) => {
        this.#where.textContent = describeAt(offset) ?? "";
        onPlace(placeAt(this.#places, offset));
      },
    });
  }

  showPlaces(places: readonly JsonPlace[], marked: readonly MarkedPlace[]): void {
    this.#places = places;
    this.editor.setMarks(
      marked.map(({ place: { from, to }, mark, isChanged }) => ({ from, to, class: markClass(mark, isChanged) })),
    );
  }

  /** Show which values of this text belong to the one under the cursor of another. */
  linkTo(pointers: readonly string[]): void {
    const linked = this.#places.filter(({ pointer }) => pointers.includes(pointer));
    this.editor.setLinks(linked.map(({ from, to }) => ({ from, to, class: "linked" })));
  }

  /** Select the value at a pointer, or the container that lacks it. */
  reveal(pointer: string): void {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const place = this.#places.findLast((found) => found.pointer === at);
      if (place !== undefined) this.editor.reveal(place.from, place.to);
      if (place !== undefined || at === "") return;
    }
  }

  showNotes(lines: readonly NoteLine[]): void {
    showNotes(this.#notes, lines);
  }
}
