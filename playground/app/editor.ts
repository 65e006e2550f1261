import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension, StateEffect, StateField, Transaction } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Note } from "../model/note.js";
import { editorTheme } from "./editor-theme.js";
import { createElement } from "./element.js";

/** A stretch of text that is shown in a way of its own. */
export interface EditorMark {
  readonly from: number;
  readonly to: number;
  readonly class: string;
}

export interface EditorOptions {
  readonly host: HTMLElement;
  readonly label: string;
  readonly readOnly?: boolean;
  /** Hears of what the user types, not of what the page sets. */
  readonly onChange?: (text: string) => void;
  readonly onCursor?: (offset: number) => void;
  /** What to tell about a place under the pointer. */
  readonly describe?: (offset: number) => string | undefined;
}

/** One of the texts of the page, in an editor that shows marks and notes. */
export class Editor {
  readonly #view: EditorView;
  readonly #language = new Compartment();

  constructor(options: EditorOptions) {
    // In a shadow root the editor keeps its styles in a constructed style sheet, which a strict policy allows; in the document
    // it would add a <style> element.
    const root = options.host.attachShadow({ mode: "open" });
    const home = createElement("div", { attributes: { part: "editor" } });
    root.append(home);
    this.#view = new EditorView({
      root,
      parent: home,
      state: EditorState.create({ extensions: [this.#language.of(json()), ...extensionsFor(options)] }),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replace the text, unless it is that already, so that the cursor stays. */
  setText(text: string): void {
    const { doc } = this.#view.state;
    if (doc.toString() === text) return;
    const changes = { from: 0, to: doc.length, insert: text };
    this.#view.dispatch({
      changes,
      annotations: [Transaction.addToHistory.of(true), Transaction.userEvent.of("page")],
    });
  }

  /** Say whether the text is JSON, or bytes that are not to be coloured as such. */
  setJson(isJson: boolean): void {
    const isNow = this.#language.get(this.#view.state) !== plain;
    if (isNow !== isJson) this.#view.dispatch({ effects: this.#language.reconfigure(isJson ? json() : plain) });
  }

  setMarks(marks: readonly EditorMark[]): void {
    this.#view.dispatch({ effects: setMarks.of(this.#decorate(marks)) });
  }

  setLinks(marks: readonly EditorMark[]): void {
    this.#view.dispatch({ effects: setLinks.of(this.#decorate(marks)) });
  }

  /** Show notes in the text; F8 goes from one to the next. */
  setNotes(notes: readonly Note[]): void {
    const { length } = this.#view.state.doc;
    const placed = notes.flatMap(({ from, to, severity, message }): Diagnostic[] =>
      from === undefined || from > length ? [] : [{ from, to: Math.min(to ?? from, length), severity, message }],
    );
    this.#view.dispatch(setDiagnostics(this.#view.state, placed));
  }

  /** Select a place, bring it into view and go there. */
  reveal(from: number, to: number): void {
    const { length } = this.#view.state.doc;
    const [anchor, head] = [Math.min(from, length), Math.min(to, length)];
    this.#view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.#view.focus();
  }

  #decorate(marks: readonly EditorMark[]): DecorationSet {
    const { length } = this.#view.state.doc;
    const ranges = marks
      .filter(({ from, to }) => from < to && to <= length)
      .map(({ from, to, class: name }) => Decoration.mark({ class: name }).range(from, to));
    return Decoration.set(ranges, true);
  }
}

/** No language. */
const plain: Extension = [];

const setMarks = StateEffect.define<DecorationSet>();
const setLinks = StateEffect.define<DecorationSet>();

function decorationField(effect: typeof setMarks): Extension {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(decorations, transaction) {
      const set = transaction.effects.find((found) => found.is(effect));
      return set === undefined ? decorations.map(transaction.changes) : (set.value as DecorationSet);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

/**
 * Who types over coloured text has it replaced here: browsers would keep its look in a style attribute, which a strict policy
 * refuses with a complaint.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const isTyped = event.inputType === "insertText" && event.data !== null && !view.composing;
    if (!isTyped || view.state.readOnly || view.state.selection.main.empty) return false;
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

function extensionsFor(options: EditorOptions): Extension[] {
  const { label, readOnly = false, onChange, onCursor, describe } = options;
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    // Tab is not bound, so that the keyboard gets out of an editor as it gets in.
    keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    EditorView.lineWrapping,
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      "aria-label": label,
      spellcheck: "false",
      ...(readOnly && { "aria-readonly": "true", inputmode: "none" }),
    }),
    decorationField(setLinks),
    decorationField(setMarks),
    typeOverSelection,
    EditorView.updateListener.of((update) => {
      const isOurs = update.transactions.some((transaction) => transaction.isUserEvent("page"));
      if (update.docChanged && !isOurs) onChange?.(update.state.doc.toString());
      if (update.selectionSet || update.focusChanged) onCursor?.(update.state.selection.main.head);
    }),
    describe === undefined ? [] : hoverTooltip((_, offset) => tooltipAt(offset, describe)),
    editorTheme,
  ];
}

function tooltipAt(offset: number, describe: (offset: number) => string | undefined) {
  const text = describe(offset);
  if (text === undefined) return null;
  return { pos: offset, above: true, create: () => ({ dom: createElement("div", { text }) }) };
}
