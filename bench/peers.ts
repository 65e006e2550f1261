import {
  fromBinary,
  fromJson,
  fromJsonString,
  type JsonObject,
  toBinary,
  toJson,
  toJsonString,
} from "@bufbuild/protobuf";
import { type Struct, StructSchema } from "@bufbuild/protobuf/wkt";
import googleStruct from "google-protobuf/google/protobuf/struct_pb.js";
import pbUtil from "pb-util";
import serializer from "proto3-json-serializer";
import protobufjs from "protobufjs";
import { Struct as TsProtoStruct } from "./ts-proto/struct.js";

/** A library that reads and writes Structs, taken apart into the steps that its users call one after the other. */
export interface Peer<Message> {
  readonly name: string;
  /** Set where what the library keeps of a Struct is the JSON value itself, so that there is no step between the two. */
  readonly keepsJson: boolean;
  read(wire: Uint8Array): Message;
  write(message: Message): Uint8Array;
  toJson(message: Message): JsonObject;
  fromJson(json: JsonObject): Message;
  toJsonString(message: Message): string;
  fromJsonString(text: string): Message;
}

/** A peer whose messages nobody but the peer looks into. */
export type AnyPeer = Peer<unknown>;

/** The name of the one that everything is compared to. */
export const referenceName = "protobuf-es";

type Steps<Message> = Omit<Peer<Message>, "keepsJson" | "toJsonString" | "fromJsonString"> & Partial<Peer<Message>>;

function definePeer<Message>(steps: Steps<Message>): AnyPeer {
  const peer: Peer<Message> = {
    keepsJson: false,
    toJsonString: (message) => JSON.stringify(steps.toJson(message)),
    fromJsonString: (text) => steps.fromJson(JSON.parse(text)),
    ...steps,
  };
  // A message goes back only to the peer that it came from.
  return peer as AnyPeer;
}

const protobufEs = definePeer<Struct>({
  name: referenceName,
  read: (wire) => fromBinary(StructSchema, wire),
  write: (message) => toBinary(StructSchema, message),
  toJson: (message) => toJson(StructSchema, message),
  fromJson: (json) => fromJson(StructSchema, json),
  toJsonString: (message) => toJsonString(StructSchema, message),
  fromJsonString: (text) => fromJsonString(StructSchema, text),
});

/** Messages of protobufjs, as far as a Struct needs them. */
interface PbjsValue {
  kind?: string;
  nullValue?: number;
  numberValue?: number;
  stringValue?: string;
  boolValue?: boolean;
  structValue?: PbjsStruct;
  listValue?: { values: PbjsValue[] };
}
interface PbjsStruct {
  fields: { [key: string]: PbjsValue };
}

const root = protobufjs.Root.fromJSON(protobufjs.common.get("google/protobuf/struct.proto")!);
const structType = root.lookupType("google.protobuf.Struct");
// The types of a type that was built at run time are known only to us.
const readPbjs = (wire: Uint8Array) => structType.decode(wire) as unknown as PbjsStruct;
const writePbjs = (message: PbjsStruct) => structType.encode(message as unknown as protobufjs.Message).finish();

/** protobufjs leaves the conversion to its users; this is the plain way to write it. */
const protobufJs = definePeer<PbjsStruct>({
  name: "protobufjs",
  read: readPbjs,
  write: writePbjs,
  toJson: unwrapStruct,
  fromJson: wrapStruct,
});

function unwrapStruct(struct: PbjsStruct): JsonObject {
  const object: JsonObject = {};
  for (const key of Object.keys(struct.fields)) object[key] = unwrapValue(struct.fields[key]!);
  return object;
}

function unwrapValue(value: PbjsValue): JsonObject[string] {
  switch (value.kind) {
    case "numberValue":
      return value.numberValue!;
    case "stringValue":
      return value.stringValue!;
    case "boolValue":
      return value.boolValue!;
    case "structValue":
      return unwrapStruct(value.structValue!);
    case "listValue":
      return value.listValue!.values.map(unwrapValue);
    default:
      return null;
  }
}

function wrapStruct(object: JsonObject): PbjsStruct {
  const fields: PbjsStruct["fields"] = {};
  for (const key of Object.keys(object)) fields[key] = wrapValue(object[key]!);
  return { fields };
}

function wrapValue(value: JsonObject[string]): PbjsValue {
  if (value === null) return { nullValue: 0 };
  if (typeof value === "number") return { numberValue: value };
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { listValue: { values: value.map(wrapValue) } };
  return { structValue: wrapStruct(value) };
}

const pbUtilOnPbjs = definePeer<PbjsStruct>({
  name: "pb-util",
  read: readPbjs,
  write: writePbjs,
  // The library's own types leave out that a message of protobufjs is what it takes.
  toJson: (message) => pbUtil.struct.decode(message as pbUtil.Struct) as JsonObject,
  fromJson: (json) => pbUtil.struct.encode(json) as PbjsStruct,
});

type SerializerMessage = Parameters<typeof serializer.toProto3JSON>[0];
type SerializerType = Parameters<typeof serializer.fromProto3JSON>[0];

const proto3JsonSerializer = definePeer<SerializerMessage>({
  name: "proto3-json-serializer",
  // It is typed for protobufjs 7 and asks a message for its $type only.
  read: (wire) => structType.decode(wire) as unknown as SerializerMessage,
  write: (message) => structType.encode(message as unknown as protobufjs.Message).finish(),
  toJson: (message) => serializer.toProto3JSON(message) as JsonObject,
  fromJson: (json) => serializer.fromProto3JSON(structType as unknown as SerializerType, json)!,
});

const googleProtobuf = definePeer<googleStruct.Struct>({
  name: "google-protobuf",
  read: (wire) => googleStruct.Struct.deserializeBinary(wire),
  write: (message) => message.serializeBinary(),
  toJson: (message) => message.toJavaScript() as JsonObject,
  fromJson: (json) => googleStruct.Struct.fromJavaScript(json),
});

const tsProto = definePeer<JsonObject>({
  name: "ts-proto",
  keepsJson: true,
  read: (wire) => TsProtoStruct.unwrap(TsProtoStruct.decode(wire)),
  write: (message) => TsProtoStruct.encode(TsProtoStruct.wrap(message)).finish(),
  toJson: (message) => message,
  fromJson: (json) => json,
});

/** The reference first. */
export const peers: readonly AnyPeer[] = [
  protobufEs,
  protobufJs,
  pbUtilOnPbjs,
  proto3JsonSerializer,
  googleProtobuf,
  tsProto,
];
