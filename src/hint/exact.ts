import { getOwn } from "../base/own.js";
import type { JsonSchemaObject } from "../json-schema/json-schema.js";
import { answersOf, type Facts } from "./facts.js";
import type { Atom } from "./terms.js";

/**
 * Which integers of unproven width (and `number`-typed ids) count as wide: none, those with id-like names, every one, or
 * what a function says of a schema node, its pointer and the property names under which it is reached.
 */
export type ExactOption =
  | "declared"
  | "ids"
  | "all"
  | ((node: JsonSchemaObject, schemaPointer: string, names: readonly string[]) => boolean);

/** `id`, `iid` or `uid`, or their plural, as the whole name or as its last word in snake_case, kebab-case or camelCase. */
const idLikeName = /^[iu]?ids?$|[_-][iu]?ids?$/i;
const idLikeCamelName = /[a-z0-9](?:Id|ID|Iid|IID|Uid|UID)s?$/;

/** Whether a property name looks like one of an identifier. */
export function isIdLikeName(name: string): boolean {
  return idLikeName.test(name) || idLikeCamelName.test(name);
}

/** The facts of a schema with the option applied. */
export function promoteFacts(atom: Atom, exact: ExactOption): Facts {
  const { own } = atom;
  if (exact === "declared" || (own.number !== "integer" && own.number !== "number")) return own;
  const isInteger = own.number === "integer";
  if (isInteger ? answersOf(own).width !== "unknown" : statesFractions(atom.schema)) return own;
  return isExact(atom, exact, isInteger) ? { ...own, number: "integer", width: "wide" } : own;
}

function isExact(atom: Atom, exact: Exclude<ExactOption, "declared">, isInteger: boolean): boolean {
  const names = [...atom.names];
  if (typeof exact === "function") return exact(atom.schema, atom.place.pointer, names) === true;
  return (isInteger && exact === "all") || names.some(isIdLikeName);
}

/** A number that is plainly not an id: listed or stepped fractions, or a format of a floating-point type. */
function statesFractions(schema: JsonSchemaObject): boolean {
  const format = getOwn(schema, "format");
  return (
    Object.hasOwn(schema, "enum") ||
    Object.hasOwn(schema, "const") ||
    Object.hasOwn(schema, "multipleOf") ||
    format === "float" ||
    format === "double" ||
    format === "decimal"
  );
}
