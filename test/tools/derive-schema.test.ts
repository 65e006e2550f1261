import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import {
  AnySchema,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  Int64ValueSchema,
  FieldDescriptorProto_Label as Label,
  OneofOptionsSchema,
  TimestampSchema,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";
import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import {
  CallContextSchema,
  ContentSchema,
  NodeSchema,
  RecordSchema,
  StructsSchema,
  WrappersSchema,
} from "../../gen/structcodec/test/v1/agent_pb.js";
import { createStructCodec } from "../../src/index.js";
import { deriveSchema } from "../../src/schema.js";

const signed = "^-?(?:0|[1-9][0-9]*)$";
const unsigned = "^(?:0|[1-9][0-9]*)$";
const description = "Decimal digits as text";
const int64 = { type: "string", pattern: signed, description };
const uint64 = { type: "string", pattern: unsigned, description };
const double = { anyOf: [{ type: "number" }, { type: "string", enum: ["NaN", "Infinity", "-Infinity"] }] };
const status = {
  type: "string",
  enum: ["STATUS_UNSPECIFIED", "STATUS_RUNNING", "STATUS_DONE", "STATUS_FAILED", "STATUS_CANCELLED"],
};

describe("deriveSchema", () => {
  it("has a form for each kind of field", () => {
    const int32 = { type: "integer", minimum: -2147483648, maximum: 2147483647 };
    const uint32 = { type: "integer", minimum: 0, maximum: 4294967295 };
    expect(deriveSchema(RecordSchema)).toEqual({
      type: "object",
      properties: {
        id: int64,
        ownerId: uint64,
        checksum: uint64,
        offset: int64,
        delta: int64,
        line: int32,
        count: uint32,
        color: uint32,
        shift: int32,
        step: int32,
        ratio: double,
        weight: double,
        archived: { type: "boolean" },
        title: { type: "string" },
        payload: { type: "string", contentEncoding: "base64" },
        status,
        note: { type: "string" },
        relatedIds: { type: "array", items: int64 },
        history: { type: "array", items: status },
        counters: { type: "object", additionalProperties: int64 },
        labels: {
          type: "object",
          additionalProperties: { type: "string" },
          propertyNames: { type: "string", pattern: signed },
        },
        variants: {
          type: "object",
          additionalProperties: { $ref: "#" },
          propertyNames: { type: "string", enum: ["true", "false"] },
        },
        createdAt: { type: "string", format: "date-time" },
        extra: { type: "object" },
      },
    });
  });

  it("takes wrappers for what they wrap, or null", () => {
    const { properties } = deriveSchema(WrappersSchema) as { properties: Record<string, unknown> };
    expect(properties.int64Value).toEqual({ type: ["string", "null"], pattern: signed, description });
    expect(properties.doubleValue).toEqual({ anyOf: [...double.anyOf, { type: "null" }] });
    expect(properties.boolValue).toEqual({ type: ["boolean", "null"] });
    expect(deriveSchema(Int64ValueSchema)).toEqual({ type: ["string", "null"], pattern: signed, description });
  });

  it("ends recursion at a definition, and refers to the root as #", () => {
    const schema = deriveSchema(NodeSchema) as { properties: Record<string, unknown>; oneOf: unknown };
    expect(schema.properties.children).toEqual({ type: "array", items: { $ref: "#" } });
    const members = [{ required: ["alias"] }, { required: ["targetId"] }];
    expect(schema.oneOf).toEqual([...members, { not: { anyOf: members } }]);
  });

  it("takes the schema of a Struct from its field option: inline, by name, and by message", () => {
    const context = deriveSchema(CallContextSchema) as { properties: Record<string, unknown> };
    expect(context.properties.metadata).toEqual({
      type: "object",
      properties: {
        traceId: { type: "integer", format: "uint64" },
        attempt: { type: "integer", minimum: 0, maximum: 10 },
      },
      description: "Trace of the call.",
    });
    const record = { type: "object", properties: { a: { type: "integer" } } };
    const structs = deriveSchema(StructsSchema, { schemas: { record } }) as { properties: Record<string, unknown> };
    expect(structs.properties.many).toEqual({ type: "array", items: record });
    expect(structs.properties.described).toEqual({ type: "object", description: "Described only." });
    expect(structs.properties.misplaced).toEqual({ type: "string" });
    const content = deriveSchema(ContentSchema) as { properties: Record<string, unknown>; $defs: object };
    expect(content.properties.data).toEqual({ $ref: "#/$defs/structcodec.test.v1.Record" });
    expect(Object.keys(content.$defs)).toContain("structcodec.test.v1.Record");
  });

  it("describes what readers take on request", () => {
    const lax = deriveSchema(RecordSchema, { lax: true }) as { properties: { [name: string]: unknown } };
    expect(lax.properties.id).toEqual({
      anyOf: [{ type: "integer" }, { type: "string", pattern: signed }],
      description,
    });
    expect(lax.properties.ownerId).toEqual({
      anyOf: [
        { type: "integer", minimum: 0 },
        { type: "string", pattern: unsigned },
      ],
      description,
    });
    expect(lax.properties.status).toEqual({
      anyOf: [status, { type: "integer", minimum: -2147483648, maximum: 2147483647 }],
    });
    expect(deriveSchema(Int64ValueSchema, { lax: true })).toEqual({
      anyOf: [{ type: "integer" }, { type: "string", pattern: signed }, { type: "null" }],
      description,
    });
    const validator = new Validator(lax as object, "2020-12");
    for (const json of [
      { id: "1", ownerId: "2", status: "STATUS_DONE" },
      { id: 1, ownerId: 2, status: 2 },
      { id: -1, status: 99 },
    ]) {
      expect(validator.validate(json).valid, JSON.stringify(json)).toBe(true);
      expect(() => fromJson(RecordSchema, json)).not.toThrow();
    }
    for (const json of [{ id: "1.5" }, { ownerId: -1 }, { status: "DONE" }]) {
      expect(validator.validate(json).valid, JSON.stringify(json)).toBe(false);
    }
  });

  it("has the names of the proto file on request", () => {
    const { properties } = deriveSchema(RecordSchema, { useProtoFieldName: true }) as { properties: object };
    expect(Object.keys(properties)).toContain("owner_id");
  });

  it("gives well-known types their form at the root", () => {
    expect(deriveSchema(TimestampSchema)).toEqual({ type: "string", format: "date-time" });
    expect(deriveSchema(AnySchema)).toMatchObject({ type: "object" });
  });
});

/** Every kind of field at its ends. */
const extremes: readonly JsonValue[] = [
  {},
  {
    id: "9223372036854775807",
    ownerId: "18446744073709551615",
    checksum: "18446744073709551615",
    offset: "-9223372036854775808",
    delta: "-9223372036854775808",
    line: 2147483647,
    count: 4294967295,
    color: 4294967295,
    shift: -2147483648,
    step: -2147483648,
    ratio: 1.7976931348623157e308,
    weight: 3.4028234663852886e38,
    archived: true,
    title: "9007199254740993",
    payload: "AAEC/w==",
    status: "STATUS_CANCELLED",
    note: "",
    relatedIds: ["0", "-1", "9223372036854775807"],
    history: ["STATUS_DONE"],
    counters: { a: "-9223372036854775808" },
    labels: { "-9223372036854775808": "007" },
    variants: { true: { id: "1" }, false: {} },
    createdAt: "2026-11-30T00:00:00Z",
    extra: { id: 1e21 },
  },
  { id: "-9223372036854775808", ratio: "NaN", weight: "-Infinity" },
];

function expectFits(schema: object, json: JsonValue): void {
  const { valid, errors } = new Validator(schema as never, "2020-12").validate(json);
  expect(errors.filter(() => !valid)).toEqual([]);
}

describe("what deriveSchema says and what the codec reads", () => {
  it.each<[name: string, desc: DescMessage, json: JsonValue]>([
    ...extremes.map((json, i): [string, DescMessage, JsonValue] => [`record ${i}`, RecordSchema, json]),
    ["wrappers", WrappersSchema, { int64Value: "9223372036854775807", doubleValue: "Infinity", int64Values: ["5"] }],
    ["tree", NodeSchema, { name: "a", children: [{ name: "b", targetId: "5" }], alias: { links: { x: {} } } }],
    ["content", ContentSchema, { data: { id: "5" } }],
    ["list", ContentSchema, { rows: [1, 2] }],
  ])("agree: %s", (_, desc, json) => {
    const message = fromJson(desc, json);
    const printed = toJson(desc, message);
    const schema = deriveSchema(desc);
    expectFits(schema, printed);
    // What is hinted inside a Struct is written as its own schema says.
    const codec = createStructCodec(schema as never, { int64: "schema" });
    expect(codec.schemaIssues).toEqual([]);
    const carried = codec.toJson(codec.fromJson(printed as never));
    expect(fromJson(desc, carried as JsonValue)).toEqual(message as Message);
  });
});

/** Options as bytes, of packages that are not here: the rules of `buf.validate` and `google.api.field_behavior`. */
function options(write: (writer: BinaryWriter) => void) {
  const writer = new BinaryWriter();
  write(writer);
  return fromBinary(FieldOptionsSchema, writer.finish());
}

function rules(write: (writer: BinaryWriter) => void) {
  return options((writer) => {
    writer.tag(1159, WireType.LengthDelimited).fork();
    write(writer);
    writer.join();
  });
}

function nested(no: number, write: (writer: BinaryWriter) => void) {
  return (writer: BinaryWriter): void => {
    writer.tag(no, WireType.LengthDelimited).fork();
    write(writer);
    writer.join();
  };
}

const text = (no: number, value: string) => (writer: BinaryWriter) =>
  void writer.tag(no, WireType.LengthDelimited).string(value);
const varint = (no: number, value: number) => (writer: BinaryWriter) =>
  void writer.tag(no, WireType.Varint).int32(value);
const all =
  (...writes: ((writer: BinaryWriter) => void)[]) =>
  (writer: BinaryWriter): void => {
    for (const write of writes) write(writer);
  };

/** A file with one message whose fields have the options given, read back as an image would be. */
function messageOf(
  fields: readonly { type: Type; repeated?: boolean; options: ReturnType<typeof options> }[],
): DescMessage {
  const file = create(FileDescriptorProtoSchema, {
    name: "rules.proto",
    package: "t",
    syntax: "proto3",
    messageType: [
      {
        name: "M",
        field: fields.map(({ type, repeated = false, options }, i) => ({
          name: `f${i}`,
          jsonName: `f${i}`,
          number: i + 1,
          type,
          label: repeated ? Label.REPEATED : Label.OPTIONAL,
          options,
        })),
      },
    ],
    sourceCodeInfo: {
      location: [
        { path: [4, 0], leadingComments: " A message\n of two lines.\n" },
        { path: [4, 0, 2, 0], leadingComments: " The first field.\n" },
      ],
    },
  });
  const bytes = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [file] }));
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes)).getMessage("t.M") as DescMessage;
}

