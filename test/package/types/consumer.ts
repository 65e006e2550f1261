import { create, type JsonObject } from "@bufbuild/protobuf";
import { type Struct, StructSchema } from "@bufbuild/protobuf/wkt";
import {
  type CodecErrorCode,
  compileHint,
  createStructCodec,
  createValueCodec,
  type ExactJson,
  type ExactJsonObject,
  IntegerLiteral,
  type Issue,
  StructCodecError,
  type StructCodecOptions,
  StructSchemaError,
} from "../../../src/index.js";
import { createMessageHints, toJson } from "../../../src/protobuf.js";
import { auditTools, createToolCodec, deriveSchema, rewriteSchema } from "../../../src/schema.js";

// What a user writes, compiled by the compilers of users (npm run test:types) and by ours. Nothing of it runs.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T => true as T;

const schema = { type: "object", properties: { id: { type: "integer", format: "int64" } } } as const;
const issues: Issue[] = [];
const options: StructCodecOptions = {
  int64: "schema",
  strict: ["fractional"],
  limits: { depth: 50, schemaNodes: 100 },
  onIssues: (found, dropped) => void (dropped === 0 && issues.push(...found)),
};
const codec = createStructCodec(schema, options);
const message: Struct = codec.fromJsonString("{}");
const json: ExactJsonObject = codec.toJson(message);
const field: JsonObject = codec.jsonToField(json);
const text: string = codec.fieldToJsonString(field);
const bytes: Uint8Array = codec.jsonStringToBinary(text);
const stream: TransformStream<Uint8Array, Uint8Array> = codec.delimitedToNdjson();
const value: ExactJson = createValueCodec(compileHint(schema)).binaryToJson(bytes);
const literal: bigint = new IntegerLiteral("5").toBigInt();

// The sides must not be mixed.
// @ts-expect-error a JSON value may hold integers that a field must not
const mixed: JsonObject = json;
// @ts-expect-error there is no such option
createStructCodec(schema, { int64: "number" });
// @ts-expect-error a Struct codec takes a Struct
codec.toJson(create(StructSchema).fields);

try {
  codec.fromJson(create(StructSchema) as never);
} catch (error) {
  if (error instanceof StructCodecError) {
    const code: CodecErrorCode = error.code;
    const line: number | undefined = error.line;
    console.log(code, line, error.pointer.length);
  } else if (error instanceof StructSchemaError) {
    console.log(error.schemaPointer.length);
  }
}

const tool = createToolCodec({ name: "t", inputSchema: schema }, { exact: "ids" });
const name: string = tool.tool.name;
const sent: unknown = tool.toServer({});
const derived = deriveSchema(StructSchema);
const rewritten = rewriteSchema(schema);
const findings: readonly { code: string; schemaPointer: string }[] = auditTools([{ name, inputSchema: schema }]);
const hints = createMessageHints({ hints: { "a.B.c": schema } });
const whole = toJson(StructSchema, message, { hints });

export const all = [mixed, stream, value, literal, sent, derived, rewritten, findings, whole];
export const checks = [holds<Same<typeof message, Struct>>(), holds<Same<ReturnType<typeof codec.fromJson>, Struct>>()];
