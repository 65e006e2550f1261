import { describe, expect, it } from "vitest";
import { convertPage } from "../../playground/model/convert-page.js";
import { examples } from "../../playground/model/examples.js";
import { auditSchema, rewriteForModel } from "../../playground/model/for-model.js";
import { markOf } from "../../playground/model/marks.js";
import { emptyState, type PageState } from "../../playground/model/page-state.js";
import { byteToText, readInput, writeBytes } from "../../playground/model/read-input.js";
import {
  choiceSettings,
  defaultOptions,
  leftOut,
  limitSettings,
  readCodecOptions,
  strictCodes,
  switchSettings,
  toCodecOptions,
} from "../../playground/model/settings.js";
import { packState, unpackState } from "../../playground/model/share.js";
import { type CodecOptions, createStructCodec, type StructCodecOptions } from "../../src/index.js";
import { num, struct, unset } from "../support/wire.js";

const state = (change: Partial<PageState>): PageState => ({ ...emptyState, options: readCodecOptions({}), ...change });

/** What each example shows: the JSON without white space, and how many literals changed. */
const shown: readonly (readonly [json: string, changed: number])[] = [
  ['{"pathInProject":"cmd/main.go","line":7,"column":6}', 2],
  ['{"note_id":"1955516024755728386","topic_id":1955516024755728387,"page":1}', 1],
  ['{"owner":"octo","repo":"hello","issue_number":42,"sub_issue_id":3010000000,"perPage":100}', 2],
  ['{"repositoryId":"f00","pullRequestId":"8650","workItemIds":["12345678","8651"],"top":100}', 4],
  ['{"channel_id":"1130229384756629502","permissions":18014398509481983,"rate_limit_per_user":30}', 0],
  ['{"ticker":"005930","fromdate":"20240101","count":20}', 1],
  ['{"start_time":"1730419200123456768","bytes_sent":11576,"method":"GET","response_code":200}', 1],
  ['{"units":128,"budget_micros":1000000000000000000000,"learning_rate":1}', 3],
  ['{"type":"object","properties":{"tags":{"type":"array","minItems":1,"items":{"type":"string","maxLength":64}}}}', 0],
  [
    '[{"kind":"counter","value":1000000000000000000000},{"kind":"gauge","value":1e+21},{"kind":"gauge","value":0.25}]',
    2,
  ],
];

