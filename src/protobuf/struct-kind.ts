import type { DescMessage } from "@bufbuild/protobuf";

/** The types whose content is JSON. A Struct in a field is a plain object, a "root", which stands for itself, is a message. */
export type StructKind = "struct" | "value" | "list" | "root";

const kinds: ReadonlyMap<string, StructKind> = new Map([
  ["google.protobuf.Struct", "struct"],
  ["google.protobuf.Value", "value"],
  ["google.protobuf.ListValue", "list"],
]);

/** What a field of a message type holds, undefined for every other. */
export function structKindOf(message: DescMessage | undefined): StructKind | undefined {
  return message === undefined ? undefined : kinds.get(message.typeName);
}

/** What a message that stands for itself is. */
export function rootKindOf(message: DescMessage): StructKind | undefined {
  const kind = structKindOf(message);
  return kind === "struct" ? "root" : kind;
}
