import type { StructCodec, ValueCodec } from "../src/index.js";

/** The forms of one thing (see the contract's table of methods). */
export type Form = "message" | "field" | "json" | "jsonString" | "jsonBytes" | "binary";

/** "encode" goes from the Struct side to JSON, "decode" from JSON to the Struct side. */
export type Direction = "encode" | "decode";

export type Method =
  | "toJson"
  | "toJsonString"
  | "fieldToJson"
  | "fieldToJsonString"
  | "binaryToJson"
  | "binaryToJsonString"
  | "binaryToJsonBytes"
  | "fromJson"
  | "jsonToField"
  | "jsonToBinary"
  | "fromJsonString"
  | "jsonStringToField"
  | "jsonStringToBinary"
  | "jsonBytesToBinary";

/** One conversion method of a codec as an edge from form to form. */
export interface Path {
  readonly method: Method;
  readonly from: Form;
  readonly to: Form;
  readonly direction: Direction;
}

/** Every conversion of the table, and the only list of them in these tests. */
export const paths: readonly Path[] = [
  { method: "toJson", from: "message", to: "json", direction: "encode" },
  { method: "toJsonString", from: "message", to: "jsonString", direction: "encode" },
  { method: "fieldToJson", from: "field", to: "json", direction: "encode" },
  { method: "fieldToJsonString", from: "field", to: "jsonString", direction: "encode" },
  { method: "binaryToJson", from: "binary", to: "json", direction: "encode" },
  { method: "binaryToJsonString", from: "binary", to: "jsonString", direction: "encode" },
  { method: "binaryToJsonBytes", from: "binary", to: "jsonBytes", direction: "encode" },
  { method: "fromJson", from: "json", to: "message", direction: "decode" },
  { method: "jsonToField", from: "json", to: "field", direction: "decode" },
  { method: "jsonToBinary", from: "json", to: "binary", direction: "decode" },
  { method: "fromJsonString", from: "jsonString", to: "message", direction: "decode" },
  { method: "jsonStringToField", from: "jsonString", to: "field", direction: "decode" },
  { method: "jsonStringToBinary", from: "jsonString", to: "binary", direction: "decode" },
  { method: "jsonBytesToBinary", from: "jsonBytes", to: "binary", direction: "decode" },
];

export type AnyCodec = StructCodec | ValueCodec;

/** Whether the codec has the method of a path yet. */
export function hasPath(codec: AnyCodec, path: Path): boolean {
  return typeof (codec as unknown as Record<string, unknown>)[path.method] === "function";
}

/** Convert along a path. Forms are checked by the caller, so the types end here. */
export function convert(codec: AnyCodec, path: Path, input: unknown): unknown {
  const methods = codec as unknown as Record<Method, (input: unknown) => unknown>;
  return methods[path.method](input);
}

/** The paths a codec has, of one direction or of both. */
export function pathsOf(codec: AnyCodec, direction?: Direction): readonly Path[] {
  return paths.filter((path) => (direction === undefined || path.direction === direction) && hasPath(codec, path));
}

/** Whether a JS object, which reorders array-index keys, stands at one end of a path or the other. */
export function usesObject(form: Form): boolean {
  return form === "message" || form === "field" || form === "json";
}
