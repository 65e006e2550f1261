import { convertPage, type PageResult } from "../model/convert-page.js";
import { examples } from "../model/examples.js";
import { formatJson } from "../model/format-json.js";
import { findSyntaxError, type JsonPlace, listPlaces } from "../model/json-places.js";
import type { Note } from "../model/note.js";
import { emptyState, type PageState } from "../model/page-state.js";
import { longestFragment, packState, unpackState } from "../model/share.js";
import { describePlace, markPlaces } from "../model/shown-texts.js";
import { acceptFiles } from "./accept-files.js";
import { showAudit } from "./audit-view.js";
import { showCode } from "./code-view.js";
import { findElement } from "./element.js";
import { createModelView } from "./model-view.js";
import type { NoteLine } from "./notes-list.js";
import { OptionsForm } from "./options-form.js";
import { Pane } from "./pane.js";
import { showRuntimes } from "./runtimes-view.js";
import { Tabs } from "./tabs.js";
import { startThemeSwitch } from "./theme-switch.js";
import type { View } from "./views.js";
import { showWire } from "./wire-view.js";

/** How long typing rests before the page follows, in milliseconds. */
const restBeforeRun = 120;
/** And before the address is changed; browsers slow down pages that do so often. */
const restBeforeShare = 600;

/** The page: its state, and everything that shows what follows from it. */
export class Page {
  #state: PageState = emptyState;
  #result: PageResult = convertPage(emptyState);
  readonly #views: ReadonlyMap<string, View> = new Map([
    ["tab-runtimes", showRuntimes],
    ["tab-wire", showWire],
    ["tab-model", createModelView()],
    ["tab-audit", showAudit],
    ["tab-code", showCode],
  ]);
  #view: View = showRuntimes;
  #runTimer: ReturnType<typeof setTimeout> | undefined;
  #shareTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #panel = findElement("panel", HTMLElement);
  readonly #status = findElement("status", HTMLElement);
  readonly #example = findElement("example", HTMLSelectElement);
  readonly #format = findElement("format", HTMLSelectElement);
  readonly #root = findElement("root", HTMLSelectElement);
  readonly #options: OptionsForm;
  readonly #schema: Pane;
  readonly #input: Pane;
  readonly #output: Pane;

  constructor() {
    this.#schema = new Pane({
      name: "schema",
      label: "JSON Schema",
      onChange: (schema) => this.#edit({ schema }),
      onPlace: () => {},
      describe: ({ pointer }) => `schema ${pointer === "" ? "(root)" : pointer}`,
    });
    this.#input = new Pane({
      name: "input",
      label: "Struct, as JSON, hex or base64",
      onChange: (input) => this.#edit({ input }),
      onPlace: (place) => this.#link(place, this.#output),
      describe: (place) => this.#describe(place),
    });
    this.#output = new Pane({
      name: "output",
      label: "JSON that comes out",
      onPlace: (place) => this.#link(place, this.#input),
      describe: (place) => this.#describe(place),
    });
    this.#options = new OptionsForm((options, documents) => this.#edit({ options, documents }));
    new Tabs([...this.#views.keys()], this.#panel, (id) => {
      this.#view = this.#views.get(id) ?? showRuntimes;
      this.#showView();
    });
    this.#listen();
  }

  /** Begin with what the address holds or, without anything, with the first example. */
  async start(): Promise<void> {
    if (await this.#openLink()) return;
    this.#openExample(0);
  }

  #listen(): void {
    startThemeSwitch(findElement("theme", HTMLButtonElement));
    this.#example.addEventListener("change", () => this.#openExample(Number(this.#example.value)));
    this.#format.addEventListener("change", () => this.#edit({ format: this.#format.value as PageState["format"] }));
    this.#root.addEventListener("change", () => this.#edit({ root: this.#root.value as PageState["root"] }));
    this.#onClick("copy-link", () => void this.#copyLink());
    this.#onClick("copy-output", () => void this.#copy(this.#result.output.text, "JSON"));
    this.#onClick("format-schema", () => this.#formatSchema());
    this.#acceptFiles("schema", (text) => ({ schema: text }));
    this.#acceptFiles("input", (text, isBinary) => ({ input: text, format: isBinary ? "base64" : "auto" }));
    addEventListener("hashchange", () => void this.#openLink());
  }

  #onClick(id: string, act: () => void): void {
    findElement(id, HTMLButtonElement).addEventListener("click", act);
  }

  #acceptFiles(name: "schema" | "input", toChange: (text: string, isBinary: boolean) => Partial<PageState>): void {
    const area = findElement(`${name}-editor`, HTMLElement).closest(".pane") as HTMLElement;
    acceptFiles(
      area,
      `${name}-file`,
      ({ text, isBinary }) => this.#open({ ...this.#state, ...toChange(text, isBinary) }, "File opened."),
      (reason) => this.#say(reason),
    );
  }

  /** Follow what the user does, once typing rests. */
  #edit(change: Partial<PageState>): void {
    this.#state = { ...this.#state, ...change };
    this.#example.value = "";
    clearTimeout(this.#runTimer);
    this.#runTimer = setTimeout(() => this.#run(), restBeforeRun);
  }

  /** Show another state. */
  #open(state: PageState, message: string): void {
    this.#state = state;
    this.#schema.editor.setText(state.schema);
    this.#input.editor.setText(state.input);
    this.#format.value = state.format;
    this.#root.value = state.root;
    this.#options.show(state.options, state.documents);
    this.#example.value = "";
    this.#say(message);
    clearTimeout(this.#runTimer);
    this.#run();
  }

  #openExample(i: number): void {
    const example = examples[i];
    if (example === undefined) return;
    this.#open(example.state, "");
    this.#example.value = String(i);
    findElement("lesson", HTMLElement).textContent = example.lesson;
  }

  async #openLink(): Promise<boolean> {
    if (location.hash.length < 2) return false;
    const state = await unpackState(location.hash);
    if (state === undefined) {
      this.#say("The link could not be read.");
      return false;
    }
    findElement("lesson", HTMLElement).textContent = "";
    this.#open(state, "Opened from a link.");
    return true;
  }

  #run(): void {
    const result = convertPage(this.#state);
    this.#result = result;
    const { codec, inputPlaces, output, changes } = result;
    const mark = (places: readonly JsonPlace[]) => (codec ? markPlaces(places, codec, changes) : []);
    this.#output.editor.setText(output.text);
    this.#input.editor.setJson(result.input.format === "json");
    this.#schema.showPlaces(listPlaces(this.#state.schema), []);
    this.#input.showPlaces(inputPlaces, mark(inputPlaces));
    this.#output.showPlaces(output.places, mark(output.places));
    this.#showNotes();
    this.#showView();
    clearTimeout(this.#shareTimer);
    this.#shareTimer = setTimeout(() => void this.#share(), restBeforeShare);
  }

  #showView(): void {
    this.#view(this.#panel, {
      state: this.#state,
      result: this.#result,
      showValue: (pointer) => this.#output.reveal(pointer),
      showSchema: (pointer) => this.#schema.reveal(pointer),
      change: (change) => {
        this.#state = { ...this.#state, ...change };
        const { id } = document.activeElement ?? { id: "" };
        this.#run();
        // The view was made anew; whoever used it goes on from where they were.
        if (id !== "") document.getElementById(id)?.focus();
      },
      copy: (text, what) => void this.#copy(text, what),
    });
  }

  #showNotes(): void {
    const { notes, changes } = this.#result;
    for (const [name, pane] of this.#panes()) {
      const own = notes.filter((note) => note.pane === name);
      pane.editor.setNotes(own);
      const lines = own.filter(({ severity }) => severity !== "info").map((note) => noteLine(note, pane));
      if (name === "input") lines.push(...this.#inputLines());
      if (name === "output") lines.push(...changes.map((change) => this.#changeLine(change)));
      if (name === "output") lines.push(...this.#wayBackLines());
      lines.push(...own.filter(({ severity }) => severity === "info").map((note) => noteLine(note, pane)));
      pane.showNotes(lines);
    }
  }

  #panes(): readonly (readonly [Note["pane"], Pane])[] {
    return [
      ["schema", this.#schema],
      ["input", this.#input],
      ["output", this.#output],
    ];
  }

  #inputLines(): NoteLine[] {
    const { input, bytes } = this.#result;
    if (bytes === undefined) return [];
    return [
      {
        badge: "info",
        message: `Read as ${input.format === "json" ? "JSON" : input.format}: ${bytes.length} bytes on the wire.`,
      },
    ];
  }

  #wayBackLines(): NoteLine[] {
    const { wayBack } = this.#result;
    if (wayBack === undefined) return [];
    if ("error" in wayBack) return [{ badge: "warning", message: `Read again: ${wayBack.error}` }];
    if (wayBack.changes.length === 0) return [{ badge: "good", message: "Read again, it gives the same Struct." }];
    return wayBack.changes.map(({ pointer, before, after }) => ({
      badge: "info" as const,
      message: `Read again, ${pointer || "the root"} is ${after}; it was ${before}`,
      onClick: () => this.#output.reveal(pointer),
    }));
  }

  #changeLine({ pointer, before, after }: { pointer: string; before: string; after: string }): NoteLine {
    const from = this.#result.input.format === "json" ? before : `${before} without the codec`;
    return {
      badge: "changed",
      message: `${pointer || "(root)"}: ${from} → ${after}`,
      onClick: () => this.#output.reveal(pointer),
    };
  }

  #describe(place: JsonPlace): string | undefined {
    const { codec } = this.#result;
    return codec && describePlace(codec.explain(place.pointer));
  }

  /** Show in the other texts what the value under the cursor belongs to. */
  #link(place: JsonPlace | undefined, other: Pane): void {
    const { codec } = this.#result;
    const isContainer = place?.kind === "object" || place?.kind === "array";
    const pointer = isContainer ? undefined : place?.pointer;
    other.linkTo(pointer === undefined ? [] : [pointer]);
    this.#schema.linkTo(pointer !== undefined && codec ? codec.explain(pointer).schemaPointers : []);
  }

  #formatSchema(): void {
    const text = formatSchema(this.#state.schema);
    if (text === this.#state.schema) return;
    this.#schema.editor.setText(text);
    this.#edit({ schema: text });
  }

  async #share(): Promise<boolean> {
    const packed = await packState(this.#state);
    const fits = packed.length <= longestFragment;
    // replaceState fires no hashchange, so this opens nothing again.
    history.replaceState(null, "", fits ? `#${packed}` : location.pathname + location.search);
    return fits;
  }

  async #copyLink(): Promise<void> {
    if (await this.#share()) await this.#copy(location.href, "Link");
    else this.#say("Too much text for a link.");
  }

  async #copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.#say(`${what} copied.`);
    } catch {
      this.#say(what === "Link" ? "The address of the page is the link." : "The browser does not allow copying.");
    }
  }

  #say(message: string): void {
    this.#status.textContent = message;
  }
}

function noteLine(note: Note, pane: Pane): NoteLine {
  const { from, to, severity, message } = note;
  const onClick = from === undefined ? undefined : () => pane.editor.reveal(from, to ?? from);
  return { badge: severity, message, onClick };
}

function formatSchema(text: string): string {
  return findSyntaxError(text) === undefined ? formatJson(text) : text;
}
