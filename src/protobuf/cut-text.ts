import type { DescMessage, JsonValue } from "@bufbuild/protobuf";
import { LineCounter } from "../text/line-counter.js";
import { TextReader } from "../text/reader.js";
import { MemberScanner } from "../text/scan.js";
import type { CutOptions } from "./cut-options.js";
import type { FieldCodec, FieldValue } from "./field-codec.js";
import { guessEnd } from "./guess-end.js";
import type { JsonSource } from "./json-source.js";
import type { FieldShape, MessagePlan } from "./message-plan.js";
import type { Locate } from "./place.js";
import { placeholderText } from "./placeholder.js";
import { JsonSkipper } from "./skip-json.js";
import { rootKindOf, type StructKind, structKindOf } from "./struct-kind.js";

/** Thrown where the text is no JSON, or repeats a key: a reader of JSON then says what and where. */
export class UnusualText extends Error {}

interface Part {
  readonly start: number;
  readonly end: number;
}

/** Take the Structs out of the JSON text of a message. Throws `UnusualText`. */
export function cutText(options: CutOptions, desc: DescMessage, text: string): JsonSource {
  const cutter = new TextCutter(options, text);
  const pieces = cutter.cut(desc);
  const skeleton = parse(pieces);
  if (options.refusesRepeatedKeys && countMembers(skeleton) !== cutter.members) throw new UnusualText();
  return new TextSource(text, skeleton, cutter.parts, cutter.hasGuessed);
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnusualText();
  }
}

/** Members of all objects. `JSON.parse` keeps one of repeated keys, so there are fewer than in the text then. */
function countMembers(root: JsonValue): number {
  let members = 0;
  const pending: unknown[] = [root];
  for (let value = pending.pop(); pending.length > 0 || value !== undefined; value = pending.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const values = Object.values(value);
    if (!Array.isArray(value)) members += values.length;
    for (const child of values) if (typeof child === "object" && child !== null) pending.push(child);
  }
  return members;
}

class TextSource implements JsonSource {
  readonly skeleton: JsonValue;
  readonly #text: string;
  readonly #parts: readonly Part[];
  readonly isGuessed: boolean;
  #lines: LineCounter | undefined;

  constructor(text: string, skeleton: JsonValue, parts: readonly Part[], isGuessed: boolean) {
    this.isGuessed = isGuessed;
    this.skeleton = skeleton;
    this.#text = text;
    this.#parts = parts;
  }

  get partCount(): number {
    return this.#parts.length;
  }

  toField(codec: FieldCodec, part: number): FieldValue {
    return codec.fromJsonString(this.#slice(part));
  }

  toBinary(codec: FieldCodec, part: number): Uint8Array {
    return codec.jsonStringToBinary(this.#slice(part));
  }

  locate(part: number): Locate {
    const { start } = this.#parts[part] as Part;
    return ({ offset }) => {
      if (offset === undefined) return {};
      this.#lines ??= new LineCounter(this.#text);
      const { line, column } = this.#lines.place(start + offset);
      return { offset: start + offset, line, column };
    };
  }

  #slice(part: number): string {
    const { start, end } = this.#parts[part] as Part;
    return this.#text.slice(start, end);
  }
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const bracketOpen = 0x5b;
const bracketClose = 0x5d;
const braceOpen = 0x7b;
const braceClose = 0x7d;

/** Containers that the search for "@type" passes over; what is deeper has no Struct to take out. */
const typeDepth = 1000;

/** Walks over the messages of a text, as far as Structs may be in them. */
class TextCutter {
  readonly parts: Part[] = [];
  readonly #options: CutOptions;
  readonly #text: string;
  readonly #reader: TextReader;
  readonly #skipper: JsonSkipper;
  readonly #pieces: string[] = [];
  /** Everything before was copied to the pieces. */
  #copied = 0;
  /** Containers that the reader is inside of, and how many of them are lists and maps. */
  #depth = 0;
  #lists = 0;
  /** Whether the end of a part was guessed. */
  hasGuessed = false;

  constructor(options: CutOptions, text: string) {
    this.#options = options;
    this.#text = text;
    this.#reader = new TextReader(text, Number.POSITIVE_INFINITY, () => new UnusualText());
    this.#skipper = new JsonSkipper(text);
  }

  /** Members of all objects in the text that is left. */
  get members(): number {
    return this.#skipper.members;
  }

  cut(desc: DescMessage): string {
    const kind = rootKindOf(desc);
    this.#reader.peek();
    if (kind !== undefined) this.#cutContent(kind);
    else this.#cutMessage(desc, 1);
    if (!Number.isNaN(this.#reader.peek())) throw new UnusualText();
    this.#pieces.push(this.#text.slice(this.#copied));
    return this.#pieces.join("");
  }

  #cutMessage(desc: DescMessage, depth: number): void {
    if (this.#reader.peek() !== braceOpen || depth > this.#options.deepest) this.#skip();
    else if (desc.typeName === "google.protobuf.Any") this.#cutAny(depth);
    else this.#cutFields(this.#options.planner.plan(desc), depth);
  }

  #cutFields(plan: MessagePlan, depth: number): void {
    const { planner, registry } = this.#options;
    this.#eachMember((key) => {
      const field = plan.byJsonKey.get(key) ?? planner.planExtension(plan, key, registry);
      if (field === undefined) this.#skip();
      else this.#cutField(field, depth);
    });
  }

  #cutField(field: FieldShape, depth: number): void {
    const first = this.#reader.peek();
    if (field.fieldKind === "message") {
      this.#cutValue(field, depth);
      return;
    }
    this.#lists++;
    if (field.fieldKind === "list" && first === bracketOpen) this.#eachItem(() => this.#cutValue(field, depth));
    else if (field.fieldKind === "map" && first === braceOpen) this.#eachMember(() => this.#cutValue(field, depth));
    else this.#skip();
    this.#lists--;
  }

