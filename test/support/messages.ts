import {
  create,
  type DescExtension,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  ScalarType,
  setExtension,
} from "@bufbuild/protobuf";
import { anyPack, ListValueSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { own } from "./exact-json.js";
import { bareRegistry as registry } from "./extended-file.js";

// Random messages of any type, by its descriptor.

/** What messages may hold in their Structs. */
export interface MessageArbitraries {
  readonly struct: fc.Arbitrary<JsonObject>;
  readonly value: fc.Arbitrary<JsonValue>;
}

/** Types that are packed in an Any. */
const packable = [
  "google.protobuf.Struct",
  "google.protobuf.Value",
  "google.protobuf.ListValue",
  "google.protobuf.Any",
  "google.protobuf.Duration",
  "structcodec.test.v1.Record",
  "structcodec.test.v1.CallToolRequest",
  "structcodec.test.v1.Content",
  "structcodec.test.legacy.Open",
  "structcodec.test.delimited.Groups",
];

/** Messages of a type, nested at most so deep. */
export function messages(desc: DescMessage, content: MessageArbitraries, depth = 3): fc.Arbitrary<Message> {
  switch (desc.typeName) {
    case "google.protobuf.Struct":
      return content.struct.map((json) => fromJson(desc, json));
    case "google.protobuf.Value":
      return content.value.map((json) => fromJson(ValueSchema, json));
    case "google.protobuf.ListValue":
      return fc.array(content.value, { maxLength: 3 }).map((json) => fromJson(ListValueSchema, json));
    case "google.protobuf.Timestamp":
      return fc
        .tuple(fc.bigInt({ min: -62135596800n, max: 253402300799n }), fc.integer({ min: 0, max: 999_999_999 }))
        .map(([seconds, nanos]) => create(desc, { seconds, nanos }));
    case "google.protobuf.Duration":
      return fc
        .tuple(fc.bigInt({ min: 0n, max: 315576000000n }), fc.integer({ min: 0, max: 999_999_999 }), fc.boolean())
        .map(([seconds, nanos, negative]) =>
          create(desc, negative ? { seconds: -seconds, nanos: -nanos } : { seconds, nanos }),
        );
    case "google.protobuf.FieldMask":
      return fc
        .array(fc.constantFrom("a", "b_c", "user.display_name"), { maxLength: 3 })
        .map((paths) => create(desc, { paths }));
    case "google.protobuf.Any":
      return anys(content, depth);
    default:
      return plainMessages(desc, content, depth);
  }
}

function anys(content: MessageArbitraries, depth: number): fc.Arbitrary<Message> {
  if (depth <= 0)
    return fc.constant(anyPack(descOf("google.protobuf.Struct"), create(descOf("google.protobuf.Struct"))));
  return fc.constantFrom(...packable).chain((name) => {
    const desc = descOf(name);
    return messages(desc, content, depth - 1).map((message) => anyPack(desc, message));
  });
}

function descOf(name: string): DescMessage {
  return registry.getMessage(name) as DescMessage;
}

type Setter = (message: Record<string, unknown>) => void;

function plainMessages(desc: DescMessage, content: MessageArbitraries, depth: number): fc.Arbitrary<Message> {
  const setters = desc.fields.map((field) => fieldSetters(field, content, depth));
  const extensions = extensionsOf(desc).map((extension) => extensionSetters(extension, content, depth));
  return fc.tuple(...setters, ...extensions).map((all) => {
    const message = create(desc);
    for (const set of all) set?.(message as never);
    return message;
  });
}

function extensionsOf(desc: DescMessage): DescExtension[] {
  return [...registry].filter(
    (type): type is DescExtension => type.kind === "extension" && type.extendee.typeName === desc.typeName,
  );
}

function extensionSetters(extension: DescExtension, content: MessageArbitraries, depth: number) {
  const values = depth <= 0 ? undefined : fieldValues(extension, content, depth);
  if (values === undefined) return fc.constant(undefined);
  return fc.option(
    values.map(
      (value): Setter =>
        (message) =>
          setExtension(message as never, extension, value as never),
    ),
    { freq: 1, nil: undefined },
  );
}

function fieldSetters(field: DescField, content: MessageArbitraries, depth: number): fc.Arbitrary<Setter | undefined> {
  const values = fieldValues(field, content, depth);
  if (values === undefined) return fc.constant(undefined);
  const set = values.map(
    (value): Setter =>
      (message) => {
        if (field.oneof !== undefined) message[field.oneof.localName] = { case: field.localName, value };
        else message[field.localName] = value;
      },
  );
  // LEGACY_REQUIRED.
  return field.presence === 3 ? set : fc.option(set, { freq: 2, nil: undefined });
}

function fieldValues(
  field: DescField | DescExtension,
  content: MessageArbitraries,
  depth: number,
): fc.Arbitrary<unknown> | undefined {
  const isSingular = field.fieldKind !== "list" && field.fieldKind !== "map";
  const single = singleValues(field, content, depth, isSingular && field.kind === "field" && field.oneof === undefined);
  if (single === undefined) return undefined;
  if (isSingular) return single;
  if (field.fieldKind === "list") return fc.array(single, { maxLength: 3 });
  return fc
    .uniqueArray(fc.tuple(mapKeys(field.mapKey), single), { maxLength: 3, selector: ([key]) => key })
    .map((entries) => {
      const map: { [key: string]: unknown } = {};
      for (const [key, value] of entries) own(map, key, value);
      return map;
    });
}

function mapKeys(type: ScalarType): fc.Arbitrary<string> {
  switch (type) {
    case ScalarType.STRING:
      return fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom("__proto__", "a/b", "~", "constructor", "7"));
    case ScalarType.BOOL:
      return fc.constantFrom("true", "false");
    default:
      return fc.integer({ min: 0, max: 1000 }).map(String);
  }
}

function singleValues(
  field: DescField | DescExtension,
  content: MessageArbitraries,
  depth: number,
  isUnwrapped: boolean,
): fc.Arbitrary<unknown> | undefined {
  if (field.enum !== undefined) return fc.constantFrom(...field.enum.values.map(({ number }) => number));
  if (field.message === undefined) return scalars(field.scalar as ScalarType);
  const { message } = field;
  if (message.typeName === "google.protobuf.Struct") return content.struct;
  if (
    isUnwrapped &&
    /\.(?:\w+)Value$/.test(message.typeName) &&
    message.fields[0]?.scalar !== undefined &&
    message.fields.length === 1
  ) {
    return scalars(message.fields[0].scalar);
  }
  return depth <= 0 && !message.typeName.startsWith("google.") ? undefined : messages(message, content, depth - 1);
}

function scalars(type: ScalarType): fc.Arbitrary<unknown> {
  switch (type) {
    case ScalarType.STRING:
      return fc.string({ unit: "grapheme", maxLength: 8 });
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.BYTES:
      return fc.uint8Array({ maxLength: 8 });
    case ScalarType.DOUBLE:
      return fc.double();
    case ScalarType.FLOAT:
      return fc.float();
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return fc.integer({ min: 0, max: 2 ** 32 - 1 });
    default:
      return fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  }
}
