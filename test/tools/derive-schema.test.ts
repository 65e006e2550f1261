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
  DurationSchema,
  EmptySchema,
  FieldMaskSchema,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  FloatValueSchema,
  Int64ValueSchema,
  FieldDescriptorProto_Label as Label,
  ListValueSchema,
  OneofOptionsSchema,
  StringValueSchema,
  StructSchema,
  TimestampSchema,
  FieldDescriptorProto_Type as Type,
  UInt64ValueSchema,
  ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CallContextSchema,
  CallToolResponseSchema,
  ContentSchema,
  NodeSchema,
  RecordSchema,
  type Status,
  StructsSchema,
  WrappersSchema,
} from "../../gen/structcodec/test/v1/agent_pb.js";
import { createStructCodec } from "../../src/index.js";
import { createChecker, deriveSchema, useCfworker } from "../../src/schema.js";
import { runs } from "../support/arbitraries.js";

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

  it.each(
    [
      ...[AnySchema, DurationSchema, EmptySchema, FieldMaskSchema, ListValueSchema, StructSchema, TimestampSchema],
      ...[ValueSchema, Int64ValueSchema, UInt64ValueSchema, FloatValueSchema, StringValueSchema],
      ...[CallContextSchema, CallToolResponseSchema, ContentSchema, NodeSchema, RecordSchema, StructsSchema],
      WrappersSchema,
    ].map((desc) => [desc.typeName, desc] as const),
  )("shares no object between calls: %s", (_, desc) => {
    for (const lax of [false, true]) {
      const first = objectsIn(deriveSchema(desc as DescMessage, { lax }));
      const second = objectsIn(deriveSchema(desc as DescMessage, { lax }));
      expect([...first].filter((object) => second.has(object))).toEqual([]);
      expect(first.size).toBeGreaterThan(0);
    }
  });

  it("shares no object with the schemas it is given", () => {
    const record = { type: "object", properties: { id: { type: "integer", enum: [1, 2n ** 60n] } } } as const;
    const derived = deriveSchema(StructsSchema, { schemas: { record } });
    expect(derived).toMatchObject({ properties: { single: record } });
    const given = objectsIn(record);
    expect([...objectsIn(derived)].filter((object) => given.has(object))).toEqual([]);
  });
});

