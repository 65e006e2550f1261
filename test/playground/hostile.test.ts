import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeCode } from "../../playground/model/code.js";
import { convertPage } from "../../playground/model/convert-page.js";
import { auditSchema, rewriteForModel } from "../../playground/model/for-model.js";
import { emptyState, type PageState } from "../../playground/model/page-state.js";
import { runtimes } from "../../playground/model/runtimes/all.js";
import { writeAs } from "../../playground/model/runtimes/runtime.js";
import { choiceSettings, readCodecOptions } from "../../playground/model/settings.js";
import { packState, unpackState } from "../../playground/model/share.js";
import { markPlaces } from "../../playground/model/shown-texts.js";
import { createStructCodec } from "../../src/index.js";
import { runs } from "../support/arbitraries.js";

const json = fc.jsonValue().map((value) => JSON.stringify(value));
const schema = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .dictionary(
        fc.constantFrom("a", "b", "id", "__proto__"),
        fc.constantFrom(
          { type: "integer" },
          { type: "number" },
          { $ref: "#/x" },
          { type: ["integer", "string"], format: "int64" },
        ),
      )
      .map((properties) => JSON.stringify({ properties })),
  },
  { weight: 1, arbitrary: json },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
);
const object = fc
  .dictionary(fc.constantFrom("a", "b", "id", "__proto__", ""), fc.jsonValue())
  .map((value) => JSON.stringify(value));
const bytes = object.chain((text) => {
  const wire = createStructCodec().jsonStringToBinary(text);
  return fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }).map((flips) => {
    const broken = Uint8Array.from(wire);
    for (const [at, byte] of flips) if (broken.length > 0) broken[at % broken.length] = byte;
    return Buffer.from(broken);
  });
});
const input = fc.oneof(
  object,
  json,
  fc.string({ unit: "binary" }),
  bytes.map((wire) => wire.toString("hex")),
  bytes.map((wire) => wire.toString("base64")),
);
const options = fc
  .record(
    Object.fromEntries(
      choiceSettings.map(({ name, choices }) => [name, fc.constantFrom(...choices.map(([value]) => value))]),
    ),
  )
  .map(readCodecOptions);
const state: fc.Arbitrary<PageState> = fc.record({
  schema,
  input,
  format: fc.constantFrom("auto", "json", "hex", "base64"),
  root: fc.constantFrom("struct", "value"),
  options,
  documents: fc.constantFrom("", "{}", "{", '{"urn:a":{"type":"integer"}}'),
  rewrite: fc.constantFrom("ids", "declared", "all"),
  reader: fc.constantFrom("codec", "none"),
});

describe("whatever is pasted", () => {
  it("becomes a result or a note within the texts, never an exception", () => {
    fc.assert(
      fc.property(state, (page) => {
        const result = convertPage(page);
        const texts = { schema: page.schema, input: page.input, output: result.output.text };
        for (const { pane, from = 0, to = from } of result.notes) {
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(to).toBeLessThanOrEqual(Math.max(texts[pane].length, 1));
        }
        if (result.codec) markPlaces(result.output.places, result.codec, result.changes);
        for (const runtime of runtimes) if (result.wire?.root) writeAs(runtime, result.wire.root);
        rewriteForModel(page.schema, page.rewrite);
        auditSchema(page.schema);
        expect(writeCode(page, result.input)).toContain("protobuf-struct-codec");
        if (result.output.text === "" && page.input.trim() !== "") {
          expect(result.notes.some(({ severity }) => severity === "error")).toBe(true);
        }
      }),
      runs(500),
    );
  });

  it("gets through a link", async () => {
    await fc.assert(
      fc.asyncProperty(state, async (page) => {
        expect(await unpackState(await packState({ ...emptyState, ...page }))).toEqual(page);
      }),
      runs(100),
    );
  });
});
