/** Whether a text is a regular expression as validators compile them: ECMAScript in Unicode mode. */
export function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    // A SyntaxError says no more than that.
    return false;
  }
}
