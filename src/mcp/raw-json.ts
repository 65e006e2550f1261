// Not in every runtime (Node 20 has none) and not in TypeScript's library yet.
const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;

/** Whether `JSON.stringify` writes the digits of an `IntegerLiteral`, and so any transport does that writes text. */
export const writesLiterals: boolean = rawJson !== undefined;

/** JSON text among JSON values. `stringifyExact` writes it as it stands. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A number as it is spelled. `JSON.stringify` writes it as it stands too, where `writesLiterals`, and elsewhere rounded. */
export class RawNumber extends RawJson {
  toJSON(): unknown {
    return rawJson === undefined ? Number(this.text) : rawJson(this.text);
  }
}
