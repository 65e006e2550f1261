import { getOwn } from "../base/own.js";
import type { SchemaAnalysis } from "../hint/analyze-schema.js";
import { isSchemaObject, type JsonSchemaObject } from "../json-schema/json-schema.js";
import { listSubschemas } from "../json-schema/subschemas.js";

/** Keywords whose sub-schemas ask about a value and do not describe it. */
const testKeywords: ReadonlySet<string> = new Set(["not", "if", "contains", "propertyNames", "contentSchema"]);

/** A schema object of the document and how it is met. */
export interface VisitedSchema {
  readonly schema: JsonSchemaObject;
  readonly pointer: string;
}

/** The schema objects of a document, and what its testing keywords look at. */
export interface SchemaCensus {
  /** Every schema object of the document where a keyword holds one, first met first. */
  readonly schemas: readonly VisitedSchema[];
  /** Those that a testing keyword applies, directly or through references. */
  readonly tested: ReadonlySet<object>;
  /** Names of members whose number a testing keyword looks at. */
  readonly testedNames: ReadonlySet<string>;
}

/** List the schema objects of a document. Property names are never read as keywords, and cycles end. */
export function walkSchema(root: JsonSchemaObject, analysis: SchemaAnalysis): SchemaCensus {
  const schemas: VisitedSchema[] = [];
  const seen = new Set<object>();
  const tests: JsonSchemaObject[] = [];
  const pending: VisitedSchema[] = [{ schema: root, pointer: "" }];
  for (let visited = pending.pop(); visited !== undefined; visited = pending.pop()) {
    if (seen.has(visited.schema)) continue;
    seen.add(visited.schema);
    schemas.push(visited);
    const below = listSubschemas(visited.schema, visited.pointer);
    for (const { schema, pointer, keyword } of below.reverse()) {
      if (!isSchemaObject(schema)) continue;
      if (testKeywords.has(keyword)) tests.push(schema);
      pending.push({ schema, pointer });
    }
  }
  return { schemas, ...listTested(tests, analysis) };
}

function listTested(
  tests: readonly JsonSchemaObject[],
  analysis: SchemaAnalysis,
): Pick<SchemaCensus, "tested" | "testedNames"> {
  const tested = new Set<object>();
  const testedNames = new Set<string>();
  const pending = [...tests];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    if (tested.has(schema)) continue;
    tested.add(schema);
    for (const below of listSubschemas(schema, "")) {
      if (!isSchemaObject(below.schema)) continue;
      pending.push(below.schema);
      if (below.keyword === "properties" && below.name !== undefined && looksAtNumbers(below.schema)) {
        testedNames.add(below.name);
      }
    }
    const reference = getOwn(schema, "$ref");
    const target = typeof reference === "string" ? analysis.resolve(reference, schema) : undefined;
    if (isSchemaObject(target)) pending.push(target);
  }
  return { tested, testedNames };
}

const numberKeywords = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const", "enum"];

/** Whether a test would answer differently for digits as text. */
export function looksAtNumbers(schema: JsonSchemaObject): boolean {
  return Object.hasOwn(schema, "type") || numberKeywords.some((keyword) => Object.hasOwn(schema, keyword));
}
