/** A field of a message as it stands on the wire. */
export interface WireField {
  readonly number: number;
  readonly type: number;
  /** What follows the length of a delimited field; empty for others. */
  readonly payload: Uint8Array;
  /** The value of a varint field. */
  readonly varint: number;
}

/** The fields of a well-formed message. Fields of fixed size are given without their value. */
export function readFields(bytes: Uint8Array): WireField[] {
  const fields: WireField[] = [];
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const [number, type] = [Math.floor(tag / 8), tag % 8];
    const value = type === 0 || type === 2 ? readVarint() : 0;
    const length = type === 2 ? value : type === 1 ? 8 : type === 5 ? 4 : 0;
    fields.push({
      number,
      type,
      payload: type === 2 ? bytes.subarray(at, at + length) : new Uint8Array(),
      varint: value,
    });
    at += length;
  }
  return fields;
}

/** The fields of a number, in their order. */
export function findAll(fields: readonly WireField[], number: number): WireField[] {
  return fields.filter((field) => field.number === number);
}

/** The payload of the first field of a number, empty where there is none. */
export function findFirst(fields: readonly WireField[], number: number): Uint8Array {
  return findAll(fields, number)[0]?.payload ?? new Uint8Array();
}
