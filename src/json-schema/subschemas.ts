import { getOwn } from "../base/own.js";
import { childPointer } from "../base/pointer.js";
import { isSchemaObject, type JsonSchemaObject } from "./json-schema.js";
import { subschemaKeywords } from "./keywords.js";

/** A sub-schema and where it stands. */
export interface Subschema {
  readonly schema: unknown;
  readonly pointer: string;
  /** The keyword that holds it, and its name or index under that keyword. */
  readonly keyword: string;
  readonly name: string | undefined;
}

/** List what stands directly below a schema, at the positions where keywords hold sub-schemas. */
export function listSubschemas(schema: JsonSchemaObject, pointer: string): Subschema[] {
  const found: Subschema[] = [];
  for (const keyword of Object.keys(schema)) {
    const shape = subschemaKeywords.get(keyword);
    if (shape === undefined) {
      if (keyword === "components") listComponents(schema, pointer, found);
      continue;
    }
    const value = getOwn(schema, keyword);
    const at = childPointer(pointer, keyword);
    if (shape === "map") {
      if (isSchemaObject(value)) listMap(value, at, keyword, found);
    } else if (Array.isArray(value)) {
      if (shape === "schema") continue;
      value.forEach((item, index) => {
        found.push({ schema: item, pointer: childPointer(at, index), keyword, name: String(index) });
      });
    } else if (shape !== "schemas") {
      found.push({ schema: value, pointer: at, keyword, name: undefined });
    }
  }
  return found;
}

function listMap(map: JsonSchemaObject, pointer: string, keyword: string, found: Subschema[]): void {
  for (const name of Object.keys(map)) {
    const schema = getOwn(map, name);
    // `dependencies` maps to a schema or to a list of names.
    if (keyword === "dependencies" && Array.isArray(schema)) continue;
    found.push({ schema, pointer: childPointer(pointer, name), keyword, name });
  }
}

/** OpenAPI documents keep their definitions in `components.schemas`. */
function listComponents(schema: JsonSchemaObject, pointer: string, found: Subschema[]): void {
  const components = getOwn(schema, "components");
  if (!isSchemaObject(components)) return;
  const schemas = getOwn(components, "schemas");
  if (isSchemaObject(schemas)) listMap(schemas, `${pointer}/components/schemas`, "components", found);
}
