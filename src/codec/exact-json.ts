import type { IntegerLiteral } from "../base/integer-literal.js";

/**
 * A JSON value that leaves for JSON or arrives from it. Beside the types of JSON it may hold integers beyond ±(2^53−1),
 * as `bigint` or `IntegerLiteral`. Deliberately not assignable to the `JsonObject` that protobuf-es keeps in a
 * Struct-typed field: a field holds only what a Struct can hold.
 */
export type ExactJson = null | boolean | number | string | bigint | IntegerLiteral | ExactJson[] | ExactJsonObject;

/** An object of such values. */
export type ExactJsonObject = { [key: string]: ExactJson };
