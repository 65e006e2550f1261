import type { DescMessage, JsonObject, JsonValue, Message } from "@bufbuild/protobuf";
import { toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IntegerLiteral, StructCodecError } from "../../src/index.js";
import { mapStructsFast } from "../../src/protobuf/fast-structs.js";
import { requireHints } from "../../src/protobuf/message-hints.js";
import {
  checkStructs,
  createMessageHints,
  type FieldValue,
  type MessageHints,
  normalizeStructs,
} from "../../src/protobuf.js";
import { runs } from "../support/arbitraries.js";
import { own } from "../support/exact-json.js";
import { bareRegistry as registry } from "../support/extended-file.js";
import { messages } from "../support/messages.js";

/** Stand for what a Struct cannot hold until the message is made. */
const dirt = new Map<string, unknown>([
  ["@big", 9007199254740993n],
  ["@small", 7n],
  ["@literal", new IntegerLiteral("-7")],
  ["@undefined", undefined],
  ["@nan", Number.NaN],
  ["@date", new Date(0)],
]);
const { struct, value } = fc.letrec<{ struct: JsonObject; value: JsonValue }>((tie) => ({
  struct: fc
    .uniqueArray(fc.tuple(fc.constantFrom("__proto__", "a", "b/c", "0", "id"), tie("value")), {
      maxLength: 3,
      selector: ([key]) => key,
    })
    .map((members) => {
      const object: { [key: string]: JsonValue } = {};
      for (const [key, member] of members) own(object, key, member);
      return object;
    }),
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(-0, 2 ** 53)),
    fc.string({ unit: "grapheme", maxLength: 3 }),
    fc.constantFrom<JsonValue>(null, true, "@big", "@big", "@small", "@literal", "@undefined", "@nan", "@date"),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("struct"),
  ),
}));

/** Put the dirt into a message, in Structs and, as numbers, in Values. */
function soil(holder: object): void {
  for (const [key, held] of Object.entries(holder)) {
    if (typeof held === "string" && dirt.has(held)) own(holder as never, key, dirt.get(held) as never);
    if (typeof held !== "object" || held === null || held instanceof Uint8Array) continue;
    const { case: kind, value: content } = held as { case?: unknown; value?: unknown };
    if (kind === "stringValue" && dirt.has(content as string)) (held as { case: unknown }).case = "numberValue";
    soil(held);
  }
}

const types = [
  "structcodec.test.v1.CallToolRequest",
  "structcodec.test.v1.CallToolResponse",
  "structcodec.test.v1.Structs",
  "structcodec.test.v1.Node",
  "structcodec.test.v1.BatchToolsResponse",
  "structcodec.test.v1.ConverseResponse",
  "structcodec.test.v1.Wrappers",
  "structcodec.test.legacy.Open",
  "structcodec.test.delimited.Groups",
  "google.protobuf.Struct",
  "google.protobuf.Value",
  "google.protobuf.ListValue",
  "google.protobuf.Any",
];

/** Names of all fields that hold a Struct, a Value or a ListValue. */
const names = [...registry].flatMap((type) => {
  if (type.kind !== "message") return [];
  const own = /^google\.protobuf\.(?:Struct|Value|ListValue)$/;
  if (own.test(type.typeName)) return [type.typeName];
  return type.fields
    .filter(({ message }) => message !== undefined && own.test(message.typeName))
    .map((field) => `${type.typeName}.${field.name}`);
});

interface Switch {
  readonly hints: MessageHints;
  /** Run a conversion the careful way: a function of the table fails once, which the careful way does not see. */
  carefully(run: () => unknown): unknown;
}

function createSwitch(open: boolean): Switch {
  let fails = false;
  const choose = () => {
    if (!fails) return true;
    fails = false;
    throw new Error("decline");
  };
  const hints = createMessageHints({
    hints: Object.fromEntries(names.map((name) => [name, choose])),
    ...(open && { registry }),
  });
  const carefully = (run: () => unknown) => {
    fails = true;
    const result = run();
    // Where the fast way was not taken before, or no function asked, the failure is still to come or has come too late.
    const isCareful = !fails && (result as { code?: string } | undefined)?.code !== "no_schema";
    fails = false;
    return isCareful ? result : run();
  };
  return { hints, carefully };
}

function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof StructCodecError)) throw error;
    const { code, pointer, message } = error;
    return { code, pointer, message };
  }
}

describe.each(types)("the fast way over %s", (name) => {
  const desc = registry.getMessage(name) as DescMessage;
  const careless = messages(desc, { struct, value }).map((message) => {
    soil(message);
    return message;
  });

  it("brings to what a Struct holds what the careful way does, and leaves the rest alone", () => {
    const { hints, carefully } = createSwitch(false);
    fc.assert(
      fc.property(careless, (message) => {
        const run = () => outcome(() => normalizeStructs(desc, message, hints));
        expect(bytesOf(desc, run())).toEqual(bytesOf(desc, carefully(run)));
      }),
      runs(150),
    );
  });

  it("finds nothing where the careful way finds nothing", () => {
    const { hints, carefully } = createSwitch(true);
    fc.assert(
      fc.property(careless, (message) => {
        const run = () => outcome(() => checkStructs(desc, message, hints));
        expect(run()).toEqual(carefully(run));
      }),
      runs(150),
    );
  });
});

function bytesOf(desc: DescMessage, result: unknown): unknown {
  return "$typeName" in (result as object) ? toBinary(desc, result as Message) : result;
}

describe("the fast way", () => {
  const hints = requireHints(createMessageHints({ registry }));
  const walk = (open: boolean) => ({
    hints,
    planner: hints.plannerFor(open ? registry : undefined),
    isOpen: open,
    map: (_: unknown, content: FieldValue) => content,
  });
  const take = (name: string, message: object, open = false) =>
    mapStructsFast(walk(open), registry.getMessage(name) as DescMessage, message as Message);

  it("is taken, and copies nothing that stays", () => {
    const request = { $typeName: "structcodec.test.v1.CallToolRequest", name: "x", arguments: { a: 1 } };
    expect(take("structcodec.test.v1.CallToolRequest", request)).toBe(request);
    expect(take("structcodec.test.v1.Wrappers", request, true)).toBe(request);
    const node = { parent: { children: [{ attributes: {} }], links: { x: {} } }, target: { case: "alias", value: {} } };
    expect(take("structcodec.test.v1.Node", node)).toBe(node);
  });

  it("is not taken where something may be packed, or is too deep for it", () => {
    const any = { typeUrl: "type.googleapis.com/google.protobuf.Struct", value: new Uint8Array() };
    expect(take("structcodec.test.v1.CallToolResponse", { details: [any] }, true)).toBeUndefined();
    expect(take("structcodec.test.v1.CallToolResponse", { details: [any] })).toBeDefined();
    expect(take("google.protobuf.Any", any, true)).toBeUndefined();
    expect(take("structcodec.test.legacy.Open", { $unknown: [] }, true)).toBeUndefined();
    let node: object = {};
    for (let i = 0; i < 150; i++) node = { parent: node };
    expect(take("structcodec.test.v1.Node", node)).toBeUndefined();
  });
});
