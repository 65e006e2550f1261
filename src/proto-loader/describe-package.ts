import { create, createFileRegistry, type DescMessage, fromBinary } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  FieldDescriptorProto_Label as Label,
  MessageOptionsSchema,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";
import type { PackageDefinition } from "@grpc/proto-loader";

/** The messages of a method. */
export interface MethodMessages {
  readonly input: DescMessage;
  readonly output: DescMessage;
}

/** What a package definition is about. */
export interface DescribedPackage {
  /** By full name. Fields have the names that they have in objects. */
  readonly messages: ReadonlyMap<string, DescMessage>;
  /** By path, as in "/agent.v1.ToolService/CallTool". */
  readonly methods: ReadonlyMap<string, MethodMessages>;
}

/**
 * Describe a package definition for walks over bytes and objects. Its descriptors have relative names, which protobuf-es does not
 * link. Only what a walk needs is kept: enums are integers, and there are neither oneofs nor options.
 */
export function describePackage(definition: PackageDefinition): DescribedPackage {
  const files = readFiles(definition);
  const names = new Set(files.flatMap((file) => file.messageType.flatMap((type) => namesIn(file.package, type))));
  const messages = linkMessages(files, names);
  const methods = files.flatMap(({ package: scope, service }) =>
    service.flatMap(({ name, method }) => {
      const service = qualify(scope, name);
      return method.map(({ name: methodName, inputType, outputType }) => {
        const input = messages.get(resolve(names, service, inputType)) as DescMessage;
        const output = messages.get(resolve(names, service, outputType)) as DescMessage;
        return [`/${service}/${methodName}`, { input, output }] as const;
      });
    }),
  );
  return { messages, methods: new Map(methods) };
}

/** Each part of a definition carries all files of its load; a definition may be put together from several. */
function readFiles(definition: PackageDefinition): FileDescriptorProto[] {
  const buffers = new Set<Uint8Array>();
  for (const part of Object.values(definition)) {
    // Services carry none; their messages do.
    const carriers =
      "fileDescriptorProtos" in part ? [part] : Object.values(part).map(({ requestType }) => requestType);
    for (const { fileDescriptorProtos } of carriers as { fileDescriptorProtos: Uint8Array[] }[]) {
      for (const buffer of fileDescriptorProtos) buffers.add(buffer);
    }
  }
  return [...buffers].map((buffer) => fromBinary(FileDescriptorProtoSchema, buffer));
}

/**
 * Link the messages of all files. Files here are packages, and packages may need each other, which files may not. So all are in one
 * file, and the parts of package names are messages around them.
 */
function linkMessages(files: readonly FileDescriptorProto[], names: ReadonlySet<string>): Map<string, DescMessage> {
  const root = create(DescriptorProtoSchema);
  for (const { package: scope, messageType } of files) {
    const parent = scope.split(".").reduce((outer, part) => (part === "" ? outer : nest(outer, part)), root);
    for (const type of messageType) addMessage(names, parent, scope, type);
  }
  // Groups are of proto2 only.
  const file = create(FileDescriptorProtoSchema, { syntax: "proto2", messageType: root.nestedType });
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] }));
  return new Map([...registry].flatMap((type) => (type.kind === "message" ? [[type.typeName, type] as const] : [])));
}

/** The message of a name in another; messages and parts of packages may share one. */
function nest(parent: DescriptorProto, name: string): DescriptorProto {
  const known = parent.nestedType.find((nested) => nested.name === name);
  if (known !== undefined) return known;
  const added = create(DescriptorProtoSchema, { name });
  parent.nestedType.push(added);
  return added;
}

function addMessage(names: ReadonlySet<string>, parent: DescriptorProto, scope: string, type: DescriptorProto): void {
  const added = nest(parent, type.name);
  // A definition put together from several loads has the types of Google several times.
  if (added.field.length > 0) return;
  const name = qualify(scope, type.name);
  // protobufjs has extensions as fields, with a point in their names.
  const fields = type.field.filter((field) => /^\w+$/.test(field.name));
  added.field = fields.map((field) => simplifyField(names, name, field));
  if (type.options?.mapEntry) added.options = create(MessageOptionsSchema, { mapEntry: true });
  for (const nested of type.nestedType) addMessage(names, added, name, nested);
}

function simplifyField(names: ReadonlySet<string>, scope: string, field: FieldDescriptorProto): FieldDescriptorProto {
  const { name, number, label, type, typeName } = field;
  const isMessage = type === Type.MESSAGE || type === Type.GROUP;
  return create(FieldDescriptorProtoSchema, {
    name,
    number,
    jsonName: name,
    label: label === Label.REPEATED ? label : Label.OPTIONAL,
    type: type === Type.ENUM ? Type.INT32 : type,
    ...(isMessage && { typeName: `.${resolve(names, scope, typeName)}` }),
  });
}

/** Look for a name as protobuf does, from the innermost scope outwards. */
function resolve(names: ReadonlySet<string>, scope: string, name: string): string {
  if (name.startsWith(".")) return name.slice(1);
  for (let outer = scope; outer !== ""; outer = outer.slice(0, Math.max(0, outer.lastIndexOf(".")))) {
    const found = `${outer}.${name}`;
    if (names.has(found)) return found;
  }
  return name;
}

function namesIn(scope: string, { name, nestedType }: DescriptorProto): string[] {
  const full = qualify(scope, name);
  return [full, ...nestedType.flatMap((nested) => namesIn(full, nested))];
}

function qualify(scope: string, name: string): string {
  return scope === "" ? name : `${scope}.${name}`;
}