/** A schema and all objects and arrays in it. */
function objectsIn(schema: object): ReadonlySet<object> {
  const found = new Set([schema]);
  for (const object of found) {
    for (const child of Object.values(object)) if (typeof child === "object" && child !== null) found.add(child);
  }
  return found;
}

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
const packed = (no: number, write: (writer: BinaryWriter) => unknown) => (writer: BinaryWriter) => {
  writer.tag(no, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
};
const int32 = { type: "integer", minimum: -2147483648, maximum: 2147483647 };
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

function fieldOf(type: Type, fieldOptions: ReturnType<typeof options>, repeated = false, lax = false) {
  const schema = deriveSchema(
    messageOf([
      { type: Type.BOOL, options: options(() => {}) },
      { type, repeated, options: fieldOptions },
    ]),
    { lax },
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
    [
      "a pattern that ECMAScript has not",
      Type.STRING,
      nested(14, text(6, "(?i)^a")),
      { type: "string", $comment: "RE2 pattern: (?i)^a" },
    ],
    [
      "a pattern in the words of ECMAScript",
      Type.STRING,
      nested(14, text(6, "\\A\\pL.\\s\\z")),
      { type: "string", pattern: "^\\p{L}[^\\n][\\t\\n\\f\\r ]$" },
    ],
    ["an empty string only", Type.STRING, nested(14, varint(3, 0)), { type: "string", maxLength: 0 }],
    [
      "a packed list of fixed32",
      Type.FIXED32,
      nested(
        9,
        packed(6, (w) => w.fixed32(1).fixed32(4294967295)),
      ),
      { type: "integer", minimum: 0, maximum: 4294967295, enum: [1, 4294967295] },
    ],
    [
      "a packed list of sfixed32",
      Type.SFIXED32,
      nested(
        11,
        packed(6, (w) => w.sfixed32(-1).sfixed32(2)),
      ),
      { ...int32, enum: [-1, 2] },
    ],
    [
      "a packed list of fixed64",
      Type.FIXED64,
      nested(
        10,
        packed(6, (w) => w.fixed64(1).fixed64("18446744073709551615")),
      ),
      { type: "string", pattern: unsigned, enum: ["1", "18446744073709551615"], description },
    ],
    [
      "a packed list of sfixed64",
      Type.SFIXED64,
      nested(
        12,
        packed(7, (w) => w.sfixed64("-9223372036854775808")),
      ),
      { type: "string", pattern: signed, not: { enum: ["-9223372036854775808"] }, description },
    ],
    [
      "a packed list of int32",
      Type.INT32,
      nested(
        3,
        packed(6, (w) => w.int32(-1).int32(5)),
      ),
      { ...int32, enum: [-1, 5] },
    ],
    [
      "a packed list of sint64",
      Type.SINT64,
      nested(
        8,
        packed(6, (w) => w.sint64("-9223372036854775808")),
      ),
      { type: "string", pattern: signed, enum: ["-9223372036854775808"], description },
    ],
    [
      "a packed list of doubles",
      Type.DOUBLE,
      nested(
        2,
        packed(6, (w) => w.double(0.5).double(Number.POSITIVE_INFINITY)),
      ),
      {
        anyOf: [
          { type: "number", enum: [0.5] },
          { type: "string", enum: ["Infinity"] },
        ],
      },
    ],
    [
      "a packed list of floats",
      Type.FLOAT,
      nested(
        1,
        packed(6, (w) => w.float(0.1)),
      ),
      { type: "number", enum: [0.10000000149011612, 0.1] },
    ],
    [
      "what came of a packed list before it broke",
      Type.FIXED32,
      nested(
        9,
        packed(6, (w) => w.fixed32(7).raw(Uint8Array.of(1, 2))),
      ),
      { type: "integer", minimum: 0, maximum: 4294967295, enum: [7] },
    ],
    [
      "nothing of a packed list that is broken",
      Type.INT32,
      nested(
        3,
        packed(6, (w) => w.raw(Uint8Array.of(0xff))),
      ),
      int32,
    ],
    [
      "a double that is no number",
      Type.DOUBLE,
      nested(2, (w) => void w.tag(1, WireType.Bit64).double(Number.NaN)),
      { type: "string", enum: ["NaN"] },
    ],
    [
      "a double above a bound",
      Type.DOUBLE,
      nested(2, (w) => void w.tag(4, WireType.Bit64).double(0)),
      {
        anyOf: [
          { type: "number", exclusiveMinimum: 0 },
          { type: "string", enum: ["Infinity"] },
        ],
      },
    ],
    [
      "a double below infinity",
      Type.DOUBLE,
      nested(2, (w) => void w.tag(2, WireType.Bit64).double(Number.POSITIVE_INFINITY)),
      { anyOf: [{ type: "number" }, { type: "string", enum: ["-Infinity"] }] },
    ],
    [
      "a double from infinity",
      Type.DOUBLE,
      nested(2, (w) => void w.tag(5, WireType.Bit64).double(Number.POSITIVE_INFINITY)),
      { type: "string", enum: ["Infinity"] },
    ],
    [
      "a double that cannot be",
      Type.DOUBLE,
      nested(2, (w) => void w.tag(4, WireType.Bit64).double(Number.POSITIVE_INFINITY)),
      { not: {} },
    ],
    [
      "a double but for some",
      Type.DOUBLE,
      nested(
        2,
        packed(7, (w) => w.double(Number.NaN).double(1)),
      ),
      {
        anyOf: [
          { type: "number", not: { enum: [1] } },
          { type: "string", enum: ["Infinity", "-Infinity"] },
        ],
      },
    ],
    ["nothing where zero is ignored", Type.STRING, all(varint(27, 1), nested(14, varint(2, 5))), { type: "string" }],
    ["a constant bool", Type.BOOL, nested(13, varint(1, 1)), { type: "boolean", const: true }],
    ["nothing where rules are ignored", Type.STRING, all(varint(27, 3), nested(14, varint(2, 5))), { type: "string" }],
    ["nothing of broken bytes", Type.STRING, (w) => void w.raw(Uint8Array.of(0xff, 0xff)), { type: "string" }],
  ])("says %s", (_, type, write, expected) => {
    expect(fieldOf(type, rules(write)).schema).toEqual(expected);
  });

  it.each<[name: string, type: Type, write: (writer: BinaryWriter) => void, expected: object[]]>([
    [
      "a bound beyond doubles",
      Type.INT64,
      nested(4, (w) => void w.tag(5, WireType.Varint).int64("9007199254740993")),
      [{ type: "integer", minimum: 9007199254740992 }],
    ],
    [
      "the end of the type",
      Type.UINT64,
      nested(6, (w) => void w.tag(3, WireType.Varint).uint64("18446744073709551615")),
      [{ type: "integer", minimum: 0, maximum: 18446744073709552000 }],
    ],
    [
      "listed values, some beyond doubles",
      Type.INT64,
      nested(
        4,
        packed(6, (w) => w.int64(5).int64("9007199254740993")),
      ),
      [{ type: "integer", enum: [5] }],
    ],
    [
      "a constant beyond doubles",
      Type.INT64,
      nested(4, (w) => void w.tag(1, WireType.Varint).int64("9007199254740993")),
      [],
    ],
  ])("says of a lax integer %s, in numbers that JSON has", (_, type, write, numbers) => {
    const schema = fieldOf(type, rules(write), false, true).schema as { anyOf?: object[] };
    expect((schema.anyOf ?? [schema]).slice(0, -1)).toEqual(numbers);
    expect(() => JSON.stringify(schema)).not.toThrow();
  });

  /** One rule of a float after the other, as numbers of fields with their values. */
  const floats = (...given: readonly (readonly [no: number, value: number])[]) =>
    rules(nested(1, (w) => given.forEach(([no, value]) => void w.tag(no, WireType.Bit32).float(value))));

  it.each<[name: string, given: readonly (readonly [no: number, value: number])[], expected: object]>([
    ["a constant", [[1, 0.1]], { enum: [0.10000000149011612, 0.1] }],
    ["a constant with one spelling", [[1, 0.5]], { const: 0.5 }],
    [
      "listed ones",
      [
        [6, 0.1],
        [6, 2],
      ],
      { enum: [0.10000000149011612, 0.1, 2] },
    ],
    ["the least", [[5, 0.1]], { minimum: 0.1 }],
    ["the least, spelled longer below", [[5, 0.7]], { minimum: 0.699999988079071 }],
    ["the most", [[3, 0.7]], { maximum: 0.7 }],
    ["the most, spelled longer above", [[3, 0.1]], { maximum: 0.10000000149011612 }],
    ["more than one", [[4, 0.1]], { exclusiveMinimum: 0.10000000149011612 }],
    ["less than one", [[2, 0.7]], { exclusiveMaximum: 0.699999988079071 }],
    ["a negative least", [[5, -0.1]], { minimum: -0.10000000149011612 }],
    ["a subnormal least", [[5, 2 ** -149]], { minimum: 1e-45 }],
    ["the largest", [[3, 3.4028234663852886e38]], { maximum: 3.4028235e38 }],
    ["an integer", [[5, 16777216]], { minimum: 16777216 }],
  ])("takes a float in both of its spellings: %s", (_, given, expected) => {
    for (const lax of [false, true]) {
      const { schema } = fieldOf(Type.FLOAT, floats(...given), false, lax);
      const { anyOf = [schema] } = schema as { anyOf?: object[] };
      expect(anyOf[0]).toEqual({ type: "number", ...expected });
    }
  });

  it("excludes a float in both of its spellings", () => {
    const { anyOf } = fieldOf(Type.FLOAT, floats([7, 0.1])).schema as { anyOf: object[] };
    expect(anyOf[0]).toEqual({ type: "number", not: { enum: [0.10000000149011612, 0.1] } });
  });

  it("takes and refuses floats as buf.validate does, however they are spelled", () => {
    const single = fc.float({ noNaN: true, noDefaultInfinity: true });
    /** As protobuf-es has it from the wire, and as the shortest text that others write. */
    const spell = (value: number): number[] => {
      const counts = Array.from({ length: 9 }, (_, i) => Number(value.toPrecision(i + 1)));
      return [value, counts.find((short) => Math.fround(short) === value) ?? value];
    };
    const fits: readonly (readonly [no: number, fits: (value: number, bound: number) => boolean])[] = [
      [1, (value, bound) => value === bound],
      [2, (value, bound) => value < bound],
      [3, (value, bound) => value <= bound],
      [4, (value, bound) => value > bound],
      [5, (value, bound) => value >= bound],
      [6, (value, bound) => value === bound],
      [7, (value, bound) => value !== bound],
    ];
    const near = fc.tuple(single, fc.constantFrom(-1, 0, 1)).map(([value, step]) => {
      const bits = new Int32Array(Float32Array.of(value).buffer);
      bits[0] = (bits[0] as number) + step;
      return [value, new Float32Array(bits.buffer)[0] as number] as const;
    });
    fc.assert(
      fc.property(near, fc.constantFrom(...fits), ([bound, value], [no, isFit]) => {
        fc.pre(Number.isFinite(value));
        const { schema } = fieldOf(Type.FLOAT, floats([no, bound]));
        for (const spelled of spell(value)) {
          expect(new Validator(schema as never, "2020-12").validate(spelled).valid).toBe(isFit(value, bound));
        }
      }),
      runs(200),
    );
  });

  it("takes what a message prints before and after the wire", () => {
    const desc = messageOf([{ type: Type.FLOAT, options: floats([5, 0.1], [3, 0.7]) }]);
    const checker = createChecker(deriveSchema(desc), validator);
    for (const value of [0.1, 0.3, 0.7]) {
      const message = create(desc, { f0: value } as never);
      expect(checker.check(toJson(desc, message) as never)).toEqual([]);
      expect(checker.check(toJson(desc, fromBinary(desc, toBinary(desc, message))) as never)).toEqual([]);
    }
    for (const value of [0.09, 0.71]) expect(checker.check({ f0: value })).not.toEqual([]);
  });

  it.each(ruleWriters)("has no keyword for finite, nor takes examples for it: type %i", (type, no, write) => {
    const isFloat = type === Type.FLOAT || type === Type.DOUBLE;
    const example = isFloat ? varint(8, 1) : (w: BinaryWriter) => void write(w, 8, 1);
    for (const lax of [false, true]) {
      const none = fieldOf(
        type,
        options(() => {}),
        false,
        lax,
      ).schema;
      const given = fieldOf(type, rules(nested(no, example)), false, lax).schema;
      expect(JSON.stringify(given)).not.toContain("finite");
      if (!isFloat) expect(given).toEqual(none);
      else expect(given).toEqual({ type: "number" });
    }
  });

  it("takes back the rules of items, keys and values that are ignored", () => {
    const ignored = all(varint(27, 3), nested(14, varint(3, 5)));
    expect(fieldOf(Type.STRING, rules(nested(18, nested(4, ignored))), true).schema).toEqual({
      type: "array",
      items: { type: "string" },
    });
  });

  it("requires nothing where all rules are ignored", () => {
    expect(fieldOf(Type.STRING, rules(all(varint(25, 1), varint(27, 3)))).isRequired).toBe(false);
    expect(fieldOf(Type.STRING, rules(all(varint(25, 1), varint(27, 1)))).isRequired).toBe(true);
  });

  it.each<[name: string, closed: boolean, lax: boolean, write: (writer: BinaryWriter) => void, expected: object]>([
    ["names of numbers", false, false, packed(3, (w) => w.int32(1)), { type: "string", enum: ["B"] }],
    [
      "numbers without a name",
      false,
      false,
      packed(3, (w) => w.int32(1).int32(9)),
      {
        anyOf: [
          { type: "string", enum: ["B"] },
          { type: "integer", enum: [9] },
        ],
      },
    ],
    ["only numbers without a name", false, false, packed(3, (w) => w.int32(9)), { type: "integer", enum: [9] }],
    ["nothing where a closed enum has none of them", true, false, packed(3, (w) => w.int32(9)), { not: {} }],
    [
      "what is left",
      false,
      true,
      packed(4, (w) => w.int32(1)),
      {
        anyOf: [
          { type: "string", enum: ["A"] },
          { ...int32, not: { enum: [1] } },
        ],
      },
    ],
    [
      "defined numbers only",
      false,
      true,
      varint(2, 1),
      {
        anyOf: [
          { type: "string", enum: ["A", "B"] },
          { type: "integer", enum: [0, 1] },
        ],
      },
    ],
    ["any number of an open enum", false, true, () => {}, { anyOf: [{ type: "string", enum: ["A", "B"] }, int32] }],
    [
      "the numbers of a closed enum",
      true,
      true,
      () => {},
      {
        anyOf: [
          { type: "string", enum: ["A", "B"] },
          { type: "integer", enum: [0, 1] },
        ],
      },
    ],
  ])("says of an enum %s", (_, closed, lax, write, expected) => {
    const file = create(FileDescriptorProtoSchema, {
      name: "enum.proto",
      package: "t",
      syntax: closed ? "proto2" : "proto3",
      enumType: [
        {
          name: "E",
          value: [
            { name: "A", number: 0 },
            { name: "B", number: 1 },
          ],
        },
      ],
      messageType: [
        {
          name: "M",
          field: [
            {
              name: "e",
              jsonName: "e",
              number: 1,
              type: Type.ENUM,
              typeName: ".t.E",
              label: Label.OPTIONAL,
              options: rules(nested(16, write)),
            },
          ],
        },
      ],
    });
    const desc = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] })).getMessage("t.M") as DescMessage;
    expect((deriveSchema(desc, { lax }) as { properties: object }).properties).toEqual({ e: expected });
  });

  it("finds the comments of a large file", () => {
    const count = 20_000;
    const field = Array.from({ length: count }, (_, i) => ({
      name: `f${i}`,
      jsonName: `f${i}`,
      number: i + 1,
      type: Type.BOOL,
      label: Label.OPTIONAL,
    }));
    const location = field.map((_, i) => ({ path: [4, 0, 2, i], leadingComments: ` Number ${i}.\n` }));
    const file = create(FileDescriptorProtoSchema, {
      name: "large.proto",
      syntax: "proto3",
      messageType: [{ name: "M", field }],
      sourceCodeInfo: { location },
    });
    const desc = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] })).getMessage("M") as DescMessage;
    const { properties } = deriveSchema(desc) as { properties: { [name: string]: object } };
    expect(properties[`f${count - 1}`]).toEqual({ type: "boolean", description: `Number ${count - 1}.` });
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

