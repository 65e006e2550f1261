import { checkStringToStruct, numeralToStruct } from "../base/numerals.js";
import { exceedsBytes } from "../base/utf8.js";
import { type HintNode, itemNode, memberNode } from "../hint/node.js";
import { TextReader } from "../text/reader.js";
import { MemberScanner } from "../text/scan.js";
import type { Conversion, Crumb } from "./conversion.js";
import { errTooDeep, errTooLong, errTooManyValues, errUnexpectedType } from "./conversion-errors.js";
import type { StructRoot } from "./json-to-struct.js";
import { selectNode } from "./select-node.js";
import {
  countMembers,
  createMembers,
  listValue,
  numberValue,
  objectValue,
  type StructForm,
  type StructItems,
  type StructMembers,
  type StructValue,
  scalarValue,
  setMember,
  stringValue,
} from "./struct-values.js";

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;
const quote = 0x22;

type Target = StructMembers | StructItems;

/** A container that is not closed yet. */
interface Frame extends Crumb {
  readonly parent: Frame | undefined;
  readonly target: Target;
  readonly isObject: boolean;
  /** Offset of the opening bracket, and how many children came before the one gone into. */
  readonly start: number;
  readonly count: number;
  readonly guess: number;
}

/** Convert JSON text to what a Struct or Value holds. Numbers stay text until the hint has spoken. */
export function textToStruct(conversion: Conversion, text: string, form: StructForm): StructRoot {
  const node = conversion.context.root;
  conversion.at(undefined, undefined, node, node);
  if (typeof text !== "string") throw errUnexpectedType(conversion, "JSON text", typeof text);
  if (exceedsBytes(text, conversion.context.options.limits.inputBytes)) throw errTooLong(conversion, "input");
  conversion.text = text;
  return new TextWalk(conversion, text, form).read();
}

/** The state of one walk over a text; the place of an error is read off it only when there is one. */
class TextWalk {
  readonly #conversion: Conversion;
  readonly #form: StructForm;
  readonly #reader: TextReader;
  #scanner: MemberScanner | undefined;
  #frame: Frame | undefined;
  #key: string | number | undefined;
  #node: HintNode;
  #child: HintNode;

