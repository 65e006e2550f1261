import type { HintTable, MessageHintsOptions } from "../protobuf.js";

/** Which fields hold plain values, and which schemas describe them. Only fields that are named here are touched. */
export interface LoaderStructOptions extends Omit<MessageHintsOptions, "hints" | "schemas" | "registry"> {
  /**
   * Hints by full field name. The name is that of the proto file, or that which the field has in objects. Functions get the object
   * that has the field.
   */
  hints?: HintTable | undefined;
  /** Further fields that hold plain values, without a schema. */
  fields?: readonly string[] | undefined;
  /**
   * Of the fields, those that callers still write in the shape of protobufjs: `{ fields: { a: { numberValue: 1 } } }`. It is never
   * guessed, since a plain value may look like that. What is read is plain all the same.
   */
  oldShape?: readonly string[] | undefined;
}
