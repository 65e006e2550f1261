import type { Conversion } from "./conversion.js";
import { errTooLong, errUnsupported } from "./conversion-errors.js";

/** Accept bytes as input: a Uint8Array of whatever realm, not detached, and not too long. Shared memory is copied. */
export function requireBytes(conversion: Conversion, bytes: Uint8Array): Uint8Array {
  const { limits } = conversion.context.options;
  if (!isUint8Array(bytes)) throw errUnsupported(conversion.atRoot(), "input is no Uint8Array");
  if (bytes.length > limits.inputBytes) throw errTooLong(conversion.atRoot(), "input");
  // What another thread may change while it is read is read once.
  if (!(bytes.buffer instanceof ArrayBuffer)) return new Uint8Array(bytes);
  if (bytes.length === 0 && isDetached(bytes.buffer)) {
    throw errUnsupported(conversion.atRoot(), "input is detached");
  }
  return bytes;
}

function isUint8Array(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}

/** A detached buffer looks like an empty one, and an empty message is a valid one. */
function isDetached(buffer: ArrayBuffer): boolean {
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}
