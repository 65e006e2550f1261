import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IntegerLiteral } from "../../src/index.js";
import { exactKey, normalizeText } from "../../src/mcp/exact-text.js";
import { bigintOf, parseExact } from "../../src/mcp/parse-exact.js";
import { RawNumber } from "../../src/mcp/raw-json.js";
import { attachToReply, readMessages } from "../../src/mcp/read-message.js";
import { isSameJson } from "../../src/mcp/same-json.js";
import { holdsExact, stringifyExact } from "../../src/mcp/stringify-exact.js";
import { packMessage, rewriteMessages, writeMessage } from "../../src/mcp/write-message.js";
import { runs } from "../support/arbitraries.js";

const raw = (numeral: string): RawNumber => new RawNumber(numeral);

describe("parseExact and stringifyExact", () => {
  it.each([
    "9007199254740993",
    "-9223372036854775808",
    "18446744073709551615",
    "9007199254740992",
    "1000000000000000000000",
    "1e21",
    "1E+2",
    "-0",
    "-0.0",
    "0.1000000000000000055511151231257827",
    "1e400",
    `${"9".repeat(400)}`,
  ])("keep %s as it is spelled", (numeral) => {
    expect(stringifyExact(parseExact(`{"a":[${numeral}]}`, raw))).toBe(`{"a":[${numeral}]}`);
  });

  it.each(["5", "-7", "0", "0.1", "-0.5", "123456789012345", "9007199254740991", "true", "null"])(
    "leave %s to JSON.parse",
    (text) => {
      expect(holdsExact(parseExact(`[${text}]`, raw))).toBe(false);
    },
  );

  it("leave numbers in strings and keys alone", () => {
    const text = '{"9007199254740993":"9007199254740993","a\\\\":"\\"1e5\\"","\\"":"-0","n":9007199254740993}';
    expect(parseExact(text, bigintOf)).toEqual({ ...JSON.parse(text), n: 9007199254740993n });
    expect(stringifyExact(parseExact(text, raw))).toBe(text);
  });

  it("keep a member __proto__, and digits in it", () => {
    const text = '{"__proto__":{"id":9007199254740993},"a":{"__proto__":9007199254740993}}';
    const parsed = parseExact(text, bigintOf) as object;
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(stringifyExact(parsed)).toBe(text);
  });

  it("parse what is nested deeper than the stack", () => {
    const text = `${"[".repeat(200_000)}9007199254740993${"]".repeat(200_000)}`;
    let value = parseExact(text, bigintOf);
    while (Array.isArray(value)) value = value[0];
    expect(value).toBe(9007199254740993n);
  });

  it("take time that grows with the text", () => {
    const text = `["${'\\\\"'.repeat(0)}${"\\\\".repeat(500_000)}",${"9007199254740993,".repeat(100_000)}0]`;
    expect((parseExact(text, bigintOf) as unknown[]).length).toBe(100_002);
  });

  it("write bigints, literals and raw numbers as digits, and the rest as JSON.stringify", () => {
    const value = {
      a: 1n,
      b: new IntegerLiteral("9007199254740993"),
      c: new RawNumber("-0"),
      d: undefined,
      e: [undefined],
    };
    expect(stringifyExact({ ...value, f: new Date(0) })).toBe(
      '{"a":1,"b":9007199254740993,"c":-0,"e":[null],"f":"1970-01-01T00:00:00.000Z"}',
    );
  });

  it("agree with JSON on every document whose numbers JSON keeps", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseExact(text, (numeral) => Number(numeral))).toEqual(JSON.parse(text));
        expect(stringifyExact(parseExact(text, raw))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      runs(100),
    );
  });

  it("keep every integer of every document", () => {
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
        fc.string(),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(tree, (value) => {
        const text = stringifyExact(value);
        expect(stringifyExact(parseExact(text, bigintOf))).toBe(text);
        expect(normalizeText(text)).toBe(text);
      }),
      runs(100),
    );
  });
});