/** How the rules of a type write one value of that type. */
const ruleWriters: readonly (readonly [
  type: Type,
  no: number,
  write: (writer: BinaryWriter, no: number, value: unknown) => unknown,
])[] = [
  [Type.FLOAT, 1, (w, no, value) => w.tag(no, WireType.Bit32).float(value as number)],
  [Type.DOUBLE, 2, (w, no, value) => w.tag(no, WireType.Bit64).double(value as number)],
  [Type.INT32, 3, (w, no, value) => w.tag(no, WireType.Varint).int32(value as number)],
  [Type.INT64, 4, (w, no, value) => w.tag(no, WireType.Varint).int64(value as bigint)],
  [Type.UINT32, 5, (w, no, value) => w.tag(no, WireType.Varint).uint32(value as number)],
  [Type.UINT64, 6, (w, no, value) => w.tag(no, WireType.Varint).uint64(value as bigint)],
  [Type.SINT32, 7, (w, no, value) => w.tag(no, WireType.Varint).sint32(value as number)],
  [Type.SINT64, 8, (w, no, value) => w.tag(no, WireType.Varint).sint64(value as bigint)],
  [Type.FIXED32, 9, (w, no, value) => w.tag(no, WireType.Bit32).fixed32(value as number)],
  [Type.FIXED64, 10, (w, no, value) => w.tag(no, WireType.Bit64).fixed64(value as bigint)],
  [Type.SFIXED32, 11, (w, no, value) => w.tag(no, WireType.Bit32).sfixed32(value as number)],
  [Type.SFIXED64, 12, (w, no, value) => w.tag(no, WireType.Bit64).sfixed64(value as bigint)],
];

