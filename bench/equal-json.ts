/** Whether two JSON values are the same, whatever the order of members and the prototypes. -0 is not 0. */
export function equalJson(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) return equalItems(left, right);
  const members = new Map(Object.entries(right));
  const entries = Object.entries(left);
  return (
    entries.length === members.size &&
    entries.every(([key, value]) => members.has(key) && equalJson(value, members.get(key)))
  );
}

function equalItems(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
  return left.every((item, index) => equalJson(item, right[index]));
}

export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
