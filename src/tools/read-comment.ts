import type { DescField, DescFile, DescMessage } from "@bufbuild/protobuf";

type DescriptorProto = DescMessage["proto"];

/** Reads the comments above messages and fields, where descriptors come from an image with source information. */
export class CommentReader {
  readonly #files = new Map<DescFile, ReadonlyMap<object, string>>();

  read(desc: DescMessage | DescField): string | undefined {
    const file = desc.kind === "message" ? desc.file : desc.parent.file;
    let comments = this.#files.get(file);
    if (comments === undefined) {
      comments = listComments(file);
      this.#files.set(file, comments);
    }
    return comments.get(desc.proto);
  }
}

/** The comments of a file, by the descriptor that they stand above. */
function listComments({ proto }: DescFile): ReadonlyMap<object, string> {
  const comments = new Map<object, string>();
  const byPath = new Map(
    (proto.sourceCodeInfo?.location ?? []).map(({ path, leadingComments }) => [path.join(), leadingComments]),
  );
  if (byPath.size === 0) return comments;
  const add = (desc: object, path: string): void => {
    const text = joinLines(byPath.get(path) ?? "");
    if (text !== "") comments.set(desc, text);
  };
  const pending = proto.messageType.map((message, i): [DescriptorProto, string] => [message, `4,${i}`]);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [message, path] = next;
    add(message, path);
    // The numbers are those of the fields of DescriptorProto.
    for (const [i, field] of message.field.entries()) add(field, `${path},2,${i}`);
    for (const [i, nested] of message.nestedType.entries()) pending.push([nested, `${path},3,${i}`]);
  }
  return comments;
}

/** Lines of a paragraph are one; an empty line stays. */
function joinLines(comment: string): string {
  const lines = comment.split("\n").map((line) => line.trim());
  return lines
    .join("\n")
    .trim()
    .replace(/([^\n])\n(?=[^\n])/g, "$1 ");
}
