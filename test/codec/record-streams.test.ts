import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";
import { ByteQueue } from "../../src/codec/byte-queue.js";
import { createStructCodec, createValueCodec, type RecordStreamOptions, StructCodecError } from "../../src/index.js";
import { runCli } from "../support/run-cli.js";

const codec = createStructCodec({ properties: { n: { type: "integer" }, id: { type: "integer", format: "int64" } } });

// {"n":5}, {} and {"n":6}, each behind its length.
const five = "100a0e0a016e1209110000000000001440";
const six = "100a0e0a016e1209110000000000001840";
const delimited = fromHex(`${five}00${six}`);
const ndjson = fromText('{"n":5}\n{}\n{"n":6}\n');

type Pair = TransformStream<Uint8Array, Uint8Array>;

/** What came out of a stream, piece by piece, and the error that it ended with. */
interface Outcome {
  readonly pieces: readonly Uint8Array[];
  readonly error: unknown;
}

async function send(pair: Pair, chunks: Iterable<Uint8Array>): Promise<Outcome> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of ReadableStream.from(chunks).pipeThrough(pair)) pieces.push(piece);
    return { pieces, error: undefined };
  } catch (error) {
    return { pieces, error };
  }
}

/** The output as text; an error is none that was expected. */
async function sendText(pair: Pair, ...chunks: Uint8Array[]): Promise<string> {
  const { pieces, error } = await send(pair, chunks);
  if (error !== undefined) throw error;
  return textOf(pieces);
}

function fromHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, "hex"));
}

function fromText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString();
}

function hexOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString("hex");
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

function describeError(error: unknown): unknown {
  if (!(error instanceof StructCodecError)) return error;
  return { code: error.code, pointer: error.pointer, message: error.message };
}

describe("records of both kinds", () => {
  it("are what the codec makes of each", async () => {
    expect(await sendText(codec.delimitedToNdjson(), delimited)).toBe('{"n":5}\n{}\n{"n":6}\n');
    expect(hexOf((await send(codec.ndjsonToDelimited(), [ndjson])).pieces)).toBe(`${five}00${six}`);
  });

  it("are those of the schema and the options", async () => {
    const line = '{"id":1955516024755728386,"n":1e21}\n';
    const wire = await send(codec.ndjsonToDelimited(), [fromText(line)]);
    const text = '{"id":"1955516024755728386","n":1000000000000000000000}\n';
    expect(await sendText(codec.delimitedToNdjson(), ...wire.pieces)).toBe(text);
    const bare = text.replace('"1955516024755728386"', "1955516024755728386");
    const server = createStructCodec(codec.hint, { int64: "schema" });
    expect(await sendText(server.delimitedToNdjson(), ...wire.pieces)).toBe(bare);
  });

  it("are any values where the codec is one of Value", async () => {
    const values = createValueCodec();
    const lines = '5\n[null,"x"]\n{}\n"\u2028"\n';
    const wire = await send(values.ndjsonToDelimited(), [fromText(lines)]);
    expect(await sendText(values.delimitedToNdjson(), ...wire.pieces)).toBe(lines);
  });

  it("come out the same however the input is cut", async () => {
    for (let at = 0; at <= delimited.length; at++) {
      const halves = [delimited.subarray(0, at), delimited.subarray(at)];
      expect(await sendText(codec.delimitedToNdjson(), ...halves)).toBe('{"n":5}\n{}\n{"n":6}\n');
    }
    for (let at = 0; at <= ndjson.length; at++) {
      const halves = [ndjson.subarray(0, at), ndjson.subarray(at)];
      expect(hexOf((await send(codec.ndjsonToDelimited(), halves)).pieces)).toBe(`${five}00${six}`);
    }
    expect(await sendText(codec.delimitedToNdjson(), ...cut(delimited, 1))).toBe('{"n":5}\n{}\n{"n":6}\n');
    expect(hexOf((await send(codec.ndjsonToDelimited(), cut(ndjson, 1))).pieces)).toBe(`${five}00${six}`);
  });

  it("keep characters of several bytes that are cut", async () => {
    const line = '{"é":"日本 😀"}\n';
    const wire = await send(codec.ndjsonToDelimited(), cut(fromText(line), 1));
    expect(await sendText(codec.delimitedToNdjson(), ...wire.pieces)).toBe(line);
  });

  it("may be none", async () => {
    expect(await send(codec.delimitedToNdjson(), [])).toEqual({ pieces: [], error: undefined });
    expect(await send(codec.ndjsonToDelimited(), [])).toEqual({ pieces: [], error: undefined });
    expect(await send(codec.ndjsonToDelimited(), [new Uint8Array()])).toEqual({ pieces: [], error: undefined });
  });

  it("have lengths of one to three bytes", async () => {
    for (const size of [100, 120, 127, 128, 16_300, 16_383, 16_384, 300_000]) {
      const line = `{"s":"${"x".repeat(size)}"}\n`;
      const { pieces } = await send(codec.ndjsonToDelimited(), [fromText(line)]);
      expect(await sendText(codec.delimitedToNdjson(), ...pieces)).toBe(line);
    }
  });

  it("take one line each, also where the codec indents", async () => {
    const wire = await send(codec.ndjsonToDelimited(), [fromText('{"a":{"b":[1,2]},"s":"x\\n  y"}\n')]);
    const indenting = createStructCodec(undefined, { prettySpaces: 2 });
    expect(await sendText(indenting.delimitedToNdjson(), ...wire.pieces)).toBe('{"a": {"b": [1,2]},"s": "x\\n  y"}\n');
  });

  it("are as the command has them", async () => {
    const bad = '{"n":5}\r\n\n{"n":\n[]\n{"n":6}';
    const flags = ["--from", "ndjson", "--to", "delimited", "--on-error", "skip"];
    const command = await runCli(["convert", ...flags], { input: bad });
    const stream = await send(codec.ndjsonToDelimited({ onError: () => undefined }), [fromText(bad)]);
    expect(Buffer.from(command.stdout, "latin1").toString("hex")).toBe(hexOf(stream.pieces));
  });
});

