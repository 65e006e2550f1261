/** Cut text that is too long for a trailer, and never between the halves of a surrogate pair: gRPC has no form for one half. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