  #cutValue({ content, message }: FieldShape, depth: number): void {
    if (content === "message" || content === "any") this.#cutMessage(message, depth + 1);
    else this.#cutContent(content);
  }

  /** What a type in an Any is says a member that may stand behind the others. */
  #cutAny(depth: number): void {
    const { registry } = this.#options;
    const start = this.#reader.at;
    const typeUrl = new MemberScanner(this.#text, typeDepth).scalars(start, ["@type"]).get("@type");
    const desc =
      typeof typeUrl === "string" ? registry?.getMessage(typeUrl.slice(typeUrl.lastIndexOf("/") + 1)) : undefined;
    const kind = structKindOf(desc);
    if (desc === undefined) this.#skip();
    else if (kind !== undefined) this.#eachMember((key) => (key === "value" ? this.#cutContent(kind) : this.#skip()));
    else if (desc.typeName === "google.protobuf.Any") {
      this.#eachMember((key) => (key === "value" ? this.#cutMessage(desc, depth + 1) : this.#skip()));
    } else this.#cutFields(this.#options.planner.plan(desc), depth + 1);
  }

  /** Take out a Struct, a Value or a ListValue. Null is no Struct, but it is a Value. */
  #cutContent(kind: StructKind): void {
    this.#reader.peek();
    const start = this.#reader.at;
    const { members } = this.#skipper;
    this.#skipPart();
    const end = this.#reader.at;
    if (kind !== "value" && this.#text.startsWith("null", start) && end === start + 4) return;
    this.#pieces.push(this.#text.slice(this.#copied, start), placeholderText(kind, this.parts.length));
    this.#copied = end;
    this.parts.push({ start, end });
    this.#skipper.members = kind === "list" ? members : members + 1;
  }

  /** Pass over a part: guess its end, where that saves looking at all of it. Where there are many, none is long. */
  #skipPart(): void {
    const { at } = this.#reader;
    const isGuessable = this.#options.guesses && !this.hasGuessed && this.#lists === 0;
    const isObject = this.#text.charCodeAt(at) === braceOpen;
    const end = isGuessable && isObject ? guessEnd(this.#text, at, this.#depth) : undefined;
    if (end === undefined) {
      this.#skip();
    } else {
      this.hasGuessed = true;
      this.#reader.at = end;
    }
  }

  #skip(): void {
    this.#reader.peek();
    const end = this.#skipper.skip(this.#reader.at);
    if (end < 0) throw new UnusualText();
    this.#reader.at = end;
  }

  #eachMember(visit: (key: string) => void): void {
    const reader = this.#reader;
    this.#each(braceClose, () => {
      if (reader.peek() !== quote) throw new UnusualText();
      const key = reader.readString();
      reader.expect(colon, "colon");
      this.#skipper.members++;
      visit(key);
    });
  }

  #eachItem(visit: () => void): void {
    this.#each(bracketClose, visit);
  }

  /** Go through a container whose opening bracket is the next character. */
  #each(close: number, visit: () => void): void {
    const reader = this.#reader;
    this.#depth++;
    reader.at++;
    let unit = reader.peek();
    if (unit === close) reader.at++;
    while (unit !== close) {
      visit();
      unit = reader.peek();
      if (unit !== close && unit !== comma) throw new UnusualText();
      reader.at++;
    }
    this.#depth--;
  }
}
