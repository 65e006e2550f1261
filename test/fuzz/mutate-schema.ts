import type { Random } from "./random.js";

/** A schema as JSON. */
export type SchemaJson = null | boolean | number | string | SchemaJson[] | { [key: string]: SchemaJson };

const keywords = [
  ...[
    "type",
    "format",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "pattern",
  ],
  ...["properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames", "required"],
  ...[
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
  ],
  ...[
    "else",
    "dependentSchemas",
    "dependencies",
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
  ],
  ...[
    "$schema",
    "$defs",
    "definitions",
    "components",
    "nullable",
    "discriminator",
    "default",
    "examples",
    "description",
    "title",
  ],
  ...["a", "b", "id", "n_x", "__proto__", "constructor", "kind", "orderId", "0"],
];

const scalars: readonly SchemaJson[] = [
  ...[
    "integer",
    "number",
    "string",
    "object",
    "array",
    "null",
    "boolean",
    "INTEGER",
    "int64",
    "uint64",
    "int32",
    "int128",
    "double",
  ],
  ...[
    "#",
    "#/$defs/a",
    "#/properties/a",
    "#a",
    "#/",
    "#/%",
    "a",
    "https://example.com/s",
    "urn:x",
    "^-?(?:0|[1-9][0-9]*)$",
    "^a",
    "(a+)+$",
  ],
  ...[
    0,
    -1,
    1,
    1.5,
    9007199254740991,
    2 ** 53,
    1e21,
    Number.MAX_VALUE,
    -0,
    2 ** 63,
    true,
    false,
    null,
    "",
    "__proto__",
  ],
];

/** Change a schema: parts of it are exchanged, copied, wrapped, dropped, or become something else. */
export function mutateSchema(random: Random, schema: SchemaJson, donors: readonly SchemaJson[]): SchemaJson {
  const root = { schema: structuredClone(schema) };
  for (let left = random.few(); left > 0; left--) mutateOnce(random, root as { [key: string]: SchemaJson }, donors);
  return root.schema;
}

type Container = SchemaJson[] | { [key: string]: SchemaJson };

function mutateOnce(random: Random, root: { [key: string]: SchemaJson }, donors: readonly SchemaJson[]): void {
  const containers = listContainers(root);
  const target = random.pick(containers);
  const keys = Object.keys(target);
  const key = random.pick(keys);
  if (key === undefined || random.below(3) === 0) {
    if (target === root) return;
    put(target, Array.isArray(target) ? String(target.length) : random.pick(keywords), makePart(random, donors));
    return;
  }
  const old = get(target, key);
  switch (random.below(5)) {
    case 0:
      if (target !== root) drop(target, key);
      return;
    case 1:
      put(target, key, makePart(random, donors));
      return;
    case 2:
      put(
        target,
        key,
        random.pick<SchemaJson>([{ anyOf: [old, {}] }, { allOf: [old] }, { oneOf: [old, old] }, [old], { not: old }]),
      );
      return;
    case 3:
      // A part of itself: cycles are made with references, since JSON has none.
      put(target, key, clone(pickPart(random, root.schema as SchemaJson)));
      return;
    default:
      put(target, key, random.pick(scalars));
  }
}

function makePart(random: Random, donors: readonly SchemaJson[]): SchemaJson {
  switch (random.below(4)) {
    case 0:
      return random.pick(scalars);
    case 1:
      return random.pick<SchemaJson>([
        {},
        [],
        { type: "integer" },
        { type: "string" },
        { $ref: "#" },
        { type: ["integer", "string"] },
      ]);
    default:
      return clone(pickPart(random, random.pick(donors)));
  }
}

/** Small, so that mutations do not make a schema grow without end. */
function clone(part: SchemaJson): SchemaJson {
  const text = JSON.stringify(part);
  return text.length < 5000 ? (JSON.parse(text) as SchemaJson) : {};
}

function pickPart(random: Random, schema: SchemaJson): SchemaJson {
  if (typeof schema !== "object" || schema === null) return schema;
  const container = random.pick(listContainers(schema));
  const key = random.pick(Object.keys(container));
  return key === undefined || random.once(2) ? container : get(container, key);
}

function listContainers(schema: Container): Container[] {
  const found = [schema];
  for (const container of found) {
    for (const key of Object.keys(container)) {
      const below = get(container, key);
      if (typeof below === "object" && below !== null) found.push(below);
    }
  }
  return found;
}

function get(container: Container, key: string): SchemaJson {
  return (container as { [key: string]: SchemaJson })[key] as SchemaJson;
}

function put(container: Container, key: string, value: SchemaJson): void {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

function drop(container: Container, key: string): void {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
}
