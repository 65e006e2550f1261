import { isSchemaObject, type JsonSchemaObject } from "../json-schema/json-schema.js";
import { listSubschemas } from "../json-schema/subschemas.js";

/** A schema object of the document and where it is met first. */
export interface VisitedSchema {
  readonly schema: JsonSchemaObject;
  readonly pointer: string;
}

/**
 * List the schema objects of a document where a keyword holds one, first met first. Property names are never read as keywords,
 * and cycles end.
 */
export function walkSchema(root: JsonSchemaObject): readonly VisitedSchema[] {
  const schemas: VisitedSchema[] = [];
  const seen = new Set<object>();
  const pending: VisitedSchema[] = [{ schema: root, pointer: "" }];
  for (let visited = pending.pop(); visited !== undefined; visited = pending.pop()) {
    if (seen.has(visited.schema)) continue;
    seen.add(visited.schema);
    schemas.push(visited);
    for (const { schema, pointer } of listSubschemas(visited.schema, visited.pointer).reverse()) {
      if (isSchemaObject(schema)) pending.push({ schema, pointer });
    }
  }
  return schemas;
}
