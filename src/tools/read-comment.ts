import type { DescField, DescMessage } from "@bufbuild/protobuf";

/** The comment above a message or field, where the descriptor comes from an image with source information. */
export function readComment(desc: DescMessage | DescField): string | undefined {
  const file = desc.kind === "message" ? desc.file : desc.parent.file;
  const path = pathOf(desc).join();
  const location = file.proto.sourceCodeInfo?.location.find((candidate) => candidate.path.join() === path);
  const text = location?.leadingComments
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .trim();
  // Lines of a paragraph are one; an empty line stays.
  return text === undefined || text === "" ? undefined : text.replace(/([^\n])\n(?=[^\n])/g, "$1 ");
}

/** Field numbers and indexes that lead from a FileDescriptorProto to a descriptor. */
function pathOf(desc: DescMessage | DescField): number[] {
  if (desc.kind === "field") return [...pathOf(desc.parent), 2, desc.parent.proto.field.indexOf(desc.proto)];
  if (desc.parent === undefined) return [4, desc.file.proto.messageType.indexOf(desc.proto)];
  return [...pathOf(desc.parent), 3, desc.parent.proto.nestedType.indexOf(desc.proto)];
}
