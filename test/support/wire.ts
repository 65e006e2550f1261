/** A writer for Struct bytes of its own, so that rows can say what protobuf-es never writes: order, repeats, unset kinds. */
export type Wire = Uint8Array;

export function bytes(...parts: (number | Uint8Array)[]): Wire {
  const out = new Uint8Array(
    parts.reduce<number>((sum, part) => sum + (typeof part === "number" ? 1 : part.length), 0),
  );
  let at = 0;
  for (const part of parts) {
    out.set(typeof part === "number" ? [part] : part, at);
    at += typeof part === "number" ? 1 : part.length;
  }
  return out;
}

export function hex(text: string): Wire {
  return new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

export function toHex(wire: Uint8Array): string {
  return [...wire].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function varint(n: number): Wire {
  const out: number[] = [];
  let rest = n;
  while (rest >= 0x80) {
    out.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  out.push(rest);
  return new Uint8Array(out);
}

export function field(tag: number, payload: Uint8Array): Wire {
  return bytes(varint(tag), varint(payload.length), payload);
}

/** Value messages. */
export function num(n: number): Wire {
  const double = new Uint8Array(8);
  new DataView(double.buffer).setFloat64(0, n, true);
  return bytes(0x11, double);
}
export function str(text: string): Wire {
  return field(0x1a, new TextEncoder().encode(text));
}
export function bool(value: boolean): Wire {
  return bytes(0x20, value ? 1 : 0);
}
export function nul(): Wire {
  return bytes(0x08, 0x00);
}
export function unset(): Wire {
  return bytes();
}
export function list(...items: Wire[]): Wire {
  return field(0x32, bytes(...items.map((item) => field(0x0a, item))));
}
export function obj(...members: [key: string, value: Wire][]): Wire {
  return field(0x2a, struct(...members));
}

/** A Struct message. */
export function struct(...members: [key: string, value: Wire][]): Wire {
  return bytes(...members.map(([key, value]) => entry(key, value)));
}
export function entry(key: string, value: Wire): Wire {
  return field(0x0a, bytes(field(0x0a, new TextEncoder().encode(key)), field(0x12, value)));
}
