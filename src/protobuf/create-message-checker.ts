import type { DescMessage, Message } from "@bufbuild/protobuf";
import { printable } from "../base/errors.js";
import type { ExactJson } from "../codec/exact-json.js";
import { createStructCodec, createValueCodec } from "../codec/struct-codec.js";
import { type CompiledHint, schemaOf } from "../hint/compile-hint.js";
import { type Checker, type CheckIssue, createChecker, type SchemaValidator } from "../tools/create-checker.js";
import { splitOptions } from "../tools/tool-side.js";
import {
  type FieldCodec,
  type FieldValue,
  listFieldCodec,
  structFieldCodec,
  structRootCodec,
  valueFieldCodec,
} from "./field-codec.js";
import { findSites } from "./find-sites.js";
import { type Hints, type MessageHints, requireHints } from "./message-hints.js";
import { MessageRun } from "./message-run.js";
import { pointerOf, setCause } from "./place.js";
import { getSlot, type Site } from "./site.js";
import type { StructKind } from "./struct-kind.js";
import { WireParts } from "./wire-parts.js";

/** Checks the Structs, Values and ListValues of messages, each against the schema of its field. */
export interface MessageChecker {
  /** Everything that does not fit, with its pointer from the root of the message; nothing where all fits. */
  check(desc: DescMessage, message: Message): readonly CheckIssue[];
}

/**
 * Check the Structs of messages with a validator of the caller's, as `createChecker` does for one document. What has no schema
 * passes; so does what has one that the validator does not take, with the issue `no_schema`. A validator that fails over the
 * data is a `StructCodecError` with its cause, unless the schema is known to be broken.
 */
export function createMessageChecker(hints: MessageHints, validator: SchemaValidator): MessageChecker {
  const compiled = requireHints(hints);
  const checkers = new FieldCheckers(compiled, validator);
  return { check: (desc, message) => checkMessage(compiled, checkers, desc, message) };
}

function checkMessage(hints: Hints, checkers: FieldCheckers, desc: DescMessage, message: Message): CheckIssue[] {
  const { registry } = hints.options;
  const action = `cannot check ${desc.typeName}`;
  const run = new MessageRun(hints, "encode", action, hints.options);
  // Whether a schema is missing `checkStructs` says, which comes before.
  const finder = new MessageRun(hints, "encode", action, { registry });
  const parts = new WireParts(run.planner, {});
  const embedding = registry === undefined ? undefined : parts.embedding(registry);
  const { sites } = findSites(run.siteOptions(false, embedding), desc, message);
  const issues = sites.flatMap((site) => {
    const found = checkers.find(site.kind, finder.find(site).hint);
    if (found === "no schema") return [];
    if (found !== "refused") return checkSite(run, found, site, parts);
    reportRefused(run, site);
    return [];
  });
  run.finish();
  return issues;
}

function checkSite(run: MessageRun, found: FieldChecker, site: Site, parts: WireParts): CheckIssue[] {
  const { codec } = found;
  const json = run.convert(site.crumb, () =>
    site.embedded
      ? codec.binaryToJson(parts.at(site) as Uint8Array)
      : codec.toJson(getSlot(site.holder, site.key) as FieldValue),
  );
  const prefix = pointerOf(site.crumb);
  return validate(run, found, site, json).map(({ keyword, schemaPointer, ...issue }) => {
    const pointer = prefix + issue.pointer;
    const at = pointer === "" ? "" : ` at ${printable(pointer)}`;
    const message = `does not meet "${printable(keyword)}" of ${printable(schemaPointer) || "/"}${at}`;
    return { pointer, schemaPointer, keyword, message };
  });
}

function reportRefused(run: MessageRun, { crumb }: Site): void {
  run.report("no_schema", "the validator does not take the schema", crumb);
}

function validate(run: MessageRun, { checker, codec }: FieldChecker, site: Site, json: ExactJson) {
  try {
    return checker.check(json);
  } catch (cause) {
    if (codec.hint.schemaIssues.length > 0) {
      reportRefused(run, site);
      return [];
    }
    // Whoever sends data that a validator fails over must not get past it.
    const error = run.fail("no_schema", `the validator of ${site.name} failed`, site.crumb);
    setCause(error, cause);
    throw error;
  }
}

/** A checker, and the codec that writes what it is to check: as the schema itself has it. */
interface FieldChecker {
  readonly checker: Checker;
  readonly codec: FieldCodec;
}

/** Why nothing is checked. */
type Unchecked = "no schema" | "refused";

/** Checkers by the schemas that they were made from. */
class FieldCheckers {
  readonly #hints: Hints;
  readonly #validator: SchemaValidator;
  readonly #checkers = new WeakMap<CompiledHint, Checker | Unchecked>();
  readonly #codecs: Readonly<Record<StructKind, WeakMap<CompiledHint, FieldCodec>>> = {
    struct: new WeakMap(),
    value: new WeakMap(),
    list: new WeakMap(),
    root: new WeakMap(),
  };

  constructor(hints: Hints, validator: SchemaValidator) {
    this.#hints = hints;
    this.#validator = validator;
  }

  find(kind: StructKind, hint: CompiledHint): FieldChecker | Unchecked {
    let checker = this.#checkers.get(hint);
    if (checker === undefined) {
      checker = this.#compile(hint);
      this.#checkers.set(hint, checker);
    }
    return typeof checker === "string" ? checker : { checker, codec: this.#codec(kind, hint) };
  }

  #compile(hint: CompiledHint): Checker | Unchecked {
    try {
      return schemaOf(hint) === undefined ? "no schema" : createChecker(hint, this.#validator);
    } catch {
      // Every message that is not checked because of it has an issue.
      return "refused";
    }
  }

  #codec(kind: StructKind, hint: CompiledHint): FieldCodec {
    let codec = this.#codecs[kind].get(hint);
    if (codec === undefined) {
      codec = this.#create(kind, hint);
      this.#codecs[kind].set(hint, codec);
    }
    return codec;
  }

  #create(kind: StructKind, hint: CompiledHint): FieldCodec {
    const { limits, unsetValue } = this.#hints.options;
    const options = { limits: splitOptions({ limits }).codec.limits, unsetValue, int64: "schema" } as const;
    switch (kind) {
      case "struct":
        return structFieldCodec(createStructCodec(hint, options));
      case "root":
        return structRootCodec(createStructCodec(hint, options));
      case "list":
        return listFieldCodec(createValueCodec(hint, options));
      default:
        return valueFieldCodec(createValueCodec(hint, options));
    }
  }
}
