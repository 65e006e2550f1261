import { getOwn } from "../base/own.js";
import { childPointer } from "../base/pointer.js";
import { isSchemaObject, type JsonSchemaObject } from "../json-schema/json-schema.js";
import { type AuditFinding, createAuditFinding, type PatchOperation } from "./audit-finding.js";
import type { VisitedSchema } from "./walk-schema.js";

/** A mistake at one schema: what is wrong, and what to do. */
type Mistake = readonly [keyword: string, message: string, fix: readonly PatchOperation[] | string];

/** Find keywords that do not do what they look like. `dialect` is the document's `$schema`. */
export function auditKeywords(tool: string, pointer: string, schemas: readonly VisitedSchema[]): AuditFinding[] {
  const dialect = String(getOwn(schemas[0]?.schema ?? {}, "$schema") ?? "");
  return schemas.flatMap(({ schema, pointer: below }) => {
    const at = pointer + below;
    const mistakes = [
      ...typeMistakes(schema, at),
      ...boundMistakes(schema, at, dialect),
      ...strayMistakes(schema, at),
      ...structureMistakes(schema, at, dialect),
    ];
    return mistakes.map(([keyword, message, fix]) =>
      createAuditFinding("keyword_mistake", tool, childPointer(at, keyword), message, fix),
    );
  });
}

const typeNames = new Set(["null", "boolean", "number", "integer", "string", "object", "array"]);
const otherTypeNames: ReadonlyMap<string, string> = new Map([
  ["float", "number"],
  ["double", "number"],
  ["decimal", "number"],
  ["int", "integer"],
  ["long", "integer"],
  ["bigint", "integer"],
  ["bool", "boolean"],
  ["str", "string"],
  ["date", "string"],
  ["datetime", "string"],
  ["dict", "object"],
  ["map", "object"],
  ["list", "array"],
]);

function typeMistakes(schema: JsonSchemaObject, at: string): Mistake[] {
  const type = getOwn(schema, "type");
  const path = childPointer(at, "type");
  if (typeof type !== "string" || typeNames.has(type)) return [];
  const meant = typeNames.has(type.toLowerCase()) ? type.toLowerCase() : otherTypeNames.get(type.toLowerCase());
  const fix =
    meant === undefined ? [{ op: "remove", path } as const] : [{ op: "replace", path, value: meant } as const];
  return [["type", `"${type}" is no type of JSON Schema`, fix]];
}

const bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

function boundMistakes(schema: JsonSchemaObject, at: string, dialect: string): Mistake[] {
  const mistakes: Mistake[] = [];
  for (const keyword of bounds) {
    const value = getOwn(schema, keyword);
    const path = childPointer(at, keyword);
    if (typeof value === "boolean" && keyword.startsWith("exclusive") && !/draft-0[34]/.test(dialect)) {
      mistakes.push([keyword, `${keyword} is a number since draft-06`, exclusiveFix(schema, keyword, value, at)]);
    }
    if (typeof value === "string") {
      const number = Number(value);
      const fix = Number.isSafeInteger(number)
        ? [{ op: "replace", path, value: number } as const]
        : "write it as a number";
      mistakes.push([keyword, `${keyword} is a string`, fix]);
    }
  }
  return mistakes;
}

/** `true` makes the bound beside it an exclusive one. */
function exclusiveFix(schema: JsonSchemaObject, keyword: string, value: boolean, at: string): PatchOperation[] {
  const inclusive = keyword === "exclusiveMinimum" ? "minimum" : "maximum";
  const path = childPointer(at, keyword);
  const limit = getOwn(schema, inclusive);
  if (!value || limit === undefined) return [{ op: "remove", path }];
  return [
    { op: "replace", path, value: limit },
    { op: "remove", path: childPointer(at, inclusive) },
  ];
}

const kindOfKeyword: ReadonlyMap<string, "number" | "string"> = new Map([
  ...bounds.map((keyword) => [keyword, "number"] as const),
  ...["minLength", "maxLength", "pattern"].map((keyword) => [keyword, "string"] as const),
]);

/** Keywords about another type than the schema's are never looked at. */
function strayMistakes(schema: JsonSchemaObject, at: string): Mistake[] {
  const type = getOwn(schema, "type");
  if (typeof type !== "string" || !typeNames.has(type)) return [];
  const kind = type === "integer" ? "number" : type;
  return [...kindOfKeyword]
    .filter(([keyword, of]) => Object.hasOwn(schema, keyword) && of !== kind)
    .map(([keyword]) => [
      keyword,
      `${keyword} says nothing about type "${type}"`,
      [{ op: "remove", path: childPointer(at, keyword) }],
    ]);
}

function structureMistakes(schema: JsonSchemaObject, at: string, dialect: string): Mistake[] {
  const mistakes: Mistake[] = [];
  const items = getOwn(schema, "items");
  const isNew = dialect === "" || dialect.includes("2020-12");
  if (Array.isArray(items) && isNew && !Object.hasOwn(schema, "prefixItems")) {
    mistakes.push([
      "items",
      "a list of items is called prefixItems since 2020-12",
      [
        { op: "add", path: childPointer(at, "prefixItems"), value: items },
        { op: "remove", path: childPointer(at, "items") },
      ],
    ]);
  }
  const names = getOwn(schema, "propertyNames");
  if (isSchemaObject(names) && typeof names.type === "string" && typeNames.has(names.type) && names.type !== "string") {
    const path = childPointer(childPointer(at, "propertyNames"), "type");
    mistakes.push(["propertyNames", "names are strings, so none fits", [{ op: "replace", path, value: "string" }]]);
  }
  if (typeof getOwn(schema, "required") === "boolean") {
    mistakes.push([
      "required",
      "required is a list of names, at the object",
      [{ op: "remove", path: childPointer(at, "required") }],
    ]);
  }
  return mistakes;
}