  constructor(conversion: Conversion, text: string, form: StructForm) {
    this.#conversion = conversion;
    this.#form = form;
    this.#node = conversion.context.root;
    this.#child = this.#node;
    this.#reader = new TextReader(text, conversion.context.options.limits.numberLength, (code, reason, offset) =>
      this.#here(offset).fail(code, reason),
    );
  }

  read(): StructRoot {
    const reader = this.#reader;
    const first = reader.peek();
    const start = reader.at;
    let root: StructRoot;
    if (first === openBrace || first === openBracket) {
      if (first === openBracket) this.#refuseRoot("array");
      const target = this.#readContainer(first === openBrace);
      root = Array.isArray(target)
        ? { members: undefined, value: listValue(this.#form, target) }
        : { members: target, value: objectValue(this.#form, target) };
    } else {
      const value = this.#readScalar(first, this.#child);
      root = { members: undefined, value };
    }
    if (!Number.isNaN(reader.peek())) {
      this.#key = undefined;
      this.#child = this.#conversion.context.root;
      throw reader.unexpected("end of text");
    }
    if (root.members === undefined && !this.#takesAnyRoot()) {
      reader.at = start;
      this.#refuseRoot(scalarName(first));
    }
    return root;
  }

  #takesAnyRoot(): boolean {
    return this.#conversion.context.typeName === "google.protobuf.Value";
  }

  #refuseRoot(actual: string): void {
    if (!this.#takesAnyRoot()) throw errUnexpectedType(this.#here(this.#reader.at), "object", actual);
  }

  // hot: bench "fromJsonString/medium"
  #readContainer(rootIsObject: boolean): Target {
    const reader = this.#reader;
    const form = this.#form;
    const { rules, options } = this.#conversion.context;
    const { numberIn, stringIn } = rules;
    const { depth: deepest, values: mostValues } = options.limits;
    const hasFastNumbers = options.limits.numberLength > 15;
    let isObject = rootIsObject;
    let start = reader.at;
    let target: Target = isObject ? createMembers(form) : [];
    let node = isObject ? this.#select(this.#child, start) : this.#child;
    let count = 0;
    let guess = 0;
    let depth = 1;
    let values = 1;
    this.#node = node;
    if (depth > deepest) throw errTooDeep(this.#here(start));
    reader.at = start + 1;
    for (;;) {
      let unit = reader.peek();
      if (unit === (isObject ? closeBrace : closeBracket)) {
        reader.at++;
        if (isObject && countMembers(target as StructMembers) !== count) this.#refuseDuplicate(start);
        const frame: Frame | undefined = this.#frame;
        if (frame === undefined) return target;
        ({ target, isObject, start, count, guess, node } = frame);
        this.#frame = frame.parent;
        this.#node = node;
        depth--;
        continue;
      }
      if (count > 0) {
        if (unit !== comma) throw this.#unexpectedAfter(isObject);
        reader.at++;
        unit = reader.peek();
      }
      let key: string | number = count;
      let child: HintNode;
      if (isObject) {
        if (unit !== quote) throw this.#unexpectedAfter(undefined);
        this.#key = undefined;
        key = reader.readString();
        if (node.memberNames[guess] === key) child = node.memberNodes[guess++] as HintNode;
        else child = memberNode(node, key);
        this.#key = key;
        if (reader.peek() !== colon) throw reader.unexpected('":"');
        reader.at++;
        unit = reader.peek();
      } else {
        child = itemNode(node, count);
        this.#key = key;
      }
      this.#child = child;
      count++;
      if (++values > mostValues) throw errTooManyValues(this.#conversion.atOffset(reader.at));
      let value: StructValue;
      if (unit === quote) {
        const at = reader.at;
        const string = reader.readString();
        if (stringIn[child.position] !== 0) checkStringToStruct(child.position, string, this.#here(at));
        value = stringValue(form, string);
      } else if (unit === openBrace || unit === openBracket) {
        if (depth === deepest) throw errTooDeep(this.#here(reader.at));
        const inner: Target = unit === openBrace ? createMembers(form) : [];
        value = Array.isArray(inner) ? listValue(form, inner) : objectValue(form, inner);
        if (isObject) setMember(target as StructMembers, key as string, value);
        else (target as StructItems).push(value);
        this.#frame = { parent: this.#frame, key, node, target, isObject, start, count, guess };
        isObject = unit === openBrace;
        start = reader.at;
        target = inner;
        node = isObject ? this.#select(child, start) : child;
        this.#node = node;
        this.#key = undefined;
        count = 0;
        guess = 0;
        depth++;
        reader.at = start + 1;
        continue;
      } else if ((unit >= 0x30 && unit <= 0x39) || unit === 0x2d) {
        const small =
          hasFastNumbers && (numberIn[child.position] as number) <= 1 ? reader.readSmallInteger() : Number.NaN;
        value = Number.isNaN(small) ? this.#readNumeral(child) : numberValue(form, small);
      } else {
        value = scalarValue(form, reader.readLiteral());
      }
      if (isObject) setMember(target as StructMembers, key as string, value);
      else (target as StructItems).push(value);
    }
  }

  #readScalar(unit: number, node: HintNode): StructValue {
    const reader = this.#reader;
    if (unit === quote) {
      const at = reader.at;
      const string = reader.readString();
      checkStringToStruct(node.position, string, this.#here(at));
      return stringValue(this.#form, string);
    }
    if ((unit >= 0x30 && unit <= 0x39) || unit === 0x2d) return this.#readNumeral(node);
    return scalarValue(this.#form, reader.readLiteral());
  }

  #readNumeral(node: HintNode): StructValue {
    const at = this.#reader.at;
    const token = this.#reader.readNumeral();
    return scalarValue(
      this.#form,
      numeralToStruct(this.#conversion.context.rules, node.position, token, this.#here(at)),
    );
  }

  #here(offset: number): Conversion {
    return this.#conversion.at(this.#frame, this.#key, this.#node, this.#child).atOffset(offset);
  }

  #unexpectedAfter(isObject: boolean | undefined): Error {
    // The place is the container and not its last child.
    this.#key = undefined;
    this.#child = this.#node;
    if (isObject === undefined) return this.#reader.unexpected("string");
    return this.#reader.unexpected(isObject ? '"," or "}"' : '"," or "]"');
  }

  /** Repeated keys show when the object is closed: it then has fewer members than were read. */
  #refuseDuplicate(start: number): void {
    if (this.#conversion.context.options.duplicateKeys === "last") return;
    const [key, offset] = this.#findDuplicate(start);
    this.#key = key;
    this.#child = memberNode(this.#node, key);
    throw this.#here(offset).fail("duplicate_key", "key is repeated");
  }

  #findDuplicate(start: number): [key: string, offset: number] {
    const reader = this.#reader;
    const seen = new Set<string>();
    reader.at = start + 1;
    for (;;) {
      reader.peek();
      const offset = reader.at;
      const key = reader.readString();
      if (seen.has(key)) return [key, offset];
      seen.add(key);
      reader.expect(colon, '":"');
      reader.peek();
      this.#skipValue();
      reader.expect(comma, '","');
    }
  }

  /** Pass over a value that was read before, so nothing in it is looked at. */
  #skipValue(): void {
    const reader = this.#reader;
    for (let depth = 0; ; ) {
      const unit = reader.peek();
      if (unit === openBrace || unit === openBracket) depth++;
      if (unit === closeBrace || unit === closeBracket) depth--;
      if (unit === quote) reader.readString();
      else reader.at++;
      const next = reader.peek();
      if (depth === 0 && (next === comma || next === closeBrace)) return;
    }
  }

  #select(node: HintNode, start: number): HintNode {
    const { selection } = node;
    if (selection === undefined) return node;
    this.#scanner ??= new MemberScanner(this.#reader.text, this.#conversion.context.options.limits.depth);
    const scalars = this.#scanner.scalars(start, selection.keys);
    return selectNode(node, (key) => scalars.get(key));
  }
}

function scalarName(first: number): string {
  if (first === quote) return "string";
  if (first === 0x74 || first === 0x66) return "boolean";
  return first === 0x6e ? "null" : "number";
}
