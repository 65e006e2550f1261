import { StructSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { createStructCodec, IntegerLiteral, StructCodecError, StructSchemaError } from "../../src/index.js";
import { auditTools, createToolCodec, deriveSchema, rewriteSchema } from "../../src/schema.js";
import { fieldToStruct, structToBinary } from "../support/forms.js";

/** What rows of cases do not reach, in every runtime and under every flag: the other doors, streams, errors, the realm. */
export function describeDoors(): void {
  const schema = { properties: { id: { type: "integer", format: "int64" }, n: { type: "integer" } } };
  const tool = { name: "t", inputSchema: { type: "object", properties: { orderId: { type: "integer" } } } };

  describe("doors", () => {
    it("rewrite a tool and convert on both sides of it", () => {
      const codec = createToolCodec(tool);
      const { properties } = codec.tool.inputSchema as { properties: { orderId: { type: string } } };
      expect(properties.orderId.type).toBe("string");
      const sent = codec.toServer({ orderId: "1955516024755728386" }) as { orderId: unknown };
      expect(String(sent.orderId)).toBe("1955516024755728386");
      expect(sent.orderId).toBeInstanceOf(IntegerLiteral);
      expect((rewriteSchema(schema) as typeof schema).properties.id.type).toBe("string");
    });

    it("audit tools and derive the schema of a message", () => {
      expect(auditTools([tool]).map(({ code }) => code)).toContain("unproven_id");
      expect((deriveSchema(StructSchema) as { type: unknown }).type).toBe("object");
    });
  });

  describe("errors", () => {
    it("are of their class, with code and pointer", () => {
      const error = thrownBy(() => createStructCodec(schema).fromJsonString('{"id":1e400}'));
      expect(error).toBeInstanceOf(StructCodecError);
      expect(error).toBeInstanceOf(Error);
      expect((error as StructCodecError).code).toBe("out_of_range");
      expect((error as StructCodecError).pointer).toBe("/id");
      expect(thrownBy(() => createStructCodec("[]"))).toBeInstanceOf(StructSchemaError);
    });
  });

  describe("the realm", () => {
    it("stays as it was", () => {
      const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"valueOf":[]}';
      const codec = createStructCodec({ properties: JSON.parse('{"__proto__":{"type":"object"}}') });
      const field = codec.jsonStringToField(text);
      expect(Object.keys(field).join()).toBe("__proto__,constructor,toString,valueOf");
      expect(Object.getPrototypeOf(field)).toBe(Object.prototype);
      expect(codec.fieldToJsonString(field)).toBe(text);
      expect(codec.toJsonString(codec.fromJsonString(text))).toBe(text);
      expect(codec.binaryToJsonString(codec.jsonStringToBinary(text))).toBe(text);
      expect(JSON.stringify(codec.binaryToJson(codec.jsonToBinary(JSON.parse(text))))).toBe(text);
      expect(({} as { polluted?: number }).polluted).toBeUndefined();
    });

    it("has nothing new in it", () => {
      const before = Reflect.ownKeys(globalThis).length;
      createStructCodec(schema).fromJsonString('{"id":5}');
      createToolCodec(tool).toModel({ orderId: 5 });
      expect(Reflect.ownKeys(globalThis).length).toBe(before);
    });
  });

  describe("shared memory", () => {
    const share = (bytes: Uint8Array): Uint8Array => {
      const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
      shared.set(bytes);
      return shared;
    };

    // Runtimes differ in what they decode of it.
    for (const [name, piece] of [
      ["ASCII", "x"],
      ["other characters", "ключ"],
    ] as const) {
      for (const count of [1, 100, 50_000]) {
        it(`is read like any other, and not handed out: ${count} times ${name}`, () => {
          const codec = createStructCodec(schema);
          const text = `{"id":"1955516024755728386","n":5,"s":"${piece.repeat(count)}"}`;
          const shared = share(codec.jsonStringToBinary(text));
          expect(codec.binaryToJsonString(shared)).toBe(text);
          expect(JSON.stringify(codec.binaryToJson(shared))).toBe(text);
          const textBytes = codec.binaryToJsonBytes(shared);
          const wire = codec.jsonBytesToBinary(share(textBytes));
          expect(codec.binaryToJsonString(wire)).toBe(text);
          for (const output of [textBytes, wire]) expect(output.buffer instanceof SharedArrayBuffer).toBe(false);
        });
      }
    }
  });

  describe("depth", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      it(`is no matter for the stack: 20,000 of ${open}`, () => {
        const text = `{"a":${open.repeat(20_000)}1${close.repeat(20_000)}}`;
        const codec = createStructCodec(schema, { limits: { depth: 20_001 } });
        expect(codec.toJsonString(codec.fromJsonString(text))).toBe(text);
        expect(codec.fieldToJsonString(codec.jsonStringToField(text))).toBe(text);
        expect(codec.binaryToJsonString(codec.jsonStringToBinary(text))).toBe(text);
        expect((thrownBy(() => createStructCodec().fromJsonString(text)) as StructCodecError).code).toBe(
          "depth_exceeded",
        );
      });
    }

    it("of a schema is no matter for the stack either", () => {
      const text = `${'{"items":'.repeat(20_000)}{}${"}".repeat(20_000)}`;
      const codec = createStructCodec(text);
      expect(codec.schemaIssues.map(({ code }) => code)).toContain("too_large");
      expect(codec.fieldToJsonString({ a: 5 })).toBe('{"a":5}');
    });
  });

  describe("streams", () => {
    it("go there and back", async () => {
      const codec = createStructCodec(schema);
      const lines = '{"id":"1955516024755728386","n":5}\n{"n":1000000000000000000000}\n';
      const stream = new Blob([lines.repeat(500)]).stream() as unknown as ReadableStream<Uint8Array>;
      const back = stream.pipeThrough(codec.ndjsonToDelimited()).pipeThrough(codec.delimitedToNdjson());
      const decoder = new TextDecoder();
      const reader = back.getReader();
      let text = "";
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        text += decoder.decode(next.value, { stream: true });
      }
      expect(text).toBe(lines.repeat(500));
    });
  });

  describe("large documents", () => {
    it("go through buffers of their own", () => {
      const field = { list: Array.from({ length: 50_000 }, (_, i) => ({ n: i, s: `ключ ${i} \u0001` })) };
      const codec = createStructCodec(schema);
      const text = JSON.stringify(field);
      expect(text.length > 1 << 20).toBe(true);
      expect(codec.binaryToJsonString(structToBinary(fieldToStruct(field)))).toBe(text);
      expect(codec.fieldToJsonString(codec.jsonStringToField(text))).toBe(text);
      expect(codec.binaryToJsonString(codec.jsonBytesToBinary(new TextEncoder().encode(text)))).toBe(text);
    });
  });
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
