import type { Conversion } from "./conversion.js";

export function errTooDeep(conversion: Conversion): Error {
  return conversion.fail("depth_exceeded", `nested more than ${conversion.context.options.limits.depth} deep`);
}

/** It is about the document as a whole, so that every way says the same, whichever value it came to last. */
export function errTooManyValues(conversion: Conversion): Error {
  return conversion.atRoot().fail("too_large", `more than ${conversion.context.options.limits.values} values`);
}

export function errTooLong(conversion: Conversion, what: "input" | "output"): Error {
  const { inputBytes, outputBytes } = conversion.context.options.limits;
  return conversion.fail("too_large", `${what} has more than ${what === "input" ? inputBytes : outputBytes} bytes`);
}

export function errNotUtf8(conversion: Conversion, what: "key" | "string"): Error {
  const reason = conversion.readsBytes ? "is not well-formed UTF-8" : "has an unpaired surrogate";
  return conversion.fail("invalid_utf8", `${what} ${reason}`);
}

export function errUnexpectedType(conversion: Conversion, expected: string, actual: string): Error {
  return conversion.fail("unexpected_type", `expected ${expected}, got ${actual}`);
}

export function errUnsupported(conversion: Conversion, what: string): Error {
  return conversion.fail("unsupported_value", what);
}

export function errNumberTooLong(conversion: Conversion): Error {
  return conversion.fail(
    "too_large",
    `number has more than ${conversion.context.options.limits.numberLength} characters`,
  );
}
