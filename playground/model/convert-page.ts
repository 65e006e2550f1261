import {
  createStructCodec,
  createValueCodec,
  type Issue,
  type JsonSchema,
  type StructCodec,
  StructCodecError,
  type StructCodecOptions,
  StructSchemaError,
  type ValueCodec,
} from "../../src/index.js";
import { type Change, listChanges, literalAt, type PlacedText } from "./changes.js";
import { compareMessages } from "./compare-messages.js";
import { findSyntaxError, indexPlaces, type JsonPlace, listPlaces } from "./json-places.js";
import type { Note } from "./note.js";
import type { PageState } from "./page-state.js";
import { byteToText, type Input, readInput } from "./read-input.js";
import { javascript } from "./runtimes/javascript.js";
import { writeAs } from "./runtimes/runtime.js";
import { toCodecOptions } from "./settings.js";
import type { StructNode } from "./struct-node.js";
import { dissectWire, type WireDissection } from "./wire-rows.js";

/** What follows from the state of the page. */
export interface PageResult {
  readonly codec: StructCodec | ValueCodec | undefined;
  readonly input: Input;
  /** Places of the pasted text where it is JSON. */
  readonly inputPlaces: readonly JsonPlace[];
  /** The message on the wire. */
  readonly bytes: Uint8Array | undefined;
  readonly wire: WireDissection | undefined;
  /** JSON text that came out; empty where none did. */
  readonly output: PlacedText;
  /** Literals of the output that differ from those pasted or, where bytes were pasted, from what JavaScript writes. */
  readonly changes: readonly Change[];
  /** What comes of the output when it is read again; undefined where there is no output. */
  readonly wayBack: WayBack | undefined;
  readonly notes: readonly Note[];
}

/** The message that a reader of the output makes: the places at which it is another one, or why there is none. */
export type WayBack = { readonly changes: readonly Change[] } | { readonly error: string };

const nothing: PlacedText = { text: "", places: [] };

/** Convert what was pasted to a Struct, to JSON, and back. Never throws for what was typed: that becomes notes. */
export function convertPage(state: PageState): PageResult {
  const run = new PageRun(state);
  const codec = run.createCodec();
  const input = run.readInput();
  const inputPlaces = input.format === "json" ? listPlaces(input.text) : [];
  const bytes = codec && run.toBytes(codec, input, inputPlaces);
  const wire = bytes && dissectWire(bytes, run.rootName);
  const output = bytes && codec ? run.toText(codec, bytes, input, inputPlaces) : nothing;
  run.addUnsafeNotes(output);
  const before = input.format === "json" ? { text: input.text, places: inputPlaces } : writeWithoutCodec(wire?.root);
  return {
    codec,
    input,
    inputPlaces,
    bytes,
    wire,
    output,
    changes: listChanges(before, output),
    wayBack: codec && wire?.root && output.text !== "" ? run.readBack(codec, output.text, wire.root) : undefined,
    notes: run.notes,
  };
}

/** What protobuf-es alone writes for a message. */
export function writeWithoutCodec(root: StructNode | undefined): PlacedText {
  const written = root && writeAs(javascript, root);
  if (written === undefined || !("text" in written)) return nothing;
  return { text: written.text, places: listPlaces(written.text) };
}

/** One conversion of the page, with what it has to say. */
class PageRun {
  readonly notes: Note[] = [];
  readonly #state: PageState;
  #issues: Issue[] = [];

  constructor(state: PageState) {
    this.#state = state;
  }

  get rootName(): "Struct" | "Value" {
    return this.#state.root === "struct" ? "Struct" : "Value";
  }

  createCodec(): StructCodec | ValueCodec | undefined {
    const { schema, root } = this.#state;
    try {
      const options = this.#codecOptions();
      const create = root === "struct" ? createStructCodec : createValueCodec;
      const codec = create(schema.trim() === "" ? undefined : schema, options);
      for (const { message, schemaPointer } of codec.schemaIssues)
        this.#addSchemaNote("warning", message, schemaPointer);
      return codec;
    } catch (error) {
      if (error instanceof StructSchemaError) this.#addSchemaNote("error", error.message, error.schemaPointer);
      else this.notes.push({ pane: "schema", severity: "error", message: describe(error) });
      return undefined;
    }
  }