describe("lines", () => {
  it.each([
    ["blank lines", '\n{"n":5}\n\n \t \n{}\n\n{"n":6}\n\n'],
    ["ends as on Windows", '{"n":5}\r\n{}\r\n\r\n{"n":6}\r\n'],
    ["no end of the last", '{"n":5}\n{}\n{"n":6}'],
    ["a carriage return at the end of all", '{"n":5}\n{}\n{"n":6}\r'],
    ["blanks around records", ' {"n":5}\t\n{ }\n \r{"n":6} \r\n'],
  ])("may have %s", async (_, text) => {
    for (const size of [1, 3, 1000]) {
      const { pieces, error } = await send(codec.ndjsonToDelimited(), cut(fromText(text), size));
      expect([hexOf(pieces), error]).toEqual([`${five}00${six}`, undefined]);
    }
  });

  it("are not blank for a control character", async () => {
    const { error } = await send(codec.ndjsonToDelimited(), [fromText("{}\n\u0000\n{}\n")]);
    expect(describeError(error)).toMatchObject({
      code: "invalid_syntax",
      message: expect.stringMatching(/^record 2: /),
    });
  });
});

describe("pieces", () => {
  const record = `{"s":"${"x".repeat(93)}"}\n`;

  it("have 64 kB and more, but the last", async () => {
    const lines = fromText(record.repeat(10_000));
    for (const size of [100, 1000, 50_000, lines.length]) {
      const wire = await send(codec.ndjsonToDelimited(), cut(lines, size));
      const text = await send(codec.delimitedToNdjson(), cut(Buffer.concat(wire.pieces), size));
      for (const { pieces, error } of [wire, text]) {
        expect(error).toBe(undefined);
        expect(pieces.length).toBeGreaterThan(10);
        // A record more, at most.
        for (const piece of pieces.slice(0, -1)) expect(Math.abs(piece.length - 65_536 - 60)).toBeLessThanOrEqual(60);
      }
      expect(textOf(text.pieces)).toBe(record.repeat(10_000));
    }
  });

  it("share no memory with each other or with the input", async () => {
    const lines = fromText(record.repeat(2000));
    const { pieces } = await send(codec.ndjsonToDelimited(), [lines]);
    const before = hexOf(pieces);
    expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(pieces.length);
    lines.fill(0);
    expect(hexOf(pieces)).toBe(before);
  });
});

