/** Quote a string as JSON does, and beyond that escape the characters that match. */
export function quoteEscaping(value: string, others: RegExp): string {
  return JSON.stringify(value).replace(others, (char) => [...utf16(char)].map(escapeUnit).join(""));
}

function* utf16(char: string): Iterable<number> {
  for (let i = 0; i < char.length; i++) yield char.charCodeAt(i);
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
