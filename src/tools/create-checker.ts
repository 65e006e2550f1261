import { printable, StructSchemaError } from "../base/errors.js";
import { IntegerLiteral } from "../base/integer-literal.js";
import { getOwn, isPlainObject, setOwn } from "../base/own.js";
import { childPointer, parsePointer } from "../base/pointer.js";
import type { ExactJson } from "../codec/exact-json.js";
import { analyzeSchema, type SchemaAnalysis } from "../hint/analyze-schema.js";
import type { HintOptions, HintSource } from "../hint/compile-hint.js";
import { isSchemaObject, type JsonSchema } from "../json-schema/json-schema.js";

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
  /** Everything that does not fit; nothing where the value fits. */
  check(json: ExactJson): readonly CheckIssue[];
}

/**
 * Check what a codec gives against its schema before anything else sees it: types, required members and allowed values
 * are the schema's to say. The validator is the caller's. Integers beyond ±(2^53−1) reach it as the nearest double, since
 * validators know no others; their digits stay what they were.
 */
export function createChecker(source: HintSource, validator: SchemaValidator, options: HintOptions = {}): Checker {
  const analysis = analyzeSchema(source, options);
  if (analysis.schema === undefined) throw new StructSchemaError("invalid_schema", "a checker needs a schema");
  const validate = validator(asPlain(analysis.schema) as JsonSchema);
  return {
    check: (json) =>
      dropNested(validate(asPlain(json))).map(({ keyword, instanceLocation, keywordLocation }): CheckIssue => {
        const pointer = decode(instanceLocation);
        const schemaPointer = followReferences(analysis, decode(keywordLocation));
        return {
          pointer,
          schemaPointer,
          keyword,
          message: `does not meet ${describe(keyword, schemaPointer)}${at(pointer)}`,
        };
      }),
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

/** A failure shows at every keyword around it; keep the innermost, but a union rather than its branches. */
function dropNested(issues: readonly ValidatorIssue[]): ValidatorIssue[] {
  const isInside = (inner: ValidatorIssue, outer: ValidatorIssue): boolean =>
    inner.keywordLocation.startsWith(`${outer.keywordLocation}/`);
  const unions = issues.filter(({ keyword }) => ownReasons.has(keyword));
  const kept = issues.filter((issue) => !unions.some((union) => isInside(issue, union)));
  return kept.filter((issue) => ownReasons.has(issue.keyword) || !kept.some((other) => isInside(other, issue)));
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
function followReferences({ schema, resolve, parts }: SchemaAnalysis, pointer: string): string {
  let current: unknown = schema;
  let place = "";
  for (const token of parsePointer(pointer) ?? []) {
    const value = typeof current === "object" && current !== null ? getOwn(current, token) : undefined;
    const target =
      /^\$(?:ref|dynamicRef|recursiveRef)$/.test(token) && typeof value === "string" && isSchemaObject(current)
        ? resolve(value, current)
        : undefined;
    current = target ?? value;
    const known = isSchemaObject(target) ? parts?.references.placeOf(target) : undefined;
    place = known === undefined ? childPointer(place, token) : known.pointer;
  }
  return place;
}

/** A copy in which every number is a JS number, as validators want them. What is shared is copied once, so cycles end. */
function asPlain(root: unknown): unknown {
  const copies = new Map<object, unknown[] | Record<string, unknown>>();
  const pending: object[] = [];
  const copy = (value: unknown): unknown => {
    if (typeof value === "bigint") return Number(value);
    if (value instanceof IntegerLiteral) return Number(value.digits);
    if (typeof value !== "object" || value === null || !(Array.isArray(value) || isPlainObject(value))) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const target = Array.isArray(value) ? [] : {};
    copies.set(value, target);
    pending.push(value);
    return target;
  };
  const copied = copy(root);
  for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
    const target = copies.get(source) as unknown[] | Record<string, unknown>;
    for (const key of Object.keys(source)) {
      const value = copy(getOwn(source, key));
      // As `JSON.stringify` does, so that a member that will not be sent is not required either.
      if (value === undefined && !Array.isArray(target)) continue;
      if (Array.isArray(target)) target[Number(key)] = value;
      else setOwn(target, key, value);
    }
  }
  return copied;
}