describe("a slow reader", () => {
  const chunk = fromText(`{"s":"${"x".repeat(993)}"}\n`.repeat(200));

  it("bounds what is taken of the input", async () => {
    const { pieces } = await send(codec.ndjsonToDelimited(), [chunk]);
    const inputs: [Pair, Uint8Array][] = [
      [codec.ndjsonToDelimited(), chunk],
      [codec.delimitedToNdjson(), Buffer.concat(pieces)],
    ];
    for (const [pair, input] of inputs) {
      let given = 0;
      const source = new ReadableStream<Uint8Array>({
        pull(controller) {
          given++;
          controller.enqueue(input);
        },
      });
      const reader = source.pipeThrough(pair).getReader();
      await settle();
      expect(given).toBeLessThan(6);
      const before = given;
      for (let i = 0; i < 20; i++) await reader.read();
      await settle();
      // What is taken follows what is read; a chunk gives three pieces.
      expect(given - before).toBeGreaterThan(0);
      expect(given - before).toBeLessThan(12);
      await reader.cancel();
    }
  });

  it("gets no further piece of one chunk made than it asks for", async () => {
    let converted = 0;
    const lines = fromText("[]\n".repeat(1000));
    const pair = codec.ndjsonToDelimited({ onError: () => converted++ });
    const large = fromText(`${"[]\n"}{"s":"${"x".repeat(70_000)}"}\n`.repeat(50));
    const writer = pair.writable.getWriter();
    const reader = pair.readable.getReader();
    writer.write(lines).catch(() => undefined);
    writer.write(large).catch(() => undefined);
    await settle();
    // One piece waits to be asked for.
    expect(converted).toBe(1001);
    await reader.read();
    await settle();
    expect(converted).toBe(1002);
    await reader.cancel();
  });

  it("lets the writer close where nothing came out", async () => {
    const writer = codec.ndjsonToDelimited().writable.getWriter();
    await writer.write(fromText("\n\n"));
    await writer.close();
  });

  it("ends the input where it cancels, also while a piece waits", async () => {
    for (const waits of [true, false]) {
      const pair = codec.ndjsonToDelimited();
      const writer = pair.writable.getWriter();
      const written = writer.write(waits ? chunk : fromText("{}\n"));
      await settle();
      const reason = new Error("enough");
      await pair.readable.cancel(reason);
      if (waits) await expect(written).rejects.toBe(reason);
      await expect(writer.write(chunk)).rejects.toBe(reason);
      await expect(writer.closed).rejects.toBe(reason);
    }
  });

  it("hears that the writer aborted", async () => {
    const pair = codec.ndjsonToDelimited();
    const reason = new Error("gone");
    await pair.writable.abort(reason);
    await expect(pair.readable.getReader().read()).rejects.toBe(reason);
  });
});

describe("bad records", () => {
  const text = '{"n":5}\n\n{"n":1e400}\n{}\n[]\n{"n":6}\n';
  const broken = fromHex(`${five}020aff00${six}`);

  it("stop the stream after what came before", async () => {
    for (const options of [undefined, {}, { onError: "stop" }, { onError: undefined }] as RecordStreamOptions[]) {
      for (const size of [1, 9, 1000]) {
        const { pieces, error } = await send(codec.ndjsonToDelimited(options), cut(fromText(text), size));
        expect(hexOf(pieces)).toBe(five);
        expect(describeError(error)).toEqual({
          code: "out_of_range",
          pointer: "/n",
          message: expect.stringMatching(/^record 2: cannot decode google\.protobuf\.Struct from JSON: .* at \/n/),
        });
      }
    }
    const { pieces, error } = await send(codec.delimitedToNdjson(), [broken]);
    expect(textOf(pieces)).toBe('{"n":5}\n');
    expect(describeError(error)).toMatchObject({ code: "invalid_wire", message: expect.stringMatching(/^record 2: /) });
  });

  it("stop it after many pieces, which a slow reader still gets", async () => {
    const lines = `${`{"s":"${"x".repeat(93)}"}\n`.repeat(5000)}[]\n{}\n`;
    const pair = codec.ndjsonToDelimited();
    const writer = pair.writable.getWriter();
    const written = writer.write(fromText(lines)).catch((error: unknown) => error);
    const closed = writer.close().catch((error: unknown) => error);
    const pieces: Uint8Array[] = [];
    const reader = pair.readable.getReader();
    const error = await (async () => {
      for (;;) {
        await settle();
        const { value } = await reader.read();
        pieces.push(value as Uint8Array);
      }
    })().catch((reason: unknown) => reason);
    expect(await sendText(codec.delimitedToNdjson(), ...pieces)).toBe(lines.slice(0, -6));
    expect(describeError(error)).toMatchObject({
      code: "unexpected_type",
      message: expect.stringMatching(/^record 5001: /),
    });
    expect([await written, await closed]).toEqual([error, error]);
  });

  it("are skipped where a function hears of them", async () => {
    const heard: unknown[] = [];
    const onError = (error: StructCodecError, record: number) => heard.push([record, error.code, error.pointer]);
    const wire = await send(codec.ndjsonToDelimited({ onError }), [fromText(text)]);
    expect([hexOf(wire.pieces), wire.error]).toEqual([`${five}00${six}`, undefined]);
    const json = await send(codec.delimitedToNdjson({ onError }), [broken]);
    expect([textOf(json.pieces), json.error]).toEqual(['{"n":5}\n{}\n{"n":6}\n', undefined]);
    expect(heard).toEqual([
      [2, "out_of_range", "/n"],
      [4, "unexpected_type", ""],
      [2, "invalid_wire", ""],
    ]);
  });

  it("stop it where the function throws", async () => {
    const reason = new Error("too many");
    const onError = () => {
      throw reason;
    };
    const { pieces, error } = await send(codec.ndjsonToDelimited({ onError }), [fromText(text)]);
    expect([hexOf(pieces), error]).toEqual([five, reason]);
  });

  it.each([
    ["within a record", five.slice(0, 8), "input ends within a record"],
    ["within a length", "80", "input ends within a record"],
    ["after a length", "05", "input ends within a record"],
    ["in a length without end", "ffffffffffffffffffff01", "length of record is no varint"],
    ["in a length beyond 32 bits", "8080808010", "length of record is no varint"],
  ])("end it where the input breaks off %s, whoever hears of it", async (_, rest, reason) => {
    for (const size of [1, 1000]) {
      const heard: unknown[] = [];
      const onError = ({ code, message }: StructCodecError, record: number) => heard.push([record, code, message]);
      for (const options of [{}, { onError }]) {
        const chunks = cut(fromHex(five + rest), size);
        const { pieces, error } = await send(codec.delimitedToNdjson(options), chunks);
        expect(textOf(pieces)).toBe('{"n":5}\n');
        expect(describeError(error)).toEqual({ code: "invalid_wire", pointer: "", message: `record 2: ${reason}` });
      }
      expect(heard).toEqual([[2, "invalid_wire", reason]]);
    }
  });
});

