import { bytes as concat, field, obj, struct, varint } from "../support/wire.js";
import { mutateBytes } from "./mutate-bytes.js";
import type { Random } from "./random.js";

/** A field of a message as it stands on the wire. `fields` instead of `payload` where it is a message itself. */
interface Field {
  number: number;
  type: number;
  payload: Uint8Array;
  message?: Message;
}

interface Message {
  readonly fields: Field[];
}

/** Field numbers that hold messages, by the kind of message, and of what kind those are. */
const kinds = {
  struct: { 1: "entry" },
  entry: { 2: "value" },
  value: { 5: "struct", 6: "list" },
  list: { 1: "value" },
} as const;
type Kind = keyof typeof kinds;

/**
 * Change the fields of a well-formed message and write it with lengths that are right, mostly: what comes out is taken apart
 * further than bytes changed at random. What is not well-formed is changed at random.
 */
export function mutateWire(random: Random, bytes: Uint8Array, others: readonly Uint8Array[], root: Kind): Uint8Array {
  const message = parse(bytes, root);
  const other = parse(random.pick(others), root);
  if (message === undefined || other === undefined) return mutateBytes(random, bytes, others);
  for (let left = random.few(); left > 0; left--) mutateOnce(random, message, listMessages(other));
  const written = write(random, message);
  return random.once(25) ? nest(random, written) : written;
}

/** Nest a Struct in members or lists, or put deep groups beside it, around the limits of 100 here and 50 in protobuf-es. */
function nest(random: Random, bytes: Uint8Array): Uint8Array {
  const depth = random.pick([1, 2, 30, 48, 98, 99, 100, 101, 203]);
  if (random.once(3)) return concat(bytes, new Uint8Array(depth).fill(0x3b), new Uint8Array(depth).fill(0x3c));
  if (bytes.length > 1000) return bytes;
  const isList = random.once(2);
  let value = field(0x2a, bytes);
  for (let i = 0; i < depth; i++) value = isList ? field(0x32, field(0x0a, value)) : obj(["a", value]);
  return struct(["a", value]);
}

function mutateOnce(random: Random, root: Message, donors: readonly Message[]): void {
  const { fields } = random.pick(listMessages(root));
  const at = random.below(fields.length + 1);
  const field = fields[at];
  const donor = copy(random.pick(random.pick(donors).fields));
  if (field === undefined || random.once(4)) {
    fields.splice(at, 0, random.once(3) || donor === undefined ? strangeField(random) : donor);
    return;
  }
  switch (random.below(7)) {
    case 0:
      fields.splice(at, 1);
      return;
    case 1:
      fields.push(copy(field) as Field);
      return;
    case 2:
      fields.splice(at, 1);
      fields.splice(random.below(fields.length + 1), 0, field);
      return;
    case 3:
      field.number = random.pick([1, 2, 3, 4, 5, 6, 7, 15, 16, 2 ** 29 - 1]);
      return;
    case 4:
      delete field.message;
      field.payload = mutateBytes(random, field.payload, [field.payload, Uint8Array.of(0xed, 0xa0, 0x80)]);
      return;
    case 5:
      fields[at] = scalarField(random);
      return;
    default:
      if (donor !== undefined) fields[at] = donor;
  }
}

/** A field that no Struct has: unknown, of another type, or a group. */
function strangeField(random: Random): Field {
  const number = random.pick([1, 2, 3, 4, 5, 6, 7, 100, 2 ** 29 - 1]);
  const type = random.pick([0, 1, 2, 3, 5]);
  const payload = {
    0: () => varint(random.pick([0, 1, 300, 2 ** 40])),
    1: () => new Uint8Array(8).fill(random.below(256)),
    2: () => new Uint8Array(random.below(20)).fill(random.below(256)),
    3: () => concat(...Array.from({ length: random.below(3) }, () => writeField(random, strangeField(random)))),
    5: () => new Uint8Array(4).fill(random.below(256)),
  }[type] as () => Uint8Array;
  return { number, type, payload: payload() };
}

/** A kind of Value, with numbers and strings that are hard to spell. */
function scalarField(random: Random): Field {
  const text = random.pick([
    "5",
    "-0",
    "007",
    "9007199254740993",
    "1e5",
    "",
    '\u0000\u001f"\\/',
    "\ufeffx",
    "1955516024755728386",
  ]);
  const number = random.pick([0, -0, 5, 1e21, 2 ** 53, -(2 ** 63), 2 ** 64, 1e23, 5e-324, 1.5, NaN, -Infinity, 1e300]);
  const double = new Uint8Array(8);
  new DataView(double.buffer).setFloat64(0, number, true);
  return random.pick<Field>([
    { number: 1, type: 0, payload: varint(random.below(3)) },
    { number: 2, type: 1, payload: double },
    { number: 2, type: 1, payload: double },
    { number: 3, type: 2, payload: new TextEncoder().encode(text) },
    { number: 3, type: 2, payload: new TextEncoder().encode(text) },
    { number: 4, type: 0, payload: varint(random.below(2)) },
  ]);
}

/** What is put into a message must not be shared with it, or it could come to hold itself. */
function copy(field: Field | undefined): Field | undefined {
  if (field?.message === undefined) return field && { ...field };
  return { ...field, message: { fields: field.message.fields.map((below) => copy(below) as Field) } };
}

function listMessages(message: Message): Message[] {
  const found = [message];
  for (const { fields } of found) for (const { message: below } of fields) if (below !== undefined) found.push(below);
  return found;
}

function write(random: Random, { fields }: Message): Uint8Array {
  return concat(...fields.map((field) => writeField(random, field)));
}

function writeField(random: Random, { number, type, payload, message }: Field): Uint8Array {
  const tag = oddVarint(random, number * 8 + type);
  const body = message === undefined ? payload : write(random, message);
  if (type === 3) return concat(tag, body, oddVarint(random, number * 8 + 4));
  if (type === 0) return concat(tag, random.once(20) ? oddVarint(random, random.below(300)) : body);
  if (type !== 2) return concat(tag, body);
  // Now and then a length is a little wrong.
  const length = random.once(200) ? Math.max(0, body.length + random.below(5) - 2) : body.length;
  return concat(tag, oddVarint(random, length), body);
}

/** A varint, now and then with more bytes than it needs, and then sometimes with bits that it must not have. */
function oddVarint(random: Random, value: number): Uint8Array {
  const bytes = [...varint(value)];
  if (random.once(150)) {
    const longest = random.pick([5, 10, 11]);
    while (bytes.length < longest) {
      bytes.push((bytes.pop() as number) | 0x80, bytes.length < longest - 1 || random.once(2) ? 0 : random.below(128));
    }
  }
  return Uint8Array.from(bytes);
}

function parse(bytes: Uint8Array, kind: Kind): Message | undefined {
  const fields: Field[] = [];
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let scale = 1; at < bytes.length && scale < 2 ** 50; scale *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const [number, type] = [Math.floor(tag / 8), tag % 8];
    const start = at;
    if (type === 0) readVarint();
    else if (type === 1) at += 8;
    else if (type === 5) at += 4;
    else if (type !== 2) return undefined;
    const length = type === 2 ? readVarint() : at - start;
    if (type !== 2) at = start;
    if (!(at + length <= bytes.length)) return undefined;
    const field: Field = { number, type, payload: bytes.subarray(at, at + length) };
    at += length;
    const below = (kinds[kind] as { readonly [number: number]: Kind })[number];
    if (type === 2 && below !== undefined) {
      const message = parse(field.payload, below);
      if (message === undefined) return undefined;
      field.message = message;
    }
    fields.push(field);
  }
  return { fields };
}
