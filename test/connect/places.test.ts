import { clone, create, equals, fromBinary, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { NodeSchema, type Structs, StructsSchema, ToolService } from "../../gen/structcodec/test/v1/agent_pb.js";
import {
  createClientStructInterceptor,
  createServerStructInterceptor,
  findStructProblems,
  type StructInterceptorOptions,
} from "../../src/connect.js";
import { IntegerLiteral } from "../../src/index.js";
import { StructsService } from "./support/structs-service.js";

const big = 9007199254740993n;
const digits = "9007199254740993";
/** Typed as what a Struct holds, which it is not. */
const exact = () => ({ id: big, list: [new IntegerLiteral(digits)], gone: undefined }) as never as JsonObject;
const plain = { id: digits, list: [digits] };
const numberValue = (value: unknown) => ({ kind: { case: "numberValue" as const, value: value as number } });
const stringValue = (value: string) => ({ kind: { case: "stringValue" as const, value } });
const structValue = (fields: Record<string, ReturnType<typeof numberValue> | ReturnType<typeof stringValue>>) => ({
  kind: { case: "structValue" as const, value: { fields } },
});

type Init = Parameters<typeof create<typeof StructsSchema>>[1];

const places: readonly [place: string, init: () => Init, expected: Init][] = [
  ["a field", () => ({ single: exact() }), { single: plain }],
  ["an optional field", () => ({ maybe: exact() }), { maybe: plain }],
  ["a repeated field", () => ({ many: [{ a: 1 }, exact()] }), { many: [{ a: 1 }, plain] }],
  ["a map", () => ({ byName: { "a/b": exact() } }), { byName: { "a/b": plain } }],
  ["a map with keys of int64", () => ({ byId: { "-7": exact() } }), { byId: { "-7": plain } }],
  ["a oneof", () => ({ choice: { case: "chosen", value: exact() } }), { choice: { case: "chosen", value: plain } }],
  ["a Value", () => ({ value: numberValue(big) }), { value: stringValue(digits) }],
  ["a Value that a double holds", () => ({ value: numberValue(7n) }), { value: numberValue(7) }],
  [
    "a Value that is a Struct",
    () => ({ value: structValue({ id: numberValue(big), line: numberValue(5) }) }),
    { value: structValue({ id: stringValue(digits), line: numberValue(5) }) },
  ],
  [
    "repeated Values",
    () => ({ values: [numberValue(1), numberValue(new IntegerLiteral(digits))] }),
    { values: [numberValue(1), stringValue(digits)] },
  ],
  [
    "a Value in a oneof",
    () => ({ choice: { case: "chosenValue", value: numberValue(big) } }),
    { choice: { case: "chosenValue", value: stringValue(digits) } },
  ],
  ["a ListValue", () => ({ list: { values: [numberValue(big)] } }), { list: { values: [stringValue(digits)] } }],
  [
    "a map of ListValues",
    () => ({ listByName: { x: { values: [numberValue(big)] } } }),
    { listByName: { x: { values: [stringValue(digits)] } } },
  ],
];

/** Schemas that the field options name; where somebody hears that they are missing, the way is another. */
const ways: readonly [string, StructInterceptorOptions][] = [
  ["which has a schema", { schemas: { record: true, value: true, list: true } }],
  ["whose schema is missing", {}],
  ["whose schema is missed", { onIssues: () => undefined }],
];

describe.each(places)("an exact integer in %s", (_, init, expected) => {
  it.each(ways)("%s, arrives on either side, and the caller's message stays as it is", async (__, options) => {
    const received: Structs[] = [];
    const transport = createRouterTransport(
      ({ rpc }) => {
        rpc(StructsService.method.echo, (request) => {
          received.push(clone(StructsSchema, request));
          return create(StructsSchema, init());
        });
      },
      {
        router: { interceptors: [createServerStructInterceptor(options)] },
        transport: { interceptors: [createClientStructInterceptor(options)] },
      },
    );
    const client = createClient(StructsService, transport);
    for (const request of [create(StructsSchema, init()), deepFreeze(create(StructsSchema, init()))]) {
      const response = await client.echo(request);
      expect(received.splice(0)).toEqual([create(StructsSchema, expected)]);
      expect(response).toEqual(create(StructsSchema, expected));
      expect(request).toEqual(create(StructsSchema, init()));
    }
  });
});

describe("an exact integer", () => {
  it("arrives in a Struct that is the whole message", async () => {
    const transport = createRouterTransport(
      ({ rpc }) => {
        rpc(StructsService.method.echoStruct, (request) => request);
      },
      { transport: { interceptors: [createClientStructInterceptor()] } },
    );
    const client = createClient(StructsService, transport);
    const response = await client.echoStruct({ fields: { id: numberValue(big), line: numberValue(5) } });
    expect(response).toEqual(create(StructSchema, { fields: { id: stringValue(digits), line: numberValue(5) } }));
  });

  it("arrives in messages within messages, which are copied only where something changes", async () => {
    const received: unknown[] = [];
    const transport = createRouterTransport(
      ({ service }) =>
        void service(ToolService, {
          async *converse(requests) {
            for await (const { message } of requests) {
              received.push(message.value);
              yield {};
            }
          },
        }),
      { transport: { interceptors: [createClientStructInterceptor()] } },
    );
    const node = (attributes: JsonObject) => ({
      parent: { children: [{ name: "first" }, { attributes }], links: { x: { attributes } } },
      target: { case: "alias" as const, value: { attributes } },
    });
    const context = deepFreeze(create(NodeSchema, node(exact())));
    const requests = (async function* () {
      yield { message: { case: "context" as const, value: context } };
    })();
    for await (const _ of createClient(ToolService, transport).converse(requests));
    expect(received).toEqual([create(NodeSchema, node(plain))]);
  });
});

describe("what protobuf-es would write as nothing", () => {
  const send = async (init: Init) => {
    const transport = createRouterTransport(({ rpc }) => void rpc(StructsService.method.echo, (request) => request), {
      transport: { interceptors: [createClientStructInterceptor()] },
    });
    return createClient(StructsService, transport).echo(init as never);
  };

  it.each<[string, Init, string, string]>([
    ["a function", { single: { a: (() => 1) as never } }, "/single/a", "unsupported_value"],
    ["a symbol", { single: { a: Symbol() as never } }, "/single/a", "unsupported_value"],
    ["a Date", { many: [{ a: new Date(0) as never }] }, "/many/0/a", "unsupported_value"],
    ["a Map", { byName: { x: { a: new Map() as never } } }, "/byName/x/a", "unsupported_value"],
    ["undefined in a list", { single: { a: [undefined as never] } }, "/single/a/0", "unsupported_value"],
    ["a hole", { single: { a: new Array(1) } }, "/single/a/0", "unsupported_value"],
    ["half a surrogate pair", { single: { a: "\ud800" } }, "/single/a", "invalid_utf8"],
    ["a Value without a kind", { value: { kind: { case: undefined } } }, "/value", "unset_value"],
    ["a Value that is a plain object", { value: { a: 5 } as never }, "/value", "unset_value"],
    ["a Date in a Value", { value: numberValue(new Date(0)) }, "/value", "unsupported_value"],
    ["NaN in a ListValue", { list: { values: [numberValue(Number.NaN)] } }, "/list/0", "not_finite"],
    ["text for a Struct", { single: "{}" as never }, "/single", "unexpected_type"],
  ])("is an error with its place: %s", async (_, init, pointer, code) => {
    const error = await send(init).then(
      () => expect.fail("no error"),
      (reason: unknown) => reason,
    );
    expect(findStructProblems(error)).toMatchObject([{ code, pointer }]);
  });

  it("is an error where a value contains itself, or is too deep", async () => {
    const cycle: JsonObject = {};
    cycle.self = cycle;
    let deep: JsonObject = {};
    for (let i = 0; i < 100_000; i++) deep = { deep };
    for (const [single, code] of [
      [cycle, "unsupported_value"],
      [deep, "depth_exceeded"],
    ] as const) {
      const error = await send({ single }).catch((reason: unknown) => reason);
      expect(findStructProblems(error)).toMatchObject([{ code }]);
    }
  });
});

describe("messages of which nothing changes", () => {
  it("are what protobuf-es writes, byte by byte", async () => {
    const init: Init = {
      single: { a: [1, "x", null, true, { b: -0.5 }] },
      byName: { __proto__x: {}, "": { c: [] } },
      value: structValue({ n: numberValue(1.5) }),
      choice: { case: "chosenList", value: { values: [numberValue(1)] } },
    };
    const transport = createRouterTransport(({ rpc }) => void rpc(StructsService.method.echo, (request) => request), {
      router: { interceptors: [createServerStructInterceptor()] },
      transport: { interceptors: [createClientStructInterceptor()] },
    });
    const message = create(StructsSchema, init);
    const response = await createClient(StructsService, transport).echo(message);
    expect(toBinary(StructsSchema, response)).toEqual(toBinary(StructsSchema, message));
    expect(equals(StructsSchema, response, fromBinary(StructsSchema, toBinary(StructsSchema, message)))).toBe(true);
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
