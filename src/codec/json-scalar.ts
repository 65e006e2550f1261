import { IntegerLiteral } from "../base/integer-literal.js";
import { isScalar, type Scalar } from "../hint/facts.js";
import { readScalar } from "../text/scan.js";

const isRawJson = (JSON as { isRawJSON?: (value: unknown) => boolean }).isRawJSON;

/** The text that a value holds which `JSON.rawJSON` made. */
export function rawTextOf(json: unknown): string | undefined {
  return isRawJson?.(json) === true ? (json as { rawJSON: string }).rawJSON : undefined;
}

/** What a value of JSON is as a scalar; undefined where it is none. */
export function scalarOfJson(json: unknown): Scalar | undefined {
  if (json instanceof IntegerLiteral) return json.toBigInt();
  const raw = rawTextOf(json);
  if (raw !== undefined) return readScalar(raw);
  return isScalar(json) ? json : undefined;
}
