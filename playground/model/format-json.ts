/**
 * Indent JSON text without reading its numbers, so that every digit stays. The text is expected to be valid; of another one
 * only white space changes.
 */
export function formatJson(text: string, spaces = 2): string {
  let out = "";
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[{}[\],:]|[^\s{}[\],:"]+|"/g)) {
    if (/^[[{]\s*[\]}]$/.test(token)) out += token[0] + (token.at(-1) as string);
    else if (token === "{" || token === "[") out += token + newLine(++depth, spaces);
    else if (token === "}" || token === "]") out += newLine((depth = Math.max(0, depth - 1)), spaces) + token;
    else if (token === ",") out += token + newLine(depth, spaces);
    else out += token === ":" ? ": " : token;
  }
  return out;
}

/** Deep texts are not indented for ever: beyond this they only get longer. */
const deepestIndent = 40;

function newLine(depth: number, spaces: number): string {
  return `\n${" ".repeat(Math.min(depth, deepestIndent) * spaces)}`;
}
