import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/codec/options.js";
import { hintLimitNames } from "../../src/hint/compile-hint.js";
import {
  compileHint,
  createStructCodec,
  createValueCodec,
  type HintLimits,
  type HintSource,
  type Issue,
  StructCodecError,
  StructSchemaError,
} from "../../src/index.js";
import { readExactBody } from "../../src/mcp.js";
import { struct } from "../support/wire.js";

const document = readFileSync(new URL("../../SECURITY.md", import.meta.url), "utf8");

/** Rows of the table whose head begins with a word. */
function tableOf(head: string): string[][] {
  const lines = document.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${head} |`));
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  return lines.slice(start + 2, start + length).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

function readNumber(cell: string | undefined): number {
  return Number(/^[0-9,]+/.exec(cell ?? "")?.[0].replaceAll(",", ""));
}

/** "error CODE" where something was thrown, "issue CODE" where it was passed on, undefined where nothing was. */
function outcome(run: () => readonly { code: string }[] | undefined): string | undefined {
  try {
    const [issue] = run() ?? [];
    return issue && `issue ${issue.code}`;
  } catch (error) {
    if (error instanceof StructCodecError || error instanceof StructSchemaError) return `error ${error.code}`;
    throw error;
  }
}

function repeat<T>(count: number, of: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => of(i));
}

function nestedText(depth: number): string {
  return `${"[".repeat(depth)}${"]".repeat(depth)}`;
}

/** What happens to something of exactly a size, under a limit of the codec; every conversion is tried that can tell. */
const documents: { readonly [limit: string]: (size: number, limits: object) => void } = {
  depth(size, limits) {
    const codec = createValueCodec(undefined, { limits });
    const wide = createValueCodec(undefined, { limits: { depth: 1000 } });
    const wire = wide.jsonStringToBinary(nestedText(size));
    codec.jsonToField(JSON.parse(nestedText(size)));
    codec.fromJsonString(nestedText(size));
    codec.jsonStringToBinary(nestedText(size));
    codec.binaryToJson(wire);
    codec.binaryToJsonBytes(wire);
    codec.toJsonString(wide.fromJsonString(nestedText(size)));
    codec.fieldToJsonString(JSON.parse(nestedText(size)));
  },
  inputBytes(size, limits) {
    const codec = createStructCodec(undefined, { limits });
    codec.fromJsonString(`{}${" ".repeat(size - 2)}`);
    codec.jsonBytesToBinary(new TextEncoder().encode(`{}${" ".repeat(size - 2)}`));
    codec.binaryToJsonString(new Uint8Array(size).map((_, i) => (i % 2 === 0 ? 0x38 : 1)));
  },
  outputBytes(size, limits) {
    const codec = createStructCodec(undefined, { limits });
    codec.fieldToJsonString({ a: "x".repeat(size - 8) });
    codec.binaryToJsonBytes(createStructCodec().jsonToBinary({ a: "x".repeat(size - 8) }));
    // A string of so many bytes has a length of two; around it are an entry, its key and its value.
    codec.jsonToBinary({ a: "x".repeat(size - 14) });
  },
  values(size, limits) {
    const codec = createValueCodec(undefined, { limits });
    const text = JSON.stringify(repeat(size - 1, () => 1));
    codec.jsonToField(JSON.parse(text));
    codec.fromJsonString(text);
    codec.binaryToJsonString(createValueCodec().jsonStringToBinary(text));
    codec.toJson(createValueCodec().fromJsonString(text));
  },
  numberLength(size, limits) {
    const codec = createValueCodec(undefined, { limits });
    codec.fromJsonString(`0.${"0".repeat(size - 2)}`);
    codec.jsonStringToBinary(`0.${"0".repeat(size - 2)}`);
  },
};

/** The same for what compiling a schema of exactly a size says, under the default limit. */
const schemas: { readonly [limit: string]: (size: number) => HintSource } = {
  schemaNodes: (size) => ({
    properties: Object.fromEntries(repeat(size - 1, (i) => [`k${i}`, { type: "integer", maximum: i }])),
  }),
  schemaDepth: (size) => repeat(size - 1, () => 0).reduce<HintSource>((items) => ({ items }) as HintSource, {}),
  schemaBytes: (size) => `{"title":"${"x".repeat(size - 12)}"}`,
};

describe("the table of limits", () => {
  const rows = tableOf("limit");

  it("names every limit there is, in their order", () => {
    expect(rows.map(([name]) => name)).toEqual(
      [...Object.keys(defaultLimits), ...hintLimitNames].map((name) => `\`${name}\``),
    );
  });

  for (const [name, size, , beyond] of rows) {
    const limit = (name as string).replaceAll("`", "");
    const [, expected] = /^(\w+ `\w+`)/.exec(beyond as string) ?? [];
    const code = expected?.replaceAll("`", "");

    if (Object.hasOwn(documents, limit)) {
      it(`has the default of ${limit}`, () => {
        expect(defaultLimits[limit as keyof typeof defaultLimits]).toBe(readNumber(size));
      });
      it(`says what happens beyond ${limit}`, () => {
        const check = documents[limit] as (size: number, limits: object) => void;
        expect(outcome(() => void check(200, { [limit]: 200 }))).toBeUndefined();
        expect(outcome(() => void check(201, { [limit]: 200 }))).toBe(code);
      });
    } else {
      it(`has the default of ${limit} and says what happens beyond`, () => {
        const make = schemas[limit] as (size: number) => HintSource;
        const most = readNumber(size);
        expect(outcome(() => compileHint(make(most)).schemaIssues)).toBeUndefined();
        expect(outcome(() => compileHint(make(most + 1)).schemaIssues)).toBe(code);
        const higher: HintLimits = { [limit]: most + 1 };
        expect(outcome(() => compileHint(make(most + 1), { limits: higher }).schemaIssues)).toBeUndefined();
      });
    }
  }
});

