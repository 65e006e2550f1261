import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeEvents } from "../../src/mcp/event-stream.js";
import { runs } from "../support/arbitraries.js";

/** What comes of a stream in pieces of these lengths. */
async function change(
  text: string,
  lengths: readonly number[],
  map: (data: string) => string | undefined,
  longest = 1000,
): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      let at = 0;
      for (let i = 0; at < bytes.length; i++) {
        const end = at + Math.max(1, lengths[i % Math.max(1, lengths.length)] ?? bytes.length);
        controller.enqueue(bytes.subarray(at, end));
        at = end;
      }
      controller.close();
    },
  });
  return new Response(changeEvents(source, map, longest)).text();
}

const upper = (data: string): string | undefined => (data.includes("x") ? data.toUpperCase() : undefined);

describe("changeEvents", () => {
  const streams = [
    ["data: x1\n\n", "data: X1\n\n"],
    ["event: message\nid: 7\ndata: x1\nretry: 5\n\n", "event: message\nid: 7\ndata: X1\nretry: 5\n\n"],
    ["data:x1\r\n\r\ndata: y\r\n\r\n", "data: X1\n\ndata: y\r\n\r\n"],
    ["data: x1\r\rdata: x2\r\r\n", "data: X1\n\ndata: X2\n\n"],
    ["data: {\ndata: x}\n\n", "data: {\nX}\n\n"],
    [": x stays\n\ndata: xé😀\n\n", ": x stays\n\ndata: XÉ😀\n\n"],
    ["id: 1\ndata: \n\ndata\n\n", "id: 1\ndata: \n\ndata\n\n"],
    ["data: x1\n\ndata: x2", "data: X1\n\ndata: x2"],
    ["", ""],
  ] as const;

  it.each(streams)("changes the data in %j and nothing else", async (text, expected) => {
    expect(await change(text, [], upper)).toBe(expected);
  });

  it("does so wherever the pieces end", async () => {
    const lines = fc.constantFrom("data: x", "data:y", "data", ": c", "id: 1", "event: x", "é😀", "", "");
    const text = fc.array(fc.tuple(lines, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 20 });
    const lengths = fc.array(fc.nat({ max: 9 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(text, lengths, async (parts, cuts) => {
        const whole = parts.flat().join("");
        expect(await change(whole, cuts, upper)).toBe(await change(whole, [], upper));
      }),
      runs(100),
    );
  });

  it("gives an event when it is complete, not when the stream ends", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const reader = changeEvents(readable, upper, 1000).getReader();
    const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    void writer.write(new TextEncoder().encode("data: x1\n\ndata: x2\n"));
    expect(await read()).toBe("data: X1\n\n");
    void writer.write(new TextEncoder().encode("\n: keep alive\n\n"));
    expect(await read()).toBe("data: X2\n\n: keep alive\n\n");
    await writer.close();
    expect((await reader.read()).done).toBe(true);
  });

  it("ends with an error where an event does not end", async () => {
    await expect(change(`data: ${"x".repeat(2000)}\n\n`, [100], upper)).rejects.toThrow(
      "an event is longer than 1000 characters",
    );
  });

  it("lets the source go when nobody reads any more", async () => {
    await new Promise<void>((resolve) => {
      const source = new ReadableStream<Uint8Array>({ cancel: () => resolve() });
      void changeEvents(source, upper, 1000).cancel();
    });
  });
});
