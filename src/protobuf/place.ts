import { type Issue, type Place, printable, StructCodecError } from "../base/errors.js";
import { childPointer } from "../base/pointer.js";

/** Where a walk over a message is: a link of the chain up to the root. The pointer is computed only when it is needed. */
export interface Crumb {
  readonly parent: Crumb | undefined;
  /** A member's name in JSON, a key of a map, or an index. */
  readonly key: string | number;
  /** Keys of maps are data, and data stays out of messages. */
  readonly isData: boolean;
}

/** The JSON Pointer from the root of the message to a place. */
export function pointerOf(crumb: Crumb | undefined): string {
  return keysOf(crumb).reduce<string>((pointer, { key }) => childPointer(pointer, key), "");
}

function printablePointerOf(crumb: Crumb | undefined, quoteData: boolean): string {
  return keysOf(crumb).reduce<string>(
    (pointer, { key, isData }) => childPointer(pointer, isData && !quoteData ? "*" : key),
    "",
  );
}

/** The chain of crumbs from the root down. */
export function keysOf(crumb: Crumb | undefined): Crumb[] {
  const keys: Crumb[] = [];
  for (let link = crumb; link !== undefined; link = link.parent) keys.push(link);
  return keys.reverse();
}

/** What is converted, for messages, and where its Structs are. */
export interface Document {
  /** Verb, thing and direction, as in "cannot encode agent.v1.CallTool to JSON". */
  readonly action: string;
  readonly quoteData: boolean;
  /** Where in a whole text or array of bytes a place is that was found in a part of it. */
  readonly locate?: Locate | undefined;
}

/** Gives offset, line and column of a place; none of them where there is no whole. */
export type Locate = (found: Place) => Pick<Place, "offset" | "line" | "column">;

/** The error of one Struct as an error of the message around it: its pointer and its sentence lead from the root. */
export function placeError(error: StructCodecError, document: Document, crumb: Crumb | undefined): StructCodecError {
  const place = placeIn(error, document, crumb);
  const message = `${document.action}: ${explain(error, document, crumb, place)}`;
  return new StructCodecError(error.code, error.direction, message, place);
}

/** Say what an error came from, as the constructor of an Error does. */
export function setCause(error: Error, cause: unknown): void {
  const descriptor: PropertyDescriptor = Object.create(null);
  Object.defineProperty(
    error,
    "cause",
    Object.assign(descriptor, { value: cause, configurable: true, writable: true }),
  );
}

/** An issue of one Struct as an issue of the message around it. */
export function placeIssue(issue: Issue, document: Document, crumb: Crumb | undefined): Issue {
  const { code, direction } = issue;
  const place = placeIn(issue, document, crumb);
  // Nothing was refused.
  const subject = document.action.replace(/^cannot \w+ /, "");
  return { code, direction, message: `${subject}: ${explain(issue, document, crumb, place)}`, ...place };
}

function placeIn(found: Place, { locate }: Document, crumb: Crumb | undefined): Place {
  const { schemaPointer, offset, line, column } = found;
  const textPlace = locate === undefined ? { offset, line, column } : locate(found);
  return {
    pointer: pointerOf(crumb) + found.pointer,
    ...(schemaPointer !== undefined && { schemaPointer }),
    ...Object.fromEntries(Object.entries(textPlace).filter(([, value]) => value !== undefined)),
  };
}

function explain(found: Place & { message: string }, document: Document, crumb: Crumb | undefined, to: Place): string {
  const { reason, pointer } = takeApart(found);
  const shown = printablePointerOf(crumb, document.quoteData) + pointer;
  const at = shown === "" ? "" : ` at ${printable(shown)}`;
  return `${reason}${at}${textPlace(to)}`;
}

function textPlace({ line, column, offset }: Place): string {
  if (line !== undefined) return ` (line ${line}, column ${column})`;
  return offset === undefined ? "" : ` (offset ${offset})`;
}

/** The reason and the printed pointer in a sentence of ours: "what: reason at /pointer (offset 1)". */
function takeApart(found: Place & { message: string }): { reason: string; pointer: string } {
  const sentence = found.message.replace(/^[^:]*: /, "");
  const end = textPlace(found);
  const rest = sentence.endsWith(end) ? sentence.slice(0, sentence.length - end.length) : sentence;
  // What is printed differs from the pointer in its tokens only, so there are as many slashes in it.
  let start = rest.length;
  for (let slashes = found.pointer.split("/").length - 1; slashes > 0; slashes--)
    start = rest.lastIndexOf("/", start - 1);
  if (start < 0 || start === rest.length || rest.slice(start - 4, start) !== " at ")
    return { reason: rest, pointer: "" };
  return { reason: rest.slice(0, start - 4), pointer: rest.slice(start) };
}
