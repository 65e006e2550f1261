import fc from "fast-check";

type Schema = { readonly [keyword: string]: unknown } | boolean;

/** Integers that fit the bounds of a node, beyond the safe range where they may be. */
function integers(node: { readonly [keyword: string]: unknown }): fc.Arbitrary<bigint> {
  const bound = (keyword: string, exclusive: string, step: bigint, none: bigint) => {
    const inclusive = typeof node[keyword] === "number" ? BigInt(Math.ceil(node[keyword] as number)) : undefined;
    const open = typeof node[exclusive] === "number" ? BigInt(Math.ceil(node[exclusive] as number)) + step : undefined;
    return open ?? inclusive ?? none;
  };
  const min = bound("minimum", "exclusiveMinimum", 1n, -(2n ** 63n));
  const max = bound("maximum", "exclusiveMaximum", -1n, 2n ** 63n - 1n);
  return min > max ? fc.constant(min) : fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max));
}

/**
 * JSON texts that a schema of a real tool probably accepts; the caller asks a validator. Texts, not values: integers are
 * written with all digits.
 */
export function instanceTexts(root: Schema, node: Schema = root, budget = 4): fc.Arbitrary<string> {
  if (typeof node === "boolean") {
    return fc.constantFrom("1", '"x"', "null");
  }
  const ref = node.$ref;
  if (typeof ref === "string") {
    const target = pointed(root, ref);
    return target === undefined ? fc.constant("{}") : instanceTexts(root, target, budget - 1);
  }
  if ("const" in node) {
    return fc.constant(JSON.stringify(node.const));
  }
  if (Array.isArray(node.enum)) {
    return fc.constantFrom(...node.enum.map((value) => JSON.stringify(value)));
  }
  const branches = (node.anyOf ?? node.oneOf) as Schema[] | undefined;
  if (Array.isArray(branches) && branches.length > 0 && node.properties === undefined) {
    return fc.oneof(...branches.map((branch) => instanceTexts(root, branch, budget - 1)));
  }
  const types = [node.type ?? (node.properties === undefined ? "string" : "object")].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(type, root, node, budget)));
}

function ofType(
  type: string,
  root: Schema,
  node: { readonly [keyword: string]: unknown },
  budget: number,
): fc.Arbitrary<string> {
  switch (type) {
    case "integer":
      return integers(node).map(String);
    case "number":
      return fc.oneof(
        integers(node).map(String),
        fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 100 }).map((n) => JSON.stringify(n)),
      );
    case "boolean":
      return fc.constantFrom("true", "false");
    case "null":
      return fc.constant("null");
    case "array": {
      const items = (node.items ?? true) as Schema;
      const min = (node.minItems ?? 0) as number;
      return budget <= 0 && min === 0
        ? fc.constant("[]")
        : fc
            .array(instanceTexts(root, items, budget - 1), { minLength: min, maxLength: Math.max(min, 3) })
            .map((texts) => `[${texts.join(",")}]`);
    }
    case "object":
      return ofObject(root, node, budget);
    default:
      return fc.constantFrom('"x"', '"12"', '"007"', '"9007199254740993"', '"2026-11-30T00:00:00Z"', '"https://a.b/c"');
  }
}

function ofObject(root: Schema, node: { readonly [keyword: string]: unknown }, budget: number): fc.Arbitrary<string> {
  const required = (node.required ?? []) as string[];
  const members = Object.entries((node.properties ?? {}) as { [key: string]: Schema }).filter(
    ([key]) => budget > 0 || required.includes(key),
  );
  return fc
    .tuple(
      ...members.map(([key, schema]) => {
        const member = instanceTexts(root, schema, budget - 1).map((text) => `${JSON.stringify(key)}:${text}`);
        return required.includes(key) ? member : fc.option(member, { nil: "", freq: 3 });
      }),
    )
    .map((texts) => `{${texts.filter((text) => text !== "").join(",")}}`);
}

function pointed(root: Schema, ref: string): Schema | undefined {
  let at: unknown = root;
  for (const step of ref
    .replace(/^#\/?/, "")
    .split("/")
    .filter((step) => step !== "")) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    at = typeof at === "object" && at !== null ? (at as { [key: string]: unknown })[key] : undefined;
  }
  return at as Schema | undefined;
}
