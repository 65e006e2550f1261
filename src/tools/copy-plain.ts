import { IntegerLiteral } from "../base/integer-literal.js";
import { getOwn, isPlainObject, setOwn } from "../base/own.js";

/** What stands for a number in the copy. */
export type NumberCopier = (value: number | bigint | IntegerLiteral) => unknown;

/**
 * Copy JSON with something in the place of every number, such as the JS number that validators want. What is shared is copied once, so cycles end. The
 * copies of objects may be edited once all of them are there.
 */
export function copyPlain(
  root: unknown,
  copyNumber: NumberCopier,
  edit?: (source: object, target: Record<string, unknown>) => void,
): unknown {
  const copies = new Map<object, unknown[] | Record<string, unknown>>();
  const pending: object[] = [];
  const copy = (value: unknown): unknown => {
    if (typeof value === "number" || typeof value === "bigint" || value instanceof IntegerLiteral) {
      return copyNumber(value);
    }
    if (typeof value !== "object" || value === null || !(Array.isArray(value) || isPlainObject(value))) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const target = Array.isArray(value) ? [] : {};
    copies.set(value, target);
    pending.push(value);
    return target;
  };
  const copied = copy(root);
  for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
    const target = copies.get(source) as unknown[] | Record<string, unknown>;
    for (const key of Object.keys(source)) {
      const value = copy(getOwn(source, key));
      // As `JSON.stringify` does, so that a member that will not be sent is not required either.
      if (value === undefined && !Array.isArray(target)) continue;
      if (Array.isArray(target)) target[Number(key)] = value;
      else setOwn(target, key, value);
    }
  }
  if (edit !== undefined) {
    for (const [source, target] of copies) if (!Array.isArray(target)) edit(source, target);
  }
  return copied;
}