describe("isSameJson", () => {
  it.each([
    ['{"a":1,"b":[1,{}]}', '{"b":[1,{}],"a":1}'],
    ["9007199254740993", "9007199254740992"],
    ["-0", "0"],
    ['{"__proto__":1,"a":2}', '{"a":2}'],
    ["[1e400,-1e400]", "[null,-1e400]"],
  ])("takes %s for %s", (one, other) => {
    expect(isSameJson(JSON.parse(one), JSON.parse(other))).toBe(true);
  });

  it.each([
    ["9007199254740995", "9007199254740993"],
    ['{"a":1}', '{"a":1,"b":2}'],
    ['{"a":1,"b":2}', '{"a":1}'],
    ['{"a":1}', '{"b":1}'],
    ["[]", "{}"],
    ["null", "{}"],
    ['"1"', "1"],
    ["null", "1e400"],
    ['{"a":{"__proto__":1}}', '{"a":{}}'],
    ['{"toString":1}', '{"valueOf":1}'],
  ])("tells %s from %s", (one, other) => {
    expect(isSameJson(JSON.parse(one), JSON.parse(other))).toBe(false);
  });
});

const call = (args: unknown, meta?: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "t", arguments: args, ...(meta && { _meta: meta }) },
});
const callText = (args: string, rest = ""): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":${args}${rest}}}`;
const reply = (structured: string, rest = ""): string =>
  `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":${structured}${rest}}}`;
const beside = (text: string): { [exactKey]: string } => ({ [exactKey]: text });