describe("records beyond inputBytes", () => {
  const small = createStructCodec(undefined, { limits: { inputBytes: 40 } });
  const line = `{"s":"${"x".repeat(100)}"}`;
  const message = Buffer.from(createStructCodec().jsonStringToBinary(line)).toString("hex");
  const inputs: [string, Uint8Array, (options?: RecordStreamOptions) => Pair, string][] = [
    ["lines", fromText(`{"n":5}\n${line}\n{}\n${line}`), (options) => small.ndjsonToDelimited(options), `${five}00`],
    [
      "messages",
      fromHex(`${five}${(message.length / 2).toString(16)}${message}00`),
      (options) => small.delimitedToNdjson(options),
      Buffer.from('{"n":5}\n{}\n').toString("hex"),
    ],
  ];

  it.each(inputs)("are refused: %s", async (_, input, create) => {
    for (const size of [1, 7, 60, 1000]) {
      const { pieces, error } = await send(create(), cut(input, size));
      expect(pieces).toHaveLength(1);
      expect(describeError(error)).toMatchObject({
        code: "too_large",
        message: "record 2: record has more than 40 bytes",
      });
    }
  });

  it.each(inputs)("are skipped where somebody hears of them: %s", async (kind, input, create, expected) => {
    for (let size = 1; size <= input.length; size++) {
      const heard: number[] = [];
      const onError = ({ code }: StructCodecError, record: number) => {
        expect(code).toBe("too_large");
        heard.push(record);
      };
      const { pieces, error } = await send(create({ onError }), cut(input, size));
      expect([hexOf(pieces), error, heard]).toEqual([expected, undefined, kind === "lines" ? [2, 4] : [2]]);
    }
  });

  it("may have exactly as many", async () => {
    const exact = createStructCodec(undefined, { limits: { inputBytes: 7 } });
    for (const end of ["\n", "\r\n", ""]) {
      for (const size of [1, 8, 100]) {
        const { pieces, error } = await send(exact.ndjsonToDelimited(), cut(fromText(`{"n":5}${end}`), size));
        expect([hexOf(pieces), error]).toEqual([five, undefined]);
      }
    }
    const { error } = await send(exact.ndjsonToDelimited(), [fromText('{"n":55}\n')]);
    expect(describeError(error)).toMatchObject({ code: "too_large" });
  });

  it("are not gathered", async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(0x78);
    const most = await measureMemory(async (look) => {
      const endless = function* () {
        for (let i = 0; i < 100; i++) {
          look();
          yield chunk;
        }
      };
      await send(small.ndjsonToDelimited({ onError: () => undefined }), endless());
      const header = Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x01);
      const onError = () => undefined;
      await send(
        small.delimitedToNdjson({ onError }),
        (function* () {
          yield header;
          yield* endless();
        })(),
      );
    });
    expect(most).toBeLessThan(16e6);
  });

  it("end the stream where they break off", async () => {
    const onError = () => undefined;
    const { error } = await send(small.delimitedToNdjson({ onError }), [fromHex(`${five}6400`)]);
    expect(describeError(error)).toMatchObject({ message: "record 2: input ends within a record" });
  });
});

