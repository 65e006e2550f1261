import { isPattern } from "./is-pattern.js";

/**
 * Write a pattern of RE2, as `buf.validate` has it, in the syntax of ECMAScript with the flag "u", which JSON Schema wants.
 * Undefined where it says something that cannot be said so, or that is not known for certain to mean the same.
 */
export function translatePattern(pattern: string): string | undefined {
  const translated: string[] = [];
  const tokens = /\\[pP][A-Z]|\\[pP]\{[A-Z][A-Za-z]?\}|\\.|\(\?:|\(\?P?<\w+>|\(\?|\[\^?|\{\d{1,4}(?:,\d{0,4})?\}|./gsu;
  let isInClass = false;
  for (let match = tokens.exec(pattern); match !== null; match = tokens.exec(pattern)) {
    const [token] = match;
    const isFirst = isInClass && translated.at(-1)?.startsWith("[") === true;
    const written = isInClass ? translateInClass(token, isFirst) : translateToken(token);
    if (written === undefined) return undefined;
    if (token[0] === "[" && !isInClass) isInClass = true;
    else if (token === "]") isInClass = false;
    translated.push(written);
  }
  const joined = translated.join("");
  return isPattern(joined) ? joined : undefined;
}

/** White space to RE2; ECMAScript knows more of it. */
const space = "\\t\\n\\f\\r ";

/** Escapes of the same meaning in both, in classes too. */
const sameEscapes = /^\\(?:[dDwWtnrfv]|[pP]\{[A-Z][a-z]?\}|[\^$\\.*+?()[\]{}|/])$/;

function translateToken(token: string): string | undefined {
  if (token === ".") return "[^\\n]";
  if (token === "\\s") return `[${space}]`;
  if (token === "\\S") return `[^${space}]`;
  if (token === "\\b" || token === "\\B") return token;
  if (token === "\\A") return "^";
  if (token === "\\z") return "$";
  // Flags; and what looks around, of which RE2 knows nothing.
  if (token === "(?") return undefined;
  if (token.startsWith("(?")) return "(?:";
  // A brace that is no quantifier is itself to RE2, and an error here.
  if (token === "{" || token === "}" || token === "]") return `\\${token}`;
  return token[0] === "\\" ? translateEscape(token) : token;
}

function translateInClass(token: string, isFirst: boolean): string | undefined {
  if (token === "\\s") return space;
  if (token === "\\-") return token;
  // Classes with names, as in [[:alpha:]], and a bracket that is no end.
  if (token[0] === "[" || (token === "]" && isFirst)) return undefined;
  if (token[0] === "\\") return translateEscape(token);
  return token.startsWith("(?") || token.length > 2 ? undefined : token;
}

function translateEscape(token: string): string | undefined {
  if (sameEscapes.test(token)) return token;
  const [, property, name] = /^\\([pP])([A-Z])$/.exec(token) ?? [];
  if (property !== undefined) return `\\${property}{${name}}`;
  // Punctuation stands for itself, and may be escaped only where it has to be.
  return /^\\[-!"#%&',:;<=>@_`~ ]$/.test(token) ? token.slice(1) : undefined;
}
