/** A Value as it stands on the wire, read without any schema: members in wire order, and kinds that are unset. */
export type StructNode =
  | { readonly kind: "unset" | "null" }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "list"; readonly items: readonly StructNode[] }
  | { readonly kind: "struct"; readonly members: ReadonlyMap<string, StructNode> };

/** A double with all digits that it really has where it is whole and below 10^21, and as JavaScript prints it elsewhere. */
export function describeDouble(value: number): string {
  if (Object.is(value, -0)) return "-0";
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? BigInt(value).toString() : String(value);
}
