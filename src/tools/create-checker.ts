import { printable, StructSchemaError } from "../base/errors.js";
import { getOwn } from "../base/own.js";
import { childPointer, parsePointer } from "../base/pointer.js";
import type { ExactJson } from "../codec/exact-json.js";
import { analyzeSchema, type SchemaAnalysis } from "../hint/analyze-schema.js";
import type { HintOptions, HintSource } from "../hint/compile-hint.js";
import { isSchemaObject, type JsonSchema } from "../json-schema/json-schema.js";
import { errFailedCheck, errRefusedSchema } from "./checker-errors.js";
import { copyPlain } from "./copy-plain.js";
import { type PreparedSchema, prepareSchema } from "./prepare-schema.js";

/** Most issues that one check tells, as many as a conversion does. */
const mostIssues = 100;

/** What a validator says about one keyword. Both places may be JSON Pointers or URI fragments. */
export interface ValidatorIssue {
  readonly keyword: string;
  readonly instanceLocation: string;
  readonly keywordLocation: string;
}

/** Compiles a schema; see `useCfworker` and `useAjv`. */
export type SchemaValidator = (schema: JsonSchema) => (value: unknown) => readonly ValidatorIssue[];

/** Why a value does not fit its schema. */
export interface CheckIssue {
  /** JSON Pointer into the data. */
  readonly pointer: string;
  /** JSON Pointer to the keyword that is not met, references followed. */
  readonly schemaPointer: string;
  readonly keyword: string;
  /** Says what was expected and quotes no data. */
  readonly message: string;
}

/** Checks values against one schema. */
export interface Checker {
  /** What does not fit, the first 100 of it; nothing where the value fits. */
  check(json: ExactJson): readonly CheckIssue[];
}

/**
 * Check what a codec gives against its schema before anything else sees it: types, required members and allowed values
 * are the schema's to say. The validator is the caller's. Integers beyond ±(2^53−1) are judged by their exact value, which
 * is more than validators do. Throws `StructSchemaError` for a schema that the validator does not take, and so does `check`
 * where the validator notices only then; it throws `StructCodecError` for data that is nested too deep for the validator.
 */
export function createChecker(source: HintSource, validator: SchemaValidator, options: HintOptions = {}): Checker {
  const analysis = analyzeSchema(source, options);
  if (analysis.schema === undefined) throw new StructSchemaError("invalid_schema", "a checker needs a schema");
  const prepared = prepareSchema(analysis);
  const validate = attempt(() => validator(prepared.schema), errRefusedSchema, analysis);
  return {
    check(json) {
      const plain = copyPlain(json, prepared.standIns.createCopier());
      const issues = attempt(() => validate(plain), errFailedCheck, analysis);
      return dropNested(issues)
        .slice(0, mostIssues)
        .map((issue) => toCheckIssue(issue, analysis, prepared));
    },
  };
}

function attempt<T>(
  act: () => T,
  errFailed: (cause: unknown, analysis: SchemaAnalysis) => unknown,
  analysis: SchemaAnalysis,
): T {
  try {
    return act();
  } catch (cause) {
    throw errFailed(cause, analysis);
  }
}

function toCheckIssue(issue: ValidatorIssue, analysis: SchemaAnalysis, prepared: PreparedSchema): CheckIssue {
  const pointer = decode(issue.instanceLocation);
  const schemaPointer = followReferences(analysis, prepared, decode(issue.keywordLocation));
  const keyword = schemaPointer.endsWith("/multipleOf") ? "multipleOf" : issue.keyword;
  return {
    pointer,
    schemaPointer,
    keyword,
    message: `does not meet ${describe(keyword, schemaPointer)}${at(pointer)}`,
  };
}

function describe(keyword: string, schemaPointer: string): string {
  return `"${printable(keyword)}" of ${printable(schemaPointer) || "/"}`;
}

function at(pointer: string): string {
  return pointer === "" ? "" : ` at ${printable(pointer)}`;
}

/** Keywords that fail for a reason of their own, which their branches' reasons would only blur. */
const ownReasons: ReadonlySet<string> = new Set(["anyOf", "oneOf", "not", "contains", "if"]);

/**
 * A failure shows at every keyword around it; keep the innermost, but a union rather than its branches. There may be an issue for
 * every item of the data, so they are compared by the few places in the schema that they have.
 */
function dropNested(issues: readonly ValidatorIssue[]): ValidatorIssue[] {
  const unions = new Set(issues.filter(({ keyword }) => ownReasons.has(keyword)).map((union) => union.keywordLocation));
  const inUnions = new Set(
    [...locationsOf(issues)].filter((location) => around(location).some((at) => unions.has(at))),
  );
  const kept = issues.filter(({ keywordLocation }) => !inUnions.has(keywordLocation));
  const outer = new Set([...locationsOf(kept)].flatMap(around));
  return kept.filter(({ keyword, keywordLocation }) => ownReasons.has(keyword) || !outer.has(keywordLocation));
}

function locationsOf(issues: readonly ValidatorIssue[]): ReadonlySet<string> {
  return new Set(issues.map(({ keywordLocation }) => keywordLocation));
}

/** The places around a place, from the outside in. */
function around(location: string): string[] {
  const places: string[] = [];
  for (let at = location.indexOf("/"); at >= 0; at = location.indexOf("/", at + 1)) places.push(location.slice(0, at));
  return places;
}

/** A JSON Pointer from a pointer or a URI fragment. */
function decode(location: string): string {
  if (!location.startsWith("#")) return location;
  try {
    return decodeURIComponent(location.slice(1));
  } catch {
    // A "%" that encodes nothing stands for itself.
    return location.slice(1);
  }
}

/** Some validators tell the way that they took through references; the place is where it ends. */
function followReferences({ schema, parts }: SchemaAnalysis, { stepped }: PreparedSchema, pointer: string): string {
  let current: unknown = schema;
  let place = "";
  let base = "";
  const tokens = parsePointer(pointer) ?? [];
  for (const [i, token] of tokens.entries()) {
    if (isStep(current, stepped, token, tokens[i + 1])) return childPointer(place, "multipleOf");
    if (isSchemaObject(current)) base = parts?.references.placeOf(current)?.base ?? base;
    const value = typeof current === "object" && current !== null ? getOwn(current, token) : undefined;
    const target =
      /^\$(?:ref|dynamicRef|recursiveRef)$/.test(token) && typeof value === "string"
        ? parts?.references.resolve(value, base)
        : undefined;
    current = target === undefined ? value : target.schema;
    place = target === undefined ? childPointer(place, token) : target.place.pointer;
  }
  return place;
}

/** Whether a way leads to the branch that stands for `multipleOf`. */
function isStep(schema: unknown, stepped: ReadonlySet<object>, token: string, next: string | undefined): boolean {
  if (!isSchemaObject(schema) || !stepped.has(schema) || token !== "allOf") return false;
  const branches = getOwn(schema, "allOf");
  return next === String(Array.isArray(branches) ? branches.length : 0);
}
