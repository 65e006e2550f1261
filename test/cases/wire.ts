import { at, type Case, INT } from "../support/case.js";
import { bool, bytes, entry, field, hex, list, nul, num, obj, str, struct, type Wire } from "../support/wire.js";

function malformed(name: string, wire: Wire, code = "invalid_wire"): Case {
  return { name, direction: "encode", wire, error: { code } };
}

function reads(name: string, wire: Wire, text: string): Case {
  return { name, direction: "encode", wire, text };
}

/** Bytes that are no Struct. protobuf-es takes some of them; these rows go the paths that read bytes themselves. */
const refused: Case[] = [
  malformed("cut inside a number", hex("0a0e0a017612091100000000000014")),
  malformed("cut inside a length", hex("0a80")),
  malformed("cut after a tag", hex("0a")),
  malformed("field number 0", hex("0200")),
  malformed("wire type 6", hex("0e00")),
  malformed("wire type 7", hex("0f00")),
  malformed("a group that nothing closes", hex("1b")),
  malformed("a group that nothing opened", hex("1c")),
  malformed("a group closed by another number", hex("1b24")),
  malformed("an inner length beyond its parent", hex("0a0c0a016112071a0868656c6c6f")),
  malformed("a length beyond the input", hex("0a7f0a0161")),
  malformed("a length of 2^31 - 1", hex("0affffffff070a0161")),
  malformed("a length with bits above 32", hex("0a85808080100a01611200")),
  malformed("a negative length", hex("0affffffffffffffffff01")),
  malformed("a tag of eleven bytes", hex("8880808080808080808080800001")),
  malformed("trailing zero bytes", bytes(struct(["a", num(1)]), 0, 0)),
  malformed("a gRPC frame header left on", bytes(0, 0, 0, 0, 5, struct(["a", num(1)]))),
  malformed("JSON given as wire bytes", new TextEncoder().encode('{"a":1}')),
  malformed("a value that is no UTF-8", struct(["a", bytes(0x1a, 2, 0x61, 0xff)]), "invalid_utf8"),
  malformed("a value that is an encoded surrogate", struct(["a", bytes(0x1a, 3, 0xed, 0xa0, 0x80)]), "invalid_utf8"),
  malformed("a value that is overlong", struct(["a", bytes(0x1a, 2, 0xc0, 0x80)]), "invalid_utf8"),
  malformed("a key that is no UTF-8", field(0x0a, bytes(0x0a, 1, 0xff, field(0x12, num(1)))), "invalid_utf8"),
];

/** Bytes that protobuf-es never writes and every reader has to take. */
const accepted: Case[] = [
  reads("no bytes at all", bytes(), "{}"),
  reads(
    "a repeated key keeps its first place and takes its last value",
    struct(["a", num(1)], ["b", num(2)], ["a", str("x")]),
    '{"a":"x","b":2}',
  ),
  reads(
    "a repeated key in a nested object",
    struct(["o", obj(["a", num(1)], ["b", nul()], ["a", num(3)])]),
    '{"o":{"a":3,"b":null}}',
  ),
  reads("a repeated __proto__", struct(["__proto__", num(1)], ["__proto__", bool(true)]), '{"__proto__":true}'),
  reads("a repeated array-index key", struct(["1", num(1)], ["0", num(2)], ["1", num(3)]), '{"1":3,"0":2}'),
  reads("two kinds in one value: the last wins", struct(["a", bytes(num(1), str("x"))]), '{"a":"x"}'),
  reads(
    "two objects in one value are merged",
    struct(["a", bytes(obj(["x", num(1)]), obj(["y", num(2)]))]),
    '{"a":{"x":1,"y":2}}',
  ),
  reads("two lists in one value are joined", struct(["a", bytes(list(num(1)), list(num(2)))]), '{"a":[1,2]}'),
  reads(
    "an object, another kind, an object: only the last",
    struct(["a", bytes(obj(["x", num(1)]), num(5), obj(["y", num(2)]))]),
    '{"a":{"y":2}}',
  ),
  reads("a value before its key", field(0x0a, bytes(field(0x12, num(1)), field(0x0a, bytes(0x61)))), '{"a":1}'),
  reads("an entry without a key has the empty key", field(0x0a, field(0x12, num(1))), '{"":1}'),
  reads(
    "a key twice in one entry: the last wins",
    field(0x0a, bytes(0x0a, 1, 0x62, 0x0a, 1, 0x61, field(0x12, num(1)))),
    '{"a":1}',
  ),
  reads(
    "unknown fields of every wire type are skipped",
    struct(["a", bytes(hex("3807"), num(1), hex("3901020304050607083a0101"), hex("3d01020304"))]),
    '{"a":1}',
  ),
  reads(
    "unknown fields beside the entries are skipped",
    bytes(hex("1007"), entry("a", num(1)), hex("1a03616263")),
    '{"a":1}',
  ),
  reads("an unknown group is skipped", bytes(hex("3b08013c"), entry("a", num(1))), '{"a":1}'),
  reads("nested unknown groups are skipped", bytes(hex("3b43443c"), entry("a", num(1))), '{"a":1}'),
  reads("an overlong varint as a tag", bytes(hex("8a00"), hex("0e0a01761209110000000000001440")), '{"v":5}'),
  reads("null_value with another number is null", struct(["a", hex("0805")]), '{"a":null}'),
  reads("bool_value with another number is true", struct(["a", hex("2002")]), '{"a":true}'),
  reads("an empty object value", struct(["a", hex("2a00")]), '{"a":{}}'),
  reads("an empty list value", struct(["a", hex("3200")]), '{"a":[]}'),
  reads("a leading U+FEFF is kept", struct(["a", str("\ufeffx")]), '{"a":"\ufeffx"}'),
  {
    name: "an entry without a value has no kind",
    direction: "encode",
    wire: hex("0a030a0176"),
    error: { code: "unset_value", pointer: "/v" },
  },
  {
    name: "entries without a value count against the limit of values",
    direction: "encode",
    options: { unsetValue: "null", limits: { values: 3 } },
    wire: hex("0a030a0161" + "0a030a0162" + "0a030a0163"),
    error: { code: "too_large", pointer: "" },
  },
  {
    name: "a merged value counts once",
    direction: "encode",
    options: { limits: { values: 3 } },
    wire: struct(["a", bytes(hex("2a00"), hex("2a00"))], ["b", num(1)]),
    text: '{"a":{},"b":1}',
  },
  {
    name: "only unknown fields leave the kind unset",
    direction: "encode",
    wire: struct(["v", hex("3807")]),
    error: { code: "unset_value", pointer: "/v" },
  },
  {
    name: "the last value of a repeated key is written by the hint",
    schema: at(INT),
    direction: "encode",
    wire: struct(["v", str("x")], ["w", bool(true)], ["v", num(1e21)]),
    text: '{"v":1000000000000000000000,"w":true}',
  },
];

export const wire: readonly Case[] = [...refused, ...accepted];