  #codecOptions(): StructCodecOptions {
    const documents = this.#readDocuments();
    return {
      // The page has values of its own choices only, which are those of the codec; a test compares them.
      ...(toCodecOptions(this.#state.options) as StructCodecOptions),
      ...(documents !== undefined && { documents }),
      onIssues: (issues) => void (this.#issues = [...issues]),
    };
  }

  #readDocuments(): { readonly [uri: string]: JsonSchema } | undefined {
    const { documents } = this.#state;
    if (documents.trim() === "") return undefined;
    const parsed: unknown = JSON.parse(documents);
    if (typeof parsed !== "object" || parsed === null)
      throw new SyntaxError("further schemas are an object of schemas by URI");
    return parsed as { readonly [uri: string]: JsonSchema };
  }

  readInput(): Input {
    const { input: text, format, root } = this.#state;
    const input = readInput(text, format, root);
    if ("error" in input)
      this.notes.push({ pane: "input", severity: "error", message: input.error, ...span(input.offset) });
    return input;
  }

  toBytes(codec: StructCodec | ValueCodec, input: Input, places: readonly JsonPlace[]): Uint8Array | undefined {
    if ("bytes" in input) return input.bytes;
    // Nothing typed yet is nothing wrong yet.
    if (input.format !== "json" || input.text.trim() === "") return undefined;
    return this.#convert(
      () => codec.jsonStringToBinary(input.text),
      (found) => this.#addNote("input", input.text, places, found),
    );
  }

  toText(
    codec: StructCodec | ValueCodec,
    bytes: Uint8Array,
    input: Input,
    inputPlaces: readonly JsonPlace[],
  ): PlacedText {
    const { input: text } = this.#state;
    let written = nothing;
    const addNote = (found: Found): void => {
      // The offset is one into the bytes.
      const byPointer = { ...found, offset: undefined };
      if (written !== nothing) this.#addNote("output", written.text, written.places, byPointer);
      else if (input.format === "json") this.#addNote("input", text, inputPlaces, byPointer);
      else this.#addNote("input", text, [], { ...found, offset: byteToText(text, input.format, found.offset ?? 0) });
    };
    this.#convert(() => {
      const json = codec.binaryToJsonString(bytes);
      written = { text: json, places: listPlaces(json) };
    }, addNote);
    return written;
  }

  readBack(codec: StructCodec | ValueCodec, text: string, root: StructNode): WayBack {
    try {
      const back = dissectWire(codec.jsonStringToBinary(text), this.rootName).root;
      return back === undefined ? { error: "malformed bytes" } : { changes: compareMessages(root, back) };
    } catch (error) {
      return { error: describe(error) };
    }
  }

  /** Say where the output is right, and the next reader may not be. */
  addUnsafeNotes(output: PlacedText): void {
    for (const place of output.places.filter((found) => found.kind === "number")) {
      const digits = literalAt(output, place);
      if (!/^-?\d{16,}$/.test(digits) || Number.isSafeInteger(Number(digits))) continue;
      const message = `bare digits beyond ±(2^53−1) at ${place.pointer}: JavaScript would round them; see int64 and exact`;
      this.notes.push({ pane: "output", severity: "info", message, from: place.from, to: place.to });
    }
  }

  /** Run a conversion; what it throws and what issues it has are handed on, the issues after the result is known. */
  #convert<T>(convert: () => T, addNote: (found: Found) => void): T | undefined {
    this.#issues = [];
    try {
      const result = convert();
      for (const issue of this.#issues) addNote({ ...issue, severity: "warning" });
      return result;
    } catch (error) {
      if (!(error instanceof StructCodecError)) throw error;
      const { message, pointer, offset } = error;
      addNote({ message, pointer, offset, severity: "error" });
      return undefined;
    }
  }

  #addNote(pane: "input" | "output", text: string, places: readonly JsonPlace[], found: Found): void {
    const { message, severity } = found;
    const place = indexPlaces(places).get(found.pointer);
    const at = found.offset === undefined ? place : spanOf(found.offset, text, places);
    this.notes.push({ pane, severity, message, ...(at && { from: at.from, to: at.to }) });
  }

  #addSchemaNote(severity: "error" | "warning", message: string, pointer: string): void {
    const { schema } = this.#state;
    const wrong = severity === "error" ? findSyntaxError(schema) : undefined;
    const place = wrong === undefined ? placeOrParent(schema, pointer) : span(Math.min(wrong, schema.length - 1));
    this.notes.push({ pane: "schema", severity, message, ...(place && { from: place.from, to: place.to }) });
  }
}

interface Found {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly pointer: string;
  readonly offset?: number | undefined;
}

/** Where in a JSON text a pointer leads or, where it leads nowhere, the container that lacks it. */
export function placeOrParent(text: string, pointer: string): JsonPlace | undefined {
  const places = indexPlaces(listPlaces(text));
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
    const place = places.get(at);
    if (place !== undefined || at === "") return place;
  }
}

function span(offset: number): { from: number; to: number } {
  return { from: offset, to: offset + 1 };
}

/** From an offset to the end of the scalar that begins there. */
function spanOf(offset: number, text: string, places: readonly JsonPlace[]): { from: number; to: number } {
  const place = places.find(({ from, kind }) => from === offset && kind !== "object" && kind !== "array");
  // What is missing at the end is shown at the last character.
  const from = Math.min(offset, Math.max(0, text.length - 1));
  return { from, to: place?.to ?? Math.min(from + 1, text.length) };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