function fieldOf(type: Type, fieldOptions: ReturnType<typeof options>, repeated = false) {
  const schema = deriveSchema(
    messageOf([
      { type: Type.BOOL, options: options(() => {}) },
      { type, repeated, options: fieldOptions },
    ]),
  );
  const { properties, required } = schema as { properties: Record<string, unknown>; required?: string[] };
  return { schema: properties.f1, isRequired: required?.includes("f1") ?? false };
}

describe("deriveSchema with rules", () => {
  it.each<[name: string, type: Type, write: (writer: BinaryWriter) => void, expected: object]>([
    [
      "bounds of an int32",
      Type.INT32,
      nested(3, all(varint(4, 0), varint(3, 100))),
      { type: "integer", exclusiveMinimum: 0, maximum: 100 },
    ],
    [
      "bounds of an int64 in words",
      Type.INT64,
      nested(4, all(varint(5, 1), varint(3, 100))),
      { type: "string", pattern: unsigned, description: `${description}, from 1 to 100` },
    ],
    [
      "listed int64 as text",
      Type.INT64,
      nested(4, all(varint(6, 5), varint(6, 7))),
      { type: "string", pattern: signed, enum: ["5", "7"], description },
    ],
    [
      "a zigzag bound",
      Type.SINT32,
      nested(7, (w) => void w.tag(5, WireType.Varint).sint32(-5)),
      { type: "integer", minimum: -5, maximum: 2147483647 },
    ],
    [
      "a fixed bound",
      Type.SFIXED32,
      nested(11, (w) => void w.tag(3, WireType.Bit32).sfixed32(-1)),
      { type: "integer", minimum: -2147483648, maximum: -1 },
    ],
    ["a finite double", Type.DOUBLE, nested(2, varint(8, 1)), { type: "number" }],
    [
      "a double in a range",
      Type.DOUBLE,
      nested(2, (w) => void w.tag(5, WireType.Bit64).double(0).tag(3, WireType.Bit64).double(1)),
      { type: "number", minimum: 0, maximum: 1 },
    ],
    [
      "lengths of a string",
      Type.STRING,
      nested(14, all(varint(2, 1), varint(3, 64))),
      { type: "string", minLength: 1, maxLength: 64 },
    ],
    ["a pattern", Type.STRING, nested(14, text(6, "^[a-z]+$")), { type: "string", pattern: "^[a-z]+$" }],
    ["a prefix", Type.STRING, nested(14, text(7, "a.b")), { type: "string", pattern: "^a\\.b" }],
    [
      "listed strings",
      Type.STRING,
      nested(14, all(text(10, "a"), text(10, "b"))),
      { type: "string", enum: ["a", "b"] },
    ],
    ["excluded strings", Type.STRING, nested(14, text(11, "a")), { type: "string", not: { enum: ["a"] } }],
    ["a uuid", Type.STRING, nested(14, varint(22, 1)), { type: "string", format: "uuid" }],
    ["a constant bool", Type.BOOL, nested(13, varint(1, 1)), { type: "boolean", const: true }],
    ["nothing where rules are ignored", Type.STRING, all(varint(27, 3), nested(14, varint(2, 5))), { type: "string" }],
    ["nothing of broken bytes", Type.STRING, (w) => void w.raw(Uint8Array.of(0xff, 0xff)), { type: "string" }],
  ])("says %s", (_, type, write, expected) => {
    expect(fieldOf(type, rules(write)).schema).toEqual(expected);
  });

  it("says what a list must have", () => {
    const list = nested(18, all(varint(1, 1), varint(2, 9), varint(3, 1), nested(4, nested(14, varint(3, 5)))));
    expect(fieldOf(Type.STRING, rules(list), true)).toEqual({
      schema: { type: "array", items: { type: "string", maxLength: 5 }, minItems: 1, maxItems: 9, uniqueItems: true },
      isRequired: true,
    });
  });

  it("says what is required, by either package, and what is read-only", () => {
    expect(fieldOf(Type.STRING, rules(varint(25, 1))).isRequired).toBe(true);
    expect(fieldOf(Type.STRING, options(varint(1052, 2))).isRequired).toBe(true);
    expect(
      fieldOf(
        Type.STRING,
        options((w) => void w.tag(1052, WireType.LengthDelimited).bytes(Uint8Array.of(2, 3))),
      ),
    ).toEqual({
      schema: { type: "string", readOnly: true },
      isRequired: true,
    });
    expect(
      fieldOf(
        Type.STRING,
        options(() => {}),
      ).isRequired,
    ).toBe(false);
  });

  it("describes by the comments of an image", () => {
    const schema = deriveSchema(messageOf([{ type: Type.INT64, options: options(() => {}) }]));
    expect(schema).toMatchObject({
      description: "A message of two lines.",
      properties: { f0: { description: "The first field. Decimal digits as text." } },
    });
  });

  it("requires one member of a required oneof", () => {
    const required = new BinaryWriter().tag(1159, WireType.LengthDelimited).fork();
    varint(1, 1)(required);
    const oneofOptions = fromBinary(OneofOptionsSchema, required.join().finish());
    const field = (name: string, number: number) =>
      ({ name, jsonName: name, number, type: Type.STRING, label: Label.OPTIONAL, oneofIndex: 0 }) as const;
    const file = create(FileDescriptorProtoSchema, {
      name: "oneof.proto",
      syntax: "proto3",
      messageType: [
        { name: "M", field: [field("a", 1), field("b", 2)], oneofDecl: [{ name: "o", options: oneofOptions }] },
      ],
    });
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] }));
    expect(deriveSchema(registry.getMessage("M") as DescMessage).oneOf).toEqual([
      { required: ["a"] },
      { required: ["b"] },
    ]);
  });
});