describe("time and memory", () => {
  it("stay the same over many records", async () => {
    const record = `{"id":1955516024755728386,"name":"${"x".repeat(60)}","list":[1,2,3]}\n`;
    const count = 300_000;
    const lines = function* () {
      for (let i = 0; i < count / 1000; i++) yield fromText(record.repeat(1000));
    };
    let out = 0;
    const most = await measureMemory(async (look) => {
      const wire = ReadableStream.from(lines()).pipeThrough(codec.ndjsonToDelimited());
      for await (const piece of wire.pipeThrough(codec.delimitedToNdjson())) {
        out += piece.length;
        look();
      }
    });
    expect(out).toBe((record.length + 2) * count);
    expect(most).toBeLessThan(16e6);
  });

  it("are linear in a large record that comes byte by byte", async () => {
    const touched = async (size: number): Promise<number> => {
      const line = fromText(`{"s":"${"x".repeat(size)}"}\n`);
      const message = createStructCodec().jsonBytesToBinary(line);
      const wire = (await send(codec.ndjsonToDelimited(), [line])).pieces;
      expect(message.length).toBeGreaterThan(size);
      const count = countTouched();
      await send(codec.ndjsonToDelimited(), cut(line, 1));
      await send(codec.delimitedToNdjson(), cut(Buffer.concat(wire), 1));
      return count();
    };
    const once = await touched(20_000);
    expect(await touched(40_000)).toBeLessThan(once * 2.5);
  });
});

describe("options", () => {
  it.each([
    [{ onerror: "stop" }, 'unknown option "onerror"'],
    [{ onError: "skip" }, 'onError must be "stop" or a function'],
    [{ onError: null }, 'onError must be "stop" or a function'],
  ])("refuse %j", (options, message) => {
    for (const create of [codec.delimitedToNdjson, codec.ndjsonToDelimited]) {
      expect(() => create(options as RecordStreamOptions)).toThrow(new TypeError(message));
    }
  });

  it("let no chunk be anything but bytes, after what came before it", async () => {
    const others: unknown[] = ["{}\n", 5, null, [1], new ArrayBuffer(1), new Uint16Array(1)];
    for (const wrong of others) {
      const { pieces, error } = await send(codec.ndjsonToDelimited(), [fromText('{"n":5}\n'), wrong as Uint8Array]);
      expect(hexOf(pieces)).toBe(five);
      expect(error).toEqual(new TypeError("chunk is no Uint8Array"));
    }
  });
});

describe("ByteQueue", () => {
  it("gives back what was put in, however it grows and moves", () => {
    const queue = new ByteQueue();
    let put = 0;
    let got = 0;
    for (let i = 0; i < 3000; i++) {
      const chunk = Uint8Array.from({ length: (i * 37) % 401 }, () => put++ & 0xff);
      queue.append(chunk);
      const length = i % 500 === 499 ? queue.length : Math.min(queue.length, (i * 53) % 379);
      const expected = Uint8Array.from({ length }, () => got++ & 0xff);
      expect(Buffer.compare(queue.peek(length), expected)).toBe(0);
      queue.drop(length);
      expect(queue.length).toBe(put - got);
    }
  });
});

/** Let everything happen that would without a reader. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes that were held at most while something ran, beyond those from before; looked at now and then. */
async function measureMemory(run: (look: () => void) => Promise<void>): Promise<number> {
  const held = (): number => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = held();
  let most = 0;
  let looks = 0;
  await run(() => {
    if (looks++ % 20 === 0) most = Math.max(most, held() - before);
  });
  return most;
}

/** Count the bytes that are copied and searched; the function given ends it. */
function countTouched(): () => number {
  const prototype = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const { set, indexOf } = prototype;
  let touched = 0;
  const setSpy = vi.spyOn(prototype, "set").mockImplementation(function (this: Uint8Array, source, offset) {
    touched += source.length;
    set.call(this, source, offset);
  });
  const indexSpy = vi.spyOn(prototype, "indexOf").mockImplementation(function (this: Uint8Array, byte, from = 0) {
    const at = indexOf.call(this, byte, from);
    touched += (at < 0 ? this.length : at) - from;
    return at;
  });
  return () => {
    setSpy.mockRestore();
    indexSpy.mockRestore();
    return touched;
  };
}