describe("examples", () => {
  it("are ten", () => {
    expect(examples).toHaveLength(10);
    expect(shown).toHaveLength(10);
  });

  it.each(examples.map((example, i) => [example.title, example, i] as const))("%s", (_, { state: page }, i) => {
    const { output, changes, notes } = convertPage(page);
    expect(notes.filter(({ severity }) => severity !== "info")).toEqual([]);
    expect(output.text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1")).toBe(shown[i]?.[0]);
    expect(changes).toHaveLength(shown[i]?.[1] as number);
  });
});

describe("convertPage", () => {
  it("places a syntax error in the text", () => {
    const { notes, output } = convertPage(state({ input: '{"a":tru}' }));
    expect(output.text).toBe("");
    expect(notes).toMatchObject([{ pane: "input", severity: "error", from: 5 }]);
  });

  it("places an error of a value at the value", () => {
    const { notes } = convertPage(state({ input: '{"a":[1,1e400]}' }));
    expect(notes).toMatchObject([{ pane: "input", severity: "error", from: 8, to: 13 }]);
  });

  it("places an issue at the value on either side", () => {
    const schema = '{"properties":{"n":{"type":"integer"}}}';
    const { notes } = convertPage(state({ schema, input: '{ "n": 1.5 }' }));
    expect(notes).toMatchObject([
      { pane: "input", severity: "warning", from: 7, to: 10 },
      { pane: "output", severity: "warning", from: 5, to: 8 },
    ]);
  });

  it("places an error in wire bytes in the hex or base64 that they were pasted as", () => {
    const bytes = struct(["a", num(1)], ["b", unset()]);
    const at = bytes.indexOf("b".charCodeAt(0));
    for (const format of ["hex", "base64"] as const) {
      const { notes } = convertPage(state({ input: writeBytes(bytes, format), format }));
      const [note] = notes;
      expect(note).toMatchObject({ pane: "input", severity: "error" });
      const width = format === "hex" ? 2 : 4 / 3;
      expect(Math.abs((note?.from ?? 0) - at * width)).toBeLessThan(4 * width);
    }
  });

  it("places issues and errors of a schema in the schema", () => {
    const schema = '{"properties":{"a":{"$ref":"#/$defs/x"}}}';
    expect(convertPage(state({ schema, input: "{}" })).notes).toMatchObject([
      { pane: "schema", severity: "warning", from: 27, to: 38 },
    ]);
    expect(convertPage(state({ schema: '{"a":', input: "{}" })).notes).toMatchObject([
      { pane: "schema", severity: "error", from: 4 },
    ]);
    expect(convertPage(state({ schema: "5", input: "{}" })).notes).toMatchObject([
      { pane: "schema", severity: "error" },
    ]);
  });

  it("says where the next reader would round", () => {
    const input = '{"id":1955516024755728386,"n":9007199254740991}';
    const schema = '{"additionalProperties":{"type":"integer"}}';
    expect(convertPage(state({ schema, input })).notes).toMatchObject([
      { pane: "output", severity: "info", from: 6, to: 25, message: expect.stringContaining("at /id") },
    ]);
  });

  it("says where the way back ends at another Struct", () => {
    const schema = '{"properties":{"id":{"type":"integer","format":"int64"}}}';
    const { wayBack } = convertPage(state({ schema, input: '{"id":5}' }));
    expect(wayBack).toEqual({ changes: [{ pointer: "/id", before: "number 5", after: 'text "5"' }] });
    expect(convertPage(state({ schema, input: '{"id":1955516024755728386}' })).wayBack).toEqual({ changes: [] });
  });

  it("compares bytes with what JavaScript writes for them", () => {
    const input = writeBytes(struct(["n", num(2 ** 60)]), "hex");
    const schema = '{"properties":{"n":{"type":"integer"}}}';
    expect(convertPage(state({ schema, input })).changes).toEqual([
      { pointer: "/n", before: "1152921504606847000", after: "1152921504606846976" },
    ]);
  });

  it("has nothing to say about nothing", () => {
    const { notes, output, bytes } = convertPage(state({ input: " " }));
    expect(notes).toEqual([]);
    expect(output.text).toBe("{}");
    expect(bytes).toHaveLength(0);
  });

  it("reads further schemas, and reports those that are no JSON", () => {
    const schema = '{"properties":{"id":{"$ref":"urn:id"}}}';
    const documents = '{"urn:id":{"type":"integer","format":"int64"}}';
    expect(convertPage(state({ schema, documents, input: '{"id":5}' })).output.text).toBe('{"id":"5"}');
    for (const wrong of ["{", "5"]) {
      expect(convertPage(state({ schema, documents: wrong, input: "{}" })).notes).toMatchObject([
        { pane: "schema", severity: "error" },
      ]);
    }
  });

  it("keeps what it says about keys of strangers to itself", () => {
    const input = '{"__proto__":{"n":1e21},"constructor":1.0}';
    const { output, changes } = convertPage(state({ input }));
    expect(output.text).toBe('{"__proto__":{"n":1e+21},"constructor":1}');
    expect(changes.map(({ pointer }) => pointer)).toEqual(["/__proto__/n", "/constructor"]);
    expect(Object.getPrototypeOf({})).not.toHaveProperty("n");
  });
});

describe("readInput", () => {
  it.each([
    ['{"a":1}', "json"],
    [" [1]", "json"],
    ["0a0e0a01", "hex"],
    ["0x0a 0x0E", "hex"],
    ["Cg4KAXYSCREAAAAAAAAUQA==", "base64"],
    ["", "hex"],
  ])("takes %s for %s", (text, format) => {
    expect(readInput(text, "auto", "struct").format).toBe(format);
  });

  it("takes a scalar for JSON where the root is a Value", () => {
    expect(readInput("12", "auto", "value").format).toBe("json");
    expect(readInput("12", "auto", "struct").format).toBe("hex");
  });

  it("reads hex and base64 as people paste them", () => {
    const bytes = new Uint8Array([0x0a, 0xff, 0xfe]);
    for (const text of ["0afffe", "0A FF FE", "0x0a, 0xff, 0xfe", "0a:ff:fe\n"]) {
      expect(readInput(text, "hex", "struct")).toEqual({ format: "hex", bytes });
    }
    for (const text of ["Cv/+", "Cv_-", " Cv/\n+ "]) {
      expect(readInput(text, "base64", "struct")).toEqual({ format: "base64", bytes });
    }
  });

  it("names the place of what is no byte", () => {
    expect(readInput("0a zz", "hex", "struct")).toMatchObject({ error: "not a hexadecimal digit", offset: 3 });
    expect(readInput("0a0", "hex", "struct")).toMatchObject({ error: "half a byte at the end" });
    expect(readInput("Cg%=", "base64", "struct")).toMatchObject({ offset: 2 });
    expect(readInput("Cg4KA", "base64", "struct")).toHaveProperty("error");
  });

  it("finds a byte in the text again", () => {
    expect(byteToText("0x0a, 0x0b", "hex", 1)).toBe(8);
    expect(byteToText("0a0b", "hex", 1)).toBe(2);
    expect(byteToText("Cg4K", "base64", 2)).toBe(2);
  });
});

describe("settings", () => {
  it("are all options of a codec but those that say why not", async () => {
    const { codecOptionNames } = await import("../../src/codec/options.js");
    const { hintOptionNames } = await import("../../src/hint/compile-hint.js");
    const shownNames = [
      ...choiceSettings.map(({ name }) => name),
      ...switchSettings.map(([name]) => name),
      "strict",
      "prettySpaces",
      "limits",
      "documents",
      ...leftOut.keys(),
    ];
    expect(shownNames.sort()).toEqual([...new Set([...codecOptionNames, ...hintOptionNames])].sort());
  });

  it("are taken by the codec, every value of them", () => {
    const all: StructCodecOptions[] = [
      ...choiceSettings.flatMap(({ name, choices }) => choices.map(([value]) => ({ [name]: value }))),
      ...switchSettings.map(([name]) => ({ [name]: true })),
      { strict: strictCodes as NonNullable<Exclude<CodecOptions["strict"], boolean>> },
      { limits: Object.fromEntries(limitSettings.map(({ name, otherwise }) => [name, otherwise])) },
    ];
    for (const options of all) expect(() => createStructCodec({}, options)).not.toThrow();
  });

  it("name the limits that the codec has, with their defaults", async () => {
    const { defaultLimits } = await import("../../src/codec/options.js");
    const { hintLimitNames } = await import("../../src/hint/compile-hint.js");
    const names = limitSettings.map(({ name }) => name);
    expect(names.sort()).toEqual([...Object.keys(defaultLimits), ...hintLimitNames].sort());
    for (const { name, otherwise } of limitSettings) {
      const known = (defaultLimits as { [name: string]: number })[name];
      if (known !== undefined) expect(otherwise, name).toBe(known);
    }
  });

  it("name the defaults first", () => {
    const codec = createStructCodec({ properties: { v: { type: "integer", format: "int64" } } });
    const named = createStructCodec(
      { properties: { v: { type: "integer", format: "int64" } } },
      Object.fromEntries(choiceSettings.map(({ name, choices }) => [name, choices[0]?.[0]])),
    );
    for (const text of ['{"v":5}', '{"v":1955516024755728386}']) {
      expect(named.jsonStringToField(text)).toEqual(codec.jsonStringToField(text));
      expect(named.fieldToJsonString(named.jsonStringToField(text))).toBe(
        codec.fieldToJsonString(codec.jsonStringToField(text)),
      );
    }
  });

  it("take nothing from outside that the page does not have", () => {
    const foreign = {
      int64: "bigint",
      exact: "nonsense",
      onIssues: 1,
      strict: ["rounded", 5],
      limits: { depth: -1, values: 9 },
    };
    expect(toCodecOptions(readCodecOptions(foreign))).toEqual({
      int64: "bigint",
      strict: ["rounded"],
      limits: { values: 9 },
    });
    for (const nonsense of [null, 5, [], "x", { limits: 5, strict: {} }]) {
      expect(toCodecOptions(readCodecOptions(nonsense))).toEqual({});
    }
  });
});

describe("links", () => {
  it.each(examples.map(({ title, state: page }) => [title, page] as const))("hold the example %s", async (_, page) => {
    expect(await unpackState(`#${await packState(page)}`)).toEqual(page);
  });

  it("hold every setting", async () => {
    const page: PageState = {
      schema: '{"type":"integer"} \u00e9\ud83d\ude00',
      input: "0a00",
      format: "hex",
      root: "value",
      documents: "{}",
      rewrite: "all",
      reader: "none",
      options: readCodecOptions({
        int64: "safe",
        strict: true,
        quoteData: true,
        limits: { depth: 5 },
        prettySpaces: 4,
      }),
    };
    expect(await unpackState(await packState(page))).toEqual(page);
  });

  it.each(["", "#", "#1", "#1!!", "#2abc", "#1AAAA", "#1_-_-", "#section"])(
    "are not read where %s is none",
    async (text) => {
      expect(await unpackState(text)).toBeUndefined();
    },
  );

  it("take what is missing or wrong as on an empty page", async () => {
    const pack = async (value: unknown) => {
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
      return `1${Buffer.from(await new Response(packed).arrayBuffer()).toString("base64url")}`;
    };
    const empty = { ...emptyState, options: { ...defaultOptions, prettySpaces: 0 } };
    expect(await unpackState(await pack({}))).toEqual(empty);
    expect(await unpackState(await pack({ s: 5, i: {}, f: "x", r: "__proto__", o: "x" }))).toEqual(empty);
    expect(await unpackState(await pack(null))).toBeUndefined();
    expect(await unpackState(await pack("x".repeat(3_000_000)))).toBeUndefined();
  });
});

describe("marks", () => {
  const mark = (schema: object) => markOf(createStructCodec({ properties: { v: schema } }).explain("/v"));

  it("say what the hint says", () => {
    expect(mark({ type: "integer", minimum: 0, maximum: 9 })).toBe("integer");
    expect(mark({ type: "integer", format: "int64" })).toBe("wide");
    expect(mark({ type: "integer" })).toBe("unknown");
    expect(mark({ type: "string", format: "int64" })).toBe("digits");
    expect(mark({ type: "number" })).toBe("number");
    expect(mark({ type: ["integer", "string"] })).toBe("ambiguous");
    expect(mark({ type: "string" })).toBeUndefined();
    expect(mark({})).toBeUndefined();
  });
});

describe("the schema for a model", () => {
  const schema = '{"properties":{"orderId":{"type":"integer","maximum":9223372036854775807},"n":{"type":"integer"}}}';

  it("shows ids as text, indented", () => {
    const { text } = rewriteForModel(schema, "ids");
    expect(JSON.parse(text).properties).toMatchObject({ orderId: { type: "string" }, n: { type: "integer" } });
    expect(text).toContain('\n    "orderId": {\n');
    expect(text).toContain("9223372036854775807");
  });

  it("is empty without a schema, and an error where there is none", () => {
    expect(rewriteForModel("", "ids")).toEqual({ text: "", findings: [] });
    expect(rewriteForModel("{", "ids").error).toContain("schema is not JSON");
  });

  it("is audited with pointers into the schema alone", () => {
    expect(auditSchema(schema)[0]).toMatchObject({
      code: "wide_integer",
      severity: "error",
      pointer: "/properties/orderId",
    });
    expect(auditSchema(schema)[0]?.fix).not.toContain("inputSchema");
    expect(auditSchema("")).toEqual([]);
  });
});
