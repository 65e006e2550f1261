import { createFileRegistry, type DescMessage, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { deriveSchema, printSchemaText } from "../schema.js";
import { type Command, type ExitCode, type Invocation, type Io, readFlag, UsageError } from "./command.js";
import { printText, readChunks } from "./files.js";

/** Derives a schema from a message of an image. */
export const derive: Command = {
  name: "derive",
  operands: "--image FILE --message NAME",
  summary: "Derive the JSON Schema of a message's ProtoJSON form, with 64-bit integers as decimal text",
  notes: [
    "An image is what buf build -o image.binpb writes, or protoc --include_imports --descriptor_set_out. Comments become " +
      "descriptions where it has source information; rules of buf.validate and google.api.field_behavior are read.",
  ],
  flags: [
    { name: "image", value: "FILE", help: 'the image, or "-" for standard input' },
    { name: "message", value: "NAME", help: "full name of the message, such as shop.v1.Order" },
    { name: "lax", help: "describe what readers take: 64-bit integers and enums as numbers too" },
    { name: "proto-names", help: "name the members as the proto file does, not as ProtoJSON" },
  ],
  run: runDerive,
};

async function runDerive({ values, positionals }: Invocation, io: Io): Promise<ExitCode> {
  const image = readFlag(values, "image");
  const name = readFlag(values, "message");
  if (positionals.length > 0 || image === undefined || name === undefined) {
    throw new UsageError("derive needs --image FILE and --message NAME, and nothing else");
  }
  const schema = deriveSchema(findMessage(await readBytes(image, io), image, name), {
    useProtoFieldName: values["proto-names"] === true,
    lax: values.lax === true,
  });
  await printText(io, `${printSchemaText(schema, 2)}\n`);
  return 0;
}

async function readBytes(file: string, io: Io): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(file, io)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function findMessage(bytes: Uint8Array, image: string, name: string): DescMessage {
  let message: DescMessage | undefined;
  try {
    message = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes)).getMessage(name);
  } catch (error) {
    throw new UsageError(
      `cannot read "${image}" as an image: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (message === undefined) throw new UsageError(`"${image}" has no message "${name}"`);
  return message;
}
