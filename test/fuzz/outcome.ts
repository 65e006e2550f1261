import { IntegerLiteral, type Issue, StructCodecError } from "../../src/index.js";

/** What a conversion did: a value with its issues, or an error of ours. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly issues: string }
  | { readonly ok: false; readonly code: string; readonly pointer: string; readonly place: string };

/** Something that must not be. Complaints of one kind have one cause, as a rule. */
export class Complaint extends Error {
  readonly kind: string;

  constructor(kind: string, detail: string) {
    super(`${kind}: ${detail}`);
    this.kind = kind;
  }
}

/** Complain unless something holds. */
export function require(holds: boolean, kind: string, detail: () => string): asserts holds {
  if (!holds) throw new Complaint(kind, detail());
}

/** Run a conversion. An error that is none of ours is a complaint. */
export function attempt<T>(method: string, issues: Issue[], run: () => T): Outcome<T> {
  issues.length = 0;
  try {
    const value = run();
    return {
      ok: true,
      value,
      issues: issues
        .map(({ code, pointer }) => `${code} at ${pointer}`)
        .sort()
        .join(),
    };
  } catch (error) {
    if (!(error instanceof StructCodecError)) throw new Complaint(`${method} throws ${nameOf(error)}`, String(error));
    const { code, pointer, offset, line, column } = error;
    return { ok: false, code, pointer, place: line === undefined ? `${offset}` : `${line}:${column}` };
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** Complain unless two conversions did the same. `same` compares their values. */
export function requireAgreement<A, B>(
  [oneName, one]: readonly [string, Outcome<A>],
  [otherName, other]: readonly [string, Outcome<B>],
  same: (one: A, other: B) => boolean,
): void {
  const kind = `${oneName} and ${otherName} disagree`;
  const detail = (): string => `${describe(one)} against ${describe(other)}`;
  if (one.ok && other.ok) {
    require(same(one.value, other.value), `${kind} about the value`, detail);
    require(one.issues === other.issues, `${kind} about issues`, detail);
  } else if (one.ok || other.ok) {
    require(false, `${kind} about whether it is an error`, detail);
  } else {
    require(one.code === other.code, `${kind} about the code`, detail);
    require(one.pointer === other.pointer, `${kind} about the pointer`, detail);
    const isPlaced = one.place !== "undefined" && other.place !== "undefined";
    const isLike = one.place.includes(":") === other.place.includes(":");
    require(!isPlaced || !isLike || one.place === other.place, `${kind} about the place`, detail);
  }
}

function describe(outcome: Outcome<unknown>): string {
  if (!outcome.ok) return `${outcome.code} at ${outcome.pointer || "the root"} (${outcome.place})`;
  const value = outcome.value instanceof Uint8Array ? Buffer.from(outcome.value).toString("hex") : outcome.value;
  const text = typeof value === "string" ? value : writeJson(value);
  return `${text.slice(0, 400)}${outcome.issues && ` with ${outcome.issues}`}`;
}

/** The text of a JSON value, written without the code under test and without `JSON.stringify`'s view of literals. */
export function writeJson(value: unknown): string {
  if (Object.is(value, -0)) return "-0";
  if (value instanceof IntegerLiteral) return value.digits;
  if (Array.isArray(value)) return `[${value.map(writeJson).join()}]`;
  if (typeof value !== "object" || value === null)
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${writeJson(member)}`)
    .join()}}`;
}
