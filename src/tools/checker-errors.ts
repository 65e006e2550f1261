import { printable, StructCodecError, StructSchemaError } from "../base/errors.js";
import { getOwn } from "../base/own.js";
import { childPointer } from "../base/pointer.js";
import type { SchemaAnalysis } from "../hint/analyze-schema.js";
import { isSchemaObject } from "../json-schema/json-schema.js";
import { listSubschemas } from "../json-schema/subschemas.js";
import { isPattern } from "./is-pattern.js";
import { walkSchema } from "./walk-schema.js";

/** The error of a validator that does not take a schema, with the place in the schema that is most likely at fault. */
export function errRefusedSchema(cause: unknown, analysis: SchemaAnalysis): unknown {
  if (cause instanceof StructSchemaError) return cause;
  const fault =
    findFault(analysis) ?? new StructSchemaError("invalid_schema", `validator does not take it: ${say(cause)}`);
  return causedBy(fault, cause);
}

/** The error of a validator that fails over data. What neither the schema nor the depth explains is passed on as it came. */
export function errFailedCheck(cause: unknown, analysis: SchemaAnalysis): unknown {
  if (cause instanceof StructSchemaError) return cause;
  const fault = findFault(analysis) ?? (cause instanceof RangeError ? findCircle(analysis) : undefined);
  if (fault === undefined && cause instanceof RangeError) {
    const message = "cannot check JSON against its schema: nesting is too deep for the validator";
    return causedBy(new StructCodecError("depth_exceeded", "decode", message, { pointer: "" }), cause);
  }
  return fault === undefined ? cause : causedBy(fault, cause);
}

function findFault(analysis: SchemaAnalysis): StructSchemaError | undefined {
  return findBrokenPattern(analysis) ?? findIssue(analysis);
}

function causedBy(error: Error, cause: unknown): Error {
  // Not an argument of the constructors, whose errors are mostly nobody else's.
  error.cause = cause;
  return error;
}

function say(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function findIssue({ hint }: SchemaAnalysis): StructSchemaError | undefined {
  const issue = hint.schemaIssues.find(({ code }) => code === "unresolved_ref" || code === "invalid_schema");
  if (issue === undefined) return undefined;
  // Its message names the place, and so does the error's.
  const place = ` at ${printable(issue.schemaPointer)}`;
  const reason = issue.message.endsWith(place) ? issue.message.slice(0, -place.length) : issue.message;
  return new StructSchemaError(issue.code, reason, issue.schemaPointer);
}

/** Keywords whose schemas look at the same value. */
const inPlaceKeywords: ReadonlySet<string> = new Set([
  ...["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"],
]);

/** A schema that leads back to itself without a step into the data, which no validator gets out of. */
function findCircle(analysis: SchemaAnalysis): StructSchemaError | undefined {
  if (!isSchemaObject(analysis.schema)) return undefined;
  const schemas = walkSchema(analysis.schema);
  const below = new Map<unknown, unknown[]>(
    schemas.map(({ schema, pointer }) => {
      const parts = listSubschemas(schema, pointer).filter(({ keyword }) => inPlaceKeywords.has(keyword));
      const references = ["$ref", "$dynamicRef", "$recursiveRef"].map((keyword) => getOwn(schema, keyword));
      const targets = references
        .filter((name) => typeof name === "string")
        .map((name) => analysis.resolve(name, schema));
      return [schema, [...parts.map((part) => part.schema), ...targets]];
    }),
  );
  // What leads out of all circles is taken away until nothing more can be.
  for (let before = -1; before !== below.size; ) {
    before = below.size;
    for (const [schema, next] of below) if (!next.some((schema) => below.has(schema))) below.delete(schema);
  }
  const circular = schemas.find(({ schema }) => below.has(schema));
  return circular && new StructSchemaError("invalid_schema", "schema leads back to itself", circular.pointer);
}

/** Validators compile patterns as ECMAScript does, in Unicode mode. */
function findBrokenPattern(analysis: SchemaAnalysis): StructSchemaError | undefined {
  if (!isSchemaObject(analysis.schema)) return undefined;
  for (const { schema, pointer } of walkSchema(analysis.schema)) {
    const at = childPointer(pointer, "pattern");
    const patterns: [pattern: unknown, at: string][] = [[getOwn(schema, "pattern"), at]];
    const members = getOwn(schema, "patternProperties");
    const below = childPointer(pointer, "patternProperties");
    if (isSchemaObject(members))
      patterns.push(...Object.keys(members).map((key) => [key, childPointer(below, key)] as [string, string]));
    const broken = patterns.find(([pattern]) => typeof pattern === "string" && !isPattern(pattern));
    if (broken) return new StructSchemaError("unsupported_pattern", "pattern is no regular expression", broken[1]);
  }
  return undefined;
}
