/** Refuse names that nobody reads: a misspelt option would silently do nothing. */
export function refuseUnknownNames(options: object, known: readonly string[], what: string): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new TypeError(`unknown ${what} "${name}"`);
  }
}
