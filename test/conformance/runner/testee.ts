import { createStructCodec, createValueCodec, StructCodecError } from "../../../src/index.js";
import { bytes as concat, field as lengthPrefixed } from "../../support/wire.js";
import { type Answer, answerAll, decodeText, OutOfScope, type Question } from "./conformance-protocol.js";
import { findAll, findFirst, readFields } from "./wire-fields.js";

// The codecs as a testee: of the messages that the runner sends, those are taken that hold nothing but a Struct, a Value, a
// ListValue, or lists of them. Nothing of protobuf-es is in between.

/** What the codec converts of a test message: fields by number, with the name in JSON and the kind of what is in them. */
const structFields: { readonly [number: number]: readonly [name: string, kind: "struct" | "value" | "list"] } = {
  304: ["optionalStruct", "struct"],
  306: ["optionalValue", "value"],
  316: ["repeatedValue", "value"],
  317: ["repeatedListValue", "list"],
  324: ["repeatedStruct", "struct"],
};

const messageTypes = [
  "protobuf_test_messages.proto3.TestAllTypesProto3",
  "protobuf_test_messages.editions.proto3.TestAllTypesProto3",
];

/** The field of a Value that holds a Struct or a ListValue. */
const kindField = { struct: 5, list: 6 } as const;

/** A message as the fields that it has, each with the bytes of a Value. */
type Message = readonly { readonly number: number; readonly value: Uint8Array }[];

const values = createValueCodec();
const structs = createStructCodec();

answerAll((question) => {
  if (!messageTypes.includes(question.messageType)) throw new OutOfScope(`no ${question.messageType}`);
  if (question.wants === undefined) throw new OutOfScope("another format");
  try {
    const message = readMessage(question);
    return question.wants === "json" ? { json: writeJson(message) } : { protobuf: writeWire(message) };
  } catch (error) {
    return refuse(error);
  }
});

function refuse(error: unknown): Answer {
  if (!(error instanceof StructCodecError)) throw error;
  return error.direction === "decode" ? { parseError: error.message } : { serializeError: error.message };
}

function readMessage({ json, wire }: Question): Message {
  if (json !== undefined) return readJson(json);
  if (wire === undefined) throw new OutOfScope("neither JSON nor protobuf");
  return readFields(wire).map(({ number, type, payload }) => {
    const [, kind] = structFields[number] ?? [];
    if (kind === undefined || type !== 2) throw new OutOfScope("other fields");
    return { number, value: kind === "value" ? payload : lengthPrefixed(tag(kindField[kind]), payload) };
  });
}

/** The members of a message are those of a Struct, as whose members the codec has read their values. */
function readJson(text: string): Message {
  const names = new Map(Object.entries(structFields).map(([number, [name]]) => [name, Number(number)]));
  if (![...names.keys()].some((name) => text.includes(`"${name}"`))) throw new OutOfScope("other fields");
  return findAll(readFields(structs.jsonStringToBinary(text)), 1).flatMap(({ payload }) => {
    const entry = readFields(payload);
    const number = names.get(decodeText(findFirst(entry, 1)));
    if (number === undefined) throw new OutOfScope("other fields");
    const value = findFirst(entry, 2);
    if (!isRepeated(number)) return [{ number, value }];
    return findAll(readFields(findFirst(readFields(value), 6)), 1).map((item) => ({ number, value: item.payload }));
  });
}

/** By way of JSON, so that what is written is the codec's writing. */
function writeWire(message: Message): Uint8Array {
  const fields = message.map(({ number, value }) => {
    const written = values.jsonStringToBinary(values.binaryToJsonString(value));
    const [, kind = "value"] = structFields[number] ?? [];
    return lengthPrefixed(tag(number), kind === "value" ? written : findFirst(readFields(written), kindField[kind]));
  });
  return concat(...fields);
}

function writeJson(message: Message): string {
  const members = Object.entries(structFields).flatMap(([key, [name]]) => {
    const texts = message
      .filter(({ number }) => number === Number(key))
      .map(({ value }) => values.binaryToJsonString(value));
    if (texts.length === 0) return [];
    return [`"${name}":${isRepeated(Number(key)) ? `[${texts.join()}]` : texts.at(-1)}`];
  });
  return `{${members.join()}}`;
}

function isRepeated(number: number): boolean {
  return structFields[number]?.[0].startsWith("repeated") ?? false;
}

function tag(number: number): number {
  return number * 8 + 2;
}