/** Numbers at the ends of each type, and at the ends of what doubles hold. */
const ends: readonly (readonly [type: Type, values: readonly unknown[]])[] = [
  [Type.BOOL, [true, false]],
  [Type.STRING, ["", "a\n\u2028", "9007199254740993", "\u{1F600}"]],
  [Type.BYTES, [new Uint8Array(), Uint8Array.of(255, 0, 127)]],
  ...[Type.INT32, Type.SINT32, Type.SFIXED32].map((type) => [type, [0, 1, -1, -(2 ** 31), 2 ** 31 - 1]] as const),
  ...[Type.UINT32, Type.FIXED32].map((type) => [type, [0, 1, 2 ** 32 - 1]] as const),
  ...[Type.INT64, Type.SINT64, Type.SFIXED64].map(
    (type) => [type, [0n, 1n, -1n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 63n - 1n]] as const,
  ),
  ...[Type.UINT64, Type.FIXED64].map((type) => [type, [0n, 1n, 2n ** 53n + 1n, 2n ** 64n - 1n]] as const),
  [
    Type.FLOAT,
    [
      0,
      -0,
      Math.fround(0.1),
      Math.fround(3.4028234663852886e38),
      2 ** -149,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ],
  ],
  [
    Type.DOUBLE,
    [
      0,
      -0,
      0.1,
      Number.MAX_VALUE,
      Number.MIN_VALUE,
      2 ** 60,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ],
  ],
];

