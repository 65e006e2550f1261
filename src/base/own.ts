/** Read an own property; what a prototype holds is not part of the data. */
export function getOwn(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}

/**
 * Write an own property, also under a key that a prototype has: an assignment would send "__proto__" to the prototype, and
 * throw under "toString" where Object.prototype is frozen.
 */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key in object) {
    Object.defineProperty(object, key, describe(value, true));
  } else {
    object[key] = value;
  }
}

/** A copy without a prototype, so that whatever is read of it is its own. */
export function copyOwn<T extends object>(object: T): T {
  return Object.assign(Object.create(null), object);
}

/** Whether a value is an object of key and value pairs: a literal, one without a prototype, or one of another realm. */
export function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // Another realm's Object.prototype: the end of its chain, and the owner of what every such prototype owns.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf");
}

/** Mark an object with a symbol that no enumeration shows. */
export function defineHidden(object: object, key: symbol, value: unknown): void {
  Object.defineProperty(object, key, describe(value, false));
}

/** A descriptor without a prototype: `get` or `set` on a polluted Object.prototype would be taken for its own. */
function describe(value: unknown, enumerable: boolean): PropertyDescriptor {
  const descriptor: PropertyDescriptor = Object.create(null);
  descriptor.value = value;
  descriptor.enumerable = enumerable;
  descriptor.configurable = enumerable;
  descriptor.writable = enumerable;
  return descriptor;
}
