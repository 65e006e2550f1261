import { type CodecErrorCode, type Direction, type Issue, type IssueCode, StructCodecError } from "../base/errors.js";
import type { FieldCodec } from "./field-codec.js";
import type { Site, SiteOptions } from "./find-sites.js";
import type { FoundHint, Hints } from "./message-hints.js";
import { type Crumb, type Document, placeError, placeIssue, setCause } from "./place.js";
import type { StructKind } from "./struct-kind.js";

/** Most issues kept of one message. */
const mostIssues = 100;

/** One conversion of one message: finds the codec of each Struct, and tells errors and issues where they are in the whole. */
export class MessageRun {
  readonly hints: Hints;
  readonly direction: Direction;
  readonly document: Document;
  readonly #issues: Issue[] = [];
  #dropped = 0;

  constructor(hints: Hints, direction: Direction, action: string) {
    this.hints = hints;
    this.direction = direction;
    this.document = { action, quoteData: hints.options.quoteData === true };
  }

  /** How a walk over the message goes. */
  get siteOptions(): Omit<SiteOptions, "copy"> {
    return {
      planner: this.hints.planner,
      useProtoFieldName: false,
      tooDeep: (crumb) => this.fail("depth_exceeded", "messages are nested too deep", crumb),
    };
  }

  /** The codec for what is at a site. A function of the table that throws is an error of the call: it said that it must not go on. */
  find({ name, content, field, message, crumb }: Site): FieldCodec {
    let found: FoundHint;
    try {
      found = this.hints.findNamed(name, content as StructKind, field, message);
    } catch (cause) {
      const error = this.fail("no_schema", `the hint function of ${name} failed`, crumb);
      setCause(error, cause);
      throw error;
    }
    if (found.missing !== undefined) this.report("no_schema", found.missing, crumb);
    return found.codec;
  }

  /** Convert what is at a place with a codec. */
  convert<T>(crumb: Crumb | undefined, convert: () => T, document: Document = this.document): T {
    const { hints } = this;
    const outer = hints.sink;
    hints.sink = (issues, dropped) => {
      this.#dropped += dropped;
      for (const issue of issues) this.#add(placeIssue(issue, document, crumb));
    };
    try {
      return convert();
    } catch (error) {
      if (error instanceof StructCodecError) throw placeError(error, document, crumb);
      throw error;
    } finally {
      hints.sink = outer;
    }
  }

  /** Hand over the issues. The conversion is complete, so the callback may use the codecs. */
  finish(): void {
    if (this.#issues.length > 0) this.hints.options.onIssues?.(this.#issues, this.#dropped);
  }

  report(code: IssueCode, reason: string, crumb: Crumb | undefined): void {
    const { strict, onIssues } = this.hints.options;
    if (strict === true || (Array.isArray(strict) && strict.includes(code))) throw this.fail(code, reason, crumb);
    if (onIssues === undefined) return;
    const { message, direction, pointer } = this.fail(code, reason, crumb);
    this.#add({ code, direction, message, pointer });
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
