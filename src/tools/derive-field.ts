import { type DescEnum, ScalarType } from "@bufbuild/protobuf";
import { decimalPattern, readFacts, unsignedDecimalPattern } from "../hint/facts.js";
import type { Keywords } from "./field-rules.js";
import { anyBranch, doubleRules, floatSchema } from "./float-rules.js";
import { rewriteNode } from "./rewrite-node.js";

const int32 = { type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
const uint32 = { type: "integer", minimum: 0, maximum: 2 ** 32 - 1 };
const int64 = { type: "integer", format: "int64" };
const uint64 = { type: "integer", format: "uint64" };

const integers: ReadonlyMap<ScalarType, Keywords> = new Map<ScalarType, Keywords>([
  [ScalarType.INT32, int32],
  [ScalarType.SINT32, int32],
  [ScalarType.SFIXED32, int32],
  [ScalarType.UINT32, uint32],
  [ScalarType.FIXED32, uint32],
  [ScalarType.INT64, int64],
  [ScalarType.SINT64, int64],
  [ScalarType.SFIXED64, int64],
  [ScalarType.UINT64, uint64],
  [ScalarType.FIXED64, uint64],
]);

/**
 * The schema of a scalar in ProtoJSON under some rules. Integers of 64 bits are decimal text; with `lax` they may be numbers too.
 */
export function scalarSchema(scalar: ScalarType, rules: Keywords, lax: boolean, description?: string): Keywords {
  const described = description === undefined ? {} : { description };
  switch (scalar) {
    case ScalarType.BOOL:
      return { type: "boolean", ...rules, ...described };
    case ScalarType.STRING:
      return { type: "string", ...rules, ...described };
    case ScalarType.BYTES:
      return { type: "string", contentEncoding: "base64", ...described };
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return { ...floatSchema(rules, scalar === ScalarType.FLOAT), ...described };
    default:
      return lax
        ? laxIntegerSchema(integers.get(scalar) as Keywords, rules, described)
        : integerSchema(integers.get(scalar) as Keywords, rules, described);
  }
}

/** What readers of ProtoJSON take: a number or decimal text. */
function laxIntegerSchema(base: Keywords, rules: Keywords, described: Keywords): Keywords {
  if (base.format === undefined) return integerSchema(base, rules, described);
  const { description, ...text } = integerSchema(base, rules, described);
  const numbers = doubleRules(rules);
  // What is listed may be no number of JSON that a reader keeps.
  if (numbers === undefined) return { ...text, ...(description !== undefined && { description }) };
  const number = { type: "integer", ...(base === uint64 && { minimum: 0 }), ...numbers };
  return { anyOf: [number, text], ...(description !== undefined && { description }) };
}

function integerSchema(base: Keywords, rules: Keywords, described: Keywords): Keywords {
  if (base.format === undefined) return { ...narrow(base, rules), ...described };
  const { not, ...others } = rules;
  const schema = { ...base, ...others, ...described };
  const { schema: text, description } = rewriteNode(schema, readFacts(schema));
  // Excluded values are text as well.
  const excluded = not === undefined ? {} : { not: { enum: (not as { enum: unknown[] }).enum.map(String) } };
  return { ...text, ...excluded, ...(description !== undefined && { description }) };
}

/** A rule takes the place of the type's own bound; an exclusive one stands for both. */
function narrow(base: Keywords, rules: Keywords): Keywords {
  const { minimum, maximum, ...rest } = base;
  return {
    ...rest,
    ...(rules.exclusiveMinimum === undefined && { minimum }),
    ...(rules.exclusiveMaximum === undefined && { maximum }),
    ...rules,
  };
}

/**
 * The schema of an enum in ProtoJSON: its names, and with `lax` its numbers too. Two names of one number are both accepted.
 */
export function enumSchema(desc: DescEnum, rules: Keywords, lax: boolean, description?: string): Keywords {
  if (desc.typeName === "google.protobuf.NullValue") return { type: "null" };
  const included = rules.in as readonly number[] | undefined;
  const excluded = (rules.notIn ?? []) as readonly number[];
  const fits = (number: number): boolean => (included?.includes(number) ?? true) && !excluded.includes(number);
  const known = desc.values.filter(({ number }) => fits(number));
  const names = [...new Set(known.flatMap(({ name, jsonName }) => (lax ? [jsonName, name] : [jsonName])))];
  // Readers keep numbers that the enum does not know, unless a rule or a closed enum forbids it; writers write them so.
  const isOpen = desc.open && rules.definedOnly !== true;
  const unknown = isOpen ? (included ?? []).filter((number) => fits(number) && desc.value[number] === undefined) : [];
  const numbers = [...new Set([...(lax ? known.map(({ number }) => number) : []), ...unknown])];
  const any = { ...int32, ...(excluded.length > 0 && { not: { enum: [...excluded] } }) };
  const listed = numbers.length > 0 ? [{ type: "integer", enum: numbers }] : [];
  const branches = [
    ...(names.length > 0 ? [{ type: "string", enum: names }] : []),
    ...(lax && isOpen && included === undefined ? [any] : listed),
  ];
  return { ...anyBranch(branches), ...(description !== undefined && { description }) };
}

/** What the names of a map are: JSON has only text for them. Undefined where any text will do. */
export function mapKeySchema(key: ScalarType): Keywords | undefined {
  if (key === ScalarType.STRING) return undefined;
  if (key === ScalarType.BOOL) return { type: "string", enum: ["true", "false"] };
  const base = integers.get(key);
  return { type: "string", pattern: base === uint32 || base === uint64 ? unsignedDecimalPattern : decimalPattern };
}

/** Add null to what a wrapper wraps. */
export function nullableSchema(schema: Keywords): Keywords {
  if (typeof schema.type === "string" && schema.enum === undefined && schema.const === undefined) {
    return { ...schema, type: [schema.type, "null"] };
  }
  const { description, ...rest } = schema;
  const branches = Array.isArray(rest.anyOf) ? rest.anyOf : [rest];
  return { anyOf: [...branches, { type: "null" }], ...(description !== undefined && { description }) };
}