const validator = useCfworker(Validator);

describe("what protobuf-es prints fits the schema of its message", () => {
  it.each(ends)("type %i at its ends, alone, listed and in maps", (type, values) => {
    const none = options(() => {});
    const desc = messageOf([
      { type, options: none },
      { type, repeated: true, options: none },
    ]);
    for (const lax of [false, true]) {
      const checker = createChecker(deriveSchema(desc, { lax }), validator);
      for (const value of values) {
        const message = create(desc, { f0: value, f1: [value, value] } as never);
        expect(checker.check(toJson(desc, message, { alwaysEmitImplicit: true }) as never)).toEqual([]);
        expect(checker.check(toJson(desc, fromBinary(desc, toBinary(desc, message))) as never)).toEqual([]);
      }
    }
  });

  it.each(ends)("type %i where it is constant, or one of a list", (type, values) => {
    const [, no, write] = ruleWriters.find(([of]) => of === type) ?? [];
    if (no === undefined || write === undefined) return;
    for (const value of values) {
      const constant = rules(nested(no, (w) => write(w, 1, value)));
      const listed = rules(nested(no, (w) => [value, ...values].forEach((item) => void write(w, 6, item))));
      for (const lax of [false, true]) {
        const desc = messageOf([
          { type, options: constant },
          { type, options: listed },
        ]);
        const checker = createChecker(deriveSchema(desc, { lax }), validator);
        const message = create(desc, { f0: value, f1: value } as never);
        expect(checker.check(toJson(desc, message, { alwaysEmitImplicit: true }) as never)).toEqual([]);
      }
    }
  });

  it("an enum with a number that it does not know, in lax schemas", () => {
    const message = create(RecordSchema, { status: 99 as Status, history: [99 as Status, 1] });
    const json = toJson(RecordSchema, message);
    expect(createChecker(deriveSchema(RecordSchema, { lax: true }), validator).check(json as never)).toEqual([]);
    expect(createChecker(deriveSchema(RecordSchema), validator).check(json as never)).not.toEqual([]);
  });
});
