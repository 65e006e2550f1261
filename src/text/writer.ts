import { IntegerLiteral } from "../base/integer-literal.js";
import { RawNumeral } from "../base/numerals.js";

/** A container that is not written to its end. */
interface Frame {
  readonly names: readonly string[] | undefined;
  readonly source: object;
  readonly length: number;
  index: number;
}

/** Pieces gathered before they are joined: one long string is flattened once. */
const mostPieces = 4096;

/**
 * Write a tree that holds numerals of its own spelling and objects as Maps, laid out as `JSON.stringify` would. It keeps its own stack, so
 * depth is no matter. `undefined` once the text has more than `longest` characters.
 */
export function writeJsonText(tree: unknown, spaces: number, longest: number): string | undefined {
  const frames: Frame[] = [];
  const done: string[] = [];
  let pieces: string[] = [];
  let written = 0;
  const write = (piece: string): void => {
    pieces.push(piece);
    written += piece.length;
    if (pieces.length >= mostPieces) {
      done.push(pieces.join(""));
      pieces = [];
    }
  };
  const indent = (depth: number): string => (spaces === 0 ? "" : `\n${" ".repeat(spaces * depth)}`);
  const open = (value: unknown): void => {
    if (!isContainer(value)) {
      write(scalarText(value));
      return;
    }
    const names = Array.isArray(value) ? undefined : value instanceof Map ? [...value.keys()] : Object.keys(value);
    const length = names?.length ?? (value as unknown[]).length;
    if (length === 0) write(names === undefined ? "[]" : "{}");
    else {
      write(names === undefined ? "[" : "{");
      frames.push({ names, source: value, length, index: 0 });
    }
  };
  open(tree);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (written > longest) return undefined;
    if (frame.index === frame.length) {
      frames.pop();
      write(indent(frames.length) + (frame.names === undefined ? "]" : "}"));
      continue;
    }
    const key = frame.names === undefined ? frame.index : (frame.names[frame.index] as string);
    const lead = (frame.index === 0 ? "" : ",") + indent(frames.length);
    write(typeof key === "number" ? lead : `${lead}${JSON.stringify(key)}:${spaces === 0 ? "" : " "}`);
    frame.index++;
    const { source } = frame;
    open(source instanceof Map ? source.get(key) : (source as Record<string | number, unknown>)[key]);
  }
  done.push(pieces.join(""));
  return done.join("");
}

function isContainer(value: unknown): value is object {
  return (
    typeof value === "object" && value !== null && !(value instanceof RawNumeral) && !(value instanceof IntegerLiteral)
  );
}

function scalarText(value: unknown): string {
  if (value instanceof RawNumeral) return value.text;
  if (value instanceof IntegerLiteral) return value.digits;
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