describe("each conversion that a limit is for", () => {
  // Above, the first of them stops the others. Here each is asked alone.
  const limits = { depth: 3, inputBytes: 40, outputBytes: 40, values: 5, numberLength: 20 };
  const codec = createStructCodec(undefined, { limits });
  const free = createStructCodec();
  const text = { depth: '{"a":[[{}]]}', inputBytes: `{${" ".repeat(39)}}`, values: '{"a":[1,2,3,4,5]}' };

  it.each([
    ["depth", "depth_exceeded"],
    ["values", "too_large"],
  ] as const)("stops at %s", (limit, code) => {
    const json = JSON.parse(text[limit]);
    const wire = free.jsonToBinary(json);
    const runs: { readonly [method: string]: () => unknown } = {
      toJson: () => codec.toJson(free.fromJson(json)),
      toJsonString: () => codec.toJsonString(free.fromJson(json)),
      fieldToJson: () => codec.fieldToJson(json),
      fieldToJsonString: () => codec.fieldToJsonString(json),
      binaryToJson: () => codec.binaryToJson(wire),
      binaryToJsonString: () => codec.binaryToJsonString(wire),
      binaryToJsonBytes: () => codec.binaryToJsonBytes(wire),
      fromJson: () => codec.fromJson(json),
      jsonToField: () => codec.jsonToField(json),
      jsonToBinary: () => codec.jsonToBinary(json),
      fromJsonString: () => codec.fromJsonString(text[limit]),
      jsonStringToField: () => codec.jsonStringToField(text[limit]),
      jsonStringToBinary: () => codec.jsonStringToBinary(text[limit]),
      jsonBytesToBinary: () => codec.jsonBytesToBinary(new TextEncoder().encode(text[limit])),
    };
    for (const [method, run] of Object.entries(runs)) {
      expect(
        outcome(() => void run()),
        method,
      ).toBe(`error ${code}`);
    }
  });

  it("stops at inputBytes", () => {
    const wire = struct(["a", free.jsonToBinary({ b: "x".repeat(60) })]);
    for (const run of [
      () => codec.fromJsonString(text.inputBytes),
      () => codec.jsonStringToField(text.inputBytes),
      () => codec.jsonStringToBinary(text.inputBytes),
      () => codec.jsonBytesToBinary(new TextEncoder().encode(text.inputBytes)),
      () => codec.binaryToJson(wire),
      () => codec.binaryToJsonString(wire),
      () => codec.binaryToJsonBytes(wire),
    ]) {
      expect(
        outcome(() => void run()),
        run.toString(),
      ).toBe("error too_large");
    }
  });

  it("stops at outputBytes", () => {
    const long = { a: "x".repeat(40) };
    const wire = free.jsonToBinary(long);
    const wide = createStructCodec(undefined, { limits: { outputBytes: 40 } });
    for (const run of [
      () => wide.toJsonString(free.fromJson(long)),
      () => wide.fieldToJsonString(long),
      () => wide.binaryToJsonString(wire),
      () => wide.binaryToJsonBytes(wire),
      () => wide.jsonToBinary(long),
      () => wide.jsonStringToBinary(JSON.stringify(long)),
      () => wide.jsonBytesToBinary(new TextEncoder().encode(JSON.stringify(long))),
    ]) {
      expect(
        outcome(() => void run()),
        run.toString(),
      ).toBe("error too_large");
    }
  });

  it("stops at numberLength", () => {
    const number = `{"a":0.${"0".repeat(20)}}`;
    for (const run of [
      () => codec.fromJsonString(number),
      () => codec.jsonStringToField(number),
      () => codec.jsonStringToBinary(number),
      () => codec.jsonBytesToBinary(new TextEncoder().encode(number)),
    ]) {
      expect(
        outcome(() => void run()),
        run.toString(),
      ).toBe("error too_large");
    }
  });
});

