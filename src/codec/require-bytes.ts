import type { Conversion } from "./conversion.js";
import { errTooLong, errUnsupported } from "./conversion-errors.js";

/**
 * Whether bytes are of the usual kind: some, and nobody else can change them meanwhile, or they are few enough to be copied
 * first (up to `copied`). What is not, a detached or shared buffer, a view that its buffer has outgrown, is looked at by
 * `requireBytes`.
 */
export function isPlainBytes(bytes: Uint8Array, copied: number): boolean {
  if (!isUint8Array(bytes)) return false;
  const { length } = bytes;
  return length > 0 && (length < copied || bytes.buffer instanceof ArrayBuffer);
}

/** Accept bytes as input: a Uint8Array of whatever realm, not detached, and not too long. Shared memory is copied. */
export function requireBytes(conversion: Conversion, bytes: Uint8Array): Uint8Array {
  const { limits } = conversion.context.options;
  if (!isUint8Array(bytes)) throw errUnsupported(conversion.atRoot(), "input is no Uint8Array");
  if (bytes.length > limits.inputBytes) throw errTooLong(conversion.atRoot(), "input");
  // What another thread may change while it is read is read once.
  if (!(bytes.buffer instanceof ArrayBuffer)) return new Uint8Array(bytes);
  if (bytes.length === 0 && isUnreachable(bytes)) {
    throw errUnsupported(conversion.atRoot(), "input is detached or out of its buffer");
  }
  return bytes;
}

const typedArrayTag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)?.get;

/** The getter on the prototype of all typed arrays names the kind of array, whatever its realm or subclass says of itself. */
function isUint8Array(value: unknown): value is Uint8Array {
  return typedArrayTag?.call(value) === "Uint8Array";
}

/**
 * A view of a detached buffer, or one whose resizable buffer has become too short for it, looks like an empty one, and an
 * empty message is a valid one. No such view can be made anew, nor does it know its offset any more.
 */
function isUnreachable(bytes: Uint8Array): boolean {
  try {
    Uint8Array.prototype.fill.call(bytes, 0);
    return false;
  } catch {
    return true;
  }
}
