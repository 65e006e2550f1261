import { describe, expect, it } from "vitest";
import { createStructCodec } from "../../src/index.js";
import { exactKey } from "../../src/mcp/exact-text.js";
import { readStructured } from "../../src/mcp/structured-result.js";

const codec = createStructCodec({ properties: { id: { type: "integer", format: "int64" } } });
const exact = '{"id":1955516024755728387}';
const spelled = '{"id":1955516024755728400}';
const text = (content: string) => [{ type: "text", text: content }];

describe("a structured result", () => {
  it.each<[name: string, meta: string | undefined, content: string | undefined, id: string]>([
    ["the content where nothing else is exact", undefined, exact, "1955516024755728387"],
    ["the exact text beside it", exact, undefined, "1955516024755728387"],
    ["the exact text beside it, whatever the content has rounded", exact, spelled, "1955516024755728387"],
    ["the content where the server had parsed what it sent", spelled, exact, "1955516024755728387"],
    ["what was sent where no content tells more", spelled, "done", "1955516024755728400"],
    ["what was sent where the content is another", spelled, '{"id":1955516024755729999}', "1955516024755728400"],
  ])("is read from %s", (_, meta, content, id) => {
    const result = {
      structuredContent: JSON.parse(spelled) as unknown,
      content: content === undefined ? [] : text(content),
      ...(meta !== undefined && { _meta: { [exactKey]: meta } }),
    };
    expect(readStructured(result, codec)?.toField()).toEqual({ id });
  });
});
