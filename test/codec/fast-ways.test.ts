import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binaryToJsonString, FastBinaryToJson } from "../../src/codec/binary-to-json.js";
import { compileByteGraph } from "../../src/codec/byte-node.js";
import { type CodecContext, createContext } from "../../src/codec/context.js";
import { Conversion } from "../../src/codec/conversion.js";
import { FastJsonToBinary, jsonStringToBinary } from "../../src/codec/json-to-binary.js";
import { type CodecOptions, resolveOptions } from "../../src/codec/options.js";
import { readWireTree } from "../../src/codec/read-wire-tree.js";
import { textToStruct } from "../../src/codec/text-to-struct.js";
import { TextToWire } from "../../src/codec/text-to-wire.js";
import { createScratch, viewScratch } from "../../src/codec/transcoder.js";
import { orderedTreeToText } from "../../src/codec/tree-to-text.js";
import { WireToText } from "../../src/codec/wire-to-text.js";
import { wireTreeToJson } from "../../src/codec/wire-tree-to-json.js";
import { compileGraph, type HintGraph } from "../../src/hint/compile-hint.js";
import { type Issue, StructCodecError } from "../../src/index.js";
import { writeWireTree } from "../../src/wire/writer.js";
import { runs } from "../support/arbitraries.js";

// The transcoders have a fast way and a careful one. Here both are run side by side, on documents that the fast one takes
// and on broken ones, and must tell the same: the same output, the same issues, or the same error at the same place.

// More of them by hand: TEST_SEED=random TEST_RUNS=20000.
const parameters = runs(Number(process.env.TEST_RUNS ?? 150));

const schema = {
  type: "object",
  properties: {
    id: { type: "integer" },
    wide: { type: "integer", format: "int64" },
    unsigned: { type: "string", format: "uint64" },
    count: { type: "integer", minimum: 0, maximum: 1000 },
    ratio: { type: "number" },
    name: { type: "string" },
    list: { type: "array", prefixItems: [{ type: "integer" }], items: { $ref: "#" } },
    "": { type: "integer" },
    ключ: { type: "number" },
  },
  patternProperties: { "^x-": { type: "integer", format: "uint64" } },
  additionalProperties: { $ref: "#" },
};

const union = {
  oneOf: [
    { type: "object", properties: { kind: { const: "a" }, id: { type: "string", format: "int64" } } },
    { type: "object", properties: { kind: { const: "b" }, id: { type: "number" }, list: { items: { $ref: "#" } } } },
  ],
};

const hints: [string, HintGraph][] = [
  ["no schema", compileGraph(undefined, {})],
  ["a schema", compileGraph(schema, {})],
  ["a union", compileGraph(union, {})],
];

const options: CodecOptions[] = [
  {},
  { int64: "schema", unsafeIntegers: "round" },
  { int64: "safe", structInt64: "string", wholeNumbers: "fraction" },
  { strict: ["fractional"], unsafeIntegers: "error", duplicateKeys: "last", unsetValue: "null" },
];

const key = fc.oneof(
  fc.constantFrom(...Object.keys(schema.properties), "kind", "x-1", "__proto__", "a\tb", "1", "0"),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary-ascii", maxLength: 4 }),
);

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.integer({ min: -20, max: 300 }),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 100),
  fc.constantFrom(0, -0, 1e21, 1e300, 2 ** 53, -(2 ** 63), 5e-324, 1e-7, 0.1, 1e15, 123456789.125),
);

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.string({ unit: "binary-ascii", maxLength: 10 }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.constantFrom(
    "a",
    "b",
    "007",
    "-0",
    "",
    '"',
    "\\",
    "\u0000\u001f",
    "\u2028",
    "\ufeffx",
    "9".repeat(308),
    "9".repeat(309),
  ),
);

/** A document as nested Maps, so that any key may come in any order. */
type Tree = null | boolean | number | string | Tree[] | Map<string, Tree>;

const { root: document } = fc.letrec<{ root: Map<string, Tree>; tree: Tree; object: Map<string, Tree> }>((tie) => ({
  root: tie("object"),
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false),
    number,
    text,
    fc.array(tie("tree"), { maxLength: 6 }),
    tie("object"),
  ),
  object: fc
    .oneof(
      fc.uniqueArray(fc.tuple(key, tie("tree")), { selector: ([name]) => name, maxLength: 8 }),
      fc.uniqueArray(fc.tuple(key, tie("tree")), { selector: ([name]) => name, minLength: 30, maxLength: 50 }),
    )
    .map((members) => new Map(members)),
}));

