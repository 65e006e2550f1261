import { create, createFileRegistry } from "@bufbuild/protobuf";
import type { GenService } from "@bufbuild/protobuf/codegenv2";
import { FileDescriptorProtoSchema, type StructSchema } from "@bufbuild/protobuf/wkt";
import { file_structcodec_test_v1_agent, type StructsSchema } from "../../../gen/structcodec/test/v1/agent_pb.js";

const structs = ".structcodec.test.v1.Structs";
const anything = ".google.protobuf.Struct";

/** A service over every kind of field that can hold a Struct, and over Structs that stand for themselves. */
const file = create(FileDescriptorProtoSchema, {
  name: "structcodec/test/v1/structs_service.proto",
  package: "structcodec.test.v1",
  syntax: "proto3",
  dependency: [file_structcodec_test_v1_agent.proto.name, "google/protobuf/struct.proto"],
  service: [
    {
      name: "StructsService",
      method: [
        { name: "Echo", inputType: structs, outputType: structs },
        { name: "EchoStruct", inputType: anything, outputType: anything },
      ],
    },
  ],
});

const registry = createFileRegistry(file, (name) =>
  [file_structcodec_test_v1_agent, ...file_structcodec_test_v1_agent.dependencies].find(
    ({ proto }) => proto.name === name,
  ),
);

/** The service, made at run time. */
export const StructsService = registry.getService("structcodec.test.v1.StructsService") as GenService<{
  echo: { methodKind: "unary"; input: typeof StructsSchema; output: typeof StructsSchema };
  echoStruct: { methodKind: "unary"; input: typeof StructSchema; output: typeof StructSchema };
}>;
