/** A choice on the page: an option of the codec that is one of a few words. */
export interface ChoiceSetting {
  readonly name: string;
  readonly label: string;
  /** The first one is the default. */
  readonly choices: readonly (readonly [value: string, meaning: string])[];
}

/** A limit of the codec or of the schema; empty is the default. */
export interface LimitSetting {
  readonly name: string;
  readonly label: string;
  readonly otherwise: number;
}

/** Options with a few values, those that matter most in front. */
export const choiceSettings: readonly ChoiceSetting[] = [
  {
    name: "int64",
    label: "64-bit integers are written",
    choices: [
      ["string", "as quoted digits"],
      ["schema", "as the schema has them"],
      ["safe", "bare within ±(2^53−1), else quoted"],
      ["bigint", "as bigint; in text as the schema has them"],
    ],
  },
  {
    name: "exact",
    label: "Which integers count as 64-bit",
    choices: [
      ["declared", "those that the schema declares"],
      ["ids", "also those with id-like names"],
      ["all", "all that are not proven small"],
    ],
  },
  {
    name: "unsafeIntegers",
    label: "Integers beyond ±(2^53−1)",
    choices: [
      ["string", "digits as text"],
      ["error", "an error"],
      ["round", "rounded, as without the codec"],
    ],
  },
  {
    name: "structInt64",
    label: "64-bit integers in the Struct",
    choices: [
      ["auto", "numbers where safe"],
      ["string", "always digits as text"],
    ],
  },
  {
    name: "wholeNumbers",
    label: "Whole numbers at number",
    choices: [
      ["shortest", "1"],
      ["fraction", "1.0"],
    ],
  },
  {
    name: "unsetValue",
    label: "A Value without a kind",
    choices: [
      ["error", "an error"],
      ["null", "null"],
    ],
  },
  {
    name: "duplicateKeys",
    label: "A key twice in JSON",
    choices: [
      ["error", "an error"],
      ["last", "the last one counts"],
    ],
  },
];

/** Options that are on or off. */
export const switchSettings: readonly (readonly [name: string, label: string])[] = [
  ["strictSchema", "a schema with issues is an error"],
  ["quoteData", "messages quote data"],
];

/** Issues that `strict` can turn into errors one by one. */
export const strictCodes: readonly string[] = ["fractional", "inexact", "out_of_range", "rounded", "no_schema"];

export const limitSettings: readonly LimitSetting[] = [
  { name: "depth", label: "nested containers", otherwise: 100 },
  { name: "inputBytes", label: "bytes in", otherwise: 64 * 2 ** 20 },
  { name: "outputBytes", label: "bytes out", otherwise: 256 * 2 ** 20 },
  { name: "values", label: "values", otherwise: 4_000_000 },
  { name: "numberLength", label: "characters of a number", otherwise: 1100 },
  { name: "schemaNodes", label: "nodes of the schema", otherwise: 10_000 },
  { name: "schemaDepth", label: "nesting of the schema", otherwise: 256 },
  { name: "schemaBytes", label: "bytes of the schema", otherwise: 2 ** 20 },
];

/** The options that the page has no switch for, and why. */
export const leftOut: ReadonlyMap<string, string> = new Map([
  ["onIssues", "the page listens itself"],
  ["io", "a pasted schema has one side only"],
  ["matchPattern", "a function"],
]);

/** Options of the codec as the page holds them: those that differ from the defaults. */
export interface PageOptions {
  readonly choices: ReadonlyMap<string, string>;
  readonly switches: ReadonlySet<string>;
  readonly strict: ReadonlySet<string>;
  readonly limits: ReadonlyMap<string, number>;
  readonly prettySpaces: number;
}

export const defaultOptions: PageOptions = {
  choices: new Map(),
  switches: new Set(),
  strict: new Set(),
  limits: new Map(),
  prettySpaces: 2,
};

/** The options as `createStructCodec` takes them, with nothing that is the default. */
export function toCodecOptions(options: PageOptions): { [name: string]: unknown } {
  return {
    ...Object.fromEntries(options.choices),
    ...Object.fromEntries([...options.switches].map((name) => [name, true])),
    ...(options.strict.size > 0 && {
      strict: options.strict.size === strictCodes.length ? true : [...options.strict],
    }),
    ...(options.prettySpaces > 0 && { prettySpaces: options.prettySpaces }),
    ...(options.limits.size > 0 && { limits: Object.fromEntries(options.limits) }),
  };
}

/**
 * Read options that came from outside, a shared link: names and values that the page has, in the form of `toCodecOptions`.
 * What is unknown is left out.
 */
export function readCodecOptions(foreign: unknown): PageOptions {
  const source: ReadonlyMap<string, unknown> = new Map(isRecord(foreign) ? Object.entries(foreign) : []);
  const limits = source.get("limits");
  const strict = source.get("strict");
  const codes: readonly unknown[] = strict === true ? strictCodes : Array.isArray(strict) ? strict : [];
  return {
    choices: new Map(
      choiceSettings.flatMap(({ name, choices }) => {
        const value = choices.slice(1).find(([choice]) => choice === source.get(name));
        return value === undefined ? [] : [[name, value[0]] as const];
      }),
    ),
    switches: new Set(switchSettings.map(([name]) => name).filter((name) => source.get(name) === true)),
    strict: new Set(strictCodes.filter((code) => codes.includes(code))),
    limits: readLimits(isRecord(limits) ? limits : {}),
    prettySpaces: readSpaces(source.get("prettySpaces")),
  };
}

function readLimits(foreign: object): PageOptions["limits"] {
  const source = new Map<string, unknown>(Object.entries(foreign));
  const known = limitSettings.map(({ name }) => [name, source.get(name)] as const);
  return new Map(known.filter((entry): entry is readonly [string, number] => isLimit(entry[1])));
}

/** Whether the codec takes it for a limit. */
export function isLimit(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function readSpaces(value: unknown): number {
  return isLimit(value) && value <= 10 ? value : 0;
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
