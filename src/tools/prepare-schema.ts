import { StructSchemaError } from "../base/errors.js";
import type { IntegerLiteral } from "../base/integer-literal.js";
import { getOwn } from "../base/own.js";
import type { SchemaAnalysis } from "../hint/analyze-schema.js";
import { isSchemaObject, type JsonSchema } from "../json-schema/json-schema.js";
import { listSubschemas } from "../json-schema/subschemas.js";
import { copyPlain } from "./copy-plain.js";
import { findCycle } from "./find-cycle.js";
import { readStep, type StandInRange, StandIns, type Step } from "./stand-ins.js";

/** Most branches that the steps of one schema may become. Four kinds of step make eight at each place. */
const mostBranches = 20_000;

/** A schema as a validator sees it. */
export interface PreparedSchema {
  /** A copy whose numbers are JS numbers; those beyond ±(2^53−1) are stand-ins. */
  readonly schema: JsonSchema;
  readonly standIns: StandIns;
  /** Schemas of the original whose `multipleOf` became the last branch of their `allOf`. */
  readonly stepped: ReadonlySet<object>;
}

/** Write a schema so that a validator, which knows no other numbers than doubles, judges every integer by its exact value. */
export function prepareSchema(analysis: SchemaAnalysis): PreparedSchema {
  const { schema } = analysis;
  // Validators walk schemas with recursion.
  const cycle = findCycle(schema);
  if (cycle !== undefined) throw new StructSchemaError("invalid_schema", "schema contains itself", cycle);
  const schemas = listSchemas(analysis);
  const steps = new Map<object, Step>();
  for (const found of schemas) {
    const step = readStep(getOwn(found, "multipleOf"));
    const isWritable = Array.isArray(getOwn(found, "allOf") ?? []);
    if (step !== undefined && isWritable) steps.set(found, step);
  }
  const standIns = new StandIns(listNumbers(schema), steps.values());
  const rangesOf = listRanges(standIns, steps.values());
  const copied = copyPlain(schema, standIns.createCopier(), (source, target) => {
    if (!schemas.has(source)) return;
    // What ajv makes asynchronous passes before it is judged; to everybody else the keyword says nothing.
    delete target.$async;
    const step = steps.get(source);
    if (step !== undefined) replaceStep(target, getOwn(source, "multipleOf"), rangesOf(step));
  });
  return { schema: copied as JsonSchema, standIns, stepped: new Set(steps.keys()) };
}

/** Where the multiples of each step lie. Every schema with a step has them as branches, so there may not be too many in all. */
function listRanges(standIns: StandIns, steps: Iterable<Step>): (step: Step) => readonly StandInRange[] {
  const known = new Map<string, readonly StandInRange[]>();
  const rangesOf = (step: Step): readonly StandInRange[] => {
    const key = `${step.numerator}/${step.denominator}`;
    const ranges = known.get(key) ?? standIns.rangesOf(step);
    known.set(key, ranges);
    return ranges;
  };
  let branches = 0;
  for (const step of steps) {
    branches += rangesOf(step).length;
    if (branches > mostBranches) throw new StructSchemaError("too_large", "schema has too many kinds of multipleOf");
  }
  return rangesOf;
}

/** Let the validator divide what is a double, and find the multiples beyond by where their stand-ins lie. */
function replaceStep(target: Record<string, unknown>, multipleOf: unknown, ranges: readonly StandInRange[]): void {
  const safe = Number.MAX_SAFE_INTEGER;
  // Of a larger step no safe integer but zero is a multiple.
  const small = Number(multipleOf) > safe ? { minimum: 0, maximum: 0 } : { minimum: -safe, maximum: safe, multipleOf };
  const large = ranges.map(([minimum, maximum]) => ({ minimum, maximum }));
  const others = Object.hasOwn(target, "allOf") ? (target.allOf as unknown[]) : [];
  delete target.multipleOf;
  target.allOf = [...others, { anyOf: [small, ...large] }];
}

/** The schema objects of a document: where keywords hold them, and where references lead. */
function listSchemas({ schema, parts }: SchemaAnalysis): ReadonlySet<object> {
  const found = new Set<object>();
  const pending: [schema: unknown, base: string][] = [[schema, ""]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [current, around] = next;
    if (!isSchemaObject(current) || found.has(current)) continue;
    found.add(current);
    // What stands where no keyword holds a schema has the base of what refers to it.
    const base = parts?.references.placeOf(current)?.base ?? around;
    for (const below of listSubschemas(current, "")) pending.push([below.schema, base]);
    for (const keyword of ["$ref", "$dynamicRef", "$recursiveRef"]) {
      const reference = getOwn(current, keyword);
      const target = typeof reference === "string" ? parts?.references.resolve(reference, base) : undefined;
      if (target !== undefined) pending.push([target.schema, target.place.base]);
    }
  }
  return found;
}

/** Every number in a document, also in constants of whole objects. */
function listNumbers(root: unknown): (number | bigint | IntegerLiteral)[] {
  const numbers: (number | bigint | IntegerLiteral)[] = [];
  copyPlain(root, (value) => {
    numbers.push(value);
    return 0;
  });
  return numbers;
}
