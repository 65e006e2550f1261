import type { Registry } from "@bufbuild/protobuf";
import { type CodecErrorCode, type Direction, type Issue, type IssueCode, StructCodecError } from "../base/errors.js";
import type { FieldCodec } from "./field-codec.js";
import type { FoundHint, Hints, IssueSink } from "./message-hints.js";
import type { Planner } from "./message-plan.js";
import { type Crumb, type Document, type Locate, placeError, placeIssue, setCause } from "./place.js";
import type { Embedding, Site, SiteOptions } from "./site.js";

/** Most issues kept of one message. */
const mostIssues = 100;

/** What differs between the calls that share hints. */
export interface RunOptions {
  /** Knows what may be in an Any and in extensions; without it they are left alone. */
  readonly registry?: Registry | undefined;
  readonly useProtoFieldName?: boolean | undefined;
  readonly onIssues?: IssueSink | undefined;
}

/** One conversion of one message: finds the codec of each Struct, and tells errors and issues where they are in the whole. */
export class MessageRun {
  readonly hints: Hints;
  readonly direction: Direction;
  readonly document: Document;
  readonly planner: Planner;
  readonly #options: RunOptions;
  readonly #issues: Issue[] = [];
  #dropped = 0;

  /** The action is verb, thing and direction, as errors begin: "cannot encode agent.v1.CallTool to JSON". */
  constructor(hints: Hints, direction: Direction, action: string, options: RunOptions) {
    this.hints = hints;
    this.direction = direction;
    this.document = { action, quoteData: hints.options.quoteData === true };
    this.planner = hints.plannerFor(options.registry);
    this.#options = options;
  }

  /** How a walk over the message goes, for `findSites`. */
  siteOptions(copy: boolean, embedding?: Embedding): SiteOptions {
    const { useProtoFieldName = false } = this.#options;
    const tooDeep = (crumb: Crumb | undefined) => this.fail("depth_exceeded", "messages are nested too deep", crumb);
    return { planner: this.planner, useProtoFieldName, copy, embedding, tooDeep };
  }

  /** The codec for what is at a site. A function of the table that throws is an error of the call: it said that it must not go on. */
  find({ name, kind, field, message, crumb }: Site): FieldCodec {
    let found: FoundHint;
    try {
      found = this.hints.findNamed(name, kind, field, message);
    } catch (cause) {
      const error = this.fail("no_schema", `the hint function of ${name} failed`, crumb);
      setCause(error, cause);
      throw error;
    }
    if (found.missing !== undefined) this.report("no_schema", found.missing, crumb);
    return found.codec;
  }

  /** Convert what is at a place with a codec; `locate` says where in a whole it is what it is a part of. */
  convert<T>(crumb: Crumb | undefined, convert: () => T, locate?: Locate): T {
    if (this.#options.onIssues !== undefined) return this.#convertHearing(crumb, convert, locate);
    try {
      return convert();
    } catch (error) {
      throw this.#place(error, crumb, locate);
    }
  }

  #convertHearing<T>(crumb: Crumb | undefined, convert: () => T, locate: Locate | undefined): T {
    const { hints } = this;
    const outer = hints.sink;
    hints.sink = (issues, dropped) => {
      this.#dropped += dropped;
      const document = { ...this.document, locate };
      for (const issue of issues) this.#add(placeIssue(issue, document, crumb));
    };
    try {
      return convert();
    } catch (error) {
      throw this.#place(error, crumb, locate);
    } finally {
      hints.sink = outer;
    }
  }

  #place(error: unknown, crumb: Crumb | undefined, locate: Locate | undefined): unknown {
    return error instanceof StructCodecError ? placeError(error, { ...this.document, locate }, crumb) : error;
  }

  /** Hand over the issues. The conversion is complete, so the callback may use the codecs. */
  finish(): void {
    if (this.#issues.length > 0) this.#options.onIssues?.(this.#issues, this.#dropped);
  }

  report(code: IssueCode, reason: string, crumb: Crumb | undefined): void {
    const { strict } = this.hints.options;
    if (strict === true || (Array.isArray(strict) && strict.includes(code))) throw this.fail(code, reason, crumb);
    if (this.#options.onIssues === undefined) return;
    const { direction } = this;
    this.#add(placeIssue({ code, direction, message: `: ${reason}`, pointer: "" }, this.document, crumb));
  }

  fail(code: CodecErrorCode, reason: string, crumb: Crumb | undefined): StructCodecError {
    const error = new StructCodecError(code, this.direction, `: ${reason}`, { pointer: "" });
    return placeError(error, this.document, crumb);
  }

  #add(issue: Issue): void {
    if (this.#issues.length < mostIssues) this.#issues.push(issue);
    else this.#dropped++;
  }
}