describe("messages", () => {
  it("are written with the exact integers of a call where they belong", () => {
    expect(writeMessage(call({ id: 9007199254740993n }))).toBe(callText('{"id":9007199254740993}'));
    expect(writeMessage(call({ id: 9007199254740992 }, beside('{"id":9007199254740993}')))).toBe(
      callText('{"id":9007199254740993}'),
    );
  });

  it("keep what else is beside arguments", () => {
    const meta = { progressToken: 7, ...beside('{"id":9007199254740993}') };
    expect(writeMessage(call({ id: 9007199254740992 }, meta))).toBe(
      callText('{"id":9007199254740993}', ',"_meta":{"progressToken":7}'),
    );
    expect(writeMessage(call({ id: 1 }, {}))).toBe(callText('{"id":1}', ',"_meta":{}'));
  });

  it.each([
    ["is no JSON", '{"id":1},"evil":{'],
    ["is other JSON", '{"id":9007199254740995}'],
    ["has another member", '{"id":9007199254740993,"x":1}'],
  ])("do not take what stands beside arguments where it %s", (_, text) => {
    expect(writeMessage(call({ id: 9007199254740992 }, beside(text)))).toBe(
      callText('{"id":9007199254740992}', `,"_meta":${JSON.stringify(beside(text))}`),
    );
  });

  it("are one line, whatever white space stands beside arguments", () => {
    expect(writeMessage(call({ id: 9007199254740992 }, beside('{\n "id" :\r\n9007199254740993 }')))).toBe(
      callText('{"id":9007199254740993}'),
    );
  });

  it("are packed so that any SDK passes them on", () => {
    expect(packMessage(call({ id: 9007199254740993n }))).toEqual(
      call({ id: 9007199254740992 }, beside('{"id":9007199254740993}')),
    );
    const plain = call({ id: 1 });
    expect(packMessage(plain)).toBe(plain);
  });

  it("are written again from an SDK's text, one or several", () => {
    const packed = packMessage(call({ id: 9007199254740993n }));
    const exact = callText('{"id":9007199254740993}');
    expect(rewriteMessages(JSON.stringify(packed))).toBe(exact);
    expect(rewriteMessages(JSON.stringify([packed, packed]))).toBe(`[${exact},${exact}]`);
    expect(rewriteMessages(`${exactKey} is no JSON`)).toBe(`${exactKey} is no JSON`);
  });

  it("hand the integers of a call to a server as bigint, and only those beyond 2^53", () => {
    expect(readMessages(callText('{"id":9007199254740993,"n":5,"x":1e21,"z":-0}'))).toEqual(
      call({ id: 9007199254740993n, n: 5, x: 1e21, z: -0 }),
    );
  });

  it("hand a structured result to validators rounded, with its text beside it", () => {
    expect(readMessages(reply('{"id":9007199254740993}'))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        content: [],
        structuredContent: { id: 9007199254740992 },
        _meta: beside('{"id":9007199254740993}'),
      },
    });
  });

  it("keep the text that a server has put beside a result which it rounded", () => {
    const text = reply('{"id":9007199254740992}', `,"_meta":${JSON.stringify(beside('{"id":9007199254740993}'))}`);
    expect(readMessages(text)).toEqual(JSON.parse(text));
    expect(attachToReply(text)).toBeUndefined();
  });

  it("drop what a server has put beside a result that it does not belong to", () => {
    const text = reply('{"id":9007199254740993}', `,"_meta":${JSON.stringify(beside('{"id":1}'))}`);
    expect(readMessages(text)).toMatchObject({ result: { _meta: beside('{"id":9007199254740993}') } });
  });

  it("are not changed where nothing is lost", () => {
    expect(
      attachToReply(reply('{"id":5,"d":"2024-01-05","u":"3e5f0000-0000-0000-0000-000000000000"}')),
    ).toBeUndefined();
    expect(
      attachToReply('{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":1,"message":"9007199254740993"}}'),
    ).toBeUndefined();
    expect(attachToReply("not JSON at all, 9007199254740993")).toBeUndefined();
    expect(attachToReply("9007199254740993")).toBeUndefined();
  });

  it("of a call never come from a server's reply to a client", () => {
    expect(attachToReply(callText('{"id":9007199254740993}'))).toBeUndefined();
  });

  it("are read however broken they are", () => {
    for (const text of [
      "null",
      "9007199254740993",
      '"9007199254740993"',
      "[9007199254740993,null,{}]",
      '{"result":9007199254740993}',
      '{"method":"tools/call","params":[9007199254740993]}',
    ]) {
      expect(readMessages(text)).toEqual(JSON.parse(text));
    }
    expect(() => readMessages('{"a":')).toThrow(SyntaxError);
  });

  it("carry the text that was prepared, whatever is in it", () => {
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string({ unit: "binary" }),
        fc.constantFrom(null, true, -0, 1e21, raw("1e400"), raw("5.0")),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(fc.string({ unit: "binary" }), tie("value"), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(fc.string(), tree), (args) => {
        const text = normalizeText(stringifyExact(args));
        const plain: unknown = JSON.parse(text);
        expect(writeMessage(call(plain, beside(text)))).toBe(callText(text));
        expect(rewriteMessages(JSON.stringify(call(plain, beside(text))))).toBe(callText(text));
      }),
      runs(100),
    );
  });

  it("of any kind are read or refused, and never anything else", () => {
    const pieces = fc.constantFrom(
      ...['{"', '":', ",", "}", "[", "]", "9007199254740993", "-0", "1e5", '"', "\\", "__proto__", exactKey],
      ...['"result":{', '"structuredContent":', '"params":{', '"arguments":', '"method":"tools/call"', "null", " "],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        expect([text, rewriteMessages(text)]).toContain(text);
        attachToReply(text);
        try {
          readMessages(text);
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
        }
      }),
      runs(2000),
    );
  });

  it("are read, but not written, where they are nested deeper than the stack", () => {
    const deep = `${'{"a":'.repeat(100_000)}9007199254740993${"}".repeat(100_000)}`;
    expect(readMessages(reply(deep))).not.toHaveProperty("result._meta");
    let value = (readMessages(callText(deep)) as ReturnType<typeof call>).params.arguments as unknown;
    while (typeof value === "object") value = (value as { a: unknown }).a;
    expect(value).toBe(9007199254740993n);
    expect(attachToReply(reply(deep))).toBeUndefined();
  });
});
