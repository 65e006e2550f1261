export type InputFormat = "json" | "hex" | "base64";

/** What was pasted: JSON text, or wire bytes. */
export type Input =
  | { readonly format: "json"; readonly text: string }
  | { readonly format: "hex" | "base64"; readonly bytes: Uint8Array }
  /** No such bytes; the offset is where in the text. */
  | { readonly format: "hex" | "base64"; readonly error: string; readonly offset: number };

/** Read what was pasted as the format says, or as what it looks like. */
export function readInput(text: string, format: InputFormat | "auto", root: "struct" | "value"): Input {
  const found = format === "auto" ? detectFormat(text, root) : format;
  if (found === "json") return { format: found, text };
  return found === "hex" ? readHex(text) : readBase64(text);
}

/** A Struct in JSON begins with a brace; a Value may be anything that is JSON. Nothing at all is an empty message. */
export function detectFormat(text: string, root: "struct" | "value"): InputFormat {
  const trimmed = text.trim();
  if (/^[{["]/.test(trimmed) || (root === "value" && isJson(trimmed))) return "json";
  return /^(?:[0-9a-f]{2}|\s|0x)*$/i.test(trimmed) ? "hex" : "base64";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readHex(text: string): Input {
  const digits = text.replace(/\b0x|[\s,:]/gi, (skipped) => " ".repeat(skipped.length));
  const wrong = digits.search(/[^0-9a-f ]/i);
  if (wrong !== -1) return { format: "hex", error: "not a hexadecimal digit", offset: wrong };
  const pairs = digits.replaceAll(" ", "").match(/../g) ?? [];
  if (digits.replaceAll(" ", "").length % 2 === 1) {
    return { format: "hex", error: "half a byte at the end", offset: Math.max(0, digits.trimEnd().length - 1) };
  }
  return { format: "hex", bytes: Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)) };
}

/** Both alphabets, with or without padding, broken into lines or not. */
function readBase64(text: string): Input {
  const wrong = text.search(/[^A-Za-z0-9+/\-_=\s]/);
  if (wrong !== -1) return { format: "base64", error: "not a character of base64", offset: wrong };
  const plain = text
    .replace(/\s|=+\s*$/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  try {
    return { format: "base64", bytes: Uint8Array.from(atob(plain), (char) => char.charCodeAt(0)) };
  } catch {
    return {
      format: "base64",
      error: "cut off, or padding in the middle",
      offset: Math.max(0, text.trimEnd().length - 1),
    };
  }
}

/** Where in a pasted text a byte stands, so that a fault in the bytes can be shown there. */
export function byteToText(text: string, format: "hex" | "base64", byte: number): number {
  const digits = format === "hex" ? byte * 2 : Math.floor((byte * 4) / 3);
  const skipped = format === "hex" ? /0x|[\s,:]/iy : /\s/y;
  let at = 0;
  for (let seen = 0; at < text.length; ) {
    skipped.lastIndex = at;
    const skip = skipped.exec(text);
    if (skip !== null) at += skip[0].length;
    else if (seen === digits) break;
    else {
      seen++;
      at++;
    }
  }
  return Math.min(at, Math.max(0, text.length - 1));
}

/** Write bytes as they may be pasted. */
export function writeBytes(bytes: Uint8Array, format: "hex" | "base64"): string {
  if (format === "hex") return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
