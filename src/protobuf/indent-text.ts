/** A string, a character of structure, or any other token. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]|[^\t\n\r "[\]{}:,]+/g;

/** Lay out JSON text as `JSON.stringify` would with so many spaces, as a value that stands so deep in a document. */
export function indentText(text: string, spaces: number, depth: number): string {
  if (spaces === 0 && !text.includes("\n")) return text;
  const out: string[] = [];
  let level = depth;
  let isEmpty = false;
  const breakLine = (): void => void (spaces > 0 && out.push(`\n${" ".repeat(spaces * level)}`));
  for (const [token] of text.matchAll(tokens)) {
    const closes = token === "}" || token === "]";
    if (closes) level--;
    // Between the brackets of an empty container there is nothing.
    if (closes ? !isEmpty : isEmpty) breakLine();
    isEmpty = token === "{" || token === "[";
    if (isEmpty) level++;
    out.push(token);
    if (token === ",") breakLine();
    if (token === ":" && spaces > 0) out.push(" ");
  }
  return out.join("");
}