describe("the table of bounds without an option", () => {
  const [steps, nesting, branches, patterns, characters, issues] = tableOf("bound").map(([, size]) => readNumber(size));
  const chain = (length: number): HintSource => ({
    $ref: "#/$defs/d1",
    $defs: Object.fromEntries(
      repeat(length, (i) => [`d${i + 1}`, i + 1 === length ? {} : { $ref: `#/$defs/d${i + 2}` }]),
    ),
  });
  const tooLarge = "issue too_large";

  it("has six of them", () => {
    expect([steps, nesting, branches, patterns, characters, issues].every(Number.isInteger)).toBe(true);
    expect(tableOf("bound")).toHaveLength(6);
  });

  it("says after how many steps a schema is no further compiled", () => {
    const [issue] = compileHint({
      anyOf: repeat(900, (i) => ({ properties: Object.fromEntries(repeat(10, (j) => [`k${i}_${j}`, { const: j }])) })),
    }).schemaIssues;
    expect(issue).toMatchObject({ code: "too_large", message: expect.stringContaining(`more than ${steps} steps`) });
  });

  it("says how many references may follow each other", () => {
    // The root is the first of them.
    expect(outcome(() => compileHint(chain((nesting as number) - 1)).schemaIssues)).toBeUndefined();
    expect(outcome(() => compileHint(chain(nesting as number)).schemaIssues)).toBe(tooLarge);
  });

  it("says how many branches a union may have", () => {
    const union = (size: number): HintSource => ({ anyOf: repeat(size, (i) => ({ type: "integer", minimum: i })) });
    expect(outcome(() => compileHint(union(branches as number)).schemaIssues)).toBeUndefined();
    expect(outcome(() => compileHint(union((branches as number) + 1)).schemaIssues)).toBe(tooLarge);
  });

  it("says how many patterns an object may be matched against", () => {
    const schema = (size: number): HintSource => ({
      patternProperties: Object.fromEntries(repeat(size, (i) => [`^k${i}[a-z]`, {}])),
    });
    expect(outcome(() => compileHint(schema(patterns as number)).schemaIssues)).toBeUndefined();
    expect(outcome(() => compileHint(schema((patterns as number) + 1)).schemaIssues)).toBe(tooLarge);
  });

  it("says how long a pattern may be", () => {
    // One set of characters, so that the automaton is small.
    const schema = (size: number): HintSource => ({ patternProperties: { [`[${"a".repeat(size - 2)}]`]: {} } });
    expect(outcome(() => compileHint(schema(characters as number)).schemaIssues)).toBeUndefined();
    expect(outcome(() => compileHint(schema((characters as number) + 1)).schemaIssues)).toBe(
      "issue unsupported_pattern",
    );
  });

  it("says how many issues are kept", () => {
    const heard: [kept: readonly Issue[], dropped: number][] = [];
    const schema = { items: { type: "integer" } };
    const codec = createValueCodec(schema, { onIssues: (...args) => void heard.push(args) });
    codec.jsonToField(repeat(250, () => 1.5));
    expect(heard[0]?.[0]).toHaveLength(issues as number);
    expect(heard[0]?.[1]).toBe(250 - (issues as number));
    const broken = Object.fromEntries(repeat(250, (i) => [`k${i}`, { $ref: `#/nowhere/${i}` }]));
    expect(compileHint({ properties: broken }).schemaIssues).toHaveLength(issues as number);
  });
});

describe("what the document says beside the tables", () => {
  it("cuts what comes from outside in a message", () => {
    const [, most] = /cut at\s+(\d+) characters/.exec(document) ?? [];
    const codec = createStructCodec({ properties: { ["k".repeat(5000)]: {} } });
    const error = (() => {
      try {
        codec.fromJsonString(`{"${"k".repeat(5000)}":1e400}`);
      } catch (thrown) {
        return thrown as StructCodecError;
      }
      return undefined;
    })();
    expect(/k+/.exec(error?.message ?? "")?.[0].length).toBe(Number(most) - 1);
    expect(error?.pointer).toHaveLength(5001);
  });

  it("reads so much of a request body", async () => {
    const [, most] = /request body of `\.\/mcp` (\d+) MiB/.exec(document) ?? [];
    async function* body(length: number) {
      yield new TextEncoder().encode(`1${" ".repeat(length - 1)}`);
    }
    await expect(readExactBody(body(Number(most) * 1024 * 1024))).resolves.toBe(1);
    await expect(readExactBody(body(Number(most) * 1024 * 1024 + 1))).rejects.toMatchObject({ status: 413 });
  });

  it("is in one piece with the README about the defaults", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    for (const [name, size] of tableOf("limit")) {
      const bytes = readNumber(size);
      const shown =
        bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : (size as string).split(" ")[0]?.replace(/^1,100$/, "1100");
      expect(readme, name).toContain(`| ${name} | ${shown} |`);
    }
  });
});
