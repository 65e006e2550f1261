type Schema = { readonly [keyword: string]: unknown } | boolean;
type Answer = "integer" | "number" | "other";

/** The leaves of the schemas that these tests make up, with what each says about numbers. */
export const leafSchemas: readonly (readonly [schema: Schema, answer: Answer])[] = [
  [{ type: "integer" }, "integer"],
  [{ type: "integer", format: "int32" }, "integer"],
  [{ type: "integer", format: "int128" }, "integer"],
  [{ type: "number" }, "number"],
  [{ type: "string" }, "other"],
  [{ type: "string", format: "int128" }, "other"],
  [{ type: "boolean" }, "other"],
  [{ type: ["integer", "null"] }, "integer"],
  [{ type: ["integer", "string"] }, "integer"],
  [{ type: ["integer", "string"], format: "int128" }, "integer"],
  [{ type: ["number", "string"] }, "number"],
  [{ anyOf: [{ type: "integer", format: "int128" }, { type: "string" }] }, "integer"],
  [{ anyOf: [{ type: "number" }, { type: "string", format: "int128" }] }, "number"],
  [{ type: "number", enum: [1, 2, 3] }, "integer"],
  [{ const: 5 }, "integer"],
  [{ enum: ["a", 5, null] }, "integer"],
  [{ type: "integer", minimum: 0, maximum: 100 }, "integer"],
  [{}, "other"],
  [true, "other"],
];

const answers = new Map(leafSchemas.map(([schema, answer]) => [JSON.stringify(schema), answer]));

/**
 * What a made-up schema without unions says about numbers at a place in the data, where exactly one leaf speaks there;
 * undefined where none or several do. Strings are steps into objects, numbers into arrays.
 */
export function plainAnswer(root: Schema, steps: readonly (string | number)[]): Answer | undefined {
  let here = spread(root, [root]);
  for (const step of steps) {
    here = spread(
      root,
      here.flatMap((schema) => (typeof step === "string" ? membersOf(schema, step) : itemsOf(schema, step))),
    );
  }
  const [only, ...more] = here;
  return only === undefined || more.length > 0 ? undefined : answers.get(JSON.stringify(only));
}

/** All schemas that hold at once: references followed, allOf taken apart. */
function spread(root: Schema, schemas: readonly Schema[], seen: Set<Schema> = new Set()): Schema[] {
  return schemas.flatMap((schema) => {
    if (typeof schema === "boolean") {
      return [schema];
    }
    if (seen.has(schema)) {
      return [];
    }
    seen.add(schema);
    if (schema.$ref === "#") {
      return spread(root, [root], seen);
    }
    if (schema.$ref === "#/$defs/n") {
      return [{ type: "integer" }];
    }
    return Array.isArray(schema.allOf) ? spread(root, schema.allOf as Schema[], seen) : [schema];
  });
}

function membersOf(schema: Schema, key: string): Schema[] {
  if (typeof schema === "boolean") {
    return [];
  }
  const { properties = {}, patternProperties = {}, additionalProperties } = schema as { [keyword: string]: object };
  const found = [
    ...(Object.hasOwn(properties, key) ? [(properties as { [key: string]: Schema })[key] as Schema] : []),
    ...(key.startsWith("n_") ? (Object.values(patternProperties) as Schema[]) : []),
  ];
  return found.length > 0 || additionalProperties === undefined ? found : [additionalProperties as unknown as Schema];
}

function itemsOf(schema: Schema, index: number): Schema[] {
  if (typeof schema === "boolean") {
    return [];
  }
  const prefix = (schema.prefixItems ?? []) as Schema[];
  const item = prefix[index] ?? (schema.items as Schema | undefined);
  return item === undefined ? [] : [item];
}
