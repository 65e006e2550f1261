import {
  type CodecErrorCode,
  type Direction,
  formatError,
  formatIssue,
  type Issue,
  type IssueCode,
  type PrintablePlace,
  printable,
  StructCodecError,
} from "../base/errors.js";
import type { NumeralListener } from "../base/numerals.js";
import { childPointer } from "../base/pointer.js";
import { ANY, type HintNode } from "../hint/node.js";
import { LineCounter } from "../text/line-counter.js";
import type { CodecContext } from "./context.js";

/** Most issues kept of one conversion. */
const mostIssues = 100;
/** Longest piece of data in a message, under `quoteData`. */
const longestQuote = 30;

/** A container that a walk is inside of: a link of the chain up to the root. */
export interface Crumb {
  readonly parent: Crumb | undefined;
  /** Key or index of the child that the walk went into. */
  readonly key: string | number;
  /** What the hint says about the container. */
  readonly node: HintNode;
}

/**
 * One run of a conversion: collects its issues and builds its errors. Walks tell it where they are only when something
 * happens, so that success costs nothing.
 */
export class Conversion implements NumeralListener {
  readonly context: CodecContext;
  readonly direction: Direction;
  /** The text that is read, for line and column, and whether it came as bytes, which offsets then count. */
  text: string | undefined;
  readsBytes = false;
  /** Set by walks towards text once they made a numeral that `JSON.stringify` would misspell. */
  hasRawNumerals = false;
  #crumb: Crumb | undefined;
  #key: string | number | undefined;
  #parent: HintNode = ANY;
  #node: HintNode = ANY;
  #offset: number | undefined;
  #lines: LineCounter | undefined;
  #issues: Issue[] | undefined;
  #dropped = 0;

  constructor(context: CodecContext, direction: Direction) {
    this.context = context;
    this.direction = direction;
    this.text = undefined;
    this.#offset = undefined;
  }

  /** Say where the walk is: at the child `key` of a container (the root where undefined), about which `node` speaks. */
  at(crumb: Crumb | undefined, key: string | number | undefined, parent: HintNode, node: HintNode): this {
    this.#crumb = crumb;
    this.#key = key;
    this.#parent = parent;
    this.#node = node;
    return this;
  }

  /** Say that it is about the document as a whole. */
  atRoot(): this {
    return this.at(undefined, undefined, this.context.root, this.context.root);
  }

  /** Say where in the text or bytes the walk is. */
  atOffset(offset: number): this {
    this.#offset = offset;
    return this;
  }

  report(code: IssueCode, reason: string): void {
    if (this.context.options.strict.has(code)) throw this.fail(code, reason);
    if (this.context.options.onIssues === undefined) return;
    this.#issues ??= [];
    if (this.#issues.length >= mostIssues) {
      this.#dropped++;
      return;
    }
    const place = this.#place();
    const { printable: _, ...kept } = place;
    const message = formatIssue(this.direction, this.context.typeName, reason, place);
    this.#issues.push({ code, direction: this.direction, message, ...kept });
  }

  fail(code: CodecErrorCode, reason: string): StructCodecError {
    const place = this.#place();
    const message = formatError(this.direction, this.context.typeName, reason, place);
    return new StructCodecError(code, this.direction, message, place);
  }

  /** Hand over the issues. The conversion is complete, so the callback may use the codec. */
  finish(): void {
    if (this.context.missesSchema) {
      this.at(undefined, undefined, ANY, ANY).report("no_schema", "no schema was found");
    }
    if (this.#issues !== undefined) this.context.options.onIssues?.(this.#issues, this.#dropped);
  }

  /** Name a piece of data in a message: quoted where the options allow it, else by its kind. */
  quote(kind: string, value: string): string {
    if (!this.context.options.quoteData) return kind;
    const cut = value.length > longestQuote ? `${value.slice(0, longestQuote)}…` : value;
    return JSON.stringify(printable(cut));
  }

  #place(): PrintablePlace {
    const keys: [key: string | number, parent: HintNode][] = [];
    if (this.#key !== undefined) keys.push([this.#key, this.#parent]);
    for (let crumb = this.#crumb; crumb !== undefined; crumb = crumb.parent) keys.push([crumb.key, crumb.node]);
    let pointer = "";
    let shown = "";
    for (const [key, parent] of keys.reverse()) {
      pointer = childPointer(pointer, key);
      // A key that the schema does not declare is data, and data stays out of logs.
      const isShown = typeof key === "number" || parent.members.has(key) || this.context.options.quoteData;
      shown = childPointer(shown, isShown ? key : "*");
    }
    return { pointer, printable: shown, ...this.#schemaPlace(), ...this.#textPlace() };
  }

  #schemaPlace(): { schemaPointer?: string } {
    const [schemaPointer] = this.#node.schemaPointers;
    return schemaPointer === undefined ? {} : { schemaPointer };
  }

  #textPlace(): { offset?: number; line?: number; column?: number } {
    const offset = this.#offset;
    if (offset === undefined) return {};
    if (this.text === undefined) return { offset };
    this.#lines ??= new LineCounter(this.text);
    const { line, column, bytes } = this.#lines.place(offset);
    return { offset: this.readsBytes ? bytes : offset, line, column };
  }
}
