import { StructCodecError } from "../index.js";
import { isObject } from "./exact-text.js";

/** An argument that a tool wants to have in a header of the request too. */
interface HeaderPlace {
  readonly names: readonly string[];
  readonly header: string;
}

/**
 * Refuse an integer beyond ±(2^53−1) where a schema says `x-mcp-header`: it must not be in a header (SEP-2243), the SDK
 * leaves it out, and a server refuses a call whose headers lack it.
 */
export function checkHeaderIntegers(inputSchema: unknown, args: unknown): void {
  for (const { names, header } of headerPlaces(inputSchema)) {
    const value = names.reduce<unknown>(
      (parent, name) => (isObject(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined),
      args,
    );
    if (
      typeof value === "bigint" ||
      (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    )
      throw errUnsafeHeader(names, header);
  }
}

/** Only properties of properties may say it. */
function headerPlaces(schema: unknown): HeaderPlace[] {
  const places: HeaderPlace[] = [];
  const seen = new Set<unknown>();
  const pending: { schema: unknown; names: readonly string[] }[] = [{ schema, names: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    // A schema of this process may contain itself.
    if (!isObject(next.schema) || seen.has(next.schema)) continue;
    seen.add(next.schema);
    const header = Object.hasOwn(next.schema, "x-mcp-header") ? next.schema["x-mcp-header"] : undefined;
    if (typeof header === "string") places.push({ names: next.names, header });
    const properties = Object.hasOwn(next.schema, "properties") ? next.schema.properties : undefined;
    if (!isObject(properties)) continue;
    for (const name of Object.keys(properties))
      pending.push({ schema: properties[name], names: [...next.names, name] });
  }
  return places;
}

function errUnsafeHeader(names: readonly string[], header: string): StructCodecError {
  const escaped = names.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1"));
  const pointer = escaped.map((name) => `/${name}`).join("");
  const schemaPointer = escaped.map((name) => `/properties/${name}`).join("");
  const reason = `integer is beyond ±(2^53−1), and the header Mcp-Param-${header} takes none such`;
  return new StructCodecError(
    "unsafe_integer",
    "encode",
    `cannot encode tool arguments to JSON: ${reason} at ${pointer}`,
    {
      pointer,
      schemaPointer,
    },
  );
}
