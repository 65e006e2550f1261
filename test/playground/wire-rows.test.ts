import { describe, expect, it } from "vitest";
import { dissectWire } from "../../playground/model/wire-rows.js";
import { createStructCodec } from "../../src/index.js";
import { bytes, entry, field, list, num, str, struct, varint } from "../support/wire.js";

const rows = (wire: Uint8Array) =>
  dissectWire(wire, "Struct").rows.map(({ offset, end, depth, field: name, value, pointer }) =>
    [offset, end, " ".repeat(depth) + name, value, pointer].join("|"),
  );

describe("dissectWire", () => {
  it("lists every field with its bytes, its value and its pointer", () => {
    expect(rows(struct(["id", num(5)], ["l", list(str("x"))]))).toEqual([
      "0|2|fields||",
      '2|6| key|"id"|/id',
      "6|8| value||/id",
      "8|17|  number_value|5|/id",
      "17|19|fields||",
      '19|22| key|"l"|/l',
      "22|24| value||/l",
      "24|26|  list_value||/l",
      "26|28|   values||/l/0",
      '28|31|    string_value|"x"|/l/0',
    ]);
  });

  it("shows the digits that a double really has", () => {
    const values = [2 ** 60, -0, 0.1, 1e21].map((n) => dissectWire(struct(["v", num(n)]), "Struct").rows.at(-1)?.value);
    expect(values).toEqual(["1152921504606846976", "-0", "0.1", "1e+21"]);
  });

  it("covers every byte of a message exactly once", () => {
    const wire = createStructCodec().jsonStringToBinary('{"a":{"b":[1,null,true,"é",{}]},"c":[]}');
    let at = 0;
    for (const row of dissectWire(wire, "Struct").rows) {
      expect(row.offset).toBe(at);
      at = row.end;
    }
    expect(at).toBe(wire.length);
  });

  it("shows what is before a fault, and the fault", () => {
    const wire = struct(["id", num(5)]);
    const { rows: found, root } = dissectWire(wire.subarray(0, -1), "Struct");
    expect(root).toBeUndefined();
    expect(found.at(-1)).toMatchObject({ field: "malformed", isWrong: true });
  });

  it.each([
    ["a length beyond the end", bytes(0x0a, 0x7f)],
    ["field number 0", bytes(0x02, 0x00)],
    ["a string that is no UTF-8", field(0x0a, field(0x0a, bytes(0xff)))],
    ["a varint without end", bytes(0x0a, ...Array.from({ length: 12 }, () => 0xff))],
  ])("does not throw for %s", (_, wire) => {
    expect(dissectWire(wire, "Struct").root).toBeUndefined();
  });

  it("skips unknown fields, and says so", () => {
    expect(rows(bytes(entry("a", num(1)), 0x10, 0x07)).at(-1)).toBe(
      "21|23|field 2|unknown|".replace(/^21\|23/, "16|18"),
    );
  });

  it("goes no deeper than a stack holds", () => {
    let value = num(5);
    for (let i = 0; i < 20_000; i++) value = field(0x32, field(0x0a, value));
    expect(dissectWire(struct(["a", value]), "Struct").root).toBeUndefined();
  });

  it("lists a thousand rows and says that there are more", () => {
    const wire = struct(...Array.from({ length: 400 }, (_, i) => [`k${i}`, num(i)] as [string, Uint8Array]));
    const { rows: found, isCut, root } = dissectWire(wire, "Struct");
    expect(found).toHaveLength(1000);
    expect(isCut).toBe(true);
    expect(root).toMatchObject({ kind: "struct" });
  });

  it("takes the last of repeated keys in the place of the first", () => {
    const { root } = dissectWire(struct(["a", num(1)], ["b", num(2)], ["a", num(3)]), "Struct");
    expect(root?.kind === "struct" && [...root.members]).toEqual([
      ["a", { kind: "number", value: 3 }],
      ["b", { kind: "number", value: 2 }],
    ]);
  });

  it("reads a Value at the root", () => {
    expect(dissectWire(str("x"), "Value").root).toEqual({ kind: "string", value: "x" });
    expect(dissectWire(bytes(), "Value").root).toEqual({ kind: "unset" });
    expect(varint(300)).toEqual(new Uint8Array([0xac, 0x02]));
  });
});
