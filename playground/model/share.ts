import { emptyState, type PageState } from "./page-state.js";
import { readCodecOptions, toCodecOptions } from "./settings.js";

/** Longest link that the page writes: longer ones are cut by mail programs and chats. */
export const longestFragment = 30_000;
/** Most characters that a link may unpack to; links come from strangers, and a small one can hold gigabytes. */
const mostUnpacked = 2_000_000;

/** The state as it stands in a link: short names, and only what differs from an empty page. */
export async function packState(state: PageState): Promise<string> {
  const plain = {
    s: state.schema,
    i: state.input,
    ...(state.format !== emptyState.format && { f: state.format }),
    ...(state.root !== emptyState.root && { r: state.root }),
    ...(state.rewrite !== emptyState.rewrite && { w: state.rewrite }),
    ...(state.reader !== emptyState.reader && { n: state.reader }),
    ...(state.documents !== "" && { d: state.documents }),
    o: toCodecOptions(state.options),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(plain));
  return `1${toBase64Url(await collect(pipe(bytes, new CompressionStream("deflate-raw")), Number.POSITIVE_INFINITY))}`;
}

/** Read a fragment, with or without its #. Undefined where it is none of ours. */
export async function unpackState(fragment: string): Promise<PageState | undefined> {
  const packed = /^#?1([\w-]+)$/.exec(fragment)?.[1];
  if (packed === undefined) return undefined;
  try {
    const bytes = await collect(pipe(fromBase64Url(packed), new DecompressionStream("deflate-raw")), mostUnpacked);
    return readState(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

function readState(foreign: unknown): PageState | undefined {
  if (typeof foreign !== "object" || foreign === null) return undefined;
  const { s, i, f, r, w, n, d, o } = foreign as { [name: string]: unknown };
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return {
    schema: text(s),
    input: text(i),
    format: oneOf(f, ["json", "hex", "base64"]) ?? emptyState.format,
    root: oneOf(r, ["value"]) ?? emptyState.root,
    rewrite: oneOf(w, ["declared", "all"]) ?? emptyState.rewrite,
    reader: oneOf(n, ["none"]) ?? emptyState.reader,
    documents: text(d),
    options: readCodecOptions(o),
  };
}

function oneOf<const T extends string>(value: unknown, known: readonly T[]): T | undefined {
  return known.find((word) => word === value);
}

function pipe(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream().pipeThrough(through);
}

async function collect(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError(`a link holds more than ${most} bytes`);
    }
    chunks.push(next.value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
