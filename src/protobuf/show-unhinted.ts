import type { FieldValue } from "./field-codec.js";
import type { Hints } from "./message-hints.js";
import { getSlot, type Site, setSlot } from "./site.js";

/**
 * Run what asks functions of a hint table about messages in which placeholders stand for the Structs. Where a function looks at a
 * Struct, it finds it as it is without a schema; afterwards the placeholders are there again.
 */
export function showUnhinted<T>(
  hints: Hints,
  sites: readonly Site[],
  read: (site: Site) => FieldValue,
  ask: () => T,
): T {
  if (!sites.some(({ name }) => hints.isChosen(name))) return ask();
  const held = sites.map(({ holder, key }) => getSlot(holder, key));
  for (const [i, site] of sites.entries()) {
    const kept: Site = { ...site, holder: { value: held[i] }, key: "value" };
    defineLazily(site, () => readSilently(hints, kept, read));
  }
  try {
    return ask();
  } finally {
    for (const [i, { holder, key }] of sites.entries()) setSlot(holder, key, held[i]);
  }
}

/** What cannot be read is an error when it is converted; until then it is not there. */
function readSilently(hints: Hints, site: Site, read: (site: Site) => FieldValue): FieldValue | undefined {
  const { sink } = hints;
  hints.sink = () => {};
  try {
    return read(site);
  } catch {
    return undefined;
  } finally {
    hints.sink = sink;
  }
}

function defineLazily({ holder, key }: Site, read: () => FieldValue | undefined): void {
  const descriptor: PropertyDescriptor = Object.create(null);
  descriptor.get = read;
  // Whoever writes there replaces what is read, and later so does the conversion.
  descriptor.set = (value: unknown) => Object.defineProperty(holder, key, dataDescriptor(value));
  descriptor.enumerable = true;
  descriptor.configurable = true;
  Object.defineProperty(holder, key, descriptor);
}

function dataDescriptor(value: unknown): PropertyDescriptor {
  const descriptor: PropertyDescriptor = Object.create(null);
  return Object.assign(descriptor, { value, enumerable: true, configurable: true, writable: true });
}
