import {
  clone,
  create,
  createFileRegistry,
  createRegistry,
  type DescExtension,
  type DescFile,
  type DescMessage,
  type Registry,
} from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  Edition,
  FeatureSet_FieldPresence,
  FeatureSet_MessageEncoding,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";
import { file_structcodec_test_v1_agent } from "../../gen/structcodec/test/v1/agent_pb.js";

const struct = ".google.protobuf.Struct";

/** What generated code of proto3 has not: extensions, groups, required fields, defaults, and delimited encoding of editions. */
const legacy = create(FileDescriptorProtoSchema, {
  name: "structcodec/test/v1/legacy.proto",
  package: "structcodec.test.legacy",
  syntax: "proto2",
  dependency: ["google/protobuf/struct.proto", "google/protobuf/any.proto"],
  messageType: [
    {
      name: "Open",
      field: [
        { name: "id", number: 1, label: Label.REQUIRED, type: Type.INT32 },
        { name: "kind", number: 2, label: Label.OPTIONAL, type: Type.STRING, defaultValue: "none" },
        { name: "content", number: 3, label: Label.OPTIONAL, type: Type.MESSAGE, typeName: struct },
        {
          name: "entry",
          number: 4,
          label: Label.REPEATED,
          type: Type.GROUP,
          typeName: ".structcodec.test.legacy.Open.Entry",
        },
      ],
      nestedType: [
        {
          name: "Entry",
          field: [
            { name: "name", number: 5, label: Label.OPTIONAL, type: Type.STRING },
            { name: "data", number: 6, label: Label.OPTIONAL, type: Type.MESSAGE, typeName: struct },
          ],
        },
      ],
      extensionRange: [{ start: 100, end: 200 }],
    },
  ],
  extension: (
    [
      ["struct_ext", 100, Label.OPTIONAL, struct],
      ["structs_ext", 101, Label.REPEATED, struct],
      ["value_ext", 102, Label.OPTIONAL, ".google.protobuf.Value"],
      ["list_ext", 103, Label.OPTIONAL, ".google.protobuf.ListValue"],
      ["open_ext", 104, Label.OPTIONAL, ".structcodec.test.legacy.Open"],
      ["any_ext", 105, Label.REPEATED, ".google.protobuf.Any"],
    ] as const
  ).map(([name, number, label, typeName]) => ({
    name,
    number,
    label,
    type: Type.MESSAGE,
    typeName,
    extendee: ".structcodec.test.legacy.Open",
  })),
});

const delimited = create(FileDescriptorProtoSchema, {
  name: "structcodec/test/v1/delimited.proto",
  package: "structcodec.test.delimited",
  syntax: "editions",
  edition: Edition.EDITION_2023,
  dependency: ["google/protobuf/struct.proto"],
  options: { features: { messageEncoding: FeatureSet_MessageEncoding.DELIMITED } },
  messageType: [
    {
      name: "Groups",
      field: [
        { name: "content", number: 1, label: Label.OPTIONAL, type: Type.MESSAGE, typeName: struct },
        { name: "contents", number: 2, label: Label.REPEATED, type: Type.MESSAGE, typeName: struct },
        { name: "value", number: 3, label: Label.OPTIONAL, type: Type.MESSAGE, typeName: ".google.protobuf.Value" },
        {
          name: "inner",
          number: 4,
          label: Label.OPTIONAL,
          type: Type.MESSAGE,
          typeName: ".structcodec.test.delimited.Groups",
        },
        {
          name: "count",
          number: 5,
          label: Label.OPTIONAL,
          type: Type.INT64,
          options: { features: { fieldPresence: FeatureSet_FieldPresence.IMPLICIT } },
        },
      ],
    },
  ],
});

function describeFile(file: FileDescriptorProto): DescFile {
  file.messageType.forEach(nameForJson);
  const known = [file_google_protobuf_struct, file_google_protobuf_any];
  const registry = createFileRegistry(file, (name) => known.find(({ proto }) => proto.name === name));
  return registry.getFile(file.name) as DescFile;
}

/** What compilers do. */
function nameForJson({ field, nestedType }: DescriptorProto): void {
  for (const one of field) one.jsonName = one.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  nestedType.forEach(nameForJson);
}

/** The messages of the proto file without the options that give their Structs a schema. */
function describeBareAgent(): DescFile {
  const file = clone(FileDescriptorProtoSchema, file_structcodec_test_v1_agent.proto);
  for (const message of file.messageType) for (const field of message.field) delete field.options;
  const known = file_structcodec_test_v1_agent.dependencies;
  const registry = createFileRegistry(file, (name) => known.find(({ proto }) => proto.name === name));
  return registry.getFile(file.name) as DescFile;
}

/** Every message and extension that tests are about, without options. */
export const bareRegistry: Registry = createRegistry(
  describeBareAgent(),
  describeFile(legacy),
  describeFile(delimited),
  file_google_protobuf_struct,
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
);

export function messageNamed(name: string): DescMessage {
  return bareRegistry.getMessage(name) as DescMessage;
}

export function extensionNamed(name: string): DescExtension {
  return bareRegistry.getExtension(name) as DescExtension;
}

export const OpenSchema: DescMessage = messageNamed("structcodec.test.legacy.Open");
export const GroupsSchema: DescMessage = messageNamed("structcodec.test.delimited.Groups");