function context(hint: HintGraph, option: CodecOptions, issues: Issue[]): CodecContext {
  const onIssues = (found: readonly Issue[]): void => void issues.push(...found);
  return createContext("google.protobuf.Struct", hint.root, resolveOptions({ ...option, onIssues }), false);
}

/** What a conversion did: output, issues and error in one comparable value. */
function outcome(
  direction: "encode" | "decode",
  ctx: CodecContext,
  issues: Issue[],
  run: (c: Conversion) => unknown,
): unknown {
  issues.length = 0;
  try {
    const conversion = new Conversion(ctx, direction);
    const output = run(conversion);
    conversion.finish();
    return { output: output instanceof Uint8Array ? Buffer.from(output).toString("hex") : output, issues: [...issues] };
  } catch (error) {
    if (!(error instanceof StructCodecError)) throw error;
    return { code: error.code, pointer: error.pointer, message: error.message, offset: error.offset };
  }
}

function careful(bytes: Uint8Array): (conversion: Conversion) => string {
  return (c) => orderedTreeToText(c, wireTreeToJson(c, readWireTree(c, bytes), true));
}

function decodeBytes(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function carefulText(source: string): (conversion: Conversion) => Uint8Array | undefined {
  return (c) => writeWireTree(textToStruct(c, source, "ordered").value, "struct", 1e9);
}

function toText(tree: Tree): string {
  if (tree instanceof Map)
    return `{${[...tree].map(([name, value]) => `${JSON.stringify(name)}:${toText(value)}`).join(",")}}`;
  if (Array.isArray(tree)) return `[${tree.map(toText).join(",")}]`;
  return Object.is(tree, -0) ? "-0" : JSON.stringify(tree);
}

function mutate(bytes: Uint8Array, edits: readonly (readonly [number, number, number])[]): Uint8Array {
  let current = [...bytes];
  for (const [kind, at, value] of edits) {
    const index = current.length === 0 ? 0 : at % current.length;
    if (kind === 0) current[index] = value;
    else if (kind === 1) current.splice(index, 1 + (value % 3));
    else if (kind === 2) current.splice(index, 0, value);
    else if (kind === 3) current = current.slice(0, index);
    else current.splice(index, 0, ...current.slice(index, index + (value % 40)));
  }
  return Uint8Array.from(current);
}

const edits = fc.array(fc.tuple(fc.nat(4), fc.nat(100_000), fc.nat(255)), { minLength: 1, maxLength: 3 });

describe.each(hints)("under %s", (_, hint) => {
  it("wire bytes give the same text either way", () => {
    fc.assert(
      fc.property(document, fc.nat(options.length - 1), (tree, which) => {
        const bytes = writeWireTree(tree, "struct", 1e9) as Uint8Array;
        const issues: Issue[] = [];
        const ctx = context(hint, options[which] as CodecOptions, issues);
        const wire = new FastBinaryToJson(ctx);
        const expected = outcome("encode", ctx, issues, careful(bytes));
        expect(outcome("encode", ctx, issues, (c) => wire.toJsonString(bytes) ?? binaryToJsonString(c, bytes))).toEqual(
          expected,
        );
        expect(
          outcome("encode", ctx, issues, (c) => decodeBytes(wire.toJsonBytes(bytes)) ?? binaryToJsonString(c, bytes)),
        ).toEqual(expected);
      }),
      parameters,
    );
  });

  it("broken wire bytes give the same text or error either way", () => {
    fc.assert(
      fc.property(document, edits, fc.nat(options.length - 1), (tree, changes, which) => {
        const bytes = mutate(writeWireTree(tree, "struct", 1e9) as Uint8Array, changes);
        const issues: Issue[] = [];
        const ctx = context(hint, options[which] as CodecOptions, issues);
        const expected = outcome("encode", ctx, issues, careful(bytes));
        expect(
          outcome(
            "encode",
            ctx,
            issues,
            (c) => new FastBinaryToJson(ctx).toJsonString(bytes) ?? binaryToJsonString(c, bytes),
          ),
        ).toEqual(expected);
      }),
      parameters,
    );
  });

  it("JSON text gives the same wire bytes either way", () => {
    fc.assert(
      fc.property(document, fc.nat(options.length - 1), (tree, which) => {
        const source = toText(tree);
        const issues: Issue[] = [];
        const ctx = context(hint, options[which] as CodecOptions, issues);
        const expected = outcome("decode", ctx, issues, carefulText(source));
        expect(
          outcome(
            "decode",
            ctx,
            issues,
            (c) => new FastJsonToBinary(ctx).fromJsonString(source) ?? jsonStringToBinary(c, source),
          ),
        ).toEqual(expected);
      }),
      parameters,
    );
  });

  it("broken JSON text gives the same wire bytes or error either way", () => {
    fc.assert(
      fc.property(document, edits, fc.nat(options.length - 1), (tree, changes, which) => {
        const bytes = mutate(new TextEncoder().encode(toText(tree)), changes);
        const source = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
        const issues: Issue[] = [];
        const ctx = context(hint, options[which] as CodecOptions, issues);
        const expected = outcome("decode", ctx, issues, carefulText(source));
        expect(
          outcome(
            "decode",
            ctx,
            issues,
            (c) => new FastJsonToBinary(ctx).fromJsonString(source) ?? jsonStringToBinary(c, source),
          ),
        ).toEqual(expected);
      }),
      parameters,
    );
  });
});

describe("the fast ways are taken", () => {
  const tree: Tree = new Map<string, Tree>([
    ["id", 5],
    ["name", 'a "quoted" string, ünïcode and more than a hundred and twenty-eight bytes of it '.repeat(3)],
    [
      "list",
      [
        1,
        new Map<string, Tree>([
          ["ratio", 0.1],
          ["other", null],
        ]),
        [true, []],
      ],
    ],
    ["x-1", "12"],
    ["big", new Map<string, Tree>(Array.from({ length: 60 }, (_, i) => [`key ${i}`, i]))],
  ]);

  it.each(hints)("under %s", (_, hint) => {
    const ctx = createContext("google.protobuf.Struct", hint.root, resolveOptions({}), false);
    const graph = compileByteGraph(ctx);
    const bytes = writeWireTree(tree, "struct", 1e9) as Uint8Array;
    const out = createScratch(10_000);
    expect(new WireToText(ctx, graph, out).write(viewScratch(bytes), bytes.length, out)).toBeGreaterThan(0);
    const source = new TextEncoder().encode(toText(tree));
    expect(new TextToWire(ctx, graph, out).write(viewScratch(source), source.length, out)).toBeGreaterThan(0);
  });
});

describe("an object of a union", () => {
  const hint = hints[2]?.[1] as HintGraph;
  const a = '"id":9007199254740993';
  const deep = (depth: number): string => `${'{"list":['.repeat(depth)}1${"]}".repeat(depth)}`;

  it.each<[name: string, text: string, isFast: boolean]>([
    ["by its first member", `{"kind":"a",${a}}`, true],
    ["by its last member", `{${a},"kind":"a"}`, true],
    ["between blanks", `{ ${a} ,\n"kind" : "a" }`, true],
    ["by an escaped key and value", `{${a},"k\\u0069nd":"\\u0061"}`, true],
    ["behind containers", `{"list":[{"kind":"b"},"}"],"x":{"kind":"b"},${a},"kind":"a"}`, true],
    ["in objects in objects", `{"kind":"b","list":[{${a},"kind":"a"},{"id":1.5,"kind":"b"}],"id":1e21}`, true],
    ["not by a container", `{"kind":{"kind":"a"},${a}}`, true],
    ["not by an empty one", "{}", true],
    ["not by another value", `{"kind":1,${a}}`, true],
    ["not where there is none", `{${a}}`, true],
    ["by the last of repeated members", `{"kind":"b",${a},"kind":"a"}`, false],
    ["deep in others", deep(45), false],
  ])("is chosen %s", (_, source, isFast) => {
    for (const option of [{}, { int64: "schema", duplicateKeys: "last" }] as const) {
      const issues: Issue[] = [];
      const ctx = context(hint, option, issues);
      const fast = new FastJsonToBinary(ctx);
      const way = (c: Conversion) => fast.fromJsonString(source) ?? jsonStringToBinary(c, source);
      expect(outcome("decode", ctx, issues, way)).toEqual(outcome("decode", ctx, issues, carefulText(source)));
      expect(fast.fromJsonString(source) !== undefined).toBe(isFast);
    }
  });
});
