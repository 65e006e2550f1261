import { isCanonicalDecimal } from "../base/decimal.js";
import { getOwn } from "../base/own.js";
import type { JsonSchemaObject } from "../json-schema/json-schema.js";

const boundKeywords = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const textKeywords = ["minLength", "maxLength", "pattern"];

/** Whether a schema that is only asked answers differently for an integer and for its digits as text. */
export function tellsTextApart(schema: JsonSchemaObject): boolean {
  const types = typesOf(schema);
  if (types !== undefined) {
    const takesNumbers = types.some((name) => /^(?:integer|number|bigint)$/.test(name));
    if (takesNumbers !== types.includes("string")) return true;
    if (!takesNumbers) return false;
  }
  const listed = [getOwn(schema, "const"), getOwn(schema, "enum")].flat();
  return (
    listed.some((value) => typeof value === "number" || typeof value === "bigint" || isDigits(value)) ||
    [...boundKeywords, ...textKeywords, "format"].some((keyword) => Object.hasOwn(schema, keyword))
  );
}

/** Whether a schema, which no number minds, would be minded by text. */
export function limitsText(schema: JsonSchemaObject): boolean {
  return typesOf(schema) === undefined && textKeywords.some((keyword) => Object.hasOwn(schema, keyword));
}

function isDigits(value: unknown): boolean {
  return typeof value === "string" && isCanonicalDecimal(value);
}

function typesOf(schema: JsonSchemaObject): string[] | undefined {
  const type = getOwn(schema, "type");
  if (typeof type !== "string" && !Array.isArray(type)) return undefined;
  return [type].flat().map((name) => String(name).toLowerCase());
}
